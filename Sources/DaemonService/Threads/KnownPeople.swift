// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import ClassLists
package import DaybookLinux
import Ledger
package import Settings

/// The questions to the name service, which may take minutes to answer; a value, so that a test can take the service away.
package struct NameService: Sendable {
    package var userByUID: @Sendable (UInt32) -> Lookup<UserAccount>
    package var userByLogin: @Sendable (String) -> Lookup<UserAccount>
    package var group: @Sendable (String) -> Lookup<GroupAccount>
    package var groupsOf: @Sendable (UserAccount) -> Lookup<[UInt32]>

    package init(
        userByUID: @escaping @Sendable (UInt32) -> Lookup<UserAccount>, userByLogin: @escaping @Sendable (String) -> Lookup<UserAccount>,
        group: @escaping @Sendable (String) -> Lookup<GroupAccount>, groupsOf: @escaping @Sendable (UserAccount) -> Lookup<[UInt32]>
    ) {
        self.userByUID = userByUID
        self.userByLogin = userByLogin
        self.group = group
        self.groupsOf = groupsOf
    }

    package static let system = NameService(
        userByUID: { Accounts.user(uid: $0) }, userByLogin: { Accounts.user(named: $0) }, group: { Accounts.group(named: $0) },
        groupsOf: { Accounts.groups(of: $0) })
}

