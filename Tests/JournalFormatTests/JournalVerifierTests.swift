// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import JournalFormat
import Testing

@Suite("A check of the stored journal")
struct JournalVerifierTests {
    private let lines = Samples.lines(Array(Samples.bodies.prefix(5)))

    private func bad(_ findings: JournalFindings) -> String? {
        findings.firstBad.map { "\($0.place.segment):\($0.place.line)@\($0.place.offset) \($0.problem)" }
    }

    @Test("finds a whole journal good, in one segment or in several")
    func good() {
        let all = Samples.lines(Samples.bodies)
        let one = Samples.verify([(1, Samples.text(all))])
        #expect(one.firstBad == nil)
        #expect(one.entries == Samples.bodies.count)
        #expect(one.last == all.last?.position)
        for cut in 1..<all.count {
            let two = Samples.verify([(1, Samples.text(Array(all[..<cut]))), (UInt64(cut) + 1, Samples.text(Array(all[cut...])))])
            #expect(two.firstBad == nil, "cut before \(cut + 1)")
            #expect(two.last == all.last?.position, "cut before \(cut + 1)")
        }
        #expect(Samples.verify([]) == JournalFindings())
    }

    @Test("sees every cut that is not between two lines, and its place")
    func cuts() {
        let text = Samples.text(lines)
        var ends = [0]
        for line in lines { ends.append((ends.last ?? 0) + line.bytes.count + 1) }
        for length in 0...text.count {
            let findings = Samples.verify([(1, Array(text.prefix(length)))])
            let whole = ends.count { $0 <= length } - 1
            #expect(findings.entries == whole, "cut at \(length)")
            let expected =
                ends.contains(length)
                ? nil : "1:\(whole + 1)@\(ends[whole]) \(LineProblem.unfinished(bytes: length - ends[whole], zeros: 0))"
            #expect(bad(findings) == expected, "cut at \(length)")
        }
    }

    @Test("sees every flipped bit of every byte, in the line where it is")
    func flips() {
        let text = Samples.text(lines)
        var starts: [Int] = []
        var start = 0
        for line in lines {
            starts.append(start)
            start += line.bytes.count + 1
        }
        for place in text.indices {
            for bit in [0x01, 0x20, 0x80] as [UInt8] {
                var broken = text
                broken[place] ^= bit
                let findings = Samples.verify([(1, broken)])
                let line = starts.lastIndex { $0 <= place } ?? 0
                if findings.firstBad?.place != JournalPlace(segment: "1", line: line + 1, offset: starts[line]) {
                    Issue.record("byte \(place), bit \(bit): \(bad(findings) ?? "nothing found")")
                }
            }
        }
    }

    @Test("sees a line taken out, put in twice, exchanged, or sealed anew without its followers")
    func tampering() throws {
        let texts = lines.map(\.bytes)
        func check(_ order: [[UInt8]]) -> LineProblem? {
            Samples.verify([(1, order.flatMap { $0 + [0x0a] })]).firstBad?.problem
        }
        #expect(check([texts[0], texts[2], texts[3]]) == .wrongNumber(expected: 2, found: 3))
        #expect(check([texts[0], texts[1], texts[1], texts[2]]) == .wrongNumber(expected: 3, found: 2))
        #expect(check([texts[1], texts[0]]) == .wrongNumber(expected: 1, found: 2))
        #expect(check([texts[0], [], texts[1]]) == .notALine)
        let forged = Samples.lines([.stopped(reason: "never")], from: 2, after: lines[0].position)[0].bytes
        #expect(check([texts[0], forged]) == nil)
        #expect(check([texts[0], forged, texts[2]]) == .wrongChain)
    }

