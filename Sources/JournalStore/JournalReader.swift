// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import DaybookLinux
import JournalFormat

/// Reads a stored journal, with bounded memory and without any right to write. Works beside a running writer.
package struct JournalReader: Sendable {
    /// A place where something stands that is no readable entry.
    package struct Unreadable: Equatable, Sendable {
        package var segment: String
        /// Where the line's number could still be told.
        package var seq: UInt64?
        package var reason: String
    }

    package struct Summary: Equatable, Sendable {
        package var entries = 0
        /// Lines that gave no entry; the check of the whole journal (`JournalCheck`) says more.
        package var unreadable = 0
        package var firstUnreadable: Unreadable?
        /// The number of the last entry that was given.
        package var last: UInt64 = 0

        package init() {}
    }

    let path: String

    /// A state directory, or the `journal` folder in it. Opened with each call, so one that is absent yet is no error here.
    package init(stateDirectory: String) { path = stateDirectory }

    /// Gives every entry with a number above `seq` and up to `last`, in order, with its stored line (lent for the call), until `body` says
    /// false. Lines that give no entry are counted and left out: one bad byte must not hide the rest. A torn end is no line.
    @discardableResult
    package func replay(
        after seq: UInt64 = 0, through last: UInt64 = .max, _ body: (Entry, UnsafeRawBufferPointer) -> Bool
    ) throws(JournalError) -> Summary {
        var summary = Summary()
        var decoder = EntryDecoder()
        let lines = JournalLines(path, after: seq, through: last)
        while let (line, segment) = try lines.next() {
            guard let line else {
                summary.unreadable += 1
                if summary.firstUnreadable == nil {
                    summary.firstUnreadable = Unreadable(segment: segment, seq: nil, reason: "its compressed form is damaged")
                }
                continue
            }
            do throws(EntryError) {
                let entry = try decoder.entry(from: line)
                if entry.seq <= seq { continue }
                if entry.seq > last { break }
                summary.entries += 1
                summary.last = entry.seq
                if !body(entry, line) { break }
            } catch {
                summary.unreadable += 1
                if summary.firstUnreadable == nil {
                    summary.firstUnreadable = Unreadable(segment: segment, seq: LineParts.seq(of: line), reason: error.description)
                }
            }
        }
        return summary
    }

    /// How many segments there are; 0 where there is no journal yet or it cannot be read.
    package var segmentCount: Int { (try? JournalFolder.open(path).segments().count) ?? 0 }

    /// The entries after a number, a handful at a time, for whoever follows the journal and fell behind.
    package func cursor(after seq: UInt64) -> JournalCursor { JournalCursor(path, after: seq) }
}

/// A stored line with its number.
package struct StoredLine: Equatable, Sendable {
    package var seq: UInt64
    /// Without the line end.
    package var bytes: [UInt8]
}

/// A place in the journal that moves forward. For one thread.
package final class JournalCursor {
    private let lines: JournalLines
    /// The number of the last line that was given, or that was asked to begin after.
    package private(set) var seq: UInt64

    init(_ path: String, after seq: UInt64) {
        self.seq = seq
        lines = JournalLines(path, after: seq, through: .max)
    }

    /// The next lines up to the entry `last` (give the last durable number, so that nobody sees what a power loss may take back), at most
    /// so many bytes unless one line alone has more. Empty where there is nothing yet; ask again later.
    package func next(through last: UInt64, maximumBytes: Int = 1 << 20) throws(JournalError) -> [StoredLine] {
        var found: [StoredLine] = []
        var bytes = 0
        // What was read ahead may be taken back by the writer, and a new segment may replace it, so nothing is kept from call to call.
        defer { lines.forgetReadAhead() }
        try lines.refresh()
        while seq < last, bytes < maximumBytes {
            guard let (line, _) = try lines.next() else { break }
            guard let line, let number = LineParts.seq(of: line), number > seq else { continue }
            if number > last {
                lines.giveBack()
                break
            }
            found.append(StoredLine(seq: number, bytes: Array(line)))
            seq = number
            bytes += line.count
        }
        return found
    }
}

/// All lines of the journal from a place on, over the borders of segments; lines that a later segment replaces are left out.
final class JournalLines {
    private let path: String
    private let start: UInt64
    private let last: UInt64
    private var file: SegmentFile?
    /// The number of the segment after the open one, once there is one.
    private var following: UInt64?

    init(_ path: String, after seq: UInt64, through last: UInt64) {
        self.path = path
        start = seq
        self.last = last
    }

    /// The next whole line, lent until the next call, and its segment; nil where there is none yet. No line: here a part of a compressed
    /// segment is damaged, and what can still be unpacked follows.
    func next() throws(JournalError) -> (line: UnsafeRawBufferPointer?, segment: String)? {
        while true {
            guard let file else {
                guard try open(after: nil) else { return nil }
                continue
            }
            do throws(JournalError) {
                while let line = try file.next() {
                    guard case .line(let bytes) = line else { continue }
                    if let following, let seq = LineParts.seq(of: bytes), seq >= following { continue }
                    return (bytes, file.segment.name)
                }
            } catch {
                guard file.segment.isPacked else { throw error }
                let (first, name) = (file.segment.first, file.segment.name)
                if !file.skipDamage(), try !open(after: first) { self.file = nil }
                return (nil, name)
            }
            if following != nil {
                guard try open(after: file.segment.first) else { return nil }
            } else if try lookForNext(after: file.segment.first) == false {
                return nil
            }
            // A segment has come: read this one's end once more, since lines may have come before it.
        }
    }

    /// The line that `next` gave last comes again.
    func giveBack() { file?.giveBack() }

    func forgetReadAhead() { file?.forgetReadAhead() }

    /// Looks whether a later segment has begun, which may replace lines of the open one.
    func refresh() throws(JournalError) {
        if let file, following == nil { _ = try lookForNext(after: file.segment.first) }
    }

    private func lookForNext(after first: UInt64) throws(JournalError) -> Bool {
        let folder = try JournalFolder.open(path)
        following = try folder.segments().first { $0.first > first }?.first
        return following != nil
    }

    /// Opens the segment after one, or the one that holds the start.
    private func open(after first: UInt64?) throws(JournalError) -> Bool {
        // One that is not there any more has aged out since the folder was listed, and another takes its place.
        for _ in 0..<Self.patience {
            do throws(JournalError) { return try openOnce(after: first) } catch { guard case .vanished = error else { throw error } }
        }
        return try openOnce(after: first)
    }

    private static let patience = 3

    private func openOnce(after first: UInt64?) throws(JournalError) -> Bool {
        let folder = try JournalFolder.open(path)
        let all = try folder.segments()
        let index: Int
        if let first {
            guard let found = all.firstIndex(where: { $0.first > first }) else { return false }
            index = found
        } else {
            guard !all.isEmpty else { return false }
            index = all.lastIndex { $0.first <= start &+ 1 } ?? 0
        }
        if first != nil, all[index].first > last { return false }
        let opened = SegmentFile(all[index], try folder.bytes(of: all[index], keepsLast: true))
        if first == nil, start > 0 { try opened.seek(after: start) }
        file = opened
        following = index + 1 < all.count ? all[index + 1].first : nil
        return true
    }
}
