// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import EventLoop
import Inference
import Ledger
import PageFiles
import Reports
import Settings

extension Daemon {
    /// With pages on, the class lists are asked for so often even if nobody else needs them: who has left must not read on.
    static let pagesRosterAge = Duration.seconds(900)
    /// How soon a folder that was not fit is tried again.
    static let pagesRetry = Duration.seconds(60)

    // MARK: On and off

    /// At the start, and when the configuration was read anew.
    func configurePages() {
        pages.desk.interval = settings.pages.interval
        if pages.thread == nil {
            guard settings.pages.directory != nil else { return }
            do {
                pages.timer = try TimerSource(loop) { [unowned self] in self.pagesDue() }
                pages.thread = try PagesThread(clock: clock, answers: pageAnswers)
            } catch {
                return log.error("pages cannot be made", ["reason": .plain("\(error)")], id: Messages.pages)
            }
        }
        openPages()
    }

    private func openPages() {
        let others = settings.shares.map(\.path) + [settings.server.state]
        pages.isOpen = false
        pages.isSwept = false
        pages.retryAt = nil
        if !hand(.open(path: settings.pages.directory, outside: others)) { pages.retryAt = HostClock.boot() + Self.pagesRetry }
    }

    /// False where the thread has more to do than there are pages, or has ended.
    private func hand(_ request: PagesRequest) -> Bool {
        guard pages.thread?.requests.put(request) == true else { return false }
        pages.sent += 1
        return true
    }

    func handle(_ answer: PagesAnswer) {
        var finished: [() -> Void]
        switch answer {
        case .opened(let trouble):
            // Whoever waits for a page of the folder before has nothing to wait for.
            finished = pages.noteAnswered(trouble) + pages.takeUnhanded(trouble)
            opened(trouble)
        case .swept(let trouble):
            finished = pages.noteAnswered(trouble)
            note(trouble, of: nil)
        case .removed(let key, let trouble):
            if trouble != nil, let steps = pages.removing[key], pages.handed[key] == nil {
                // Tried again with the next plan.
                pages.handed[key] = steps
                pages.retryAt = HostClock.boot() + Self.pagesRetry
            }
            note(trouble, of: key)
            pages.removing[key] = nil
            finished = pages.noteAnswered(trouble)
        case .written(let key, let trouble, let took, let size):
            if trouble == nil {
                pages.madeAt[key] = HostClock.wall()
            } else {
                pages.desk.touch(key, at: HostClock.boot())
            }
            note(trouble, of: key)
            log.debug("a page was written", ["microseconds": .count(Int(took.microseconds)), "bytes": .count(size)])
            finished = pages.noteAnswered(trouble)
        }
        for finish in finished { finish() }
        armPages()
    }

    private func opened(_ trouble: PageTrouble?) {
        if let trouble, trouble != pages.trouble {
            log.error("no pages are published", ["reason": .plain(trouble.description)], id: Messages.pages)
        }
        pages.trouble = trouble
        pages.isOpen = trouble == nil && settings.pages.directory != nil
        if trouble != nil { pages.retryAt = HostClock.boot() + Self.pagesRetry }
        pages.handed = [:]
        pages.madeAt = [:]
        pages.pageTroubles = [:]
        // In another folder none is there yet.
        pages.desk = PagesDesk(interval: settings.pages.interval)
        pages.isPlanStale = true
        planPages()
    }

    /// Once for each kind of trouble, however many pages have it. `key` is nil for the sweep.
    private func note(_ trouble: PageTrouble?, of key: PageKey?) {
        if let trouble, !pages.pageTroubles.values.contains(trouble) {
            log.error("a page is out of date", ["reason": .plain(trouble.description)], id: Messages.pages)
        }
        pages.pageTroubles[key] = trouble
    }

    // MARK: Which pages

    /// The class lists are known, or known anew.
    func pagesUseRoster() {
        pages.hasRoster = true
        pages.isPlanStale = true
        planPages()
        armPages()
    }

    func planPages() {
        guard pages.isOpen, pages.hasRoster, pages.isPlanStale, !isStopping else { return }
        pages.isPlanStale = false
        let plan = PagePlan(ledger, pagesSchool)
        pages.plan = plan
        if !pages.isSwept { pages.isSwept = hand(.sweep(plan.places())) }
        let now = HostClock.boot()
        for (key, steps) in pages.handed where plan.steps[key] == nil {
            pages.desk.drop(key)
            guard hand(.remove(key, steps.map(\.name))) else {
                pages.retryAt = now + Self.pagesRetry
                continue
            }
            pages.handed[key] = nil
            pages.madeAt[key] = nil
            pages.pageTroubles[key] = nil
            pages.removing[key] = steps
        }
        for (key, steps) in plan.steps {
            if let handed = pages.handed[key] {
                // Another place, or other readers.
                if handed != steps { pages.desk.touch(key, at: now, atOnce: true) }
            } else {
                pages.desk.touch(key, at: now)
            }
        }
    }

