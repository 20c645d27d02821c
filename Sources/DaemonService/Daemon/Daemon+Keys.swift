// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import DaybookJSON
import DaybookLinux
import DaybookVarlink
import EventLoop
import Inference
import Ledger
import Quizzes

/// A quiz key that is being kept before what uses it is journaled.
struct WaitingKey {
    var client: ClientID
    var call: VarlinkConnection.CallID
    var facts: KeyFacts
    var goOn: (Daemon, ClientState, KeyFacts) throws -> Void
}

extension Daemon {
    /// Goes on with what may be known of the key that a call brings, once the key is on the disk; at once where it brings none.
    func keeping(
        key value: JSONValue?, _ call: VarlinkConnection.CallID, _ client: ClientState,
        goOn: @escaping (Daemon, ClientState, KeyFacts?) throws -> Void
    ) throws {
        guard let value else { return try goOn(self, client, nil) }
        let path = value["path"]?.stringValue ?? ""
        let text = value["text"]?.stringValue ?? ""
        if let place = AssignmentParameters(shares: recorder.shares, person: { name throws(VarlinkError) in throw .invalidParameter(name) })
            .place(path), let share = recorder.shares.first(where: { $0.path == place.share }),
            share.layouts.placement(ofDocument: place.path) != nil
        {
            throw AssignmentRefusal.other(
                "\(path) lies where students work, and they may read it; keep the key elsewhere, then give it again")
        }
        let key: QuizKey
        do throws(UnusableKey) { key = try QuizKey(Array(text.utf8), file: path) } catch {
            throw AssignmentRefusal.other("the quiz key cannot be used:\n\(error)")
        }
        let name = path.split(separator: "/").last.map(String.init) ?? "key"
        let id = nextKey
        guard files?.requests.put(.keepKey(AnswerKey(name: name, text: text), id: id)) ?? false else {
            throw AssignmentRefusal.other("too many documents wait to be read; try again in a moment")
        }
        nextKey += 1
        // The name of the file is not known before it is there.
        let facts = KeyFacts(sha256: "", form: key.form.rawValue, questions: key.scorable.count, points: key.maxScore)
        keysWaiting[id] = WaitingKey(client: client.client.id, call: call, facts: facts) { daemon, client, facts in
            try goOn(daemon, client, facts)
        }
    }

    func keyKept(_ id: UInt64, _ name: String?, _ failure: String?) {
        guard let waiting = keysWaiting.removeValue(forKey: id) else { return }
        // Nobody waits any more: nothing is set, and the key goes.
        guard let client = clients[waiting.client] else { return removeUnusedKeys() }
        answering(waiting.call, client) {
            guard let name else {
                throw AssignmentRefusal.other("the quiz key could not be kept (\(failure ?? "unknown")); nothing was changed")
            }
            var facts = waiting.facts
            facts.sha256 = name
            try waiting.goOn(self, client, facts)
        }
        armOpenings()
        removeUnusedKeys()
    }

    /// Has the last saves of an assignment's students measured by its key, as their answers were saved before it was given. A file that has
    /// changed since, by whoever it was, is measured with its next save.
    func measureAgain(_ id: AssignmentID) {
        guard let record = ledger.assignment(id) else { return }
        let now = HostClock.boot()
        for person in record.students where ledger.recording.isOn(for: person) && !record.facts.excused.contains(person) {
            for document in ledger.documents(in: id, of: person) {
                guard let save = ledger.latestSave(of: document), save.facts.attribution.person == person, save.facts.assignment == id,
                    let share = recorder.shares.firstIndex(where: { $0.path == document.share })
                else { continue }
                var request = MeasureRequest(
                    share: share, document: document, assignment: id, attribution: save.facts.attribution,
                    savedAt: now - (HostClock.wall() - save.at))
                request.again = MeasuredAgain(entry: save.seq, savedAt: save.at, size: save.facts.size)
                measure(request)
            }
        }
    }

    /// Keys that no assignment uses any more go. One that is being kept just now is in use as soon as that is done.
    func removeUnusedKeys() {
        guard keysWaiting.isEmpty else { return }
        let used = recorder.ahead.allAssignments.compactMap { $0.state == .deleted ? nil : $0.facts.plan.key?.sha256 }
        // Where the copier is that busy, they go with the next change.
        _ = files?.requests.put(.removeKeys(allBut: Set(used)))
    }
}
