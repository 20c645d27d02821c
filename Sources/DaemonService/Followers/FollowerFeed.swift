// SPDX-License-Identifier: Apache-2.0

/// What all who follow the journal are fed from: the newest entries, and what was read from the disk for those who are behind them.
struct FollowerFeed {
    /// Bytes of lines of the newest entries.
    let recentBytes: Int
    /// Bytes of lines that were read last.
    let readBytes: Int

    /// One after the other, the newest last.
    private var recent: [FeedPiece] = []
    private var recentHeld = 0
    /// The one that was wanted last is the last.
    private var read: [FeedPiece] = []
    private var readHeld = 0
    /// One more with each `drop`: what was asked of the disk before does not count any more.
    private(set) var generation = 0

    init(recentBytes: Int = 4 << 20, readBytes: Int = 4 << 20) {
        self.recentBytes = recentBytes
        self.readBytes = readBytes
    }

    /// New entries; they come without a hole.
    mutating func add(_ piece: FeedPiece) {
        if let newest = recent.last, newest.last != piece.after { dropRecent() }
        recent.append(piece)
        recentHeld += piece.bytes
        var first = 0
        while first < recent.count - 1, recentHeld > recentBytes {
            recentHeld -= recent[first].bytes
            first += 1
        }
        recent.removeFirst(first)
    }

    /// What was read from the disk.
    mutating func keep(_ piece: FeedPiece) {
        read.append(piece)
        readHeld += piece.bytes
        while read.count > 1, readHeld > readBytes || read.count > Self.readPieces { readHeld -= read.removeFirst().bytes }
    }

    /// Pieces may be empty, where the kinds that are wanted are rare.
    private static let readPieces = 256

    /// The piece with the entries behind a number; nil where the disk must be asked.
    mutating func piece(after seq: UInt64, kinds: Set<String>) -> FeedPiece? {
        if let first = recent.first, first.after <= seq, let newest = recent.last, seq < newest.last {
            var (low, high) = (0, recent.count - 1)
            while low < high {
                let middle = (low + high) / 2
                if recent[middle].last > seq { high = middle } else { low = middle + 1 }
            }
            return recent[low]
        }
        guard let index = read.lastIndex(where: { $0.after <= seq && seq < $0.last && $0.kinds == kinds }) else { return nil }
        let found = read.remove(at: index)
        read.append(found)
        return found
    }

    /// After an erasure nobody gets what was held before.
    mutating func drop() {
        generation += 1
        dropRecent()
        read = []
        readHeld = 0
    }

    private mutating func dropRecent() {
        recent = []
        recentHeld = 0
    }
}
