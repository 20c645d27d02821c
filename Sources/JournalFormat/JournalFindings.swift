// SPDX-License-Identifier: Apache-2.0

/// A place in the stored journal.
package struct JournalPlace: Hashable, Sendable {
    package var segment: String
    /// From 1.
    package var line: Int
    /// Bytes before the line in its segment.
    package var offset: Int

    package init(segment: String, line: Int, offset: Int) {
        self.segment = segment
        self.line = line
        self.offset = offset
    }
}

/// What a check of the whole journal found.
package struct JournalFindings: Equatable, Sendable {
    package struct Bad: Equatable, Sendable {
        package var place: JournalPlace
        package var problem: LineProblem
    }

    package var segments = 0
    /// Good lines, emptied ones among them.
    package var entries = 0
    package var erased = 0
    /// Lines behind a bad place in its segment, which cannot be judged.
    package var unchecked = 0
    /// Lines that were never acknowledged and are replaced by a later segment, as a `repaired` entry says.
    package var replaced = 0
    package var repairs = 0
    package var firstSeq: UInt64 = 0
    package var last = JournalPosition.start
    package var firstBad: Bad?
    /// Checkpoints whose signature was checked and found right.
    package var checkpoints = 0
    /// Those that a key has signed which the check was not given.
    package var foreignCheckpoints = 0
    /// The last entry that a good checkpoint covers; 0 for none.
    package var covered: UInt64 = 0
    /// What became of the positions that were asked about, in their order.
    package var known: [Known] = []

    /// A position that was noted elsewhere, and whether this journal goes on from it.
    package struct Known: Equatable, Sendable {
        package enum Answer: Equatable, Sendable {
            case extended
            /// The same number has another chain: the journal was written anew, or it is another one.
            case different
            /// The journal ends before it: its end was cut off.
            case endsBefore
            /// The journal does not show this number any more, or it is in doubt.
            case absent
        }

        package var position: JournalPosition
        package var answer: Answer
    }

    package init() {}

    package var isGood: Bool { firstBad == nil && known.allSatisfy { $0.answer == .extended } }
}
