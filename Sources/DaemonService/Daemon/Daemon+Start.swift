// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import EventLoop
import FolderWatcher
import Glibc
import Inference
import JournalFormat
import JournalStore
import Ledger
import Settings

extension Daemon {
    /// Everything up to the first event: the journal so far, the socket, READY, and only then the crawl.
    func start() throws {
        Signals.ignoreBrokenPipes()
        try Signals.block([SIGTERM, SIGINT, SIGHUP])
        try openJournal()
        try openSocket()
        try wireSources()
        testSight()
        try startThreads()
        begin()
        Notify.ready(status: "serving")
        log.notice(
            "serving", ["socket": .plain(settings.server.socket), "shares": .count(settings.shares.count)], id: Messages.serves)
        try watcher?.start()
        if try loop.startWatchdog() { log.debug("the watchdog is on") }
    }

    // MARK: The journal

    private func openJournal() throws {
        var journal = JournalOptions()
        journal.segmentBytes = settings.journal.segmentSize
        journal.commitDelay = settings.journal.commitDelay
        journal.maximumWaiting = settings.limits.queuedEntries
        journal.packAfter = settings.journal.compressAfter
        journal.checkpointInterval = settings.journal.checkpointInterval
        journal.signing = JournalOptions.Signing(credentials: getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) })
        let state = settings.server.state
        // Before the writer begins to finish it.
        let erasing = SnapshotFile.pendingErasure(state)
        let writer = try JournalWriter(stateDirectory: state, boot: boot, options: journal, wake: wakeup)
        self.writer = writer
        checkpoint = NewestCheckpoint(in: state)
        if let covered = writer.cutOff {
            log.error(
                "the journal ends before its checkpoint", ["covered": .number(covered), "last": .number(writer.opened.seq)],
                id: Messages.cutOff)
        }
        journalLosses = JournalLosses.found(in: state, cutOff: writer.cutOff)
        for loss in journalLosses { log.error("the journal has lost something", ["what": .plain(loss)], id: Messages.repaired) }
        if let trouble = writer.signingTrouble {
            log.error("no checkpoints are signed", ["reason": .plain(trouble.description)], id: Messages.notSigned)
        }
        try readLedger(through: writer.opened, erasing: erasing)
        journalSegments = JournalReader(stateDirectory: state).segmentCount
        history = try HistoryThread(stateDirectory: state, answers: historyAnswers)
    }

    /// The watcher's own folder, for markers; nobody else's business.
    private static func makeFolder(_ path: String) throws(SystemCallError) {
        if mkdir(path, 0o700) == -1, errno != EEXIST { throw SystemCallError(call: "mkdir \(path)", code: errno) }
    }

    // MARK: Clients

    private func openSocket() throws {
        var listeners = try ListenDescriptors.ofProcess().adopt()
        if listeners.isEmpty { listeners = [try UnixListener.listen(at: settings.server.socket, mode: 0o666)] }
        var limits = ClientLimits()
        limits.clients = settings.limits.clients
        limits.clientsPerUser = settings.limits.clientsPerUser
        limits.messageBytes = settings.limits.messageSize
        limits.outputBytes = settings.limits.outputSize
        limits.messageTime = settings.limits.clientTimeout
        limits.outputTime = settings.limits.clientTimeout
        server = try ClientServer(loop: loop, listeners: listeners, limits: limits, delegate: self)
        ownListeners = listeners
    }

    // MARK: Wake-ups

    private func wireSources() throws {
        wakeupSource = try WakeupSource(loop, wakeup, priority: .changes) { [unowned self] in self.takeAnswers() }
        reportsTimer = try TimerSource(loop, priority: .changes) { [unowned self] in self.takeReports() }
        idleTurn = try DeferredSource(loop, priority: .last) { [unowned self] in self.takeIdleTurn() }
        inferenceTimer = try TimerSource(loop, priority: .changes) { [unowned self] in self.inferenceTimerFired() }
        processes = try ProcessWatches(loop, mark: { [unowned self] in self.watcher?.mark(id: $0) ?? false }) { [unowned self] pid, at in
            self.handle(self.engine.handle(.processEnded(pid: pid, at: at)))
            self.armInferenceTimer()
        }
        restTimer = try TimerSource(loop) { [unowned self] in self.serveRested() }
        slicedTimer = try TimerSource(loop) { [unowned self] in self.runSliced() }
        schoolTimer = try TimerSource(loop) { [unowned self] in self.obeySchool() }
        liveTimer = try TimerSource(loop) { [unowned self] in self.tellLive() }
        openingsTimer = try TimerSource(loop) { [unowned self] in self.openScheduled() }
        metrics.timer = try TimerSource(loop) { [unowned self] in self.metricsDue() }
        retentionTimer = try TimerSource(loop) { [unowned self] in self.retentionDue() }
        postponedTimer = try TimerSource(loop) { [unowned self] in self.postponedFired() }
        mediaTimer = try TimerSource(loop) { [unowned self] in self.mediaTimerFired() }
        sources = [
            try SignalSource(loop, SIGTERM) { [unowned self] _ in self.stop(reason: "terminated") },
            try SignalSource(loop, SIGINT) { [unowned self] _ in self.stop(reason: "interrupted") },
            try SignalSource(loop, SIGHUP) { [unowned self] _ in self.reload() },
        ]
        clockChanges = try ClockChangeSource(loop) { [unowned self] stepped, slept in self.clockChanged(stepped, slept) }
    }

    private func clockChanged(_ stepped: Int64, _ slept: Int64) {
        submit(ClockFacts.entries(stepped: stepped, slept: slept).map { .clock($0) })
        armOpenings()
        obeySchool()
    }

    // MARK: Threads

    private func startThreads() throws {
        let privateFolder = settings.server.state + "/watcher"
        try Self.makeFolder(privateFolder)
        var options = WatcherOptions(privateFolder: privateFolder) { CompanionKind.isPresenceMark($0) }
        options.usesFanotify = settings.watch.source != .inotify
        options.batchDelay = settings.watch.batchDelay
        options.retryInterval = settings.watch.retry
        options.pollInterval = settings.watch.pollInterval
        let watcher = try FolderWatcher(
            shares: settings.shares.map { WatchedShare(path: $0.path, layouts: $0.layouts) }, options: options, output: watcherReports)
        self.watcher = watcher
        accounts = try AccountsThread(people: settings.people, stateDirectory: settings.server.state, answers: accountAnswers)
        files = try FileThread(
            options: FileThread.Options(
                sizeLimit: Int64(settings.analyzer.documentSizeLimit), analyzer: settings.analyzer,
                measuring: MeasuringPool.Options(
                    analyzerSocket: settings.analyzer.socket, analyzerProgram: self.options.analyzerProgram,
                    seconds: Int(settings.analyzer.timeLimit.components.seconds), megabytes: settings.analyzer.memoryLimit >> 20),
                companionBytes: InferenceLimits().companionBytes, keys: KeyFolder(stateDirectory: settings.server.state)),
            shares: settings.shares.map(\.path), watcher: watcher, queue: settings.limits.queuedDocuments, answers: fileAnswers)
    }

    // MARK: Where the journal left off

    private func begin() {
        let now = HostClock.boot()
        let wasRecording = ledger.recording.isOn
        let last = ledger.last
        submit([.started(version: options.version), .settings(settingsFacts)])
        // Sessions of an earlier run of the machine ended with it.
        for session in ledger.openSessions(beforeBoot: boot) {
            let end = SessionEnd(
                ending: .censored, closedAt: session.work.lastSign, notAfter: session.work.lastSign, confidence: .thin)
            submit([.session(.stopped(session.id, end), assignment: nil)])
        }
        if wasRecording, let last {
            submit([.gap(GapFacts(after: last, boot: boot, now: now, wall: HostClock.wall()))])
        }
        if ledger.recording.everybody == nil {
            obeyConfiguredRecording()
        } else if ledger.recording.everybody?.by == nil, isSwitchedOn != settings.recording.enabled {
            // The configuration switched it last, and the configuration says otherwise now.
            obeyConfiguredRecording()
        }
        obeySchool()
        recorder.useLastKnownStudents()
        stopForgottenTimers()
        examineListedPrograms()
        readDeveloperStores()
        let open = ledger.openSessions(boot: boot)
        engine = InferenceEngine(
            shares: settings.shares.map { ShareLayout(path: $0.path, layouts: $0.layouts) }, rule: settings.rule,
            limits: Self.limits(settings), firstID: recorder.firstInferenceID, directory: directory)
        for person in ledger.people.keys { directory.insert(person) }
        handle(engine.handle(.directory(directory, at: now)))
        recorder.resume(open)
        for session in open { watchMedia(session.id, session.work.document, session.work.process, session.work.attribution) }
        handle(engine.handle(.resume(open.map(\.work), at: now)))
        if let last, last.boot == boot {
            handle(engine.handle(.gap(share: nil, from: last.mono, at: now)))
            watcher?.examine(recorder.openDocuments, since: last.mono, id: 0)
        }
        _ = files?.requests.put(.holders)
        refreshRosterIfOld()
        armInferenceTimer()
        openScheduled()
        armRetention(after: Self.firstRetention)
        configurePages()
        configureMetrics()
    }
}

extension GapFacts {
    /// From the last entry to now: by the boot clock where it is the same run of the machine, since the wall clock may have been set meanwhile.
    init(after last: Moment, boot: BootID, now: BootTime, wall: WallTime) {
        let ended = last.boot == boot ? wall + (last.mono - now) : last.wall
        self.init(cause: .restart, from: min(ended, wall), to: wall)
    }
}
