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

/// A process for one document, or for several of one owner one after the other, as its parent sees it.
final class Worker {
    /// Documents that one process serves. Whatever one of them did to it is over then.
    static let documentLimit = 50
    /// A longer request is a new process's, which finds it in its memory.
    static let requestLimit = 32 << 10

    let process: pid_t
    /// Readable once the process has ended.
    let ended: OwnedDescriptor
    /// Not blocking; replies come here.
    let reply: OwnedDescriptor
    /// Of the document that is under way.
    private(set) var deadline: Int64
    /// Documents that it was given.
    private(set) var served = 1
    private let isForeign: Bool
    private let replyLimit: Int
    private let seconds: Int
    /// Where the next document goes; nil where it takes one only.
    private var requests: PassedDocument?
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
        var theirs: PassedDocument?
        if program.isLasting {
            _ = try systemCall("socketpair") { Int(daybook_stream_pair(0, &ends)) }
            requests = PassedDocument(OwnedDescriptor(adopting: ends[0]))
            theirs = PassedDocument(OwnedDescriptor(adopting: ends[1]))
        }
        let child = pid_t(try systemCall("fork") { Int(daybook_fork()) })
        if child == 0 {
            let requests = theirs?.descriptor.withRaw { $0 } ?? -1
            writeEnd.withRaw { (reply: Int32) -> Void in program.live(document: raw, reply: reply, requests: requests) }
        }
        process = child
        seconds = program.seconds
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

    /// The whole reply of a process that lasts has come.
    var hasAnswered: Bool { requests != nil && (received.last == ReplyEnd.last || received.last == ReplyEnd.more) }

    /// It waits for another document, and may have one.
    var canServe: Bool { requests != nil && received.isEmpty && !isReplyEnded && !isOverdue && served < Self.documentLimit }

    /// Gives it another document: false where it is not there any more or has said what nobody asked.
    func serve(_ request: [UInt8], document raw: Int32) -> Bool {
        guard canServe, let requests, request.count <= Self.requestLimit else { return false }
        receive()
        guard received.isEmpty, !isReplyEnded else { return false }
        // Its buffer is empty and takes a whole request at once.
        let sent = requests.descriptor.withRaw { socket in
            request.withUnsafeBytes { daybook_send_passing(socket, $0.baseAddress, $0.count, raw) }
        }
        guard sent == request.count else { return false }
        served += 1
        deadline = Clocks.bootMicroseconds() + Int64(seconds) * 2_000_000
        return true
    }

    /// The reply of a process that goes on living. Whether it takes another document, `canServe` then says.
    func takeReply() -> WorkerEnd {
        let isMore = received.last == ReplyEnd.more
        if isMore { received[received.count - 1] = ReplyEnd.last }
        let end = WorkerEnd(reply: received, isReplyTooLong: false, isOverdue: false, signal: 0, exitCode: 0)
        received = []
        if !isMore { requests = nil }
        return end
    }

    /// Ends it and waits until it is gone, which is at once.
    func end() {
        stop(overdue: false)
        while waitpid(process, nil, 0) == -1, errno == EINTR {}
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
