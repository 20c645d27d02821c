// SPDX-License-Identifier: Apache-2.0

/// How far a segment is good, and what stands after that. Feed it the segment's bytes, then ask.
package struct SegmentScanner: ~Copyable {
    private var splitter = LineSplitter()
    private var lines: LineVerifier
    private let first: UInt64
    private let before: UInt64?
    private var scan: SegmentScan
    private var offset = 0

    /// `first` is the number in the segment's name. Lines from `before` on do not count: the next segment replaces them.
    package init(first: UInt64, before: UInt64? = nil) {
        self.first = first
        self.before = before
        lines = LineVerifier(after: nil)
        scan = SegmentScan()
    }

    package mutating func feed(_ chunk: UnsafeRawBufferPointer) {
        // The splitter is moved out so that the closure may change the rest.
        var splitter = splitter
        splitter.feed(chunk) { piece in
            switch piece {
            case .line(let line): add(line)
            case .tooLong(let bytes):
                spoil(bytes: bytes, .tooLong(limit: JournalFormat.longestLine))
                scan.endsWhole = false
            }
        }
        self.splitter = splitter
    }

    package consuming func finish() -> SegmentScan {
        scan.unfinishedBytes = splitter.pendingBytes
        scan.unfinishedZeros = splitter.pendingZeros
        return scan
    }

    private mutating func add(_ line: UnsafeRawBufferPointer) {
        if scan.problem == nil {
            do throws(LineProblem) {
                if let parts = LineParts(line) {
                    if let before, parts.seq >= before { throw .replaced }
                    if scan.position == nil, parts.form != .base, parts.seq != first {
                        throw .wrongNumber(expected: first, found: parts.seq)
                    }
                }
                _ = try lines.check(line)
                scan.position = lines.position
                scan.lines += 1
                scan.goodBytes += line.count + 1
            } catch {
                spoil(bytes: line.count, error)
                look(at: line)
            }
        } else {
            spoil(bytes: line.count, nil)
            look(at: line)
        }
    }

    private mutating func spoil(bytes: Int, _ problem: LineProblem?) {
        if scan.problem == nil { scan.problem = problem }
        scan.badLines += 1
        scan.badBytes += bytes + 1
    }

    /// A line after the damage that is whole in itself tells how far the numbers had come.
    private mutating func look(at line: UnsafeRawBufferPointer) {
        guard let parts = LineParts(line), parts.form == .full, lines.digestFits(parts, line) else {
            scan.endsWhole = false
            return
        }
        scan.endsWhole = true
        scan.highestBadSeq = max(scan.highestBadSeq, parts.seq)
    }
}

/// What a scan found.
package struct SegmentScan: Equatable, Sendable {
    package var lines = 0
    package var goodBytes = 0
    /// The last good line; nil where there is none.
    package var position: JournalPosition?
    /// What is wrong with the first line that is not good.
    package var problem: LineProblem?
    /// Whole lines from there on, and their bytes with the line ends.
    package var badLines = 0
    package var badBytes = 0
    /// The highest number among them that can be believed; 0 for none.
    package var highestBadSeq: UInt64 = 0
    /// Whether the last of them is whole in itself, so that its number says how many there were.
    package var endsWhole = false
    /// Bytes after the last line end.
    package var unfinishedBytes = 0
    package var unfinishedZeros = 0

    package init() {}

    package static func of(_ bytes: [UInt8], first: UInt64, before: UInt64? = nil) -> SegmentScan {
        var scanner = SegmentScanner(first: first, before: before)
        bytes.withUnsafeBytes { scanner.feed($0) }
        return scanner.finish()
    }

    /// The number that is certainly above all that the segment's readers may have seen.
    func freeSeq(after last: UInt64) -> UInt64 {
        // A lost line end joins two lines, so the bytes are counted, not the lines: no line is shorter than an emptied one.
        let room = last + UInt64(badBytes / (LineParts.sealLength + 24)) + 1
        // A number that the damaged part has no room for is not believed, so that no byte can use the numbers up.
        if endsWhole, highestBadSeq <= room { return max(highestBadSeq, last + UInt64(badLines)) + 1 }
        return room + 1
    }
}

