// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Ledger
import PageFiles
import Reports

/// Which pages there are, where, and who may read each.
struct PagePlan: Equatable, Sendable {
    private(set) var steps: [PageKey: [PageStep]] = [:]

    /// What must be known of the school.
    struct School {
        var roster: Roster
        /// Administrators' groups, and those who are named one by one.
        var administrators: Readers
        /// Accounts that several people have: no page is theirs.
        var shared: Set<UInt32>
        /// People whose data are going.
        var leaving: Set<PersonID>
        /// Whether this is still whoever has the number. Where no class is configured.
        var isCurrent: (PersonID) -> Bool
    }

    static let peopleFolder = "people"

    init() {}

    init(_ ledger: Ledger, _ school: School) {
        addAssignments(ledger, school)
        addPeople(ledger, school)
    }

    func places() -> Set<[String]> { Set(steps.values.map { $0.map(\.name) }) }

    private mutating func addAssignments(_ ledger: Ledger, _ school: School) {
        // The older one keeps a name, so that pages do not move when one is added.
        let records = ledger.allAssignments.filter { $0.state != .deleted }.sorted { ($0.createdSeq, $0.id) < ($1.createdSeq, $1.id) }
        var seen: Set<String> = []
        let classes = records.map(\.facts.className).filter { seen.insert($0).inserted }
        let folders = PageNames.folders(classes.map { (key: $0, id: $0, name: $0) }, taken: [Self.peopleFolder])
        for (className, group) in Dictionary(grouping: records, by: \.facts.className) {
            let teachers = school.roster.schoolClass(named: className)?.teachers ?? []
            let readers = Readers(users: users(teachers, school) + school.administrators.users, groups: school.administrators.groups)
            // A page that nobody could open is none.
            guard readers.count > 0, let folder = folders[className] else { continue }
            let names = PageNames.folders(group.map { (key: $0.id, id: $0.id.text, name: $0.facts.title) })
            for record in group {
                guard let name = names[record.id] else { continue }
                steps[.assignment(record.id)] = [PageStep(folder, readers), PageStep(name, readers)]
            }
        }
    }

    private mutating func addPeople(_ ledger: Ledger, _ school: School) {
        let everybody = Set(ledger.people.keys)
        let students =
            school.roster.classes.isEmpty
            ? everybody.filter(school.isCurrent) : school.roster.classes.reduce(into: Set()) { $0.formUnion($1.students) }
        let shown = students.filter { everybody.contains($0) && !school.leaving.contains($0) && !school.shared.contains($0.uid) }.sorted()
        // By the login without its domain: that is what a share's %U stands for.
        let names = PageNames.folders(
            shown.map { person in
                (
                    key: person, id: "\(person.uid) \(person.login)",
                    name: person.login.split(separator: "\\").last.map(String.init) ?? person.login
                )
            })
        for person in shown {
            guard let name = names[person] else { continue }
            let readers = Readers(users: [person.uid] + school.administrators.users, groups: school.administrators.groups)
            steps[.person(person)] = [PageStep(Self.peopleFolder, school.administrators, isPassage: true), PageStep(name, readers)]
        }
    }

    private func users(_ people: Set<PersonID>, _ school: School) -> [UInt32] {
        people.map(\.uid).filter { !school.shared.contains($0) && $0 != Viewer.overflowUID }
    }
}
