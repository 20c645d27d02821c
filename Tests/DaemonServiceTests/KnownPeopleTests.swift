// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import ClassLists
import DaemonService
import DaybookLinux
import Ledger
import Settings
import Synchronization
import Testing

/// A directory service that a test fills, changes and takes away.
private final class Directory: Sendable {
    struct State: Sendable {
        var users: [String: UserAccount] = [:]
        var groups: [String: (gid: UInt32, listed: [String], members: [String])] = [:]
        var isDown = false
        var asked = 0
    }

    let state = Mutex(State())

    func add(_ login: String, uid: UInt32, groups: [String] = [], name: String = "") {
        state.withLock { state in
            state.users[login] = UserAccount(uid: uid, gid: 100, login: login, fullName: name)
            for group in groups {
                var known = state.groups[group] ?? (UInt32(900 + state.groups.count), [], [])
                known.members.append(login)
                state.groups[group] = known
            }
        }
    }

    func listMembers(of group: String) {
        state.withLock { state in
            let members = state.groups[group]?.members ?? []
            state.groups[group]?.listed = members
        }
    }

    func set(down: Bool) { state.withLock { $0.isDown = down } }

    private func ask<Value>(_ body: (State) -> Value?) -> Lookup<Value> {
        state.withLock { state in
            state.asked += 1
            if state.isDown { return .failed(111) }
            return body(state).map { .found($0) } ?? .absent
        }
    }

    var service: NameService {
        NameService(
            userByUID: { uid in self.ask { $0.users.values.first { $0.uid == uid } } },
            userByLogin: { login in self.ask { $0.users[login] } },
            group: { name in
                self.ask { $0.groups[name].map { GroupAccount(gid: $0.gid, name: name, members: $0.listed) } }
            },
            groupsOf: { account in
                // As the C library has it: a service that is down looks like an account without groups.
                self.state.withLock { state in
                    .found(
                        [account.gid] + (state.isDown ? [] : state.groups.values.filter { $0.members.contains(account.login) }.map(\.gid)))
                }
            })
    }
}

@Suite("Who is in which class")
struct KnownPeopleTests {
    private let directory = Directory()
    private let start = BootTime(microseconds: 0)

    private func settings() -> Settings {
        var settings = Settings()
        var school = Settings.SchoolClass(name: "8b", students: [.group("students-8b")], teachers: [.group("staff-8b")])
        school.coteachers = [.login("moss")]
        school.coordinators = [.group("heads")]
        settings.classes = [school]
        return settings
    }

    private func fill() {
        directory.add("berg", uid: 2001, groups: ["students-8b"], name: "Jonas Berg")
        directory.add("linden", uid: 2002, groups: ["students-8b"])
        directory.add("kelly", uid: 900, groups: ["staff-8b"])
        directory.add("moss", uid: 901)
        directory.add("head", uid: 902, groups: ["heads"])
        directory.state.withLock { $0.groups["daybook-admin"] = (800, [], []) }
    }

    private func logins(_ people: Set<PersonID>) -> [String] { people.map(\.login).sorted() }

    @Test("is known by the groups of each known person, where the group lists no members")
    func groupsWithoutMembers() {
        fill()
        var known = KnownPeople([], service: directory.service)
        #expect(known.person(uid: 2001, now: start)?.0 == PersonID(uid: 2001, login: "berg"))
        let roster = known.roster(settings(), imported: nil, folderNames: ["linden", "nobody"], now: start)
        #expect(roster.unknown == [] && !roster.isIncomplete)
        #expect(logins(roster.roster.classes[0].students) == ["berg", "linden"])
        #expect(logins(roster.roster.classes[0].teachers) == ["moss"], "nobody has ever seen kelly")
        #expect(roster.names[PersonID(uid: 2001, login: "berg")] == "Jonas Berg")
        #expect(known.grown() == nil)
        // She connects: from now on she teaches the class, without anybody asking for the lists anew.
        #expect(known.person(uid: 900, now: start)?.0.login == "kelly")
        #expect(known.grown().map { logins($0.roster.classes[0].teachers) } == ["kelly", "moss"])
        #expect(known.grown() == nil)
        #expect(known.person(login: "head", now: start)?.0.login == "head")
        #expect(known.grown().map { logins($0.roster.classes[0].coordinators) } == ["head"])
    }

    @Test("is the same where the group lists them")
    func groupsWithMembers() {
        fill()
        for group in ["students-8b", "staff-8b", "heads"] { directory.listMembers(of: group) }
        var known = KnownPeople([], service: directory.service)
        let school = known.roster(settings(), imported: nil, folderNames: [], now: start).roster.classes[0]
        #expect(logins(school.students) == ["berg", "linden"])
        #expect(logins(school.teachers) == ["kelly", "moss"])
        #expect(logins(school.coteachers) == ["moss"])
        #expect(logins(school.coordinators) == ["head"])
    }

