// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import EventLoop

/// Foreign processes whose end somebody waits for. Belongs to the loop's thread.
///
/// A process's last closes are in the kernel's queue before its end can be seen, but the watcher may not have read them: the end is told
/// behind a marker.
final class ProcessWatches {
    /// Each has a descriptor.
    static let capacity = 4096
    /// How long after all markers were taken it is tried again.
    static let retryDelay = Duration.milliseconds(50)

    private final class Watched {
        private let process: ForeignProcess
        private let source: DescriptorSource

        init(_ process: ForeignProcess, _ source: DescriptorSource) {
            self.process = process
            self.source = source
        }

        // The source goes before its descriptor is closed: a child that is just being forked may still have that, and then the kernel would
        // go on to report it.
        deinit { source.cancel() }
    }

    private struct Ended {
        var pid: Int32
        var at: BootTime
    }

    private let loop: EventLoop
    private let capacity: Int
    private let reader: ProcessReader
    private let mark: (UInt64) -> Bool
    private let ended: (Int32, BootTime) -> Void
    private var retry: TimerSource?
    private var watched: [Int32: Watched] = [:]
    /// Ended, and the marker is still to be asked for.
    private var fresh: [Ended] = []
    /// Ended, and told once this marker has been passed.
    private var waiting: (mark: UInt64, ended: [Ended])?
    private var nextMark: UInt64 = 1
    private var isFullReported = false

    /// `mark` asks for a marker of this number, and refuses where none is free; `ended` is called once for each process that has ended.
    init(
        _ loop: EventLoop, capacity: Int = ProcessWatches.capacity, mark: @escaping (UInt64) -> Bool,
        ended: @escaping (Int32, BootTime) -> Void
    ) throws(SystemCallError) {
        self.capacity = capacity
        self.loop = loop
        self.mark = mark
        self.ended = ended
        reader = try ProcessReader()
        retry = try TimerSource(loop, priority: .changes) { [unowned self] in self.askForMark() }
    }

    var count: Int { watched.count }

    /// Tells of its end, soon where it has ended already or another process has its number. False, once, where there is no room for more:
    /// then its end is not noticed.
    func watch(_ pid: Int32, startedAt: BootTime?) -> Bool {
        guard watched[pid] == nil else { return true }
        guard watched.count < capacity else { return reportFull() }
        do throws(SystemCallError) {
            guard let process = try ForeignProcess.open(pid), isSame(pid, startedAt) else {
                end(pid)
                return true
            }
            let source = try DescriptorSource(loop, process.descriptor, priority: .changes) { [unowned self] _ in self.end(pid) }
            watched[pid] = Watched(process, source)
            isFullReported = false
            return true
        } catch {
            return reportFull()
        }
    }

    func forget(_ pid: Int32) {
        watched[pid] = nil
        fresh.removeAll { $0.pid == pid }
        waiting?.ended.removeAll { $0.pid == pid }
    }

    /// The watcher has told all that happened before this marker was asked for.
    func passed(mark: UInt64) {
        guard let passed = waiting, passed.mark == mark else { return }
        waiting = nil
        for process in passed.ended { ended(process.pid, process.at) }
        askForMark()
    }

    // MARK: Inside

    /// What is read while the process is held by its descriptor is of that one.
    private func isSame(_ pid: Int32, _ startedAt: BootTime?) -> Bool {
        guard let startedAt else { return true }
        return reader.start(of: pid) == startedAt.microseconds
    }

    private func end(_ pid: Int32) {
        watched[pid] = nil
        fresh.append(Ended(pid: pid, at: HostClock.boot()))
        askForMark()
    }

    private func askForMark() {
        guard waiting == nil, !fresh.isEmpty else { return }
        guard mark(nextMark) else {
            retry?.arm(at: (HostClock.boot() + Self.retryDelay).microseconds, accuracy: .milliseconds(10))
            return
        }
        waiting = (nextMark, fresh)
        fresh = []
        nextMark += 1
    }

    private func reportFull() -> Bool {
        defer { isFullReported = true }
        return isFullReported
    }
}
