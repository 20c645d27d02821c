// SPDX-License-Identifier: Apache-2.0

/// Lets the first lines of a kind through and counts the rest, so that a client or a broken disk cannot fill the log.
struct Repetitions {
    enum Verdict: Equatable {
        /// With how many of its kind were left out before.
        case write(leftOut: Int)
        case leaveOut
    }

    /// Lines of one kind in one stretch of time.
    static let lines = 10
    static let stretch: Int64 = 30_000_000

    private struct Kind {
        var since: Int64
        var written: Int
        var leftOut: Int
    }

    // Kinds are texts of the program, so there are only so many.
    private var kinds: [String: Kind] = [:]

    /// `now` in microseconds of the boot clock.
    mutating func admit(_ message: String, now: Int64) -> Verdict {
        var kind = kinds[message] ?? Kind(since: now, written: 0, leftOut: 0)
        defer { kinds[message] = kind }
        if now - kind.since >= Self.stretch {
            let leftOut = kind.leftOut
            kind = Kind(since: now, written: 1, leftOut: 0)
            return .write(leftOut: leftOut)
        }
        guard kind.written < Self.lines else {
            kind.leftOut += 1
            return .leaveOut
        }
        kind.written += 1
        return .write(leftOut: 0)
    }
}
