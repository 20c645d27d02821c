// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Glibc
import Inference

/// Waiting for the kernel, and reading what it has.
extension WatchLoop {
    struct Woken: OptionSet {
        let rawValue: Int

        static let inotify = Woken(rawValue: 1)
        static let fanotify = Woken(rawValue: 2)
        static let mailbox = Woken(rawValue: 4)
        static let mounts = Woken(rawValue: 8)
        static let events: Woken = [.inotify, .fanotify]
    }

    /// A name with its zeros takes at most 256 bytes and a handle 144, and a rename has two of each: a read that leaves more room than that
    /// took all there was.
    private static let longestRecord = 1024

    func wait() -> Woken {
        let timeout: Int32 = isBusy || rootsInDoubt ? 0 : milliseconds(until: nextDeadline)
        let before = Self.now()
        var woken = poll([.events, .mailbox, .mounts], timeout)
        if woken.isDisjoint(with: .events) { drained = before }
        // More is likely to follow: one read of all costs a third of reading each at once. Not for fanotify: whose uid a process works with
        // is to be asked at once, and what waits is merged.
        if woken.contains(.inotify), !isBusy, woken.isDisjoint(with: [.mailbox, .fanotify]) {
            woken.formUnion(poll([.fanotify, .mailbox], Int32(clamping: options.batchDelay.microseconds / 1000)))
        }
        return woken
    }

    private func poll(_ wanted: Woken, _ timeout: Int32) -> Woken {
        // A negative number is skipped by the kernel.
        let all: [(Woken, Int32?, Int32)] = [
            (.inotify, kernel.inotify.descriptor.withRaw { $0 }, POLLIN),
            (.fanotify, kernel.fanotify?.group.descriptor.withRaw { $0 }, POLLIN),
            (.mailbox, mailbox.wake.descriptor.withRaw { $0 }, POLLIN),
            (.mounts, mounts?.descriptor.withRaw { $0 }, POLLPRI),
        ]
        var waiting = all.map { pollfd(fd: wanted.contains($0.0) ? $0.1 ?? -1 : -1, events: Int16($0.2), revents: 0) }
        // All signals are blocked on this thread; should it be interrupted all the same, the next turn waits again.
        guard Glibc.poll(&waiting, nfds_t(waiting.count), timeout) > 0 else { return [] }
        return all.indices.reduce(into: []) { if waiting[$1].revents != 0 { $0.insert(all[$1].0) } }
    }

    private func milliseconds(until deadline: BootTime?) -> Int32 {
        guard let deadline else { return -1 }
        // Rounded up, so that the deadline has passed when the thread wakes.
        return Int32(clamping: max(0, (deadline - Self.now().boot).microseconds / 1000 + 1))
    }

    // MARK: Reading

    /// All that waits, as far as it fits into a turn. Fanotify's comes second: where a rename leads from the one to the other, the departure
    /// is told first.
    func drain() {
        let before = Self.now()
        var isAll = readToEnd(kernel.inotify.read, parseInotify)
        if let fanotify = kernel.fanotify { isAll = readToEnd(fanotify.group.read, parseFanotify) && isAll }
        guard isAll else { return }
        drained = before
        hasReadAll()
    }

    /// False where more may be waiting.
    private func readToEnd(
        _ read: (inout [UInt8]) throws(SystemCallError) -> Int, _ handle: (_ count: Int, BootTime) -> Void
    ) -> Bool {
        for _ in 0..<Self.readsPerTurn where !isStopping {
            let count: Int
            do throws(SystemCallError) {
                count = try read(&buffer)
            } catch {
                report(.failed(reason: "cannot read the kernel's events: \(error); nothing is watched until the daemon is started again"))
                hasFailed = true
                return false
            }
            if count > 0 { handle(count, Self.now().boot) }
            if buffer.count - count > Self.longestRecord { return true }
        }
        return false
    }

    private func parseInotify(_ count: Int, at: BootTime) {
        var parsed: [InotifyRecord] = []
        swap(&parsed, &records)
        parse(count, at: at) { batch throws(InotifyParseError) in try InotifyRecord.parse(batch, into: &parsed) }
        recordCount &+= UInt64(parsed.count)
        withBatch { bytes in
            for index in parsed.indices where !isStopping { handle(&parsed, index, bytes, at: at) }
        }
        swap(&parsed, &records)
    }

    private func parseFanotify(_ count: Int, at: BootTime) {
        var parsed: [FanotifyRecord] = []
        swap(&parsed, &fanotifyRecords)
        parse(count, at: at) { batch throws(FanotifyParseError) in try FanotifyRecord.parse(batch, into: &parsed) }
        recordCount &+= UInt64(parsed.count)
        withBatch { bytes in handle(parsed, bytes, at: at) }
        swap(&parsed, &fanotifyRecords)
    }

    private func parse<E: Error>(_ count: Int, at: BootTime, _ body: (RawSpan) throws(E) -> Void) {
        let isWhole = buffer.withUnsafeBytes { bytes -> Bool in
            do throws(E) {
                try body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: bytes[..<count])))
                return true
            } catch {
                return false
            }
        }
        // Not what the kernel writes: nothing after it can be trusted.
        if !isWhole { lostTrack(at: at) }
    }

    /// Lends the buffer out for the batch, so that names can be slices of it while other state changes.
    private func withBatch(_ body: ([UInt8]) -> Void) {
        var bytes: [UInt8] = []
        swap(&bytes, &buffer)
        body(bytes)
        swap(&bytes, &buffer)
        openFolders.removeAll(keepingCapacity: true)
    }

    private func hasReadAll() {
        listedNames.removeAll()
        for slot in lostMarkers + passedMarks { releaseMarker(slot) }
        lostMarkers = []
        passedMarks = []
        for half in pairing.expired(at: drained.boot) { movedOut(half.place, at: half.at) }
    }
}
