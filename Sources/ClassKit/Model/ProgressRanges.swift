// SPDX-License-Identifier: Apache-2.0

/// The pieces of progress that were covered: sorted, apart from each other.
struct ProgressRanges: Equatable {
    private(set) var pieces: [(start: Double, end: Double)] = []

    /// Takes a piece in; false where it is none (outside 0…1, no number, not forwards) or there are too many.
    mutating func add(from start: Double, to end: Double) -> Bool {
        guard start >= 0, end <= 1, start < end else { return false }
        var (start, end) = (start, end)
        var kept: [(start: Double, end: Double)] = []
        for piece in pieces {
            // What only touches is one piece, too.
            if piece.end < start || piece.start > end {
                kept.append(piece)
            } else {
                (start, end) = (min(start, piece.start), max(end, piece.end))
            }
        }
        guard kept.count < ClassKitLimits.ranges else { return false }
        kept.insert((start, end), at: kept.firstIndex { $0.start > end } ?? kept.endIndex)
        pieces = kept
        return true
    }

    /// The length of all pieces together.
    var length: Double {
        // From one piece exactly what was set.
        pieces.count == 1 && pieces[0].start == 0 ? pieces[0].end : min(1, pieces.reduce(0) { $0 + ($1.end - $1.start) })
    }

    static func == (left: ProgressRanges, right: ProgressRanges) -> Bool { left.pieces.elementsEqual(right.pieces, by: ==) }
}