    private var pagesSchool: PagePlan.School {
        let named = settings.access.administrators.compactMap { member -> UInt32? in
            guard case .login(let login) = member else { return nil }
            return known.names.keys.first { $0.login == login }?.uid
        }
        return PagePlan.School(
            roster: recorder.policy.roster, administrators: Readers(users: named, groups: known.administratorGroups),
            shared: known.sharedAccounts, leaving: Set(erasures.values.compactMap(\.person)),
            isCurrent: { [directory] in directory.person(uid: $0.uid) == $0 })
    }

    // MARK: What changed

    /// After an entry has been taken in.
    func touchPages(by entry: Entry) {
        guard pages.thread != nil else { return }
        let touched = ledger.pagesTouched(by: entry)
        if touched.newPages { pages.isPlanStale = true }
        let now = HostClock.boot()
        let keys =
            touched.everything
            ? Set(pages.plan.steps.keys)
            : Set(touched.assignments.map { .assignment($0) }).union(touched.people.map { .person($0) })
        for key in keys where pages.plan.steps[key] != nil { pages.desk.touch(key, at: now, atOnce: touched.atOnce) }
    }

    /// What was kept of some assignments and people has gone: their pages, or their rows, go at once. `finish` is called when they have.
    func pagesForget(_ assignments: some Sequence<AssignmentID>, finish: @escaping (PageTrouble?) -> Void = { _ in }) {
        guard pages.thread != nil else { return finish(nil) }
        pages.isPlanStale = true
        planPages()
        // What could not be opened may hold them; once it can, it is swept.
        guard pages.isOpen else { return finish(settings.pages.directory == nil ? nil : pages.trouble) }
        writeAtOnce(Set(assignments.map { .assignment($0) }), finish: finish)
    }

    /// What was handed before is waited for, too.
    func writeAtOnce(_ keys: Set<PageKey>, finish: @escaping (PageTrouble?) -> Void) {
        let now = HostClock.boot()
        let keys = keys.filter { pages.plan.steps[$0] != nil }
        for key in keys { pages.desk.touch(key, at: now, atOnce: true) }
        let tickets = Set(pages.answered < pages.sent ? Array(pages.answered + 1...pages.sent) : [])
        pages.waits.append(PagesState.Wait(keys: keys, tickets: tickets, trouble: nil, finish: finish))
        for finish in pages.takeFinished() { finish() }
        armPages()
    }

    // MARK: One after the other

    /// One page in a turn of the loop, which then rests for as long as that took: the values of a page are worked out here, by the same
    /// code that answers `Report` and `Me`; the words and the file are the thread's.
    private func pagesDue() {
        guard !isStopping else { return }
        let began = HostClock.boot()
        if let retry = pages.retryAt, retry <= began {
            pages.retryAt = nil
            if pages.isOpen { pages.isPlanStale = true } else { openPages() }
        }
        if began - (rosterAskedAt ?? BootTime(microseconds: 0)) >= Self.pagesRosterAge { refreshRosterIfOld() }
        planPages()
        if pages.isOpen, pages.inFlight < PagesState.inFlightLimit, let key = pages.desk.next(at: began) { make(key) }
        let ended = HostClock.boot()
        armPages(notBefore: ended + max(.milliseconds(1), ended - began))
    }

    private func make(_ key: PageKey) {
        guard let steps = pages.plan.steps[key] else { return }
        let content: PagesRequest.Content? =
            switch key {
            case .assignment(let id): ClassPage(of: id, in: ledger, now: moment, clock: clock).map { .assignment($0) }
            case .person(let person): StudentPage(of: person, in: ledger, now: moment, clock: clock).map { .person($0) }
            }
        let before = pages.handed[key]
        if let content {
            let old = before.flatMap { $0.map(\.name) == steps.map(\.name) ? nil : $0.map(\.name) }
            guard hand(.write(key, content, steps: steps, old: old, isDue: pages.isAwaited(key))) else {
                return pages.desk.touch(key, at: HostClock.boot())
            }
            pages.handed[key] = steps
        } else if hand(.remove(key, (before ?? steps).map(\.name))) {
            pages.handed[key] = nil
        }
        pages.noteHanded(key)
    }

    func armPages(notBefore earliest: BootTime? = nil) {
        guard let timer = pages.timer, settings.pages.directory != nil, !isStopping else { return }
        var times = [rosterAskedAt.map { $0 + Self.pagesRosterAge }, pages.retryAt].compactMap { $0 }
        if pages.isOpen, pages.hasRoster, pages.inFlight < PagesState.inFlightLimit {
            if let due = pages.desk.deadline { times.append(due) }
            if pages.isPlanStale { times.append(HostClock.boot() + PagesDesk.settle) }
        }
        guard let first = times.min() else { return timer.disarm() }
        timer.arm(at: max(first, earliest ?? first).microseconds, accuracy: .milliseconds(first <= HostClock.boot() ? 1 : 500))
    }
}
