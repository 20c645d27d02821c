// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient

/// What a process of its own does with one document.
protocol WorkerProgram {
    /// Of the processor's time; by the clock it may take twice as much.
    var seconds: Int { get }
    /// Bytes of its reply; a longer one ends it.
    var replyLimit: Int { get }
    /// Whether it becomes another program, whose children are ended with it.
    var isForeign: Bool { get }

    /// The child's whole life: shuts itself in, reads `document`, writes to `reply`.
    func live(document: Int32, reply: Int32) -> Never
}

/// What built-in and external analyzers have in common: a process that gets a document and answers items.
protocol ProcessAnalyzer: WorkerProgram {
    /// What its reply and its end mean.
    func answer(_ end: WorkerEnd) -> Result<Measurement, ExternalProtocol.Refusal>
}

/// How a worker ended, and what it wrote.
struct WorkerEnd {
    var reply: [UInt8]
    var isReplyTooLong: Bool
    var isOverdue: Bool
    var signal: Int32
    var exitCode: Int32
}
