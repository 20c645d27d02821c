// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaemonService
import Ledger
import Testing

@Suite("Who asks")
struct ViewerTests {
    private static let alice = PersonID(uid: 2001, login: "alice")
    private static let teacher = PersonID(uid: 2003, login: "teach")
    private static let cover = PersonID(uid: 2004, login: "cover")
    private static let head = PersonID(uid: 2005, login: "head")
    private static let roster: Roster = {
        var school = Roster.SchoolClass(name: "8b", students: [alice], teachers: [teacher])
        school.covers = [cover: WallTime(microseconds: 1000)]
        school.coordinators = [head]
        return Roster(classes: [school, Roster.SchoolClass(name: "9c", students: [], teachers: [])], administrators: [3000])
    }()

    private func viewer(_ uid: UInt32, _ person: PersonID? = nil, groups: Set<UInt32> = [], now: Int64 = 0) -> Viewer {
        Viewer(
            uid: uid, groups: groups, administratorGroups: [700], person: person, roster: Self.roster, daemonUID: 950,
            now: WallTime(microseconds: now))
    }

    @Test(
        "has the role that the kernel and the class lists say",
        arguments: [
            (0, nil, [], .administrator), (3000, nil, [], .administrator), (5, nil, [700], .administrator), (950, nil, [], .administrator),
            (2003, teacher, [], .teacher), (2001, alice, [], .student), (77, nil, [], nil), (65_534, alice, [700], nil),
            (2004, cover, [], .teacher),
            (2005, head, [], .coordinator),
        ] as [(UInt32, PersonID?, Set<UInt32>, Role?)])
    func roles(uid: UInt32, person: PersonID?, groups: Set<UInt32>, role: Role?) {
        #expect(viewer(uid, person, groups: groups).role == role)
    }

    @Test("covers a class up to the day, and a coordinator sees figures and no rows")
    func coverAndCoordinator() {
        let table = AssignmentFacts(
            id: AssignmentID(text: "8b/x"), title: "x", className: "8b", share: "/srv", folder: nil, due: nil, by: nil, rule: Rule(),
            students: [])
        #expect(viewer(2004, Self.cover, now: 999).maySeeTable(of: table))
        let after = viewer(2004, Self.cover, now: 1000)
        #expect(!after.maySeeTable(of: table) && !after.maySeeFigures(of: table) && after.role == .student)
        #expect(Self.roster.role(of: Self.cover, in: "8b") == .teacher, "they are never recorded")
        let head = viewer(2005, Self.head)
        #expect(!head.maySeeTable(of: table) && head.maySeeFigures(of: table) && !head.maySee(Self.alice, classes: ["8b"]))
        #expect(!viewer(2001, Self.alice).maySeeFigures(of: table))
    }

    @Test("sees the classes they teach, themself, and nobody else")
    func sight() {
        let teacher = viewer(2003, Self.teacher)
        let student = viewer(2001, Self.alice)
        #expect(teacher.maySee(Self.alice, classes: ["8b"]))
        #expect(!teacher.maySee(PersonID(uid: 1, login: "other"), classes: ["9c"]))
        #expect(student.maySee(Self.alice, classes: []))
        #expect(!student.maySee(Self.teacher, classes: ["8b"]))
        func table(_ name: String) -> AssignmentFacts {
            AssignmentFacts(
                id: AssignmentID(text: name), title: name, className: name, share: "/srv", folder: nil, due: nil, by: nil, rule: Rule(),
                students: [])
        }
        #expect(teacher.maySeeTable(of: table("8b")) && !teacher.maySeeTable(of: table("9c")) && !student.maySeeTable(of: table("8b")))
    }
}
