// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import CDaybookLinux
import DaybookJSON
import DaybookLinux
import DocumentReading
import Glibc
import TextAnalysis

/// What one document may cost.
struct WorkerLimits: Equatable {
    static let standardSeconds = 20
    static let standardMegabytes = 1024

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
    private let limits: WorkerLimits
    private var received: [UInt8] = []
    /// The child has closed its end: nothing more comes but its own end. A closed pipe is always ready, so whoever polls must leave it out.
    private(set) var isReplyEnded = false
    private var isOverdue = false

    /// How a document comes.
    enum Source {
        /// In memory that can no longer change; of anything else it says so and ends.
        case sealed
        /// As a file, which its parent watches.
        case file
    }

    /// Forks. The child reads the document `raw` in the sandbox and never returns from here.
    init(
        document raw: Int32, _ source: Source = .sealed, name: String, analyzers: [String], key: AnswerKey? = nil,
        choice: MetricChoice = .standard,
        limits: WorkerLimits, sandbox: Sandbox
    ) throws(SystemCallError) {
        var ends: [Int32] = [-1, -1]
        _ = try systemCall("pipe") { Int(pipe(&ends)) }
        let readEnd = OwnedDescriptor(adopting: ends[0])
        let writeEnd = OwnedDescriptor(adopting: ends[1])
        let child = pid_t(try systemCall("fork") { Int(daybook_fork()) })
        if child == 0 {
            writeEnd.withRaw { sandbox.enter(document: raw, reply: $0, limits: limits) }
            Self.measure(source, name: name, analyzers: analyzers, key: key, choice: choice, limits: limits)
        }
        process = child
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
        deadline = Clocks.bootMicroseconds() + Int64(limits.seconds) * 2_000_000
        self.limits = limits
    }

    /// The child's whole life after the sandbox is entered.
    private static func measure(
        _ source: Source, name: String, analyzers: [String], key: AnswerKey?, choice: MetricChoice, limits: WorkerLimits
    ) -> Never {
        let measurement: Measurement
        do {
            let document =
                switch source {
                case .sealed: try Document(sealed: 0, name: name, limits: limits.reading)
                case .file: try Document(file: 0, name: name, limits: limits.reading)
                }
            var registry = AnalyzerRegistry.builtIn
            registry.key = key.map { AnalyzerRegistry.Key(name: $0.name, text: $0.text) }
            measurement = registry.measure(document, only: analyzers, choice)
        } catch {
            _exit((error.code == ENOMEM ? Sandbox.Step.memory : .document).rawValue)
        }
        var bytes = measurement.jsonMembers.encodedBytes
        bytes.append(0)
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
            if written <= 0 { _exit(1) }
            rest = rest.dropFirst(written)
        }
        _exit(0)
    }

    /// Takes what has come, so that the child never waits for us. More than a reply may hold is dropped, which makes the reply invalid.
    func receive() {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let got = reply.withRaw { raw in buffer.withUnsafeMutableBytes { read(raw, $0.baseAddress, $0.count) } }
            if got == 0 { isReplyEnded = true }
            guard got > 0 else { return }
            if received.count <= AnalyzerMessages.replyLimit { received.append(contentsOf: buffer[..<got]) }
        }
    }

    func stop(overdue: Bool) {
        if overdue { isOverdue = true }
        _ = kill(process, SIGKILL)
    }

    /// Call once the process has ended: its reply, or what became of it.
    func finish() -> Measurement {
        receive()
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        if received.last == 0, received.count <= AnalyzerMessages.replyLimit,
            let value = try? JSONValue(parsing: received.dropLast()),  // a broken reply is told below
            let measurement = Measurement(json: value)
        {
            return measurement
        }
        return Measurement(error: fate(status))
    }

    private func fate(_ status: Int32) -> String {
        let signal = status & 0x7f
        let exitCode = (status >> 8) & 0xff
        if isOverdue || signal == SIGXCPU {
            return "not measured, since it took longer than \(limits.seconds) s; it may be damaged or made to do harm"
        }
        if signal == SIGKILL { return "not measured: its reader was killed from outside, perhaps for want of memory" }
        if signal != 0 {
            return "not measured: its reader stopped (signal \(signal)); the document is damaged, made to do harm, "
                + "or needs more than \(limits.megabytes) MB of memory"
        }
        switch Sandbox.Step(rawValue: exitCode) {
        case .memory: return "not measured: the document needs more than \(limits.megabytes) MB of memory"
        case .document: return "not measured: it came as something that can still change"
        case .limits, .landlock, .seccomp:
            return "not measured: its reader could not be locked in (step \(exitCode)); see daybook-analyze --check-sandbox"
        case nil: return "not measured: its reader gave no answer (exit \(exitCode))"
        }
    }
}

extension JSONObject {
    var encodedBytes: [UInt8] {
        var bytes: [UInt8] = []
        encode(into: &bytes)
        return bytes
    }
}
