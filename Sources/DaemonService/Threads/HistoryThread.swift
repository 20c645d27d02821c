// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import DaybookVarlink
import EventLoop
import JournalFormat
import JournalStore

/// A follower that needs entries from the disk.
struct HistoryRequest: Sendable {
    var client: ClientID
    var call: VarlinkConnection.CallID
    /// Entries behind this one; nil: the last `count` that match.
    var after: UInt64?
    var count: Int?
    /// The last entry that is on the disk for sure.
    var through: UInt64
    /// Empty: all kinds.
    var kinds: Set<String>
}

struct HistoryAnswer: Sendable {
    var client: ClientID
    var call: VarlinkConnection.CallID
    /// Stored lines that match, oldest first.
    var lines: [(seq: UInt64, line: [UInt8])]
    /// The last entry that was looked at.
    var last: UInt64
    /// False where more lies behind `last` on the disk.
    var isAtEnd: Bool
    var failure: String?
}

/// Reads the journal for followers, so that the loop never waits for the disk.
final class HistoryThread: Sendable {
    /// One answer has at most so many bytes of lines, so that a follower is fed piece by piece.
    static let bytesPerAnswer = 256 << 10

    let requests: HandOver<HistoryRequest>
    private let thread = OneTime<WorkerThread>()

    init(stateDirectory: String, answers: HandOver<HistoryAnswer>) throws(SystemCallError) {
        requests = HandOver(capacity: 1024, wake: nil)
        let requests = requests
        thread.set(
            try WorkerThread(name: "history") {
                while let batch = requests.takeWaiting() {
                    for request in batch { _ = answers.putWaiting(Self.read(request, stateDirectory)) }
                }
            })
    }

    func stop() {
        _ = requests.takeAll()
        requests.close()
        thread.take()?.join()
    }

    private static func read(_ request: HistoryRequest, _ state: String) -> HistoryAnswer {
        var answer = HistoryAnswer(
            client: request.client, call: request.call, lines: [], last: request.after ?? 0, isAtEnd: true, failure: nil)
        var bytes = 0
        let keepsLast = request.after == nil
        do throws(JournalError) {
            try JournalReader(stateDirectory: state).replay(after: request.after ?? 0, through: request.through) { entry, line in
                let kind = entry.body.kind
                let wanted = request.kinds.isEmpty || request.kinds.contains(where: { matches($0, kind) })
                if wanted {
                    if !keepsLast, bytes > bytesPerAnswer || answer.lines.count >= request.count ?? Int.max {
                        answer.isAtEnd = false
                        return false
                    }
                    answer.lines.append((entry.seq, Array(line)))
                    bytes += line.count
                    if keepsLast, answer.lines.count > max(0, request.count ?? 10) { answer.lines.removeFirst() }
                }
                answer.last = entry.seq
                return true
            }
        } catch {
            answer.failure = error.description
        }
        return answer
    }

    /// `activity` stands for all `activity.…`.
    static func matches(_ wanted: String, _ kind: String) -> Bool {
        kind == wanted || kind.hasPrefix(wanted + ".")
    }
}
