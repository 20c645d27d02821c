// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import DaybookVarlink
import EventLoop
import FolderWatcher
import Glibc
import Inference
import JournalStore
import Ledger
import Settings

extension Daemon {
    /// `isAdministrator`: who switched it is theirs to know.
    func recordingStatus(_ isAdministrator: Bool) -> ServerStatus.Recording {
        let recording = ledger.recording
        let switched = recording.everybody
        let (reason, until) = why(switched)
        return ServerStatus.Recording(
            state: ServerStatus.RecordingState(rawValue: recording.state.rawValue) ?? .off, since: switched?.since.rfc3339,
            exceptions: recording.people.values.count { $0.state != .on }, reason: reason, until: until?.rfc3339,
            by: isAdministrator && reason == .switched ? switched?.by.map(login(uid:)) : nil)
    }

    /// Why recording is as it is, and when that changes by itself.
    private func why(_ switched: RecordingState.Switch?) -> (ServerStatus.RecordingReason?, WallTime?) {
        guard let switched else { return (nil, nil) }
        let now = HostClock.wall()
        let school = settings.school.time
        // What somebody paused or switched off stays so; what is on pauses by itself.
        let hasHours = settings.recording.when == .schoolHours
        let until = hasHours && (switched.state == .on || switched.isScheduled) ? school.nextBorder(after: now, clock) : nil
        if hasHours, switched.isScheduled {
            if switched.state == .on { return (.lessons, until) }
            return (school.isHoliday(clock.civil(now).date) ? .holidays : .hours, until)
        }
        return (switched.by == nil ? .configuration : .switched, until)
    }

    private func login(uid: UInt32) -> String {
        uid == 0 ? "root" : directory.logins[uid] ?? String(uid)
    }

    /// What the caller may know: anybody that it runs and whether it records, administrators all.
    func status(for client: ClientState) -> ServerStatus {
        let viewer = viewer(of: client.client)
        return status(viewer.isAdministrator, role: Self.role(viewer))
    }

    /// All of it, for monitoring.
    var wholeStatus: ServerStatus { status(true, role: .administrator) }

    private func status(_ isAdministrator: Bool, role: ServerStatus.CallerRole) -> ServerStatus {
        ServerStatus(
            version: options.version, now: HostClock.wall().rfc3339, startedAt: startedAt.rfc3339, pid: Int(getpid()),
            isDemo: settings.access.viewAs, role: role, recording: recordingStatus(isAdministrator),
            shares: isAdministrator ? settings.shares.indices.map(shareStatus) : [], openSessions: ledger.openSessionCount,
            connections: isAdministrator ? clients.count : 1, queues: isAdministrator ? queues : [], journal: journalStatus,
            analyzer: analyzerStatus, gaps: isAdministrator ? latestGaps : [], limits: isAdministrator ? limits : [],
            selfTests: isAdministrator ? selfTests : [],
            settings: ServerStatus.Settings(
                file: isAdministrator ? options.configurationPath : nil, loadedAt: settingsLoadedAt.rfc3339,
                problem: isAdministrator ? settingsProblem : nil), pages: isAdministrator ? pagesStatus : nil,
            counts: isAdministrator ? metrics.counts.status(residentBytes: Self.residentBytes) : nil)
    }

    private static func role(_ viewer: Viewer) -> ServerStatus.CallerRole {
        switch viewer.role {
        case .administrator: .administrator
        case .coordinator: .coordinator
        case .teacher: .teacher
        case .student: .student
        case nil: .nobody
        }
    }

    private func shareStatus(_ index: Int) -> ServerStatus.Share {
        let known = shareStates[index]
        let crawl = crawls[index]
        let isCrawling = crawl.map { !$0.isFinished } ?? (known == nil)
        let state: ServerStatus.ShareState =
            switch known?.condition {
            case .unavailable: .unavailable
            case _ where isCrawling: .crawling
            case .partial: .partial
            case .complete, nil: .complete
            }
        let counts = watcher?.counts
        let folders = counts.flatMap { $0.folders.indices.contains(index) ? $0.folders[index] : nil } ?? known?.folders ?? 0
        return ServerStatus.Share(
            path: settings.shares[index].path, state: state,
            percent: isCrawling ? crawl.map { Int($0.fraction * 100) } : nil, folders: folders,
            watches: folders - (known?.unwatched ?? 0), source: known?.source.rawValue ?? "inotify", sourceReason: known?.refusal,
            fileSystem: FileSystemName.of(settings.shares[index].path),
            reason: known?.reason, unreadable: known?.unreadableCount ?? 0)
    }

