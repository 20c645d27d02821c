// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import DaybookJSON
import DaybookLinux
import DocumentReading
import Glibc
import TextAnalysis

/// The built-in analyzers, in a process that opens nothing at all.
struct BuiltInReader: ProcessAnalyzer {
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

    func live(document: Int32, reply: Int32) -> Never {
        sandbox.enter(document: document, reply: reply, limits: limits)
        let measurement: Measurement
        do {
            let document =
                switch source {
                case .sealed: try Document(sealed: 0, name: name, limits: limits.reading)
                case .file: try Document(file: 0, name: name, limits: limits.reading)
                }
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