    @Test("a repair explains what a failing disk left; without it the same bytes are bad")
    func explained() throws {
        let first = Array(lines.prefix(2))
        let repair = EntryBody.repaired(
            RepairFacts(lastGoodSeq: 2, lastGoodChain: lines[1].position.chain.hex, setAside: nil, bytes: 9, reason: "no space"))
        let next = Samples.lines([repair, .started(version: "2")], from: 3, after: lines[1].position)
        let plain = Samples.lines([.started(version: "2")], from: 3, after: lines[1].position)
        for (what, rest) in [
            ("torn", Array(lines[2].bytes.prefix(40))), ("replaced", lines[2].bytes + [0x0a]),
            ("replaced and torn", Samples.text([lines[2], lines[3]]) + [0x7b]), ("zeros", [0, 0, 0]),
        ] {
            let good = Samples.verify([(1, Samples.text(first) + rest), (3, Samples.text(next))])
            #expect(bad(good) == nil, "\(what)")
            #expect(good.entries == 4, "\(what)")
            #expect(good.repairs == 1, "\(what)")
            let unexplained = Samples.verify([(1, Samples.text(first) + rest), (3, Samples.text(plain))])
            #expect(unexplained.firstBad?.place == JournalPlace(segment: "1", line: 3, offset: Samples.text(first).count), "\(what)")
        }
        let wrong = EntryBody.repaired(RepairFacts(lastGoodSeq: 2, lastGoodChain: Digest.zero.hex, setAside: nil, bytes: 9, reason: ""))
        let forged = Samples.lines([wrong], from: 3, after: lines[1].position)
        #expect(Samples.verify([(1, Samples.text(first) + [0]), (3, Samples.text(forged))]).firstBad != nil)
    }

    @Test("numbers that recovery could not keep are named, and what follows is still checked")
    func doubt() {
        var damaged = Samples.text(lines)
        damaged[Samples.text(Array(lines.prefix(2))).count + 20] ^= 1
        let repair = EntryBody.repaired(
            RepairFacts(lastGoodSeq: 2, lastGoodChain: lines[1].position.chain.hex, setAside: "1", bytes: 9, reason: "damaged"))
        var next = Samples.text(Samples.lines([repair, .started(version: "2")], from: 9, after: lines[1].position))
        let findings = Samples.verify([(1, damaged), (9, next)])
        #expect(findings.firstBad?.problem == .wrongDigest)
        #expect(findings.firstBad?.place.line == 3)
        #expect(findings.unchecked == 3)
        #expect(findings.entries == 4)
        #expect(findings.last.seq == 10)
        // The same where only the numbers are missing.
        let hole = Samples.verify([(1, Samples.text(Array(lines.prefix(2)))), (9, next)])
        #expect(hole.firstBad?.problem == .missing(from: 3, to: 8))
        #expect(hole.entries == 4)
        next[next.count - 3] ^= 1
        #expect(Samples.verify([(1, damaged), (9, next)]).entries == 3)
    }

    @Test("an emptied line needs exactly one later entry that answers for it")
    func erasure() throws {
        func emptied(_ range: ClosedRange<Int>) -> [[UInt8]] {
            lines.enumerated().map { index, line in
                range.contains(index)
                    ? LineParts.erased(seq: line.position.seq, digest: line.digest, chain: line.position.chain) : line.bytes
            }
        }
        func cover(_ seq: UInt64, ranges: String, count: Int, digests: Digest, after: JournalPosition) -> SealedLine {
            // A kind that this version does not write yet, sealed by hand.
            let body = """
                {"v":1,"seq":\(seq),"at":"2026-03-14T22:59:00.000000Z","boot":"b","mono":5,"kind":"forgotten","ranges":\(ranges),\
                "count":\(count),"digests":"\(digests.hex)","by":0,"salt":"00"
                """
            let digest = SHA256.hash(Array(body.utf8))
            let chain = SHA256.hash(after.chain.withBytes { Array($0) } + digest.withBytes { Array($0) })
            let line = Array("\(body),\"digest\":\"\(digest.hex)\",\"chain\":\"\(chain.hex)\"}".utf8)
            return SealedLine(bytes: line, digest: digest, position: JournalPosition(seq: seq, chain: chain))
        }
        func check(_ lines: [[UInt8]]) -> JournalFindings { Samples.verify([(1, lines.flatMap { $0 + [0x0a] })]) }
        let hash = SHA256.hash([1, 2].flatMap { index in lines[index].digest.withBytes { Array($0) } })
        let last = try #require(lines.last).position
        let right = cover(6, ranges: "[[2,3]]", count: 2, digests: hash, after: last)

        let good = check(emptied(1...2) + [right.bytes])
        #expect(bad(good) == nil)
        #expect(good.erased == 2)
        #expect(check(emptied(1...2)).firstBad?.problem == .uncovered)
        #expect(check(emptied(1...2)).firstBad?.place.line == 2)
        #expect(check(emptied(1...3) + [right.bytes]).firstBad?.place.line == 4)
        for (ranges, count, digests) in [
            ("[[2,3]]", 1, hash), ("[[2,3]]", 2, Digest.zero), ("[[2,2]]", 2, hash), ("[]", 2, hash), ("[[3,2]]", 2, hash), ("7", 2, hash),
        ] {
            let wrong = cover(6, ranges: ranges, count: count, digests: digests, after: last)
            #expect(check(emptied(1...2) + [wrong.bytes]).firstBad != nil, "\(ranges) \(count)")
        }
        let twice = cover(7, ranges: "[[2,3]]", count: 2, digests: hash, after: right.position)
        #expect(check(emptied(1...2) + [right.bytes, twice.bytes]).firstBad?.problem == .wrongCover)
        // Emptying must not change a link.
        var broken = emptied(1...2)
        broken[1] = LineParts.erased(seq: 2, digest: lines[2].digest, chain: lines[1].position.chain)
        #expect(check(broken + [right.bytes]).firstBad?.problem == .wrongChain)
    }