    private var queues: [ServerStatus.Queue] {
        [
            ServerStatus.Queue(name: "watcher reports", depth: watcherReports.count, capacity: 256),
            ServerStatus.Queue(name: "processes", depth: processes?.count ?? 0, capacity: ProcessWatches.capacity),
            ServerStatus.Queue(name: "files", depth: files?.requests.count ?? 0, capacity: settings.limits.queuedDocuments),
            ServerStatus.Queue(name: "accounts", depth: accounts?.requests.count ?? 0, capacity: 4096),
            ServerStatus.Queue(name: "entries", depth: writer?.status.waiting ?? 0, capacity: settings.limits.queuedEntries),
        ]
    }

    private var journalStatus: ServerStatus.Journal {
        ServerStatus.Journal(
            lastSeq: Int64(clamping: ledger.lastSeq), bytes: journalBytes, segments: journalSegments + (writer?.status.newSegments ?? 0),
            writable: storageTrouble == nil, reason: storageTrouble,
            checkpoint: checkpoint.map {
                ServerStatus.Journal.Checkpoint(seq: Int64(clamping: $0.seq), at: $0.at?.rfc3339, key: $0.key)
            }, snapshot: snapshots.used.map { Int64(clamping: $0) }, snapshotReason: snapshots.refusal, losses: journalLosses,
            freeBytes: Self.freeBytes(settings.server.state))
    }

    private static func freeBytes(_ path: String) -> Int64? {
        var room = statvfs()
        guard statvfs(path, &room) == 0 else { return nil }
        return Int64(clamping: UInt64(room.f_bavail).multipliedReportingOverflow(by: UInt64(room.f_frsize)).partialValue)
    }

    private var analyzerStatus: ServerStatus.Analyzer {
        let state: ServerStatus.AnalyzerState = analyzerTrouble != nil ? .failing : measuring > 0 ? .working : .idle
        return ServerStatus.Analyzer(state: state, waiting: measuring + postponed.count, reason: analyzerTrouble)
    }

    private var latestGaps: [ServerStatus.Gap] {
        ledger.gaps.suffix(10).reversed().map {
            ServerStatus.Gap(
                cause: $0.facts.cause.rawValue, share: $0.facts.share, from: $0.facts.from.rfc3339, to: $0.facts.to.rfc3339,
                lost: $0.facts.lost)
        }
    }

    /// What the kernel allows and what this server needs of it.
    private var limits: [ServerStatus.Limit] {
        let need = (watcher?.counts.watches ?? 0) + shareStates.values.reduce(0) { $0 + $1.unwatched }
        var limits: [ServerStatus.Limit] = []
        if let have = KernelLimit.read("fs/inotify/max_user_watches") {
            limits.append(
                ServerStatus.Limit(
                    name: "fs.inotify.max_user_watches", need: need, have: have,
                    stops: need > have,
                    mend: need > have
                        ? "folders are listed on a timer instead: set fs.inotify.max_user_watches to \(max(need * 2, 65_536)) in /etc/sysctl.d"
                        : nil))
        }
        let marks = watcher?.counts.marks ?? 0
        if marks > 0, let have = KernelLimit.read("fs/fanotify/max_user_marks") {
            // Beyond it inotify takes over, so nothing stops.
            limits.append(
                ServerStatus.Limit(
                    name: "fs.fanotify.max_user_marks", need: marks, have: have, stops: false,
                    mend: marks > have ? "set fs.fanotify.max_user_marks to \(max(marks * 2, 65_536)) in /etc/sysctl.d" : nil))
        }
        let interface = marks > 0 ? "fanotify" : "inotify"
        if let have = KernelLimit.read("fs/\(interface)/max_queued_events") {
            let wanted = ServerStatus.Limit.queuedEventsWanted
            limits.append(
                ServerStatus.Limit(
                    name: "fs.\(interface).max_queued_events", need: wanted, have: have, stops: false,
                    mend: have < wanted ? "a burst may be missed: set fs.\(interface).max_queued_events to \(wanted) in /etc/sysctl.d" : nil
                ))
        }
        return limits
    }