    @Test("with 2,000 members in a group costs two questions each, and none again while they are fresh")
    func large() {
        fill()
        for number in 0..<2000 { directory.add("s\(number)", uid: UInt32(10_000 + number), groups: ["students-8b"]) }
        directory.listMembers(of: "students-8b")
        var known = KnownPeople([], service: directory.service)
        #expect(known.roster(settings(), imported: nil, folderNames: [], now: start).roster.classes[0].students.count == 2002)
        let asked = directory.state.withLock { $0.asked }
        #expect(asked < 2100)
        #expect(known.roster(settings(), imported: nil, folderNames: [], now: start).roster.classes[0].students.count == 2002)
        #expect(directory.state.withLock { $0.asked } < 2 * asked + 1)
    }

    @Test("is not confirmed while the directory service is down, and says so")
    func down() {
        fill()
        directory.listMembers(of: "students-8b")
        var known = KnownPeople([], service: directory.service)
        _ = known.person(login: "kelly", now: start)
        let before = known.roster(settings(), imported: nil, folderNames: [], now: start)
        #expect(logins(before.roster.classes[0].teachers) == ["kelly", "moss"])
        directory.set(down: true)
        let later = start + KnownPeople.groupsAge
        let during = known.roster(settings(), imported: nil, folderNames: ["berg"], now: later)
        #expect(during.isIncomplete && during.unknown == [])
        #expect(during.roster.classes[0].teachers.isEmpty && during.roster.classes[0].students.isEmpty)
        #expect(known.person(uid: 2001, now: later) == nil)
        directory.set(down: false)
        let after = known.roster(settings(), imported: nil, folderNames: [], now: later)
        #expect(after.roster == before.roster && !after.isIncomplete)
    }

    @Test("changes with the directory, once an answer is old")
    func moves() {
        fill()
        var known = KnownPeople([], service: directory.service)
        _ = known.person(login: "berg", now: start)
        #expect(known.roster(settings(), imported: nil, folderNames: [], now: start).roster.classes[0].students.count == 1)
        directory.state.withLock { $0.groups["students-8b"]?.members = [] }
        let later = start + KnownPeople.groupsAge
        #expect(known.roster(settings(), imported: nil, folderNames: [], now: later).roster.classes[0].students.isEmpty)
        // A uid that came to somebody else is a new person.
        directory.state.withLock { $0.users["berg"]?.uid = 3000 }
        let last = later + KnownPeople.groupsAge
        _ = known.roster(settings(), imported: nil, folderNames: ["berg"], now: last)
        #expect(known.person(login: "berg", now: last)?.0.uid == 3000)
    }

    @Test("comes from imported lists beside the configuration, by login, with the list's names")
    func imported() {
        fill()
        var list = ClassList(source: "OneRoster 1.1")
        var school = ClassList.SchoolClass(name: "8b")
        school.students = [.init(login: "linden", name: "Linden, Eva"), .init(login: "not here", name: "X")]
        school.teachers = [.init(login: "kelly", name: "Kelly, M")]
        var other = ClassList.SchoolClass(name: "9c")
        other.teachers = [.init(login: "head", name: "Head, T")]
        other.coteachers = [.init(login: "kelly", name: "Kelly, M")]
        list.classes = [school, other]
        var known = KnownPeople([], service: directory.service)
        let answer = known.roster(settings(), imported: list, folderNames: ["berg"], now: start)
        #expect(logins(answer.roster.classes[0].students) == ["berg", "linden"])
        #expect(logins(answer.roster.classes[0].teachers) == ["kelly", "moss"])
        #expect(answer.roster.classes[1].name == "9c")
        #expect(logins(answer.roster.classes[1].teachers) == ["head", "kelly"])
        #expect(logins(answer.roster.classes[1].coteachers) == ["kelly"])
        #expect(answer.names[PersonID(uid: 2002, login: "linden")] == "Linden, Eva")
        #expect(answer.withoutAccount == ["not here"])
        #expect(answer.imported == ["8b", "9c"])
        #expect(answer.unknown == [])
    }

    @Test("is asked of the machine's own accounts, whose groups often list nobody")
    func realService() {
        var settings = Settings()
        // Its account has it as its main group, which lists nobody.
        settings.classes = [.init(name: "x", students: [.group("daemon")])]
        guard case .found(let group) = Accounts.group(named: "daemon"), group.members.isEmpty else { return }
        var known = KnownPeople([])
        #expect(known.roster(settings, imported: nil, folderNames: [], now: start).roster.classes[0].students.isEmpty)
        let found = known.roster(settings, imported: nil, folderNames: ["daemon"], now: start).roster.classes[0].students
        #expect(logins(found) == ["daemon"])
    }
}
