// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import EventLoop
import Inference
import Ledger

extension Daemon {
    /// Class lists older than this are asked for anew when somebody needs them; nothing is scheduled.
    static let rosterAge = Duration.seconds(300)

    func lookUp(uid: UInt32) {
        guard askedUIDs.insert(uid).inserted else { return }
        _ = accounts?.requests.put(.uid(uid))
    }

    func lookUp(login: String) {
        guard askedLogins.insert(login).inserted else { return }
        _ = accounts?.requests.put(.login(login))
    }

    /// Asks for the class lists where the last answer is old.
    func refreshRosterIfOld() {
        let now = HostClock.boot()
        if let asked = rosterAskedAt, now - asked < Self.rosterAge { return }
        rosterAskedAt = now
        _ = accounts?.requests.put(.roster(settings))
    }

    func handle(_ answer: AccountsAnswer) {
        switch answer {
        case .uid(let uid, let person, let name):
            askedUIDs.remove(uid)
            learn(person, name)
            serveWaitingPrograms()
        case .login(let login, let person, let name):
            askedLogins.remove(login)
            learn(person, name)
        case .roster(let answer): use(answer)
        case .imported(let outcome): imported(outcome)
        }
    }

    private func learn(_ person: PersonID?, _ name: String?) {
        guard let person else { return }
        directory.insert(person)
        if let name { known.names[person] = name }
        submit(recorder.use(roster: recorder.policy.roster, names: known.names, at: HostClock.boot()))
        handle(engine.handle(.directory(directory, at: HostClock.boot())))
    }

    private func use(_ answer: KnownRoster) {
        var answer = answer
        if answer.isIncomplete {
            log.error("the directory service does not answer for all classes")
            // Students stay whom they were; whoever cannot be confirmed as a teacher sees less until the service answers.
            for index in answer.roster.classes.indices {
                let name = answer.roster.classes[index].name
                answer.roster.classes[index].students.formUnion(recorder.policy.roster.schoolClass(named: name)?.students ?? [])
            }
        }
        answer.roster.hasUnreadableLists = answer.importTrouble != nil
        for old in recorder.policy.roster.classes where answer.importTrouble != nil {
            if answer.roster.classes.contains(where: { $0.name == old.name }) { continue }
            answer.roster.classes.append(Roster.SchoolClass(name: old.name, students: old.students, teachers: []))
        }
        if let trouble = answer.importTrouble { log.error("imported class lists cannot be read", ["reason": .plain(trouble)]) }
        for name in answer.unknown {
            log.error("the configuration names somebody whom nobody knows", ["name": .name(name)])
        }
        known = answer
        defer {
            programs.isRosterKnown = true
            serveWaitingPrograms()
        }
        directory.sharedAccounts = answer.sharedAccounts
        for school in answer.roster.classes {
            for person in school.students.union(school.teachers) { directory.insert(person) }
        }
        for person in answer.names.keys { directory.insert(person) }
        recorder.use(time: HostClock.wall())
        submit(recorder.use(roster: answer.roster, names: answer.names, at: HostClock.boot()))
        // A group that is not there may be a typing error, and nobody has left by that.
        if !answer.isIncomplete, answer.unknown.isEmpty { submit(recorder.noteLeavers(at: HostClock.boot())) }
        handle(engine.handle(.directory(directory, at: HostClock.boot())))
        submit(recorder.namelessAssignments(at: HostClock.boot()))
        pagesUseRoster()
    }
}