    @Test("a base line stands for all that was before it, at the start of a segment only, and where a later entry tells of it")
    func base() throws {
        func bytes(_ digest: Digest) -> [UInt8] { digest.withBytes { Array($0) } }
        let base = LineParts.base(seq: 3, digest: lines[2].digest, chain: lines[2].position.chain)
        let rest = lines[3...].map(\.bytes)
        let unannounced = Samples.verify([(3, ([base] + rest).flatMap { $0 + [0x0a] })])
        #expect(unannounced.firstBad?.problem == .unannouncedBase)
        #expect(unannounced.firstBad?.place.line == 1)
        func announced(_ seq: UInt64, _ digest: Digest) throws -> [SealedLine] {
            let facts = ErasureFacts(kind: .retention, ranges: [], count: 0, digests: SHA256.hash(bytes(digest)).hex, by: nil, base: seq)
            return Samples.lines([.erasure(facts)], from: 6, after: try #require(lines.last).position)
        }
        let telling = try announced(3, lines[2].digest)
        let text = [base] + rest + telling.map(\.bytes)
        let findings = Samples.verify([(3, text.flatMap { $0 + [0x0a] })])
        #expect(bad(findings) == nil)
        #expect(findings.last == telling.last?.position)
        #expect(findings.firstSeq == 4 && findings.entries == 3)
        for wrong in [try announced(2, lines[2].digest), try announced(3, lines[1].digest)] {
            let findings = Samples.verify([(3, ([base] + rest + wrong.map(\.bytes)).flatMap { $0 + [0x0a] })])
            #expect(findings.firstBad?.problem == .unannouncedBase)
        }
        // What nobody had the time to remove is void, whole or not, and in any number.
        for count in 0...3 {
            for start in 0..<max(1, count) {
                let old = (UInt64(start) + 1, Samples.text(Array(lines[start..<count])))
                let both = Samples.verify((start < count ? [old] : []) + [(3, text.flatMap { $0 + [0x0a] })])
                #expect(bad(both) == nil, "\(start) to \(count) left")
                #expect(both.last == findings.last && both.entries == 3)
            }
        }
        // Every changed bit of it shows.
        let whole: [UInt8] = text.flatMap { $0 + [0x0a] }
        for place in base.indices {
            for bit in [0x01, 0x20, 0x80] as [UInt8] {
                var broken = whole
                broken[place] ^= bit
                #expect(Samples.verify([(3, broken)]).firstBad != nil, "byte \(place)")
            }
        }
        let inside = Samples.verify([(1, ([lines[0].bytes, base] + rest).flatMap { $0 + [0x0a] })])
        #expect(inside.firstBad?.problem == .baseInside)
        #expect(Samples.verify([(4, rest.flatMap { $0 + [0x0a] })]).firstBad != nil)
    }
}
