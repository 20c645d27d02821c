// SPDX-License-Identifier: Apache-2.0
package import JournalFormat

/// The newest segment of a journal, checked in itself: each line's form and digest, and that it follows the one before it. Takes a moment
/// however large the journal is; whether the segment follows the others only `JournalCheck` tells. Needs no daemon and no right to write.
package struct NewestSegmentCheck: Equatable, Sendable {
    /// The file's name.
    package var segment: String
    /// Lines that are good.
    package var entries = 0
    /// The first line that is not.
    package var bad: Bad?
    /// How many segments the journal has.
    package var segments: Int

    package struct Bad: Equatable, Sendable {
        /// Counted from 1.
        package var line: Int
        package var problem: LineProblem
    }

    package init(segment: String, entries: Int = 0, bad: Bad? = nil, segments: Int) {
        self.segment = segment
        self.entries = entries
        self.bad = bad
        self.segments = segments
    }

    /// Of the journal in a state directory; nil where it has no segment yet. A line that a daemon is about to finish is no damage.
    package static func run(_ path: String) throws(JournalError) -> NewestSegmentCheck? {
        let segments = try JournalFolder.open(path).segments()
        guard let newest = segments.last else { return nil }
        var result = NewestSegmentCheck(segment: newest.name, segments: segments.count)
        let file = SegmentFile(newest, try JournalFolder.open(path).bytes(of: newest))
        var verifier = LineVerifier(after: nil)
        while let line = try file.next() {
            do throws(LineProblem) {
                guard case .line(let bytes) = line else { throw .tooLong(limit: JournalFormat.longestLine) }
                _ = try verifier.check(bytes)
                result.entries += 1
            } catch {
                result.bad = Bad(line: result.entries + 1, problem: error)
                break
            }
        }
        return result
    }
}
