// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import Glibc

/// What a process of its own does with a document.
protocol WorkerProgram {
    /// Of the processor's time; by the clock it may take twice as much.
    var seconds: Int { get }
    /// Bytes of its reply; a longer one ends it.
    var replyLimit: Int { get }
    /// Whether it becomes another program, whose children are ended with it.
    var isForeign: Bool { get }

    /// Whether it may serve more documents after the first, of the same owner.
    var isLasting: Bool { get }

    /// The child's whole life: shuts itself in, reads `document`, writes to `reply`, and, where it lasts, goes on with what comes by
    /// `requests` (-1: nothing comes).
    func live(document: Int32, reply: Int32, requests: Int32) -> Never
}

extension WorkerProgram {
    var isLasting: Bool { false }
}

/// The byte after a reply.
enum ReplyEnd {
    /// This process ends now.
    static let last: UInt8 = 0
    /// It can take another document. No JSON holds this byte.
    static let more: UInt8 = 1
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

    /// It replied and did nothing else.
    var isGood: Bool { signal == 0 && exitCode == 0 && !isOverdue && !isReplyTooLong && !reply.isEmpty }
    /// It used up its time.
    var isOutOfTime: Bool { isOverdue || signal == SIGXCPU }
}
