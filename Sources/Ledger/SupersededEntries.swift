// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// Which old entries about the running of the server nobody needs any more: what happened in a time of which no work is kept, and what a later
/// entry, as old, has replaced. First every entry is learnt, then each can be asked about.
package struct SupersededEntries: Sendable {
    private enum Subject: Hashable {
        case started, settings
        case watching(share: String)
        case person(PersonID)
        case recording(PersonID?)
    }

    /// Nothing that was written at or after this goes.
    private let before: WallTime
    /// The entry that counts of each subject; those before it say nothing more.
    private var counts: [Subject: UInt64] = [:]
    private var states: [PersonID?: RecordingChange.State] = [:]

    package init(before: WallTime) { self.before = before }

    package mutating func learn(_ entry: Entry) {
        guard entry.at < before else { return }
        switch entry.body {
        case .started: counts[.started] = entry.seq
        case .settings: counts[.settings] = entry.seq
        case .watching(let facts): counts[.watching(share: facts.share)] = entry.seq
        case .person(let facts):
            // Who has left is known by the entry before, too.
            if !facts.classes.isEmpty { counts[.person(facts.person)] = entry.seq }
        case .recording(let change):
            // Since when it has been so, the first of equal ones says.
            if states.updateValue(change.state, forKey: change.person) != change.state { counts[.recording(change.person)] = entry.seq }
        default: break
        }
    }

    package func isSuperseded(_ entry: Entry) -> Bool {
        guard entry.at < before else { return false }
        return switch entry.body {
        case .stopped, .gap, .clock: true
        case .started: isReplaced(entry, .started)
        case .settings: isReplaced(entry, .settings)
        case .watching(let facts): isReplaced(entry, .watching(share: facts.share))
        case .person(let facts): isReplaced(entry, .person(facts.person))
        case .recording(let change): isReplaced(entry, .recording(change.person))
        default: false
        }
    }

    private func isReplaced(_ entry: Entry, _ subject: Subject) -> Bool { counts[subject].map { entry.seq < $0 } ?? false }
}
