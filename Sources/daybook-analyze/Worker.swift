// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import DaybookJSON
import DaybookLinux
import DocumentReading
import Glibc
import ProgramTexts

/// What one document may cost.
struct WorkerLimits: Equatable {
    static let standardSeconds = ProgramDescription.analyzeSeconds
    static let standardMegabytes = ProgramDescription.analyzeMegabytes

    /// Of processor time; of time by the clock it may take twice as much.
    var seconds = standardSeconds
    /// Of address space, the program itself included.
    var megabytes = standardMegabytes
    var reading = ReadingLimits.standard
}

/// One document in a process of its own, as its parent sees it.
final class Worker {
    let process: pid_t
    /// Readable once the process has ended.
    let ended: OwnedDescriptor
    /// Not blocking; the reply comes here.
    let reply: OwnedDescriptor
    let deadline: Int64
    private let isForeign: Bool
    private let replyLimit: Int
    private var received: [UInt8] = []
    /// The child has closed its end: nothing more comes but its own end. A closed pipe is always ready, so whoever polls must leave it out.
    private(set) var isReplyEnded = false
    private var isReplyTooLong = false
    private var isOverdue = false

    /// Forks. The child reads the document `raw` as the program says and never returns from here.
    init(_ program: any WorkerProgram, document raw: Int32) throws(SystemCallError) {
        var ends: [Int32] = [-1, -1]
        _ = try systemCall("pipe") { Int(pipe(&ends)) }
        let readEnd = OwnedDescriptor(adopting: ends[0])
        let writeEnd = OwnedDescriptor(adopting: ends[1])
        let child = pid_t(try systemCall("fork") { Int(daybook_fork()) })
        if child == 0 { writeEnd.withRaw { (reply: Int32) -> Void in program.live(document: raw, reply: reply) } }
        process = child
        isForeign = program.isForeign
        replyLimit = program.replyLimit
        // Parent and child both make the group, so that it is there whoever comes first.
        if isForeign { _ = daybook_make_group(child) }
        do {
            let raw = try systemCall("pidfd_open") { Int(daybook_process_descriptor(child)) }
            ended = OwnedDescriptor(adopting: Int32(raw))
        } catch {
            _ = kill(child, SIGKILL)
            _ = waitpid(child, nil, 0)
            throw error
        }
        readEnd.withRaw { raw in
            _ = fcntl(raw, F_SETFL, O_NONBLOCK)
            _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
        }
        reply = readEnd
        deadline = Clocks.bootMicroseconds() + Int64(program.seconds) * 2_000_000
    }

    /// Takes what has come, so that the child never waits for us. Whoever writes more than a reply may hold is ended.
    func receive() {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let got = reply.withRaw { raw in buffer.withUnsafeMutableBytes { read(raw, $0.baseAddress, $0.count) } }
            if got == 0 { isReplyEnded = true }
            guard got > 0 else { return }
            received.append(contentsOf: buffer[..<got])
            if received.count > replyLimit {
                isReplyTooLong = true
                isReplyEnded = true
                received = []
                return stop(overdue: false)
            }
        }
    }

    func stop(overdue: Bool) {
        if overdue { isOverdue = true }
        _ = kill(process, SIGKILL)
        if isForeign { daybook_end_group(process) }
    }

    /// Call once the process has ended: its reply, and what became of it. Whatever it started is ended too.
    func finish() -> WorkerEnd {
        // Until it is waited for, its number is nobody else's.
        if isForeign { daybook_end_group(process) }
        if !isReplyTooLong { receive() }
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        return WorkerEnd(
            reply: received, isReplyTooLong: isReplyTooLong, isOverdue: isOverdue, signal: status & 0x7f, exitCode: (status >> 8) & 0xff)
    }
}

extension JSONObject {
    var encodedBytes: [UInt8] {
        var bytes: [UInt8] = []
        encode(into: &bytes)
        return bytes
    }
}
