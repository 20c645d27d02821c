// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Ledger
import Settings

/// What the loop wants to know of the name service, which may take minutes to answer.
enum AccountsRequest: Sendable {
    case uid(UInt32)
    case login(String)
    /// Classes, administrators and shared accounts of this configuration, anew.
    case roster(Settings)
}

enum AccountsAnswer: Sendable {
    /// Nil: there is no such account, or the service does not answer.
    case uid(UInt32, PersonID?, name: String?)
    case login(String, PersonID?, name: String?)
    case roster(KnownRoster)
}

/// Everybody whom the configuration names, as far as the name service knows them.
struct KnownRoster: Equatable, Sendable {
    var roster: Roster
    /// Display names by person.
    var names: [PersonID: String]
    /// Groups whose members are administrators, by number.
    var administratorGroups: Set<UInt32>
    /// Accounts that stand for nobody in particular.
    var sharedAccounts: Set<UInt32>
    /// Groups and logins that nobody knows, for `status` and the log: names of groups and of the configuration only.
    var unknown: [String]
    /// True where the service failed for at least one of them, so that the last known answer must stand.
    var isIncomplete: Bool
}

/// Asks the name service on a thread of its own, and keeps its answers.
final class AccountsThread: Sendable {
    let requests: HandOver<AccountsRequest>
    private let thread = OneTime<WorkerThread>()

    init(people: [Settings.RosterPerson], answers: HandOver<AccountsAnswer>) throws(SystemCallError) {
        requests = HandOver(capacity: 4096, wake: nil)
        let requests = requests
        thread.set(
            try WorkerThread(name: "accounts") {
                var known = KnownPeople(people)
                while let batch = requests.takeWaiting() {
                    for request in batch {
                        switch request {
                        case .uid(let uid):
                            let found = known.person(uid: uid)
                            _ = answers.putWaiting(.uid(uid, found?.0, name: found?.1))
                        case .login(let login):
                            let found = known.person(login: login)
                            _ = answers.putWaiting(.login(login, found?.0, name: found?.1))
                        case .roster(let settings):
                            known = KnownPeople(settings.people)
                            _ = answers.putWaiting(.roster(known.roster(settings)))
                        }
                    }
                }
            })
    }

    /// Does not wait: a directory that hangs must not keep the daemon from stopping.
    func stop() {
        _ = requests.takeAll()
        requests.close()
    }
}

/// The configured people first, then the name service.
struct KnownPeople: Sendable {
    private var byUID: [UInt32: (PersonID, String)] = [:]
    private var byLogin: [String: (PersonID, String)] = [:]

    init(_ people: [Settings.RosterPerson]) {
        for person in people {
            let entry = (person.id, person.name ?? person.id.login)
            byUID[person.id.uid] = entry
            byLogin[person.id.login] = entry
        }
    }

    func person(uid: UInt32) -> (PersonID, String)? {
        if let known = byUID[uid] { return known }
        guard case .found(let account) = Accounts.user(uid: uid) else { return nil }
        return Self.entry(account)
    }

    func person(login: String) -> (PersonID, String)? {
        if case .found(let person) = lookUp(login) { return person }
        return nil
    }

    func roster(_ settings: Settings) -> KnownRoster {
        var result = KnownRoster(
            roster: Roster(), names: [:], administratorGroups: [], sharedAccounts: [], unknown: [], isIncomplete: false)
        result.roster.classes = settings.classes.map { configured in
            Roster.SchoolClass(
                name: configured.name, students: members(configured.students, &result), teachers: members(configured.teachers, &result))
        }
        result.roster.administrators = Set(members(settings.access.administrators, &result).map(\.uid))
        for case .group(let name) in settings.access.administrators {
            if case .found(let group) = Accounts.group(named: name) { result.administratorGroups.insert(group.gid) }
        }
        for account in settings.identity.sharedAccounts {
            switch account {
            case .uid(let uid): result.sharedAccounts.insert(uid)
            case .login(let login):
                if case .found(let found) = lookUp(login) { result.sharedAccounts.insert(found.0.uid) }
            }
        }
        for (person, name) in byUID.values { result.names[person] = name }
        return result
    }

    private func members(_ list: [Settings.Member], _ result: inout KnownRoster) -> Set<PersonID> {
        var people: Set<PersonID> = []
        func add(_ login: String, isConfigured: Bool) {
            switch lookUp(login) {
            case .found(let (person, name)):
                people.insert(person)
                result.names[person] = name
            case .absent: if isConfigured { result.unknown.append(login) }
            case .failed: result.isIncomplete = true
            }
        }
        for member in list {
            switch member {
            case .login(let login): add(login, isConfigured: true)
            case .group(let name):
                switch Accounts.group(named: name) {
                case .found(let group): for login in group.members { add(login, isConfigured: false) }
                case .absent: result.unknown.append("@" + name)
                case .failed: result.isIncomplete = true
                }
            }
        }
        return people
    }

    private func lookUp(_ login: String) -> Lookup<(PersonID, String)> {
        if let known = byLogin[login] { return .found(known) }
        switch Accounts.user(named: login) {
        case .found(let account): return .found(Self.entry(account))
        case .absent: return .absent
        case .failed(let code): return .failed(code)
        }
    }

    private static func entry(_ account: UserAccount) -> (PersonID, String) {
        (PersonID(uid: account.uid, login: account.login), account.fullName.isEmpty ? account.login : account.fullName)
    }
}
