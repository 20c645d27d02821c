// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Glibc
import JournalFormat

/// Where the oldest segments, in which nothing is left, end.
struct OldEnd: Equatable, Sendable {
    /// The last entry that goes.
    var seq: UInt64
    var digest: Digest
    var chain: Digest
    /// Whether a base line for it is there already, and only what is before it has to be removed.
    var isMade: Bool
}

// The oldest segments go as a whole once all their entries are emptied, but for those that the journal keeps of itself. First an entry says so;
// then a segment with one base line takes their place, and from that moment on they are void; then they are removed, the newest first.
extension Eraser {
    private static let ownKinds: Set<String> = ["checkpoint", "forgotten", "retention", "repaired"]
    private static let temporaryBase = ".base.new"

    /// The last entry of the segments that hold nothing written at or after an instant; nil where there is none.
    func lastEntry(before limit: WallTime) throws(JournalError) -> UInt64? {
        var last: UInt64?
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
        defer { buffer.deallocate() }
        for segment in try place.journal.segments() {
            let count = try place.journal.bytes(of: segment).read(into: buffer)
            // An emptied line has no time; then a later segment may tell.
            guard let at = LineParts.wallTime(of: UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { continue }
            guard at < limit else { break }
            if segment.first > 1 { last = segment.first - 1 }
        }
        return last
    }

    /// Nil where nothing is to be removed.
    func oldEnd() throws(JournalError) -> OldEnd? {
        var end: OldEnd?
        var removes = false
        let segments = try place.journal.segments()
        let walk = JournalWalk()
        // The newest one is written to, or was.
        for (index, segment) in segments.dropLast().enumerated() {
            var (last, isBase, isEmpty, lines): (LineParts?, Bool, Bool, Int) = (nil, false, true, 0)
            let next = segments[index + 1].first
            try walk.segment(segment, try place.journal.bytes(of: segment), next: next) { (piece) throws(JournalError) in
                switch piece {
                case .good(let line, let parts):
                    lines += 1
                    last = parts
                    isBase = parts.form == .base
                    isEmpty = isEmpty && (parts.form != .full || LineParts.kind(of: line).map(Self.ownKinds.contains) ?? false)
                case .other(_, let isVoid): isEmpty = isEmpty && isVoid
                case .bytes: isEmpty = false
                }
            }
            guard isEmpty, let last else { break }
            removes = removes || !(isBase && lines == 1) || index > 0
            end = OldEnd(seq: last.seq, digest: last.digest, chain: last.chain, isMade: isBase && lines == 1)
        }
        return removes ? end : nil
    }

    /// Puts the base line in the place of all segments up to there. May be called again after it failed or crashed half way.
    func remove(upTo end: OldEnd) throws(JournalError) {
        try storing { () throws(SystemCallError) in
            let base = JournalSegment.name(first: end.seq)
            if !end.isMade {
                let file = try NewFile(Self.temporaryBase, in: place.journal.descriptor, disk)
                try file.add(LineParts.base(seq: end.seq, digest: end.digest, chain: end.chain) + [0x0a])
                try file.finish(as: base, in: place.journal.descriptor, mode: JournalPlaceOnDisk.fileMode)
            }
            let names = try place.journal.descriptor.names()
            var old = names.compactMap { JournalSegment(name: $0) }.filter { $0.first <= end.seq && $0.name != base }
            // Where the base was compressed, that is the one.
            if !names.contains(base) { old.removeAll { $0.first == end.seq } }
            old.sort { ($0.first, $0.name) > ($1.first, $1.name) }
            var gone = old.map(\.name)
            // What repairs set aside of them is as old.
            gone += names.filter { name in
                TailName(name: name).flatMap { JournalSegment(name: $0.segment) }.map { $0.first <= end.seq } ?? false
            }
            for name in gone {
                try disk.perform(.unlink) { () throws(SystemCallError) in try place.journal.descriptor.unlink(name) }
            }
            if !gone.isEmpty { try disk.perform(.syncFolder) { () throws(SystemCallError) in try place.journal.descriptor.sync() } }
        }
    }

    private func storing(_ body: () throws(SystemCallError) -> Void) throws(JournalError) {
        do { try body() } catch { throw .storage(StorageTrouble(error)) }
    }
}

extension OldEnd {
    /// The entry that tells of it, before anything goes.
    var facts: ErasureFacts {
        ErasureFacts(
            kind: .retention, ranges: [], count: 0, digests: JournalVerifier.announcement(of: digest).hex, by: nil, base: seq)
    }
}