/// What is to be done before the journal can go on. The store carries it out; nothing is ever deleted.
package struct RecoveryPlan: Equatable, Sendable {
    /// Bytes that are copied to a file of their own and then cut off, so that the segment ends with a whole line.
    package struct Tail: Equatable, Sendable {
        package var segment: UInt64
        package var offset: Int
        package var bytes: Int

        package init(segment: UInt64, offset: Int, bytes: Int) {
            self.segment = segment
            self.offset = offset
            self.bytes = bytes
        }
    }

    /// Where the journal stands: the last good entry.
    package var position: JournalPosition
    /// The number of the next entry: the one after `position`, or a higher one where numbers in between are in doubt.
    package var nextSeq: UInt64
    /// The segment that is written on, by its number, and its size after the repair; nil: a new one.
    package var segment: UInt64?
    package var size = 0
    package var tail: Tail?
    /// Damaged segments that become read-only.
    package var sealed: [UInt64] = []
    /// Why the next entry must be `repaired`; nil where all is well.
    package var reason: String?
    /// The bytes in doubt.
    package var bytes = 0
    /// The last entry that a signed note covers, where the journal ends before that or before the note's own entry behind it.
    package private(set) var cutOff: UInt64?

    package init(position: JournalPosition, nextSeq: UInt64, segment: UInt64? = nil, size: Int = 0) {
        self.position = position
        self.nextSeq = nextSeq
        self.segment = segment
        self.size = size
    }

    /// An empty journal.
    package static let fresh = RecoveryPlan(position: .start, nextSeq: 1)

    /// Decides by what a scan of the newest segment found. `earlier` scans the segments before it, newest first, and is asked only where
    /// the newest has no good line: `earlier(before)` gives the next older one's number and scan, nil where there is none.
    package static func decide<Failure: Error>(
        newest first: UInt64, _ scan: SegmentScan, earlier: (_ before: UInt64) throws(Failure) -> (first: UInt64, scan: SegmentScan)?
    ) throws(Failure) -> RecoveryPlan {
        if let position = scan.position {
            var plan = RecoveryPlan(position: position, nextSeq: position.seq + 1, segment: first, size: scan.goodBytes)
            plan.mend(first, scan)
            return plan
        }
        // Nothing good in it: the last good line is in an older one.
        var position = JournalPosition.start
        var doubt = false
        var before = first
        while let older = try earlier(before) {
            doubt = doubt || older.scan.badLines > 0 || older.scan.unfinishedBytes > 0
            if let found = older.scan.position {
                position = found
                break
            }
            before = older.first
        }
        var plan = RecoveryPlan(position: position, nextSeq: first, segment: first, size: 0)
        if doubt || first != position.seq + 1 {
            plan.reason = "the segment before this one does not end where this one begins"
        }
        plan.mend(first, scan)
        return plan
    }

    /// Takes into account that a signed note covers entries up to this number, and that the note itself was the next: where they are not
    /// there any more, their numbers are not given out again, and a new segment says so.
    package mutating func goOn(behind covered: UInt64) {
        guard nextSeq <= covered + 1 else { return }
        cutOff = covered
        nextSeq = covered + 2
        let cut = "the end of the journal was cut off after entry \(position.seq), although a signed checkpoint covers entry \(covered)"
        reason = reason.map { "\(cut); besides, \($0)" } ?? cut
        // One that has unfinished bytes at its end is still to be mended.
        if tail == nil { segment = nil }
    }

    private mutating func mend(_ first: UInt64, _ scan: SegmentScan) {
        if scan.badLines > 0 {
            // Whole lines are there: entries that somebody may have seen. They stay where they are and keep their numbers.
            segment = nil
            size = 0
            sealed = [first]
            nextSeq = scan.freeSeq(after: max(position.seq, first - 1))
            bytes = scan.badBytes + scan.unfinishedBytes
            reason = "the segment is damaged after entry \(position.seq): \(scan.problem.map(\.description) ?? "unknown")"
        } else if scan.unfinishedBytes > 0 {
            tail = Tail(segment: first, offset: scan.goodBytes, bytes: scan.unfinishedBytes)
            bytes = scan.unfinishedBytes
            let zeros = scan.unfinishedZeros
            reason =
                zeros == scan.unfinishedBytes
                ? "the segment ended in zeros" : "the last entry was not finished\(zeros > 0 ? ", and zeros followed" : "")"
        }
    }
}
