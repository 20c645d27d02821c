// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import DaybookVarlink

/// The mask of everybody of one user who follows without names, so that an entry is masked and encoded once for all of them. It lives
/// until the last of them ends: whoever reads several of their calls learns no more than from one that is as long.
final class SharedMask {
    let number: Int
    private var mask = EntryMask()

    init(number: Int) { self.number = number }

    /// Nil for what is no object; these are our own lines, which the writer or the reader has checked.
    func masked(_ line: [UInt8]) -> [UInt8]? {
        guard let entry = (try? JSONValue(parsing: line))?.objectValue else { return nil }
        return JSONValue.object(mask.masked(entry)).encoded
    }
}

/// Entries that follow one another, taken from the writer or from the disk once for all who follow.
final class FeedPiece {
    struct Line: Sendable {
        var seq: UInt64
        var kind: String
        /// As stored, without its end.
        var bytes: [UInt8]
    }

    /// Of the entries behind `after` up to `last` it has those of these kinds; empty: all.
    let after: UInt64
    let last: UInt64
    let kinds: Set<String>
    let lines: [Line]
    /// Of the lines.
    let bytes: Int
    /// By the mask's number, filled as they are asked for.
    private var masked: [Int: [[UInt8]?]] = [:]

    /// More users than that at a time have their entries masked again and again.
    static let rememberedMasks = 2

    init(after: UInt64, last: UInt64, kinds: Set<String> = [], lines: [Line]) {
        self.after = after
        self.last = last
        self.kinds = kinds
        self.lines = lines
        bytes = lines.reduce(0) { $0 + $1.bytes.count }
    }

    /// The first line behind a number.
    func index(after seq: UInt64) -> Int {
        var (low, high) = (0, lines.count)
        while low < high {
            let middle = (low + high) / 2
            if lines[middle].seq > seq { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// An entry as somebody sees it: as it is stored, or masked.
    func shown(_ index: Int, _ mask: SharedMask?) -> [UInt8] {
        guard let mask else { return lines[index].bytes }
        if masked[mask.number] == nil {
            if masked.count >= Self.rememberedMasks { masked = [:] }
            masked[mask.number] = Array(repeating: nil, count: lines.count)
        }
        if let known = masked[mask.number]?[index] { return known }
        let made = mask.masked(lines[index].bytes) ?? Array("{}".utf8)
        masked[mask.number]?[index] = made
        return made
    }
}
