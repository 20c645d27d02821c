// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// One evidence in 16 bytes.
///
/// `time`: the first instant on the boot clock in 48 bits with sign (± 4.4 years), and the count in 16. `rest`: how much later the last
/// instant was in 48 bits with sign, the kind in 8, and marks in 8. What does not fit is kept whole elsewhere, and `time` is its number there.
struct EvidenceRecord: Equatable, Sendable {
    var time: UInt64
    var rest: UInt64

    static let empty = EvidenceRecord(time: 0, rest: 0)

    private static let inferred: UInt64 = 1 << 56
    private static let continuous: UInt64 = 1 << 57
    private static let elsewhere: UInt64 = 1 << 58
    private static let reach = Int64(1) << 47

    init(time: UInt64, rest: UInt64) {
        self.time = time
        self.rest = rest
    }

    /// Nil where it does not fit.
    init?(_ sign: Evidence) {
        let first = sign.first.microseconds
        let (span, overflow) = sign.last.microseconds.subtractingReportingOverflow(first)
        guard (-Self.reach..<Self.reach).contains(first), !overflow, (-Self.reach..<Self.reach).contains(span),
            let count = UInt16(exactly: sign.count)
        else { return nil }
        time = UInt64(bitPattern: first << 16) | UInt64(count)
        rest = UInt64(bitPattern: span) & 0xffff_ffff_ffff | UInt64(sign.kind.code) << 48
        if sign.isInferred { rest |= Self.inferred }
        if sign.isContinuous { rest |= Self.continuous }
    }

    /// Stands for one that is kept elsewhere.
    init(elsewhere number: UInt32) { self.init(time: UInt64(number), rest: Self.elsewhere) }

    /// The number of one that is kept elsewhere.
    var number: UInt32? { rest & Self.elsewhere == 0 ? nil : UInt32(truncatingIfNeeded: time) }

    /// What it was made of; nil for one that is kept elsewhere, or for bits that mean nothing.
    var evidence: Evidence? {
        guard rest & Self.elsewhere == 0, let kind = Evidence.Kind(code: UInt8(truncatingIfNeeded: rest >> 48)) else { return nil }
        let first = BootTime(microseconds: Int64(bitPattern: time) >> 16)
        return Evidence(
            kind, first: first, last: first + .microseconds(Int64(bitPattern: rest << 16) >> 16),
            count: Int(UInt16(truncatingIfNeeded: time)),
            isInferred: rest & Self.inferred != 0, isContinuous: rest & Self.continuous != 0)
    }
}
