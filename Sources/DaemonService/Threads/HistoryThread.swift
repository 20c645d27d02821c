// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import DaybookVarlink
import EventLoop
import JournalFormat
import JournalStore

/// Entries that somebody who follows needs from the disk.
struct HistoryRequest: Sendable {
    enum Question: Sendable {
        /// Entries behind this one, about so many bytes of them.
        case entries(after: UInt64, bytes: Int)
        /// Where the last so many of these kinds begin, for the client who asked.
        case beginning(count: Int, ClientID, VarlinkConnection.CallID)
    }

    var question: Question
    /// The last entry that is on the disk for sure.
    var through: UInt64
    /// Empty: all kinds.
    var kinds: Set<String>
    /// The feed's.
    var generation: Int
}

struct HistoryAnswer: Sendable {
    var request: HistoryRequest
    /// Stored lines that match, oldest first.
    var lines: [FeedPiece.Line] = []
    /// The last entry that was looked at; of a beginning, the one before the first that is wanted.
    var last: UInt64 = 0
    var failure: String?
}

/// Reads the journal for followers, so that the loop never waits for the disk.
final class HistoryThread: Sendable {
    /// Entries that are looked at for one answer, so that rare kinds do not keep everybody else waiting.
    static let entriesPerAnswer: UInt64 = 50_000

    let requests: HandOver<HistoryRequest>
    private let answers: HandOver<HistoryAnswer>
    private let thread = OneTime<WorkerThread>()

    init(stateDirectory: String, answers: HandOver<HistoryAnswer>) throws(SystemCallError) {
        self.answers = answers
        requests = HandOver(capacity: 1024, wake: nil)
        let requests = requests
        thread.set(
            try WorkerThread(name: "history") {
                while let batch = requests.takeWaiting() {
                    for request in batch where !answers.hasClosed { _ = answers.putWaiting(Self.read(request, stateDirectory)) }
                }
            })
    }

    /// Ends after what is being read. Nobody takes answers any more, so nothing waits for room among them.
    func stop() {
        answers.close()
        _ = requests.takeAll()
        requests.close()
        thread.take()?.join()
    }

    private static func read(_ request: HistoryRequest, _ state: String) -> HistoryAnswer {
        var answer = HistoryAnswer(request: request)
        do throws(JournalError) {
            switch request.question {
            case .entries(let after, let bytes): try read(&answer, after, bytes, JournalReader(stateDirectory: state))
            case .beginning(let count, _, _): try find(&answer, count, JournalReader(stateDirectory: state))
            }
        } catch {
            answer.failure = error.description
        }
        return answer
    }

    private static func read(_ answer: inout HistoryAnswer, _ after: UInt64, _ limit: Int, _ reader: JournalReader) throws(JournalError) {
        let request = answer.request
        var bytes = 0
        var isAtEnd = true
        answer.last = after
        try reader.replay(after: after, through: request.through) { entry, line in
            let kind = entry.body.kind
            if request.kinds.isEmpty || request.kinds.contains(where: { matches($0, kind) }) {
                guard bytes == 0 || bytes + line.count <= limit else {
                    isAtEnd = false
                    return false
                }
                answer.lines.append(FeedPiece.Line(seq: entry.seq, kind: kind, bytes: Array(line)))
                bytes += line.count
            }
            answer.last = entry.seq
            isAtEnd = entry.seq - after < entriesPerAnswer
            return isAtEnd
        }
        // What cannot be read any more is not looked for again.
        if isAtEnd { answer.last = max(answer.last, request.through) }
    }

    /// Looks from the newest entries backwards, in ever longer steps.
    private static func find(_ answer: inout HistoryAnswer, _ count: Int, _ reader: JournalReader) throws(JournalError) {
        let request = answer.request
        var end = request.through
        var missing = count
        var step: UInt64 = 4096
        answer.last = end
        while missing > 0, end > 0 {
            let start = end - min(step, end)
            var found: [UInt64] = []
            try reader.replay(after: start, through: end) { entry, _ in
                let kind = entry.body.kind
                if request.kinds.contains(where: { matches($0, kind) }) { found.append(entry.seq) }
                return true
            }
            if let first = found.suffix(missing).first { answer.last = first - 1 }
            missing -= found.count
            end = start
            step = min(step * 4, 1 << 20)
        }
    }

    /// `activity` stands for all `activity.…`.
    static func matches(_ wanted: String, _ kind: String) -> Bool {
        kind == wanted || kind.hasPrefix(wanted + ".")
    }
}
