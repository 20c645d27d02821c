// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// Who belongs to which class, as configuration and directory say at this moment.
package struct Roster: Equatable, Sendable {
    package struct SchoolClass: Equatable, Sendable {
        /// As configured, e.g. `8B`.
        package var name: String
        package var students: Set<PersonID>
        package var teachers: Set<PersonID>

        package init(name: String, students: Set<PersonID>, teachers: Set<PersonID>) {
            self.name = name
            self.students = students
            self.teachers = teachers
        }
    }

    /// Empty: no class is configured, and everybody counts as a student (a trial on one's own folder).
    package var classes: [SchoolClass]
    /// Members of the administrators' group; root is one always.
    package var administrators: Set<UInt32>

    package init(classes: [SchoolClass] = [], administrators: Set<UInt32> = []) {
        self.classes = classes
        self.administrators = administrators
    }

    /// The class of this name: as it is written, else whatever the capitals (`8b` as a folder, `8B` in the configuration).
    package func schoolClass(named name: String) -> SchoolClass? {
        classes.first { $0.name == name } ?? classes.first { $0.name.lowercased() == name.lowercased() }
    }

    /// What a person is to a class; nil for nobody in particular. Who teaches a class is no student of it, whatever the lists say.
    /// With `className` nil: what they are to any class.
    package func role(of person: PersonID, in className: String? = nil) -> Role? {
        if isAdministrator(person.uid) { return .administrator }
        if classes.isEmpty { return .student }
        let asked = className.map { name in schoolClass(named: name).map { [$0] } ?? [] } ?? classes
        if asked.contains(where: { $0.teachers.contains(person) }) { return .teacher }
        if asked.contains(where: { $0.students.contains(person) }) { return .student }
        return nil
    }

    package func isAdministrator(_ uid: UInt32) -> Bool { uid == 0 || administrators.contains(uid) }

    /// The classes that a person teaches, by their configured names.
    package func classesTaught(by person: PersonID) -> Set<String> {
        Set(classes.filter { $0.teachers.contains(person) }.map(\.name))
    }
}
