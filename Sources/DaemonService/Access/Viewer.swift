// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import Ledger

/// Who asks, and what they may see. Made from what the kernel vouched for at connect and from the class lists as they are known now.
package struct Viewer: Equatable, Sendable {
    /// The uid that stands for accounts that cannot be mapped; it has no role.
    package static let overflowUID: UInt32 = 65_534

    package var uid: UInt32
    /// Nil where no account has the uid, or none is known yet.
    package var person: PersonID?
    package var isAdministrator: Bool
    /// The classes they teach.
    package var teaches: Set<String>
    /// The classes whose figures they may see without names.
    package var coordinates: Set<String>

    package init(
        uid: UInt32, person: PersonID?, isAdministrator: Bool, teaches: Set<String> = [], coordinates: Set<String> = []
    ) {
        self.uid = uid
        self.person = person
        self.isAdministrator = isAdministrator
        self.teaches = teaches
        self.coordinates = coordinates
    }

    /// By uid alone: groups that only the process has (setgid, newgrp) make nobody a teacher, but membership in the administrators'
    /// group counts as the kernel vouched for it.
    package init(
        uid: UInt32, groups: Set<UInt32>, administratorGroups: Set<UInt32>, person: PersonID?, roster: Roster, daemonUID: UInt32,
        now: WallTime
    ) {
        guard uid != Self.overflowUID else {
            self.init(uid: uid, person: nil, isAdministrator: false)
            return
        }
        // Whoever runs the daemon without privileges can read its state anyway: a trial on one's own folder.
        let isAdministrator = roster.isAdministrator(uid) || uid == daemonUID || !administratorGroups.isDisjoint(with: groups)
        self.init(
            uid: uid, person: person, isAdministrator: isAdministrator,
            teaches: person.map { roster.classesTaught(by: $0, at: now) } ?? [],
            coordinates: person.map(roster.classesCoordinated) ?? [])
    }

    package var role: Role? {
        if isAdministrator { return .administrator }
        if !teaches.isEmpty { return .teacher }
        if !coordinates.isEmpty { return .coordinator }
        return person == nil ? nil : .student
    }

    /// The whole table of an assignment: administrators, and teachers of its class.
    package func maySeeTable(of assignment: AssignmentFacts) -> Bool {
        isAdministrator || teaches.contains(assignment.className)
    }

    /// Figures over an assignment's class, without its rows.
    package func maySeeFigures(of assignment: AssignmentFacts) -> Bool {
        maySeeTable(of: assignment) || coordinates.contains(assignment.className)
    }

    /// One person's figures: themself, administrators, and teachers of a class they are in.
    package func maySee(_ other: PersonID, classes: [String]) -> Bool {
        isAdministrator || other == person || !teaches.isDisjoint(with: classes)
    }
}
