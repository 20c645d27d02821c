// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import Foundation

extension CLSDataStore {
    /// Saves all that is new, changed or removed, as one transaction: when the completion is called without an error, it is on the daemon's disk. Objects
    /// that cannot be saved do not keep the others from it: the error is `partialFailure` then. While the daemon is away it is `databaseInaccessible`, and
    /// everything stays here for the next save.
    public func save(completion: (((any Error)?) -> Void)? = nil) {
        let plan = UncheckedBox(Model.locked { SavePlan(of: self) })
        let completion = UncheckedBox(completion)
        Callbacks.enter()
        wire.queue.async {
            let error = self.carryOut(plan.value).error
            if let completion = completion.value { Callbacks.run { completion(error) } }
            Callbacks.leave()
        }
    }

    /// The same; throws what the completion would get.
    public func save() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            save { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// Whoever is recorded is told when it begins. Once for each activity; where nobody answers now, its first save tells. For whoever holds the lock.
    func announce(_ activity: CLSActivity) {
        guard !activity.isAnnounced, let subject = ActivityForm.subject(of: activity) else { return }
        activity.isAnnounced = true
        let parameters: JSONObject = ["store": form, "subject": subject, "activity": .string(activity.id)]
        wire.queue.async {
            let reply = try? self.wire.call("org.daybook.ClassKit.GetNotices", parameters)  // The save says what is wrong.
            for notice in reply?["notices"]?.arrayValue ?? [] { self.notices.recordingBegan(notice) }
        }
    }

    /// On the wire's queue.
    func carryOut(_ plan: SavePlan) -> SaveOutcome {
        var outcome = SaveOutcome(errors: plan.problems)
        completeAssigned()
        for transaction in SavePieces.transactions(plan.steps) {
            do {
                try carryOut(transaction, into: &outcome)
            } catch {
                outcome.errors.append(error)
                // Nobody answers, or nobody may: the rest would fare no better.
                break
            }
        }
        return outcome
    }

    private func carryOut(_ pieces: [[SavePlan.Step]], into outcome: inout SaveOutcome) throws(CLSError) {
        let calls = pieces.enumerated().map { index, steps -> (method: String, parameters: JSONObject) in
            let parameters: JSONObject = [
                "store": form, "changes": .array(steps.map { .object($0.change) }), "continues": .bool(index < pieces.count - 1),
            ]
            return ("org.daybook.ClassKit.Save", parameters)
        }
        let replies = try wire.call(calls)
        let reply = replies.last ?? [:]
        let results = reply["outcomes"]?.arrayValue ?? []
        let steps = pieces.joined()
        guard results.count == steps.count else {
            throw CLSError(.databaseInaccessible, "the Daybook server answered for \(results.count) of \(steps.count) objects")
        }
        Model.locked {
            for (step, result) in zip(steps, results) { settle(step, result, into: &outcome) }
        }
        for notice in reply["notices"]?.arrayValue ?? [] { notices.recordingBegan(notice) }
        for line in ContextForm.texts(reply["dropped"]) { notices.dropped(line) }
    }

    /// For whoever holds the lock.
    private func settle(_ step: SavePlan.Step, _ result: JSONValue, into outcome: inout SaveOutcome) {
        if let name = result["error"]?.stringValue {
            let code: CLSError.Code =
                switch name {
                case "invalidModification": .invalidModification
                case "invalidCreate": .invalidCreate
                case "invalidUpdate": .invalidUpdate
                case "limits": .limits
                default: .invalidArgument
                }
            outcome.errors.append(CLSError(code, result["reason"]?.stringValue ?? name, object: step.object))
            // What cannot be deleted will not be deletable the next time.
            if case .removal(let path) = step.subject { removals.removeAll { $0 == path } }
            return
        }
        switch step.subject {
        case .removal(let path): removals.removeAll { $0 == path }
        case .context(let context, let path):
            // It may have been taken out meanwhile; then it is known there under this path all the same.
            context.savedPath = path
            context.savedRevision = max(context.savedRevision, step.revision)
        case .activity(let activity, let running):
            activity.savedRevision = max(activity.savedRevision, step.revision)
            activity.isToldRunning = running
        }
        step.object.map { outcome.saved.append($0) }
    }

    /// Whose tree is meant.
    var form: JSONValue { ["app": .string(settings.app), "environment": .string(settings.environment.rawValue)] }
}

/// Cuts a save into what the daemon takes: pieces of one message each, and more than one transaction only where there is more than one may have.
enum SavePieces {
    /// The daemon takes 5000 changes and 8 MiB in one save, and 256 KiB in one message.
    static let changes = 5000
    static let bytes = 7 << 20
    static let pieceBytes = 200 << 10

    static func transactions(_ steps: [SavePlan.Step]) -> [[[SavePlan.Step]]] {
        var transactions: [[[SavePlan.Step]]] = []
        var (total, count, piece) = (0, 0, 0)
        for step in steps {
            let size = JSONValue.object(step.change).encoded.count + 1
            if transactions.isEmpty || count == changes || total + size > bytes {
                transactions.append([[]])
                (total, count, piece) = (0, 0, 0)
            } else if piece + size > pieceBytes {
                transactions[transactions.count - 1].append([])
                piece = 0
            }
            let last = transactions.count - 1
            transactions[last][transactions[last].count - 1].append(step)
            (total, count, piece) = (total + size, count + 1, piece + size)
        }
        return transactions
    }
}