/// The configured people first, then the name service. Remembers everybody it was ever asked for: a directory may list no members of a group
/// (winbind's stock settings, sssd's `ignore_group_members`), but says of each person which groups they are in.
package struct KnownPeople: Sendable {
    /// People whose groups are known. Beyond it the newest are in no class by their groups.
    package static let seenLimit = 50_000
    /// A person's groups are asked for anew after this time.
    package static let groupsAge = Duration.seconds(600)

    private struct Seen: Sendable {
        var account: UserAccount
        var groups: Set<UInt32>
        var at: BootTime
    }

    private let service: NameService
    private var byUID: [UInt32: (PersonID, String)] = [:]
    private var byLogin: [String: (PersonID, String)] = [:]
    private var seen: [PersonID: Seen] = [:]
    private var groups: [String: GroupAccount] = [:]
    private var settings = Settings()
    private var last: KnownRoster?
    private var hasGrown = false

    package init(_ people: [Settings.RosterPerson], service: NameService = .system) {
        self.service = service
        use(people)
    }

    private mutating func use(_ people: [Settings.RosterPerson]) {
        byUID = [:]
        byLogin = [:]
        for person in people {
            let entry = (person.id, person.name ?? person.id.login)
            byUID[person.id.uid] = entry
            byLogin[person.id.login] = entry
        }
    }

    // MARK: One person

    package mutating func person(uid: UInt32, now: BootTime) -> (PersonID, String)? {
        if let known = byUID[uid] { return known }
        guard case .found(let account) = service.userByUID(uid) else { return nil }
        return meet(account, now: now)
    }

    package mutating func person(login: String, now: BootTime) -> (PersonID, String)? {
        if case .found(let person) = lookUp(login, now: now) { return person }
        return nil
    }

    private mutating func lookUp(_ login: String, now: BootTime) -> Lookup<(PersonID, String)> {
        if let known = byLogin[login] { return .found(known) }
        switch service.userByLogin(login) {
        case .found(let account): return .found(meet(account, now: now))
        case .absent: return .absent
        case .failed(let code): return .failed(code)
        }
    }

    private mutating func meet(_ account: UserAccount, now: BootTime) -> (PersonID, String) {
        let id = PersonID(uid: account.uid, login: account.login)
        let entry = (id, account.fullName.isEmpty ? account.login : account.fullName)
        if let known = seen[id], now - known.at < Self.groupsAge { return entry }
        guard seen[id] != nil || seen.count < Self.seenLimit else { return entry }
        var groups = seen[id]?.groups ?? []
        if case .found(let numbers) = service.groupsOf(account) { groups = Set(numbers) }
        hasGrown = hasGrown || seen[id]?.groups != groups
        seen[id] = Seen(account: account, groups: groups, at: now)
        return entry
    }

    // MARK: Everybody

    /// Asks anew for everybody whom configuration, imported lists and folders name.
    package mutating func roster(_ settings: Settings, imported: ClassList?, folderNames: [String], now: BootTime) -> KnownRoster {
        self.settings = settings
        use(settings.people)
        var isIncomplete = refreshSeen(now)
        groups = [:]
        var unknown: [String] = []
        let lists = settings.classes.flatMap { [$0.students, $0.teachers, $0.coteachers, $0.coordinators] }
        for case .group(let name) in Set((lists + [settings.access.administrators]).joined()) {
            switch service.group(name) {
            case .found(let group): groups[name] = group
            case .absent: unknown.append("@" + name)
            case .failed: isIncomplete = true
            }
        }
        // Everybody is met before anybody is counted, so that groups without a list have their members.
        for login in folderNames { _ = lookUp(login, now: now) }
        var people: [String: PersonID] = [:]
        var names: [PersonID: String] = [:]
        func find(_ login: String, isConfigured: Bool, in this: inout KnownPeople) {
            guard people[login] == nil else { return }
            switch this.lookUp(login, now: now) {
            case .found(let (person, name)):
                people[login] = person
                names[person] = name
            case .absent: if isConfigured { unknown.append(login) }
            case .failed: isIncomplete = true
            }
        }
        for case .login(let login) in Set((lists + [settings.access.administrators]).joined()) {
            find(login, isConfigured: true, in: &self)
        }
        for school in settings.classes { for cover in school.covers { find(cover.login, isConfigured: true, in: &self) } }
        for login in groups.values.flatMap(\.members) { find(login, isConfigured: false, in: &self) }
        for login in imported?.people ?? [] { find(login, isConfigured: false, in: &self) }
        var result = make(people, imported)
        for (person, name) in names where result.names[person] == nil { result.names[person] = name }
        result.unknown = unknown.sorted()
        result.isIncomplete = isIncomplete
        for account in settings.identity.sharedAccounts {
            switch account {
            case .uid(let uid): result.sharedAccounts.insert(uid)
            case .login(let login):
                if case .found(let found) = lookUp(login, now: now) { result.sharedAccounts.insert(found.0.uid) }
            }
        }
        last = result
        lastPeople = people
        lastImported = imported
        hasGrown = false
        return result
    }

    private var lastPeople: [String: PersonID] = [:]
    private var lastImported: ClassList?

    /// The last answer with those who were met since then; nil where they change nothing.
    package mutating func grown() -> KnownRoster? {
        guard hasGrown, let last else { return nil }
        hasGrown = false
        let fresh = make(lastPeople, lastImported)
        guard fresh.roster != last.roster else { return nil }
        var result = last
        result.roster = fresh.roster
        result.names.merge(fresh.names) { old, _ in old }
        self.last = result
        return result
    }

    /// Asks anew for groups that may have changed; true where the service fails.
    private mutating func refreshSeen(_ now: BootTime) -> Bool {
        var failed = false
        for (id, known) in seen where now - known.at >= Self.groupsAge {
            switch service.userByLogin(known.account.login) {
            case .found(let account) where account.uid == id.uid: _ = meet(account, now: now)
            case .found, .absent: seen[id] = nil
            case .failed:
                // The C library would say that they are in their main group only. Nobody is confirmed as anything.
                seen[id]?.groups = []
                failed = true
            }
        }
        return failed
    }

    private func make(_ people: [String: PersonID], _ imported: ClassList?) -> KnownRoster {
        var result = KnownRoster(
            roster: Roster(), names: [:], administratorGroups: [], sharedAccounts: [], unknown: [], isIncomplete: false)
        for (person, name) in byUID.values { result.names[person] = name }
        func members(_ list: [Settings.Member]) -> Set<PersonID> {
            var found: Set<PersonID> = []
            for member in list {
                switch member {
                case .login(let login): if let person = people[login] { found.insert(person) }
                case .group(let name):
                    guard let group = groups[name] else { continue }
                    found.formUnion(group.members.compactMap { people[$0] })
                    for (person, known) in seen where known.groups.contains(group.gid) {
                        found.insert(person)
                        if !known.account.fullName.isEmpty { result.names[person] = known.account.fullName }
                    }
                }
            }
            return found
        }
        result.roster.classes = settings.classes.map { configured in
            var school = Roster.SchoolClass(
                name: configured.name, students: members(configured.students), teachers: members(configured.teachers))
            school.coteachers = members(configured.coteachers).subtracting(school.teachers)
            school.teachers.formUnion(school.coteachers)
            school.coordinators = members(configured.coordinators)
            for cover in configured.covers {
                guard let person = people[cover.login] else { continue }
                school.covers[person] = HostClock.local.endOfDay(cover.until) + .seconds(60)
            }
            return school
        }
        add(imported, people, to: &result)
        result.roster.administrators = Set(members(settings.access.administrators).map(\.uid))
        for case .group(let name) in settings.access.administrators {
            if let group = groups[name] { result.administratorGroups.insert(group.gid) }
        }
        return result
    }

    /// Imported lists come to what is configured: a class that both know has the people of both.
    private func add(_ imported: ClassList?, _ people: [String: PersonID], to result: inout KnownRoster) {
        var withoutAccount: Set<String> = []
        for school in imported?.classes ?? [] {
            func found(_ members: [ClassList.Member]) -> Set<PersonID> {
                Set(
                    members.compactMap { member in
                        guard let person = people[member.login] else {
                            withoutAccount.insert(member.login)
                            return nil
                        }
                        result.names[person] = member.name
                        return person
                    })
            }
            let coteachers = found(school.coteachers)
            let (students, teachers) = (found(school.students), found(school.teachers).union(coteachers))
            result.imported.insert(school.name)
            if let index = result.roster.classes.firstIndex(where: { $0.name == school.name }) {
                result.roster.classes[index].students.formUnion(students)
                result.roster.classes[index].teachers.formUnion(teachers)
                result.roster.classes[index].coteachers.formUnion(coteachers)
            } else {
                var made = Roster.SchoolClass(name: school.name, students: students, teachers: teachers)
                made.coteachers = coteachers
                result.roster.classes.append(made)
            }
        }
        result.withoutAccount = withoutAccount.sorted()
    }
}
