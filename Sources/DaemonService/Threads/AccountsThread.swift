// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import ClassLists
import DaybookLinux
package import Ledger
import Settings

/// What the loop wants to know of the name service, which may take minutes to answer.
enum AccountsRequest: Sendable {
    case uid(UInt32)
    case login(String)
    /// Classes, administrators and shared accounts of this configuration, anew.
    case roster(Settings)
    /// Class lists take the place of those imported before. `dryRun`: only what would come of it.
    case importClasses(ClassList, dryRun: Bool, id: UInt64)
}

enum AccountsAnswer: Sendable {
    /// Nil: there is no such account, or the service does not answer.
    case uid(UInt32, PersonID?, name: String?)
    case login(String, PersonID?, name: String?)
    case roster(KnownRoster)
    case imported(ClassImport)
}

/// What came of an import.
struct ClassImport: Sendable {
    var id: UInt64
    var list: ClassList
    /// Logins of the list that no account here has.
    var withoutAccount: [String]
    /// Names of classes that were not in the list before, and of those that are not any more.
    var added: [String]
    var removed: [String]
    /// The directory service did not answer for all.
    var isIncomplete: Bool
    var failure: String?
}

/// Everybody whom the configuration and imported lists name, as far as the name service knows them.
package struct KnownRoster: Equatable, Sendable {
    package var roster: Roster
    /// Display names by person.
    package var names: [PersonID: String]
    /// Groups whose members are administrators, by number.
    package var administratorGroups: Set<UInt32>
    /// Accounts that stand for nobody in particular.
    package var sharedAccounts: Set<UInt32>
    /// Groups and logins that nobody knows, for `status` and the log: names of groups and of the configuration only.
    package var unknown: [String]
    /// True where the service failed for at least one of them, so that the last known answer must stand.
    package var isIncomplete: Bool
    /// Names of classes that were imported.
    package var imported: Set<String> = []
    /// Logins of imported lists that no account has.
    package var withoutAccount: [String] = []
    /// Why the imported lists cannot be read.
    package var importTrouble: String?
}

/// Asks the name service on a thread of its own, and keeps its answers.
final class AccountsThread: Sendable {
    let requests: HandOver<AccountsRequest>
    private let thread = OneTime<WorkerThread>()

    init(
        people: [Settings.RosterPerson], stateDirectory: String, service: NameService = .system, answers: HandOver<AccountsAnswer>
    ) throws(SystemCallError) {
        requests = HandOver(capacity: 4096, wake: nil)
        let requests = requests
        let file = ClassListFile(stateDirectory: stateDirectory)
        thread.set(
            try WorkerThread(name: "accounts") {
                var desk = AccountsDesk(people: people, file: file, service: service)
                while let batch = requests.takeWaiting() {
                    for request in batch {
                        for answer in desk.answer(request) { _ = answers.putWaiting(answer) }
                    }
                    if let grown = desk.known.grown() { _ = answers.putWaiting(.roster(grown)) }
                }
            })
    }

    /// Does not wait: a directory that hangs must not keep the daemon from stopping.
    func stop() {
        _ = requests.takeAll()
        requests.close()
    }
}

/// What the accounts thread knows, and how it answers.
struct AccountsDesk {
    var known: KnownPeople
    private let file: ClassListFile
    private var imported: ClassList?
    private var trouble: String?
    private var hasRead = false
    private var settings = Settings()

    init(people: [Settings.RosterPerson], file: ClassListFile, service: NameService = .system) {
        known = KnownPeople(people, service: service)
        self.file = file
    }

    mutating func answer(_ request: AccountsRequest) -> [AccountsAnswer] {
        let now = HostClock.boot()
        switch request {
        case .uid(let uid):
            let found = known.person(uid: uid, now: now)
            return [.uid(uid, found?.0, name: found?.1)]
        case .login(let login):
            let found = known.person(login: login, now: now)
            return [.login(login, found?.0, name: found?.1)]
        case .roster(let settings):
            readOnce()
            self.settings = settings
            return [.roster(roster(imported, now))]
        case .importClasses(let list, let dryRun, let id):
            readOnce()
            return take(list, dryRun: dryRun, id: id, now: now)
        }
    }

    private mutating func roster(_ list: ClassList?, _ now: BootTime) -> KnownRoster {
        // Folders tell whom to ask for; only groups whose members are not listed need that.
        let usesGroups = settings.classes.contains { school in
            (school.students + school.teachers + school.coteachers).contains { if case .group = $0 { true } else { false } }
        }
        var answer = known.roster(
            settings, imported: list, folderNames: usesGroups ? FolderNames.people(in: settings.shares) : [], now: now)
        answer.importTrouble = trouble
        if trouble != nil { answer.isIncomplete = true }
        return answer
    }

    private mutating func readOnce() {
        guard !hasRead else { return }
        hasRead = true
        switch file.read() {
        case .list(let list): imported = list
        case .none: break
        case .unreadable(let reason): trouble = reason
        }
    }

    private mutating func take(_ list: ClassList, dryRun: Bool, id: UInt64, now: BootTime) -> [AccountsAnswer] {
        let (old, new) = (Set(imported?.classes.map(\.name) ?? []), Set(list.classes.map(\.name)))
        var outcome = ClassImport(
            id: id, list: list, withoutAccount: [], added: new.subtracting(old).sorted(), removed: old.subtracting(new).sorted(),
            isIncomplete: false, failure: nil)
        if !dryRun {
            do throws(SystemCallError) {
                try file.write(list)
                imported = list
                trouble = nil
            } catch {
                outcome.failure = error.description
                return [.imported(outcome)]
            }
        }
        let fresh = roster(list, now)
        outcome.withoutAccount = fresh.withoutAccount
        outcome.isIncomplete = fresh.isIncomplete
        // The look at what would come of it must not stay.
        if dryRun { _ = roster(imported, now) }
        return dryRun ? [.imported(outcome)] : [.roster(fresh), .imported(outcome)]
    }
}