    /// Tried at the start; what fails is named here, and evidence of that kind is off.
    func testSight() {
        let sight = Sight.test(shares: settings.shares.map(\.path))
        func test(_ name: String, _ result: Sight.Result, _ good: String, stops: Bool) -> ServerStatus.SelfTest {
            switch result {
            case .seen: return ServerStatus.SelfTest(name: name, passed: true, meaning: good, stops: false, mend: nil)
            case .hidden(let why):
                log.error("something cannot be seen", ["test": .plain(name), "reason": .plain(why)], id: Messages.sight)
                return ServerStatus.SelfTest(
                    name: name, passed: false, meaning: why, stops: stops, mend: "compare the service unit with the shipped one")
            }
        }
        selfTests = [
            test("process status", sight.processStatus, "other users' processes can be seen", stops: false),
            test("open files", sight.openFiles, "who holds a document open can be told", stops: false),
            test("file owners", sight.owners, "whose a file is can be told", stops: false),
            test("boot id", sight.bootID, "times can be joined over a restart of the daemon", stops: true),
        ]
        if let test = testFanotify() { selfTests.append(test) }
        log.notice(
            "self-test", ["passed": .count(selfTests.count { $0.passed }), "of": .count(selfTests.count)])
    }
}

extension Daemon {
    /// What of fanotify the daemon may use; nil where it is not to. Each share may still refuse it.
    private func testFanotify() -> ServerStatus.SelfTest? {
        guard settings.watch.source != .inotify else { return nil }
        let name = "fanotify"
        do {
            try Fanotify.test(shares: settings.shares.map(\.path))
            return ServerStatus.SelfTest(
                name: name, passed: true, meaning: "the kernel tells whose each change is", stops: false, mend: nil)
        } catch {
            let reason = "\(WatchSource.refusal(error)); without it the owners of files tell who changed them"
            // Nobody has asked for it: inotify does.
            if settings.watch.source == .auto {
                return ServerStatus.SelfTest(name: name, passed: true, meaning: "not used: \(reason)", stops: false, mend: nil)
            }
            log.error("fanotify cannot be used", ["reason": .plain(reason)], id: Messages.sight)
            return ServerStatus.SelfTest(
                name: name, passed: false, meaning: reason, stops: false,
                mend: "install the drop-in fanotify.conf, or set watch.source = \"auto\"")
        }
    }
}

enum KernelLimit {
    /// A number below `/proc/sys`.
    static func read(_ name: String) -> Int? {
        (try? SmallFile.readLine("/proc/sys/" + name)).flatMap { Int($0) }  // absent in some containers
    }
}

enum FileSystemName {
    /// The type of the file system a path is on, as `/proc/self/mountinfo` names it.
    static func of(_ path: String) -> String? {
        guard let table = try? SmallFile.read("/proc/self/mountinfo", limit: 1 << 20) else { return nil }  // only for display
        var best: (length: Int, type: String)?
        for line in table.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: " "))
            guard fields.count > 6, let dash = fields.firstIndex(of: Array("-".utf8)[...]), fields.indices.contains(dash + 1) else {
                continue
            }
            let point = Array(fields[4])
            let whole = Array(path.utf8)
            let isAbove = point == [UInt8(ascii: "/")] || whole == point || whole.starts(with: point + [UInt8(ascii: "/")])
            if isAbove, point.count >= best?.length ?? 0 { best = (point.count, String(decoding: fields[dash + 1], as: UTF8.self)) }
        }
        return best?.type
    }
}
