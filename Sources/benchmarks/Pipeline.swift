// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import CDaybookBench
import DaybookLinux
import FolderWatcher
import Glibc
import Inference
import Synchronization

/// The daemon's way of an event without its sockets: watcher's thread, hand-over, inference on this thread.
final class Pipeline {
    struct Measured {
        /// Nanoseconds of both threads.
        var cpu: Int64 = 0
        /// The watcher's part.
        var watcherCPU: Int64 = 0
        var overflows = 0
        var changes = 0
        var sessionEvents = 0
    }

    private let wake: Wakeup
    private let reports: HandOver<WatcherReport>
    private let watcher: FolderWatcher
    private let watcherClock = Box()
    private var engine: InferenceEngine
    private var measured = Measured()
    private var isCrawled = false
    private var marked: UInt64 = 0

    /// What another thread writes once.
    private final class Box: Sendable {
        let value = Atomic<Int32>(0)
    }

    private let person: UInt32
    private let isLossAllowed: Bool

    /// Losing events is an error unless it is what is measured.
    init(
        share: String, privateFolder: String, by source: WatchSource = .inotify, person: UInt32 = getuid(), isLossAllowed: Bool = false
    ) throws {
        self.person = person
        self.isLossAllowed = isLossAllowed
        guard mkdir(privateFolder, 0o700) == 0 else { throw BenchmarkFailure.errno("cannot make \(privateFolder)") }
        let layouts = LayoutSet([try LayoutPattern("{class}/{assignment}/{person}/{document}")])
        wake = try Wakeup()
        // As the daemon has it.
        reports = HandOver(capacity: 256, wake: wake)
        var options = WatcherOptions(privateFolder: privateFolder) { CompanionKind.isPresenceMark($0) }
        options.usesFanotify = source == .fanotify
        let box = watcherClock
        options.onThreadStart = {
            var clock: Int32 = 0
            if bench_own_thread_clock(&clock) == 0 { box.value.store(clock, ordering: .releasing) }
        }
        watcher = try FolderWatcher(shares: [WatchedShare(path: share, layouts: layouts)], options: options, output: reports)
        engine = InferenceEngine(
            shares: [ShareLayout(path: share, layouts: layouts)], rule: Rule(), firstID: ActivityID(1),
            directory: PeopleDirectory([PersonID(uid: person, login: "student")]))
    }

    /// What the two threads use from the end of the crawl until everything that `work`, on a thread of its own, has done is inferred.
    func measure(_ work: @escaping @Sendable () throws -> Void) throws -> Measured {
        openSessions()
        try watcher.start()
        while !isCrawled { try turn() }
        measured = Measured()
        let (before, watcherBefore) = (try used(), watcherUsed)
        let watcher = watcher
        let failure = Failure()
        let worker = try WorkerThread(name: "saves") {
            do { try work() } catch { failure.note(error) }
            // Sixteen may be under way, and this is the only one.
            _ = watcher.mark(id: 1)
        }
        while marked == 0 { try turn() }
        worker.join()
        if let error = failure.error { throw error }
        measured.cpu = try used() - before
        measured.watcherCPU = watcherUsed - watcherBefore
        watcher.stop()
        take(engine.handle(.end(at: BootTime(microseconds: Clocks.bootMicroseconds()))))
        return measured
    }

    /// Everybody has saved once, one after the other, in the minutes before: so many new documents at once would count as a program's
    /// sweep, and be nobody's work.
    private func openSessions() {
        let paths = EventBenchmark.documents
        let start = Clocks.bootMicroseconds() - Int64(paths.count + 1) * 2_000_000
        for (index, path) in paths.enumerated() {
            let facts = FileFacts(type: .file, owner: person, size: 4096)
            for (step, kind) in [Change.Kind.opened, .modified, .closedAfterWriting].enumerated() {
                let at = BootTime(microseconds: start + Int64(index) * 2_000_000 + Int64(step) * 1000)
                take(engine.handle(.change(Change(at: at, share: 0, path: path, isFolder: false, kind: kind, facts: facts))))
            }
        }
    }

    /// What the other thread could not do.
    private final class Failure: Sendable {
        private let kept = Mutex<(any Error)?>(nil)

        func note(_ error: any Error) { kept.withLock { $0 = error } }
        var error: (any Error)? { kept.withLock { $0 } }
    }

    var counts: WatcherCounts { watcher.counts }

    private func used() throws -> Int64 {
        var own: Int32 = 0
        guard bench_own_thread_clock(&own) == 0 else { throw BenchmarkFailure.errno("no clock for this thread") }
        return bench_read_clock(own) + watcherUsed
    }

    private var watcherUsed: Int64 { bench_read_clock(watcherClock.value.load(ordering: .acquiring)) }

    /// One turn of the daemon's loop.
    private func turn() throws {
        var waiting = wake.descriptor.withRaw { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&waiting, 1, timeout)
        if waiting.revents != 0 { wake.reset() }
        for report in reports.takeAll() {
            switch report {
            case .changes(let changes):
                for change in changes {
                    measured.changes += 1
                    take(engine.handle(.change(change)))
                }
            case .crawl(let progress): if progress.isFinished { isCrawled = true }
            case .marker(let id): marked = id
            case .gap:
                measured.overflows += 1
                if !isLossAllowed { throw BenchmarkFailure("the kernel's queue was full, so events were lost") }
            case .failed(let reason): throw BenchmarkFailure(reason)
            case .state, .rescanned, .examined, .reconfigured: break
            }
        }
        let now = BootTime(microseconds: Clocks.bootMicroseconds())
        if let deadline = engine.deadline, deadline <= now { take(engine.handle(.timer(now))) }
    }

    private var timeout: Int32 {
        guard let deadline = engine.deadline else { return -1 }
        return Int32(clamping: max(0, deadline.microseconds - Clocks.bootMicroseconds()) / 1000 + 1)
    }

    private func take(_ effects: [InferenceEffect]) {
        for case .session in effects { measured.sessionEvents += 1 }
    }
}
