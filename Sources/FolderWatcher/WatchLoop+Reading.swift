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
        // What comes after a rest is read at once: whose uid a process works with is to be asked then, and what waits is merged. But not
        // each of many.
        askedAt = Self.now()
        if pause > .zero, !isBusy {
            let woken = poll([.inotify, .mailbox, .mounts], Self.milliseconds(pause))
            pause = .zero
            if !woken.isEmpty { return woken.union(.fanotify) }
            askedAt = Self.now()
        }
        let timeout: Int32 = isBusy || rootsInDoubt ? 0 : milliseconds(until: nextDeadline)
        var woken = poll([.events, .mailbox, .mounts], timeout)
        if woken.isDisjoint(with: .events) { drained = askedAt }
        // More is likely to follow: one read of all costs a third of reading each at once.
        if woken.contains(.inotify), !isBusy, woken.isDisjoint(with: [.mailbox, .fanotify]) {
            woken.formUnion(poll([.fanotify, .mailbox], Self.milliseconds(min(options.batchDelay, options.longestWait))))
        }
        return woken
    }

    private static func milliseconds(_ duration: Duration) -> Int32 { Int32(clamping: duration.microseconds / 1000) }

    private func poll(_ wanted: Woken, _ timeout: Int32) -> Woken {
        // In the order of the bits of `Woken`. A negative number is skipped by the kernel.
        var waiting: InlineArray<4, pollfd> = [
            pollfd(fd: kernel.inotify.descriptor.withRaw { $0 }, events: Int16(POLLIN), revents: 0),
            pollfd(fd: kernel.fanotify?.group.descriptor.withRaw { $0 } ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: mailbox.wake.descriptor.withRaw { $0 }, events: Int16(POLLIN), revents: 0),
            pollfd(fd: mounts?.descriptor.withRaw { $0 } ?? -1, events: Int16(POLLPRI), revents: 0),
        ]
        for bit in 0..<4 where wanted.rawValue & 1 << bit == 0 { waiting[bit].fd = -1 }
        var span = waiting.mutableSpan
        // All signals are blocked on this thread; should it be interrupted all the same, the next turn waits again.
        guard span.withUnsafeMutableBufferPointer({ Glibc.poll($0.baseAddress, nfds_t($0.count), timeout) }) > 0 else { return [] }
        var woken: Woken = []
        for bit in 0..<4 where waiting[bit].revents != 0 { woken.insert(Woken(rawValue: 1 << bit)) }
        return woken
    }

    private func milliseconds(until deadline: BootTime?) -> Int32 {
        guard let deadline else { return -1 }
        // Rounded up, so that the deadline has passed when the thread wakes.
        return Int32(clamping: max(0, (deadline - Self.now().boot).microseconds / 1000 + 1))
    }

    // MARK: Reading

    /// All that waits, as far as it fits into a turn. Fanotify's comes second: where a rename leads from the one to the other, the departure
    /// is told first. Inotify's is mostly empty where fanotify is used, and then not read in vain.
    func drain(_ woken: Woken? = nil) {
        let before = woken == nil ? Self.now() : askedAt
        var isAll = true
        if woken?.contains(.inotify) ?? true { isAll = readToEnd(kernel.inotify.read, parseInotify) }
        // Also where it was not ready: what inotify has told may be a mark, before which all is to be told.
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
        withBatch { bytes in handle(&parsed, bytes, at: at) }
        pause = min(parsed.isEmpty ? options.fanotifyPauseAfterNoise : options.fanotifyPause, options.longestWait)
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
