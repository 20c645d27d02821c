// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import Foundation

/// What one save sends: taken down at the moment of the call, so that later changes are the next save's.
struct SavePlan {
    /// One change, and what it means when the daemon has it.
    struct Step {
        enum Subject {
            case removal([String])
            case context(CLSContext, path: [String])
            case activity(CLSActivity, running: Bool)
        }
        var subject: Subject
        /// What the daemon will have of it.
        var revision: UInt64
        var change: JSONObject

        var object: CLSObject? {
            switch subject {
            case .removal: nil
            case .context(let context, _): context
            case .activity(let activity, _): activity
            }
        }
    }

    var steps: [Step] = []
    /// What cannot even be sent.
    var problems: [CLSError] = []

    /// Everything that is new, changed or gone. For whoever holds the lock.
    init(of store: CLSDataStore) {
        problems = store.problems
        store.problems = []
        store.settleRemovals()
        store.noticeStandstill()
        for path in store.removals {
            steps.append(Step(subject: .removal(path), revision: 0, change: ["remove": ContextForm.list(path)]))
        }
        add(childrenOf: store.mainAppContext)
        for activity in store.activities where activity.needsSave { add(activity) }
    }

    /// These contexts alone.
    init(contexts: [CLSContext]) {
        for context in contexts where context.root.isMain { add(context) }
    }

    private mutating func add(childrenOf context: CLSContext) {
        for child in context.orderedChildren where add(child) { add(childrenOf: child) }
    }

    /// False where the daemon cannot have what is below it, either.
    @discardableResult
    private mutating func add(_ context: CLSContext) -> Bool {
        let path = context.path
        guard context.revision > context.savedRevision || context.savedPath != path else { return true }
        if let problem = ContextForm.problem(of: context) {
            problems.append(problem)
            return context.savedPath != nil
        }
        let change: JSONObject = ["context": ContextForm.value(of: context)]
        steps.append(Step(subject: .context(context, path: path), revision: context.revision, change: change))
        return true
    }

    private mutating func add(_ activity: CLSActivity) {
        guard let subject = ActivityForm.subject(of: activity) else { return }
        let (value, bad) = ActivityForm.value(of: activity)
        problems += bad
        steps.append(
            Step(
                subject: .activity(activity, running: activity.timer.isRunning), revision: activity.lastChange,
                change: ["activity": value, "subject": subject]))
    }
}

/// What came of a save.
struct SaveOutcome {
    var saved: [CLSObject] = []
    var errors: [CLSError] = []

    /// One error for the app: none, the only one, or one that has them all.
    var error: CLSError? {
        if errors.isEmpty { return nil }
        if errors.count == 1, saved.isEmpty { return errors[0] }
        let reasons = errors.prefix(3).map(\.localizedDescription).joined(separator: "; ")
        return CLSError(
            .partialFailure,
            userInfo: [
                NSLocalizedDescriptionKey: "\(errors.count) of \(errors.count + saved.count) objects were not saved: \(reasons)",
                CLSErrorUserInfoKey.underlyingErrorsKey.rawValue: errors as [any Error],
                CLSErrorUserInfoKey.successfulObjectsKey.rawValue: saved,
            ])
    }
}
