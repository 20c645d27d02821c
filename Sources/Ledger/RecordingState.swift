// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import Inference

/// Whether anything is recorded, and of whom. Off until an entry says otherwise.
package struct RecordingState: Equatable, Sendable {
    /// How it stands for everybody, or for one person, and since when.
    package struct Switch: Equatable, Sendable {
        package var state: RecordingChange.State
        package var since: WallTime
        package var by: UInt32?
        /// Because school ended or began.
        package var isScheduled = false
    }

    struct Change: Equatable, Sendable {
        var state: RecordingChange.State
        var boot: BootID
        var mono: BootTime
    }

    /// Nil before the first `recording` entry: off.
    package internal(set) var everybody: Switch?
    package internal(set) var people: [PersonID: Switch] = [:]
    var history: [Change] = []
    var personHistory: [PersonID: [Change]] = [:]

    package init() {}

    mutating func apply(_ change: RecordingChange, entry: Entry) {
        let past = Change(state: change.state, boot: entry.boot, mono: entry.mono)
        if let person = change.person {
            if people[person]?.state != change.state { people[person] = Switch(state: change.state, since: entry.at, by: change.by) }
            personHistory[person, default: []].append(past)
        } else {
            if everybody?.state != change.state {
                everybody = Switch(state: change.state, since: entry.at, by: change.by, isScheduled: change.isScheduled)
            } else if everybody?.isScheduled == true, !change.isScheduled {
                // Somebody took over what would have changed by itself.
                everybody?.isScheduled = false
                everybody?.by = change.by
            }
            history.append(past)
        }
    }

    /// As if nothing had ever been switched for this person by name.
    mutating func forget(_ person: PersonID) {
        people[person] = nil
        personHistory[person] = nil
    }

    package var state: RecordingChange.State { everybody?.state ?? .off }

    /// On for everybody who is not switched off by name.
    package var isOn: Bool { state == .on }

    /// On, both for everybody and for this person.
    package func isOn(for person: PersonID) -> Bool { isOn && personState(person) == .on }

    /// What was switched for this person by name; on where nothing was.
    package func personState(_ person: PersonID) -> RecordingChange.State { people[person]?.state ?? .on }

    /// Since when somebody is recorded anew after recording was switched off for them by name, which emptied what there was; nil where it
    /// is not on, or never was off.
    package func recordedAnew(_ person: PersonID) -> WallTime? {
        guard let own = people[person], own.state == .on, personHistory[person]?.contains(where: { $0.state == .off }) == true else {
            return nil
        }
        return own.since
    }

    /// The stretches of one boot in which nothing may be counted for a person.
    package func switchedOff(for person: PersonID?, in boot: BootID) -> IntervalSet {
        var off = stretches(history, in: boot)
        if let person, let own = personHistory[person] { off = off.union(stretches(own, in: boot)) }
        return off
    }

    private func stretches(_ changes: [Change], in boot: BootID) -> IntervalSet {
        var result: [Range<BootTime>] = []
        var since: BootTime?
        for change in changes where change.boot == boot {
            if change.state == .on {
                if let start = since, start < change.mono { result.append(start..<change.mono) }
                since = nil
            } else if since == nil {
                since = change.mono
            }
        }
        if let since { result.append(since..<BootTime(microseconds: .max)) }
        return IntervalSet(result)
    }
}
