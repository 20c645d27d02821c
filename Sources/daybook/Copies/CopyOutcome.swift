// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import DaybookLinux
import Glibc
import Reports

/// What came of copying.
struct CopyOutcome {
    var total: Int
    var copied = 0
    /// Something of that name was there already, and was left alone.
    var present = 0
    var failures: [(who: String, error: SystemCallError)] = []
    var isInterrupted = false
    /// A disk that takes no more ends it for all.
    var stoppedBy: SystemCallError?

    init(total: Int) { self.total = total }

    var done: Int { copied + present + failures.count }
    var isComplete: Bool { copied + present == total }

    func say(_ invocation: Invocation, again: String, isDraft: Bool) {
        if invocation.isJSON {
            let failed: [JSONValue] = failures.map { ["person": .string($0.who), "reason": .string($0.error.description)] }
            invocation.output.line(
                terminalSafe([
                    "copied": .integer(Int64(copied)), "present": .integer(Int64(present)), "failed": .array(failed),
                    "left": .integer(Int64(total - done)), "interrupted": .bool(isInterrupted),
                    "stoppedBy": stoppedBy.map { .string(errnoText($0.code)) } ?? .null,
                ]))
            return
        }
        var lines = ["\(copied) of \(total) copied" + (present > 0 ? ", \(present) were there already" : "") + "."]
        if let stoppedBy {
            lines.append("It stopped: \(errnoText(stoppedBy.code)). What is there is whole; nothing half is left.")
        } else if isInterrupted {
            lines.append("It was interrupted. What is there is whole; nothing half is left.")
        }
        for failure in failures.prefix(10) { lines.append("\(failure.who): \(failure.error.call): \(errnoText(failure.error.code))") }
        if failures.count > 10 { lines.append("and \(failures.count - 10) more") }
        if !isComplete {
            lines.append("To go on: \(again)" + (isDraft ? "; it is a draft until 'daybook assignment change NAME --publish'" : ""))
        }
        for line in lines { (isComplete ? invocation.output.line : invocation.output.message)(invocation.shown(line)) }
    }
}

/// A bar on the terminal while it goes on.
struct CopyProgress {
    private let total: Int
    private let isShown: Bool
    private let marks: (full: String, empty: String)
    private var last = 0

    /// Fewer are done before anybody looks.
    private static let from = 20
    private static let width = 30

    init(total: Int, _ invocation: Invocation) {
        self.total = total
        isShown = total >= Self.from && isatty(STDERR_FILENO) == 1 && !invocation.isJSON
        marks = invocation.style.isUTF8 ? ("█", "░") : ("#", ".")
    }

    mutating func show(_ done: Int) {
        // A hundred times is enough for any eye.
        guard isShown, done == total || done - last >= max(1, total / 100) else { return }
        last = done
        let full = Self.width * done / total
        let bar = String(repeating: marks.full, count: full) + String(repeating: marks.empty, count: Self.width - full)
        Self.write("\r\(bar) \(done) of \(total)")
    }

    mutating func clear() {
        guard isShown, last > 0 else { return }
        Self.write("\r" + String(repeating: " ", count: Self.width + 20) + "\r")
    }

    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        // A terminal that has gone away is no reason to stop.
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
