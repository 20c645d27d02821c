// SPDX-License-Identifier: Apache-2.0
import DaybookJSON

/// Checks a whole journal, segment by segment and line by line, on the stored bytes. Never encodes anything anew. For one thread.
package struct JournalVerifier: ~Copyable {
    private struct Emptied {
        var seq: UInt64
        var digest: Digest
        var place: JournalPlace
        var isCovered = false
    }

    private struct Cover {
        var seq: UInt64
        var ranges: [ClosedRange<UInt64>]
        var count: Int64
        var digests: Digest?
        var place: JournalPlace
        /// The last of the entries that it says were removed.
        var base: UInt64?
    }

    private var lines = LineVerifier(after: .start)
    private var parser = JSONParser(limits: JSONLimits(bytes: JournalFormat.longestLine, depth: 8, members: 1 << 20))
    private var findings = JournalFindings()
    private var place = JournalPlace(segment: "", line: 0, offset: 0)
    private var first: UInt64 = 0
    private var next: UInt64?
    private var position = JournalPosition.start
    /// The first thing in the current or last segment that the beginning of the next one may explain.
    private var open: JournalFindings.Bad?
    private var openLines = 0
    private var emptied: [Emptied] = []
    private var covers: [Cover] = []
    private var baseSeq: UInt64 = 0
    private var base: (place: JournalPlace, digest: Digest)?
    private let keys: [CheckpointKey]
    /// What the line that was checked last says of itself, where it is good and counts.
    package private(set) var goodLine: LineParts?

    /// `keys` are those whose checkpoints are believed; `since` are positions noted earlier, of which the journal must be a continuation.
    package init(keys: [CheckpointKey] = [], since: [JournalPosition] = []) {
        self.keys = keys
        // Before the first entry, every journal is the same.
        findings.known = since.map { JournalFindings.Known(position: $0, answer: $0 == .start ? .extended : .absent) }
    }

    /// Begins a segment, named by its first number; `next` is the number of the one that follows it.
    package mutating func begin(segment: String, first: UInt64, next: UInt64?) {
        findings.segments += 1
        place = JournalPlace(segment: segment, line: 0, offset: 0)
        self.first = first
        self.next = next
    }

    /// One whole line of the segment.
    package mutating func check(_ line: UnsafeRawBufferPointer) {
        place.line += 1
        goodLine = nil
        defer { place.offset += line.count + 1 }
        if place.line == 1 {
            enter(line)
        } else if open != nil {
            openLines += 1
        } else {
            go(line)
        }
    }

    /// A line that is longer than any line may be.
    package mutating func check(tooLong bytes: Int) {
        place.line += 1
        if place.line == 1 { settle(explained: false) }
        if open == nil { open = bad(.tooLong(limit: JournalFormat.longestLine)) }
        openLines += 1
        place.offset += bytes + 1
    }

    /// Ends the segment; `bytes` stand after its last line end.
    package mutating func end(unfinished bytes: Int, zeros: Int) {
        guard bytes > 0, open == nil else { return }
        place.line += 1
        open = bad(.unfinished(bytes: bytes, zeros: zeros))
    }

    /// Ends a segment whose compressed form is broken; its lines so far count.
    package mutating func end(unpackable reason: String) {
        place.line += 1
        if place.line == 1 { settle(explained: false) }
        if open == nil { open = bad(.unpackable(reason: reason)) }
    }

    /// The result, after the last segment's end.
    package mutating func finish() -> JournalFindings {
        settle(explained: false)
        checkCovers()
        findings.last = position
        for index in findings.known.indices where findings.known[index].answer == .absent {
            if findings.known[index].position.seq > position.seq { findings.known[index].answer = .endsBefore }
        }
        return findings
    }

    private func bad(_ problem: LineProblem) -> JournalFindings.Bad { JournalFindings.Bad(place: place, problem: problem) }

    private mutating func record(_ bad: JournalFindings.Bad) {
        if findings.firstBad == nil { findings.firstBad = bad }
    }

    /// Decides what the last segment left open.
    private mutating func settle(explained: Bool) {
        if let open, !explained { record(open) }
        if explained { findings.replaced += openLines } else { findings.unchecked += openLines }
        open = nil
        openLines = 0
    }

    /// The first line of a segment, which may explain the end of the one before.
    private mutating func enter(_ line: UnsafeRawBufferPointer) {
        guard let parts = LineParts(line) else {
            settle(explained: false)
            return go(line)
        }
        if parts.form == .base {
            beginAnew()
            return go(line)
        }
        let repair = LineParts.Watched(of: line) == .repaired ? repair(line) : nil
        let follows = parts.seq == position.seq + 1
        // A repair that leaves no number out says that nothing which was acknowledged is lost.
        settle(explained: open != nil && follows && repair == position)
        if parts.seq != first { record(bad(.wrongNumber(expected: first, found: parts.seq))) }
        if !follows, let repair, repair == position, parts.seq > position.seq {
            record(bad(.missing(from: position.seq + 1, to: parts.seq - 1)))
            lines.resume(after: JournalPosition(seq: parts.seq - 1, chain: position.chain))
        } else if findings.firstBad != nil {
            // What comes now is not tied to what was before; it can still be checked in itself.
            if !follows { lines.resume(after: nil) }
        }
        go(line)
        if open != nil, open?.problem == .wrongChain, findings.firstBad != nil {
            open = nil
            openLines = 0
            lines.resume(after: nil)
            go(line)
        }
    }

    /// A segment that begins with a base line takes the place of all before it, which somebody may not have had the time to remove.
    private mutating func beginAnew() {
        (open, openLines, position) = (nil, 0, .start)
        (emptied, covers) = ([], [])
        lines.resume(after: nil)
        let known = findings.known
        findings = JournalFindings()
        findings.segments = 1
        findings.known = known
    }

    private mutating func go(_ line: UnsafeRawBufferPointer) {
        if let next, let seq = LineParts.seq(of: line), seq >= next {
            open = bad(.replaced)
            openLines = 1
            return
        }
        do throws(LineProblem) {
            let before = lines.position
            let parts = try lines.check(line)
            goodLine = parts
            let kind = parts.form == .full ? LineParts.Watched(of: line) : nil
            // The line itself is whole, so the check goes on behind it.
            if kind == .checkpoint, let problem = check(checkpoint: line, after: before) { record(bad(problem)) }
            position = JournalPosition(seq: parts.seq, chain: parts.chain)
            if parts.form != .base { findings.entries += 1 }
            for index in findings.known.indices where findings.known[index].position.seq == parts.seq {
                findings.known[index].answer = findings.known[index].position == position ? .extended : .different
            }
            if findings.firstSeq == 0, parts.form != .base { findings.firstSeq = parts.seq }
            switch parts.form {
            case .erased:
                findings.erased += 1
                emptied.append(Emptied(seq: parts.seq, digest: parts.digest, place: place))
            case .base:
                baseSeq = parts.seq
                base = (place, parts.digest)
            case .full:
                switch kind {
                case .repaired: findings.repairs += 1
                case .cover: covers.append(cover(parts.seq, line))
                case .checkpoint, nil: break
                }
            }
        } catch {
            open = bad(error)
            openLines = 1
        }
    }

    /// A checkpoint speaks of the entry before it; nil where it does so rightly.
    private mutating func check(checkpoint line: UnsafeRawBufferPointer, after before: JournalPosition?) -> LineProblem? {
        guard let root = try? parser.tree(of: line).root, let text = root["note"]?.stringBytes, let note = SignedNote(text),
            let said = note.position, before == nil || before == said
        else { return .wrongCheckpoint }
        let verdicts = keys.compactMap { $0.verdict(on: note) }
        if verdicts.contains(false) { return .wrongSignature }
        if verdicts.isEmpty {
            findings.foreignCheckpoints += 1
        } else {
            findings.checkpoints += 1
            findings.covered = said.seq
        }
        return nil
    }

    /// `lastGoodSeq` and `lastGoodChain` of a `repaired` entry.
    private mutating func repair(_ line: UnsafeRawBufferPointer) -> JournalPosition? {
        guard let root = try? parser.tree(of: line).root, let seq = root["lastGoodSeq"]?.integerValue, seq >= 0,
            let chain = root["lastGoodChain"]?.stringBytes.flatMap({ Digest(hex: $0) })
        else { return nil }
        return JournalPosition(seq: UInt64(seq), chain: chain)
    }

    private mutating func cover(_ seq: UInt64, _ line: UnsafeRawBufferPointer) -> Cover {
        var cover = Cover(seq: seq, ranges: [], count: -1, digests: nil, place: place)
        guard let root = try? parser.tree(of: line).root else { return cover }
        cover.count = root["count"]?.integerValue ?? -1
        cover.base = root["base"]?.integerValue.flatMap { UInt64(exactly: $0) }
        cover.digests = root["digests"]?.stringBytes.flatMap { Digest(hex: $0) }
        root["ranges"]?.forEachElement { range in
            var bounds: [UInt64] = []
            range.forEachElement { bounds.append($0.integerValue.flatMap { UInt64(exactly: $0) } ?? 0) }
            if bounds.count == 2, bounds[0] > 0, bounds[0] <= bounds[1] { cover.ranges.append(bounds[0]...bounds[1]) }
        }
        return cover
    }

    /// Every emptied line is answered for by exactly one later entry, whose count and hash fit.
    private mutating func checkCovers() {
        var isAnnounced = false
        for cover in covers {
            var hash = SHA256()
            var count: Int64 = 0
            if let removed = cover.base {
                // One that tells of an earlier base is no longer to be compared with anything.
                if removed == baseSeq, let base { isAnnounced = isAnnounced || cover.digests == Self.announcement(of: base.digest) }
                if cover.ranges.isEmpty { continue }
            }
            var fits = !cover.ranges.isEmpty
            // What lies before a base line is gone with its own covers' lines, so only the rest can be compared.
            let isWhole = !cover.ranges.contains { $0.lowerBound <= baseSeq }
            for range in cover.ranges {
                var index = firstEmptied(from: range.lowerBound)
                while index < emptied.count, emptied[index].seq <= range.upperBound {
                    if emptied[index].isCovered || emptied[index].seq >= cover.seq { fits = false }
                    emptied[index].isCovered = true
                    hash.add(emptied[index].digest)
                    count += 1
                    index += 1
                }
            }
            if isWhole, count != cover.count || hash.finish() != cover.digests { fits = false }
            if !fits { recordEarlier(JournalFindings.Bad(place: cover.place, problem: .wrongCover)) }
        }
        if let base, !isAnnounced { recordEarlier(JournalFindings.Bad(place: base.place, problem: .unannouncedBase)) }
        if let naked = emptied.first(where: { !$0.isCovered }) {
            recordEarlier(JournalFindings.Bad(place: naked.place, problem: .uncovered))
        }
    }

    /// What stands in `digests` of the entry that tells of a base line.
    package static func announcement(of digest: Digest) -> Digest { digest.withBytes { Digest.of($0) } }

    private func firstEmptied(from seq: UInt64) -> Int {
        var low = 0
        var high = emptied.count
        while low < high {
            let middle = (low + high) / 2
            if emptied[middle].seq < seq { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Covers are judged at the end, yet the report names the first bad place. Segment names sort as their numbers do.
    private mutating func recordEarlier(_ bad: JournalFindings.Bad) {
        guard let known = findings.firstBad else {
            findings.firstBad = bad
            return
        }
        let order = (bad.place.segment.utf8.count, bad.place.segment, bad.place.offset)
        if order < (known.place.segment.utf8.count, known.place.segment, known.place.offset) { findings.firstBad = bad }
    }
}
