// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import CDaybookLinux
import DaybookJSON
import DaybookLinux
import DocumentReading
import Glibc
import TextAnalysis

/// The built-in analyzers, in a process that opens nothing at all.
struct BuiltInReader: ProcessAnalyzer {
    /// Microseconds of processor time after which a process takes no more documents: its limit of processor time is one for all of them,
    /// so what earlier ones took, which is less than this, is all that a later one may lack.
    static let lastingMicroseconds = 250_000
    /// Kilobytes that it may have had in memory at a time: what a document needed stays partly with its process.
    static let lastingKilobytes = 65_536

    /// How a document comes.
    enum Source {
        /// In memory that can no longer change; of anything else it says so and ends.
        case sealed
        /// As a file, which its parent watches.
        case file
    }

    let sandbox: Sandbox
    let limits: WorkerLimits
    var registry = AnalyzerRegistry.builtIn
    var source = Source.sealed
    var name: String
    /// Empty: any.
    var analyzers: [String] = []
    var choice = MetricChoice.standard

    var seconds: Int { limits.seconds }
    var replyLimit: Int { AnalyzerMessages.replyLimit }
    var isForeign: Bool { false }
    /// Whether it may serve more documents of the same owner: never where a quiz key is in its memory.
    var isLasting = false

    func live(document: Int32, reply: Int32, requests: Int32) -> Never {
        sandbox.enter(document: document, reply: reply, requests: requests, limits: limits)
        var reader = self
        while true {
            let bytes = reader.measured()
            let isLast = requests == -1 || !Self.isFresh
            Self.send(bytes + [isLast ? ReplyEnd.last : ReplyEnd.more])
            if isLast { _exit(0) }
            reader.takeNext()
        }
    }

    /// The reply for the document that is descriptor 0.
    private func measured() -> [UInt8] {
        do {
            let document =
                switch source {
                case .sealed: try Document(sealed: 0, name: name, limits: limits.reading)
                case .file: try Document(file: 0, name: name, limits: limits.reading)
                }
            return registry.measure(document, only: analyzers, choice).jsonMembers.encodedBytes
        } catch {
            _exit((error.code == ENOMEM ? Sandbox.Step.memory : .document).rawValue)
        }
    }

    private static func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
            if written <= 0 { _exit(1) }
            rest = rest.dropFirst(written)
        }
    }

    /// Earlier documents have cost this process little.
    private static var isFresh: Bool {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0, usage.ru_maxrss < lastingKilobytes else { return false }
        let used = [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Int($1.tv_sec) * 1_000_000 + Int($1.tv_usec) }
        return used < lastingMicroseconds
    }

    /// What a process that lasts is told of its next document.
    var request: [UInt8] {
        let object: JSONObject = ["name": .string(name), "analyzers": .array(analyzers.map(JSONValue.string))]
        return object.encodedBytes + [0]
    }

    /// Waits for the next document, which becomes descriptor 0. Ends the process where none comes any more.
    private mutating func takeNext() {
        close(0)
        var request: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: Worker.requestLimit)
        var passed: Int32 = -1
        while request.last != 0 {
            var count: Int32 = 0
            let got = buffer.withUnsafeMutableBytes {
                daybook_receive_passed(Sandbox.requests, $0.baseAddress, $0.count, &passed, 1, &count)
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { _exit(0) }
            request.append(contentsOf: buffer[..<got])
        }
        guard passed == 0, let told = try? JSONValue(parsing: request.dropLast()) else { _exit(1) }  // our parent's own words
        name = told["name"]?.stringValue ?? ""
        analyzers = told["analyzers"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// A process that was started as `other` can serve this document too.
    func isServed(by other: BuiltInReader) -> Bool {
        isLasting && other.isLasting && limits == other.limits && source == other.source && choice == other.choice
    }

    func answer(_ end: WorkerEnd) -> Result<Measurement, ExternalProtocol.Refusal> {
        if end.reply.last == 0, !end.isReplyTooLong,
            let value = try? JSONValue(parsing: end.reply.dropLast()),  // a broken reply is told below
            let measurement = Measurement(json: value)
        {
            return .success(measurement)
        }
        return .success(Measurement(error: fate(end)))
    }

    private func fate(_ end: WorkerEnd) -> String {
        if end.isOverdue || end.signal == SIGXCPU {
            return "not measured, since it took longer than \(limits.seconds) s; it may be damaged or made to do harm"
        }
        if end.isReplyTooLong { return "not measured: its reader answered without end; the document is made to do harm" }
        if end.signal == SIGKILL { return "not measured: its reader was killed from outside, perhaps for want of memory" }
        if end.signal != 0 {
            return "not measured: its reader stopped (signal \(end.signal)); the document is damaged, made to do harm, "
                + "or needs more than \(limits.megabytes) MB of memory"
        }
        switch Sandbox.Step(rawValue: end.exitCode) {
        case .memory: return "not measured: the document needs more than \(limits.megabytes) MB of memory"
        case .document: return "not measured: it came as something that can still change"
        case .limits, .landlock, .seccomp:
            return "not measured: its reader could not be locked in (step \(end.exitCode)); see daybook-analyze --check-sandbox"
        case nil: return "not measured: its reader gave no answer (exit \(end.exitCode))"
        }
    }
}
