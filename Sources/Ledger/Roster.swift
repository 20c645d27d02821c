// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// Who belongs to which class, as configuration and directory say at this moment.
package struct Roster: Equatable, Sendable {
    package struct SchoolClass: Equatable, Sendable {
        /// As configured, e.g. `8B`.
        package var name: String
        package var students: Set<PersonID>
        /// Co-teachers too: they have the same rights.
        package var teachers: Set<PersonID>
        /// Those of `teachers` whom lists name so.
        package var coteachers: Set<PersonID> = []
        /// Who teaches it up to an instant; no student of it even afterwards.
        package var covers: [PersonID: WallTime] = [:]
        /// Who sees figures without names.
        package var coordinators: Set<PersonID> = []

        package init(name: String, students: Set<PersonID>, teachers: Set<PersonID>) {
            self.name = name
            self.students = students
            self.teachers = teachers
        }

        /// Those a row is made for: who teaches a class is no student of it, whatever the lists say.
        package var pupils: [PersonID] { students.subtracting(teachers).subtracting(covers.keys).sorted() }

        package func isTaught(by person: PersonID, at now: WallTime) -> Bool {
            teachers.contains(person) || covers[person].map { now < $0 } ?? false
        }
    }

    package var classes: [SchoolClass]
    /// There are class lists that cannot be read just now: then nobody is a student for want of a class.
    package var hasUnreadableLists = false
    /// Members of the administrators' group; root is one always.
    package var administrators: Set<UInt32>

    package init(classes: [SchoolClass] = [], administrators: Set<UInt32> = []) {
        self.classes = classes
        self.administrators = administrators
    }

    /// No class is configured, and everybody counts as a student: a trial on one's own folder.
    package var isTrial: Bool { classes.isEmpty && !hasUnreadableLists }

    /// The class of this name: as it is written, else whatever the capitals (`8b` as a folder, `8B` in the configuration).
    package func schoolClass(named name: String) -> SchoolClass? {
        classes.first { $0.name == name } ?? classes.first { $0.name.lowercased() == name.lowercased() }
    }

    /// What a person is to a class; nil for nobody in particular. Who teaches a class is no student of it, whatever the lists say.
    /// With `className` nil: what they are to any class. Who covers counts as a teacher here even afterwards: they are never recorded.
    package func role(of person: PersonID, in className: String? = nil) -> Role? {
        if isAdministrator(person.uid) { return .administrator }
        if isTrial { return .student }
        let asked = className.map { name in schoolClass(named: name).map { [$0] } ?? [] } ?? classes
        if asked.contains(where: { $0.teachers.contains(person) || $0.covers[person] != nil }) { return .teacher }
        if asked.contains(where: { $0.students.contains(person) }) { return .student }
        if asked.contains(where: { $0.coordinators.contains(person) }) { return .coordinator }
        return nil
    }

    package func isAdministrator(_ uid: UInt32) -> Bool { uid == 0 || administrators.contains(uid) }

    /// The classes that a person teaches now, by their configured names.
    package func classesTaught(by person: PersonID, at now: WallTime) -> Set<String> {
        Set(classes.filter { $0.isTaught(by: person, at: now) }.map(\.name))
    }

    /// The classes whose figures they may see without names.
    package func classesCoordinated(by person: PersonID) -> Set<String> {
        Set(classes.filter { $0.coordinators.contains(person) }.map(\.name))
    }

    /// The classes in which a person is a student.
    package func classes(of person: PersonID) -> [String] { classes.filter { $0.students.contains(person) }.map(\.name).sorted() }
}
