// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import JournalFormat
import Testing

@Suite("Recovery decides")
struct RecoveryTests {
    private let lines = Samples.lines(Array(Samples.bodies.prefix(5)))

    private func plan(_ bytes: [UInt8], first: UInt64 = 1, earlier: [(first: UInt64, bytes: [UInt8])] = []) -> RecoveryPlan {
        RecoveryPlan.decide(newest: first, .of(bytes, first: first)) { before in
            earlier.last { $0.first < before }.map { ($0.first, SegmentScan.of($0.bytes, first: $0.first, before: before)) }
        }
    }

    @Test("to keep every whole line, wherever the power failed, and to set the rest aside")
    func cuts() {
        let text = Samples.text(lines)
        var ends = [0]
        for line in lines { ends.append((ends.last ?? 0) + line.bytes.count + 1) }
        for length in 0...text.count {
            let whole = ends.count { $0 <= length } - 1
            let good = ends[whole]
            for zeros in [0, 5] {
                let bytes = Array(text.prefix(length)) + [UInt8](repeating: 0, count: zeros)
                let plan = plan(bytes)
                #expect(plan.position == (whole == 0 ? .start : lines[whole - 1].position), "cut at \(length)")
                #expect(plan.nextSeq == UInt64(whole) + 1)
                #expect(plan.segment == 1)
                #expect(plan.size == good)
                #expect(plan.sealed.isEmpty)
                let tail = bytes.count - good
                #expect(plan.tail == (tail == 0 ? nil : RecoveryPlan.Tail(segment: 1, offset: good, bytes: tail)))
                #expect((plan.reason == nil) == (tail == 0))
            }
        }
    }

    @Test("never to use a number again that a whole line had, whichever byte was flipped")
    func flips() {
        let text = Samples.text(lines)
        for place in text.indices {
            var broken = text
            broken[place] ^= 0x04
            let plan = plan(broken)
            let lastLine = place == text.count - 1
            if lastLine {
                // The line end itself: nothing says any more that the line was finished.
                if plan.tail == nil || plan.nextSeq != 5 { Issue.record("byte \(place): \(plan)") }
            } else if plan.segment != nil || plan.sealed != [1] || plan.nextSeq <= 5 || plan.nextSeq > 9 || plan.reason == nil {
                Issue.record("byte \(place): \(plan)")
            }
        }
    }

    @Test("to look into older segments where the newest has nothing good")
    func older() {
        let first = Samples.text(Array(lines.prefix(3)))
        // Made, never written to: all is well.
        #expect(plan([], first: 4, earlier: [(1, first)]) == RecoveryPlan(position: lines[2].position, nextSeq: 4, segment: 4))
        // A first group that was torn.
        let torn = plan(Array(lines[3].bytes.prefix(30)), first: 4, earlier: [(1, first)])
        #expect(torn.position == lines[2].position)
        #expect(torn.tail == RecoveryPlan.Tail(segment: 4, offset: 0, bytes: 30))
        #expect(torn.nextSeq == 4)
        // After a failing disk: what the older one has from 3 on was never acknowledged.
        let replaced = plan([], first: 3, earlier: [(1, first)])
        #expect(replaced.position == lines[1].position)
        #expect(replaced.nextSeq == 3)
        #expect(replaced.reason != nil)
        // After damage in the older one.
        var damaged = Samples.text(lines)
        damaged[first.count + 9] ^= 1
        let doubt = plan([], first: 9, earlier: [(1, damaged)])
        #expect(doubt.position == lines[2].position)
        #expect(doubt.nextSeq == 9)
        #expect(doubt.reason != nil)
        // Two empty ones.
        #expect(plan([], first: 4, earlier: [(1, first), (4, [])]).position == lines[2].position)
        #expect(plan([], first: 1) == RecoveryPlan(position: .start, nextSeq: 1, segment: 1))
    }

    @Test("to go on in a new segment where the newest is bad from its first line")
    func badFirst() {
        var bytes = Samples.text(Samples.lines([.started(version: "1"), .started(version: "2")], from: 4, after: lines[2].position))
        bytes[20] ^= 1
        let plan = plan(bytes, first: 4, earlier: [(1, Samples.text(Array(lines.prefix(3))))])
        #expect(plan.position == lines[2].position)
        #expect(plan.segment == nil)
        #expect(plan.sealed == [4])
        #expect(plan.nextSeq == 6)
    }

    @Test("not to believe a number that the damage has no room for")
    func absurdNumber() {
        let far = Samples.lines([.started(version: "1")], from: 900_000_000_000, after: lines[4].position)
        let plan = plan(Samples.text(lines) + Samples.text(far))
        #expect(plan.sealed == [1])
        #expect(plan.nextSeq > 6)
        #expect(plan.nextSeq < 10)
    }

    @Test("the same whatever the pieces in which the bytes come")
    func pieces() {
        let text = Samples.text(lines) + Array(lines[0].bytes.prefix(50))
        let whole = SegmentScan.of(text, first: 1)
        for size in [1, 2, 7, 100, 4096] {
            var scanner = SegmentScanner(first: 1)
            for start in stride(from: 0, to: text.count, by: size) {
                Array(text[start..<min(text.count, start + size)]).withUnsafeBytes { scanner.feed($0) }
            }
            #expect(scanner.finish() == whole, "pieces of \(size)")
        }
    }

    @Test("a line beyond the limit is damage, and costs no memory")
    func tooLong() {
        let long = [UInt8](repeating: 0x78, count: JournalFormat.longestLine + 1) + [0x0a]
        let scan = SegmentScan.of(Samples.text(lines) + long + Samples.text(lines), first: 1)
        #expect(scan.lines == 5)
        #expect(scan.problem == .tooLong(limit: JournalFormat.longestLine))
        #expect(scan.badLines == 6)
        let zeros = SegmentScan.of(Samples.text(lines) + [UInt8](repeating: 0, count: JournalFormat.longestLine + 1), first: 1)
        #expect(zeros.problem == nil)
        #expect(zeros.unfinishedZeros == JournalFormat.longestLine + 1)
    }
}
