// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import JournalFormat
import Testing

@Suite("A signed checkpoint")
struct CheckpointTests {
    private let lines = Samples.lines(Array(Samples.bodies.prefix(6)))

    private func signer() throws -> CheckpointSigner { try #require(CheckpointSigner()) }

    /// A journal with a checkpoint after each two entries, and one more entry.
    private func journal(_ signer: CheckpointSigner) throws -> [SealedLine] {
        var all: [SealedLine] = []
        var position = JournalPosition.start
        for pair in 0..<3 {
            all += Samples.lines(Array(Samples.bodies[(pair * 2)...].prefix(2)), from: position.seq + 1, after: position)
            position = try #require(all.last).position
            let note = try #require(signer.note(of: position))
            all += Samples.lines([.checkpoint(note: note.whole)], from: position.seq + 1, after: position)
            position = try #require(all.last).position
        }
        return all + Samples.lines([.stopped(reason: "now")], from: position.seq + 1, after: position)
    }

    private func verify(_ lines: [SealedLine], keys: [CheckpointKey], since: [JournalPosition] = []) -> JournalFindings {
        var verifier = JournalVerifier(keys: keys, since: since)
        verifier.begin(segment: "1", first: 1, next: nil)
        for line in lines { line.bytes.withUnsafeBytes { verifier.check($0) } }
        verifier.end(unfinished: 0, zeros: 0)
        return verifier.finish()
    }

    @Test("comes back from its bytes, and says the number and the chain")
    func roundTrip() throws {
        let signer = try signer()
        let note = try #require(signer.note(of: lines[3].position))
        let read = try #require(SignedNote(note.whole.utf8))
        #expect(read == note)
        #expect(read.position == lines[3].position)
        #expect(read.origin == signer.key.name)
        #expect(signer.key.verdict(on: read) == true)
        #expect(try self.signer().key.verdict(on: read) == nil)
        #expect(CheckpointKey(text: signer.key.description) == signer.key)
        #expect(CheckpointSigner(pem: signer.pem)?.key == signer.key)
        #expect(try #require(signer.note(of: .start)).position == .start)
    }

    @Test("agrees with the test vectors of the note's specification and of Ed25519")
    func vectors() throws {
        // The key and note of Go's sum database, in the same form: a signature that others made.
        let key = try #require(CheckpointKey(text: "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"))
        let text = """
            If you think cryptography is the answer to your problem,
            then you don't know what your problem is.

            \u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=

            """
        let note = try #require(SignedNote(text.utf8))
        #expect(key.verdict(on: note) == true)
        #expect(note.position == nil)
        // RFC 8032, section 7.1, the first test: the secret as PEM.
        let pem = """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
            -----END PRIVATE KEY-----

            """
        let signer = try #require(CheckpointSigner(pem: Array(pem.utf8)))
        let hex = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
        #expect(signer.key.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == hex)
    }

    @Test("is refused with any bit of it flipped, and cut anywhere")
    func flips() throws {
        let signer = try signer()
        let bytes = Array(try #require(signer.note(of: lines[3].position)).whole.utf8)
        for place in bytes.indices {
            for bit in 0..<8 {
                var broken = bytes
                broken[place] ^= 1 << UInt8(bit)
                if let note = SignedNote(broken), signer.key.verdict(on: note) == true { Issue.record("byte \(place), bit \(bit)") }
            }
            if let note = SignedNote(bytes.prefix(place)), signer.key.verdict(on: note) == true { Issue.record("cut at \(place)") }
        }
        for wrong in ["", "\n", "\n\n", "a\n\n\u{2014} b", "a\n\n- b AAAAAAAA\n", "a\n\n\u{2014} b+c AAAAAAAA\n"] {
            #expect(SignedNote(wrong.utf8) == nil, "\(wrong)")
        }
        #expect(SignedNote([UInt8](repeating: 0x61, count: SignedNote.longest + 1)) == nil)
        #expect(CheckpointSigner(pem: Array("hello".utf8)) == nil)
        #expect(CheckpointKey(text: "a+00000000+AAAA") == nil)
    }

    @Test("in the journal is checked: its signature, and that it speaks of the entry before it")
    func inJournal() throws {
        let signer = try signer()
        let all = try journal(signer)
        let good = verify(all, keys: [signer.key])
        #expect(good.isGood)
        #expect(good.checkpoints == 3)
        #expect(good.covered == 8)
        #expect(good.foreignCheckpoints == 0)
        let foreign = verify(all, keys: [try self.signer().key])
        #expect(foreign.isGood)
        #expect(foreign.checkpoints == 0)
        #expect(foreign.foreignCheckpoints == 3)

        // A journal written anew with all its links, and the old notes in it: the signatures are right, what they say is not.
        let notes = try all.map { try Samples.read($0.bytes).body }
        var bodies = notes
        bodies[0] = .started(version: "forged")
        let forged = verify(Samples.lines(bodies), keys: [signer.key])
        #expect(forged.firstBad?.problem == .wrongCheckpoint)
        #expect(forged.firstBad?.place.line == 3)
        #expect(forged.entries == all.count)
        // Notes that say the truth, with the signature of another note.
        let text = try #require(signer.note(of: all[1].position)).whole
        let other = try #require(signer.note(of: all[0].position)).whole
        let mixed = text.split(separator: "\n\n")[0] + "\n\n" + other.split(separator: "\n\n")[1]
        let unsigned = verify(
            Array(all[..<2]) + Samples.lines([.checkpoint(note: String(mixed))], from: 3, after: all[1].position), keys: [signer.key])
        #expect(unsigned.firstBad?.problem == .wrongSignature)
        let nonsense = verify(
            Array(all[..<2]) + Samples.lines([.checkpoint(note: "hello")], from: 3, after: all[1].position), keys: [signer.key])
        #expect(nonsense.firstBad?.problem == .wrongCheckpoint)
    }

    @Test("kept elsewhere shows that the journal goes on from it, that it was written anew, or that its end was cut off")
    func since() throws {
        let all = try journal(try signer())
        for (index, line) in all.enumerated() {
            #expect(verify(all, keys: [], since: [line.position]).isGood)
            let cut = verify(Array(all[..<index]), keys: [], since: [line.position])
            #expect(cut.known.map(\.answer) == [.endsBefore], "cut before \(index + 1)")
            #expect(!cut.isGood)
            #expect(cut.firstBad == nil)
            var bodies = try all.map { try Samples.read($0.bytes).body }
            bodies[index] = .started(version: "forged")
            let anew = verify(Samples.lines(bodies), keys: [], since: [line.position])
            #expect(anew.known.map(\.answer) == [.different], "entry \(index + 1)")
        }
        #expect(verify([], keys: [], since: [.start]).isGood)
        #expect(!verify(all, keys: [], since: [all[3].position, JournalPosition(seq: 4, chain: .zero)]).isGood)
    }
}

@Suite("A later format")
struct LaterFormatTests {
    /// A line as a later version may write it, in the same frame.
    private func later(_ seq: UInt64, after: JournalPosition) -> [UInt8] {
        let body = Array("{\"v\":2,\"seq\":\(seq),\"at\":5,\"kind\":\"started\"".utf8)
        let digest = SHA256.hash(body)
        return Array(
            "\(String(decoding: body, as: UTF8.self)),\"digest\":\"\(digest.hex)\",\"chain\":\"\(Digest.chain(after: after.chain, digest).hex)\"}"
                .utf8)
    }

    @Test("is refused by its number, by the check as by the reader, whether its frame is the same or not")
    func refused() throws {
        let lines = Samples.lines(Array(Samples.bodies.prefix(2)))
        let same = later(3, after: lines[1].position)
        let other = Array("{\"v\":3,\"seq\":3,\"kind\":\"started\",\"seal\":\"blake3\"}".utf8)
        for (line, version) in [(same, Int64(2)), (other, 3)] {
            let bytes = Samples.text(lines) + line + [0x0a]
            #expect(Samples.verify([(1, bytes)]).firstBad?.problem == .newer(version: version))
            #expect(SegmentScan.of(bytes, first: 1).problem == .newer(version: version))
            #expect(throws: EntryError.version(version)) { try Samples.read(line) }
        }
        // The same number made by a flipped bit is damage, not news.
        var broken = Samples.text(lines)
        broken[5] ^= 0x03
        #expect(Samples.verify([(1, broken)]).firstBad?.problem == .wrongDigest)
        #expect(LineProblem.newer(version: 2).description.contains("update it"))
    }
}

@Suite("Every bit of every kind")
struct EveryBitTests {
    @Test("is sealed: whichever is flipped, the line or the one after it does not fit")
    func flips() {
        let lines = Samples.lines(Samples.bodies)
        var before = JournalPosition.start
        for line in lines {
            for place in line.bytes.indices {
                for bit in 0..<8 {
                    var broken = line.bytes
                    broken[place] ^= 1 << UInt8(bit)
                    var verifier = LineVerifier(after: before)
                    let isFound = broken.withUnsafeBytes { bytes in
                        do throws(LineProblem) {
                            _ = try verifier.check(bytes)
                            return false
                        } catch {
                            return true
                        }
                    }
                    if !isFound { Issue.record("entry \(line.position.seq), byte \(place), bit \(bit)") }
                }
            }
            before = line.position
        }
    }
}
