// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import ClassLists
import DaybookLinux
import DaybookVarlink
package import EventLoop
import FolderWatcher
import Inference
import JournalFormat
import JournalStore
import Ledger
import Settings

/// The wiring: wake-ups become inputs of the core, and the core's effects are carried out.
///
/// Everything here belongs to the loop's thread. What may wait for a disk, a document or a directory service is asked of another
/// thread, and its answer comes back through a hand-over and one eventfd.
package final class Daemon {
    var options: DaemonOptions
    var settings: Settings { options.settings }
    let log: SystemJournal
    let loop: EventLoop
    let boot: BootID
    let clock = HostClock.local
    let startedAt = HostClock.wall()

    // The core.
    var engine: InferenceEngine
    var recorder: Recorder
    /// What is on the disk; the only source of answers.
    var ledger = Ledger()
    var directory = PeopleDirectory()
    var known = KnownRoster(
        roster: Roster(), names: [:], administratorGroups: [], sharedAccounts: [], unknown: [], isIncomplete: false)

    // The edge.
    var watcher: FolderWatcher?
    var files: FileThread?
    var accounts: AccountsThread?
    var history: HistoryThread?
    var writer: JournalWriter?
    var server: ClientServer?
    var clients: [ClientID: ClientState] = [:]
    var following = Following()
    /// What the calls of each uid have cost, and clients whose calls wait for that reason, in their order.
    var allowances: [UInt32: CallAllowance] = [:]
    var resting: [ClientID] = []
    var restTimer: TimerSource?
    let service: VarlinkService

    let wakeup: Wakeup
    let watcherReports: HandOver<WatcherReport>
    let fileAnswers: HandOver<FileAnswer>
    let accountAnswers: HandOver<AccountsAnswer>
    let historyAnswers: HandOver<HistoryAnswer>
    let pageAnswers: HandOver<PagesAnswer>
    let snapshotAnswers: HandOver<SnapshotAnswer>
    let developerAnswers: HandOver<DeveloperAnswer>
    var sources: [EventSource] = []
    var wakeupSource: WakeupSource?
    /// What the watcher has said and inference has not heard yet, from `backlogStart` on.
    var backlog: [WatcherReport] = []
    var backlogStart = 0
    var clientsTurnUntil = BootTime(microseconds: 0)
    var reportsTimer: TimerSource?
    var idleTurn: DeferredSource?
    var inferenceTimer: TimerSource?
    var processes: ProcessWatches?
    var clockChanges: ClockChangeSource?

    // For `status` and what must be remembered between wake-ups.
    var shareStates: [Int: ShareState] = [:]
    var crawls: [Int: CrawlProgress] = [:]
    var selfTests: [ServerStatus.SelfTest] = []
    var storageTrouble: String?
    var analyzerTrouble: String?
    var measuring = 0
    /// The same by person, so that one with thousands of documents does not keep the others waiting.
    var measuringFor: [PersonID?: Int] = [:]
    /// The last save of documents whose person has no name yet: measured once they have.
    var unnamedSaves: [DocumentRef: (share: Int, placement: Placement, since: BootTime, at: BootTime)] = [:]
    static let unnamedSavesLimit = 256
    /// Saves to measure again later.
    lazy var postponed = PostponedMeasures<MeasureRequest>(limit: settings.limits.queuedDocuments)
    var postponedTimer: TimerSource?
    /// Audio and video that somebody has open here.
    var media = MediaWatch()
    var mediaTimer: TimerSource?
    var settingsProblem: String?
    var settingsLoadedAt = HostClock.wall()
    var rosterAskedAt: BootTime?
    var askedUIDs: Set<UInt32> = []
    var askedLogins: Set<String> = []
    var isStopping = false
    var waitingSwitches: [WaitingSwitch] = []
    /// Calls that are answered once their entry is on the disk.
    var waitingEntries: [WaitingEntry] = []
    /// Imports that the accounts thread has not answered.
    var imports: [UInt64: WaitingImport] = [:]
    var nextImport: UInt64 = 1
    /// Hand-ins whose documents are being read.
    var handIns: [UInt64: WaitingHandIn] = [:]
    var nextHandIn: UInt64 = 1
    var keysWaiting: [UInt64: WaitingKey] = [:]
    var nextKey: UInt64 = 1
    var openingsTimer: TimerSource?
    var programs = ProgramsState()
    var liveTimer: TimerSource?
    var schoolTimer: TimerSource?
    /// Calls that are answered piece by piece.
    var sliced: [SlicedCall] = []
    var slicedTimer: TimerSource?
    var erasures: [UInt64: WaitingErasure] = [:]
    /// Kept while there is one.
    var sinceErasure: EntriesSince?
    /// 0 is the retention's.
    var nextErasure: UInt64 = 1
    var metrics = MetricsState()
    var retentionTimer: TimerSource?
    var pages: PagesState
    /// A retention pass that the writer has not answered, and whether another is to follow at once.
    var aged: (AgedWork, isMore: Bool)?
    /// Since when people are forgotten: what was measured of them before is dropped. Nobody sees them while it goes on.
    var forgotten: [PersonID: BootTime] = [:]
    /// Who looked at what, and when last.
    var recentLooks: [String: BootTime] = [:]
    var exitCode: Int32 = 0
    /// The last entry that the ledger has.
    var ledgerPosition = JournalPosition.start
    var snapshots = SnapshotState()
    /// Of the stored lines, and how many segments there were at the start.
    var journalBytes: Int64 = 0
    var journalSegments = 0
    var checkpoint: NewestCheckpoint?
    /// As the start found them.
    var journalLosses: [String] = []
    var retentionPass: RetentionPass?
    var departure: Departure?
    var ownListeners: [UnixListener] = []
    var nextReconfiguration: UInt64 = 1
    /// New shares that count from the watcher's word on.
    var pendingShares: (id: UInt64, shares: [ShareLayout])?

    package init(options: DaemonOptions, log: SystemJournal) throws {
        self.options = options
        self.log = log
        loop = try EventLoop()
        boot = BootID(text: try BootIdentity.current())
        service = VarlinkService(
            interfaces: [DaybookInterfaces.reports, DaybookInterfaces.journal, DaybookInterfaces.classroom, DaybookInterfaces.classKit],
            vendor: "Daybook", product: "daybookd",
            version: options.version, url: "file:///usr/share/doc/daybook/README.md")
        wakeup = try Wakeup()
        watcherReports = HandOver(capacity: 256, wake: wakeup)
        fileAnswers = HandOver(capacity: 4096, wake: wakeup)
        accountAnswers = HandOver(capacity: 4096, wake: wakeup)
        historyAnswers = HandOver(capacity: 64, wake: wakeup)
        pageAnswers = HandOver(capacity: 4096, wake: wakeup)
        pages = PagesState(interval: options.settings.pages.interval)
        snapshotAnswers = HandOver(capacity: 4, wake: wakeup)
        developerAnswers = HandOver(capacity: 4096, wake: wakeup)
        let shares = options.settings.shares.map { ShareLayout(path: $0.path, layouts: $0.layouts) }
        // Until the name service has answered, the configured classes have nobody in them: nothing is recorded too early.
        let empty = Self.emptyRoster(options.settings)
        recorder = Recorder(shares: shares, rule: options.settings.rule, roster: empty, clock: clock)
        recorder.use(externalAnalyzers: options.settings.analyzer.external.map(\.analyzer.name))
        engine = InferenceEngine(
            shares: shares, rule: options.settings.rule, limits: Self.limits(options.settings), firstID: ActivityID(1),
            directory: PeopleDirectory())
    }

    /// Classes with nobody in them.
    private static func emptyRoster(_ settings: Settings) -> Roster {
        var names = settings.classes.map(\.name)
        var roster = Roster()
        switch ClassListFile(stateDirectory: settings.server.state).read() {
        case .list(let list): names += list.classes.map(\.name).filter { !names.contains($0) }
        case .none: break
        // Told of when the accounts thread has found the same.
        case .unreadable: roster.hasUnreadableLists = true
        }
        roster.classes = names.map { Roster.SchoolClass(name: $0, students: [], teachers: []) }
        return roster
    }

    static func limits(_ settings: Settings) -> InferenceLimits {
        var limits = InferenceLimits()
        limits.settle = settings.analyzer.settle
        return limits
    }

    /// Serves until it is told to stop; the result is the exit status.
    package func run() throws -> Int32 {
        try start()
        let code = try loop.run()
        finish()
        return exitCode == 0 ? code : exitCode
    }

    /// Requests to end: what is being measured is dropped, the journal is completed, clients get what was sent.
    func stop(reason: String) {
        guard !isStopping else { return }
        isStopping = true
        Notify.stopping(status: "completing the journal")
        log.notice("stopping", ["reason": .plain(reason)], id: Messages.stopping)
        watcher?.stop()
        repeat {
            takeReports()
            takeJournalReports()
            waitForWriter()
        } while !backlog.isEmpty || watcherReports.count > 0
        handle(engine.handle(.shutdown(at: HostClock.boot())))
        stopTimers(.serviceStopped)
        submit([.stopped(reason: reason)])
        loop.exit()
    }

    /// A long backlog is many entries, and here they come without a rest: what finds the writer's queue full would be lost.
    private func waitForWriter() {
        guard let writer else { return }
        while storageTrouble == nil, writer.status.waiting > settings.limits.queuedEntries / 2, let more = writer.reports.takeWaiting() {
            for report in more { take(report) }
        }
    }

    /// The journal comes first: whatever may then keep a thread from ending, as a disk that hangs, nothing is lost. Each `stop` waits for
    /// one piece of work at most.
    private func finish() {
        accounts?.stop()
        for report in writer?.finish() ?? [] { take(report) }
        writeLastSnapshot()
        server?.shutDown()
        for listener in ownListeners { listener.removeFile() }
        files?.stop()
        history?.stop()
        pages.thread?.stop()
        programs.developerThread?.stop()
        metrics.writer?.stop()
    }

    /// Documents of one person that may wait for the copier; more are asked of it later.
    static let measuresPerPerson = 32

    /// How long the watcher's reports may keep clients waiting in one go. Whoever floods a share floods this, too.
    static let slice = Duration.milliseconds(20)

    /// One wake-up of any of the other threads: everything from everybody, the kernel's word first.
    func takeAnswers() {
        takeJournalReports()
        for answer in historyAnswers.takeAll() { handle(answer) }
        for answer in pageAnswers.takeAll() { handle(answer) }
        for answer in snapshotAnswers.takeAll() { handle(answer) }
        for answer in developerAnswers.takeAll() { handle(answer) }
        takeReports()
    }

    /// Reports come before clients, but never take more than half of the time: after each go, clients have as long. Where none of them wants
    /// anything, `idleTurn` takes that time.
    func takeReports() {
        let began = HostClock.boot()
        guard isStopping || began >= clientsTurnUntil else {
            goOnLater()
            return
        }
        if backlog.isEmpty { backlog = watcherReports.takeAll() }
        var now = began
        while backlogStart < backlog.count, now - began < Self.slice {
            handle(backlog[backlogStart])
            backlogStart += 1
            now = HostClock.boot()
        }
        if backlogStart == backlog.count {
            backlog = []
            backlogStart = 0
            // All of these reason about what the kernel has said before.
            for answer in accountAnswers.takeAll() { handle(answer) }
            for answer in fileAnswers.takeAll() { handle(answer) }
            armInferenceTimer()
            now = HostClock.boot()
        }
        clientsTurnUntil = now + (now - began)
        // The wake-up for what has come meanwhile may have been taken while the backlog was not empty.
        if !backlog.isEmpty || watcherReports.count > 0 { goOnLater() }
    }

    private func goOnLater() {
        reportsTimer?.arm(at: clientsTurnUntil.microseconds, accuracy: .milliseconds(1))
        idleTurn?.schedule()
    }

    /// Nobody else wants the loop: the reports need not wait for their time.
    func takeIdleTurn() {
        clientsTurnUntil = HostClock.boot()
        takeReports()
    }

    func armInferenceTimer() {
        guard let deadline = engine.deadline else {
            inferenceTimer?.disarm()
            return
        }
        if inferenceTimer?.armedFor != deadline.microseconds { inferenceTimer?.arm(at: deadline.microseconds) }
    }
}
