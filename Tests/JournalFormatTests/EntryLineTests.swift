// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import JournalFormat
import Testing

@Suite("An entry's line")
struct EntryLineTests {
    @Test("gives the same entry back, for every kind", arguments: Samples.bodies.indices)
    func roundTrip(index: Int) throws {
        let entry = Samples.entry(UInt64(index) + 1, Samples.bodies[index])
        let line = try #require(Samples.line(entry))
        #expect(try Samples.read(line.bytes) == entry)
        #expect(!line.bytes.contains(0x0a))
    }

    @Test("gives ranges of emptied entries back")
    func ranges() throws {
        for facts in [
            ErasureFacts(kind: .forgotten, ranges: [1...1, 7...900], count: 12, digests: Digest.zero.hex, by: 0),
            ErasureFacts(kind: .retention, ranges: [3...4], count: 2, digests: Digest.zero.hex, by: nil),
        ] {
            let entry = Samples.entry(901, .erasure(facts))
            #expect(try Samples.read(try #require(Samples.line(entry)).bytes) == entry)
        }
    }

    @Test("has the common fields in the page's order, the salt after the kind's own, digest and chain last")
    func order() throws {
        for (index, line) in Samples.lines(Samples.bodies).enumerated() {
            let keys = try #require(JSONValue(parsing: line.bytes).objectValue).members.map(\.key)
            #expect(Array(keys.prefix(6)) == ["v", "seq", "at", "boot", "mono", "kind"], "\(index)")
            #expect(Array(keys.suffix(3)) == ["salt", "digest", "chain"], "\(index)")
        }
    }

    @Test("is stable byte for byte")
    func golden() {
        let lines = Samples.lines([
            .started(version: "0.1"),
            .session(
                .evidence(ActivityID(7), Evidence(.typed, first: Samples.boot(6), last: Samples.boot(30), count: 12, isContinuous: true)),
                assignment: nil),
            .session(.moved(ActivityID(7), DocumentRef(share: "/s", path: PathBytes(bytes: [0x61, 0xff, 0x5c]))), assignment: nil),
        ]).map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(lines == goldenLines)
    }

    @Test("digest and chain are what SHA-256 gives for the bytes before them and the chain so far")
    func seal() throws {
        var previous: [UInt8] = Array(repeating: 0, count: 32)
        for line in Samples.lines(Samples.bodies) {
            let text = String(decoding: line.bytes, as: UTF8.self)
            let cut = try #require(text.ranges(of: ",\"digest\"").last).lowerBound
            let digest = SHA256.hash(Array(text[..<cut].utf8))
            let chain = SHA256.hash(previous + digest.withBytes { Array($0) })
            #expect(text[cut...] == ",\"digest\":\"\(digest.hex)\",\"chain\":\"\(chain.hex)\"}")
            previous = chain.withBytes { Array($0) }
        }
        // Published test vectors (FIPS 180-2), so that the hash itself is not taken on trust.
        #expect(SHA256.hash(Array("abc".utf8)).hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(SHA256.hash([]).hex == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(Digest(hex: SHA256.hash([]).hex) == SHA256.hash([]))
        #expect(Digest(hex: SHA256.hash([]).hex.uppercased()) == nil)
    }

    @Test("a later version's fields are ignored and its kinds kept by name")
    func forward() throws {
        let common = #""v":1,"seq":3,"at":"2026-03-14T22:59:00.000000Z","boot":"b","mono":5"#
        let known = try Samples.read(Array("{\(common),\"kind\":\"started\",\"new\":{\"a\":[1]},\"version\":\"9\",\"salt\":\"\"}".utf8))
        #expect(known.body == .started(version: "9"))
        let unknown = try Samples.read(Array("{\(common),\"kind\":\"quiz.opened\",\"when\":\"soon\"}".utf8))
        #expect(unknown.body == .unknown(kind: "quiz.opened"))
    }

    @Test(
        "says which field is missing or wrong",
        arguments: [
            ("\"kind\":\"started\"", .missing(field: "version")), ("\"kind\":\"started\",\"version\":1", .mistyped(field: "version")),
            ("\"version\":\"1\"", .missing(field: "kind")), ("\"kind\":\"evidence\",\"activity\":1", .missing(field: "what")),
            ("\"kind\":\"evidence\",\"activity\":-1,\"what\":\"saved\",\"when\":1", .mistyped(field: "activity")),
            ("\"kind\":\"evidence\",\"activity\":1,\"what\":\"guessed\",\"when\":1", .unknownWord(field: "what")),
            ("\"kind\":\"evidence\",\"activity\":1,\"what\":\"saved\"", .missing(field: "when")),
            ("\"kind\":\"evidence\",\"activity\":1,\"what\":\"saved\",\"first\":1,\"last\":2", .missing(field: "count")),
            ("\"kind\":\"evidence\",\"activity\":1,\"what\":\"saved\",\"when\":1.5", .mistyped(field: "when")),
            ("\"kind\":\"viewed\",\"by\":4294967296,\"byLogin\":\"x\",\"what\":\"y\"", .mistyped(field: "by")),
            ("\"kind\":\"gap\",\"cause\":\"restart\",\"from\":\"2026-02-30T00:00:00Z\",\"to\":\"\"", .mistyped(field: "from")),
            ("\"kind\":\"activity.moved\",\"activity\":1,\"document\":{\"share\":\"/s\",\"path\":\"\\\\q\"}", .mistyped(field: "path")),
            ("\"kind\":\"activity.moved\",\"activity\":1,\"document\":[]", .mistyped(field: "document")),
        ] as [(String, EntryError)])
    func errors(fields: String, error: EntryError) {
        let line = #"{"v":1,"seq":3,"at":"2026-03-14T22:59:00.000000Z","boot":"b","mono":5,"# + fields + "}"
        #expect(throws: error) { try Samples.read(Array(line.utf8)) }
    }

    @Test("a rule with absurd spans, a seq of 0 and another format are refused, not trapped on")
    func hostile() {
        let start = #"{"v":1,"seq":3,"at":"2026-03-14T22:59:00.000000Z","boot":"b","mono":5,"kind":"settings","shares":[],"classes":[],"#
        let rule = #""rule":{"name":"x","idleContinuous":1e300,"idleSavesOnly":1,"atLeast":1,"atMost":1}}"#
        #expect(throws: EntryError.mistyped(field: "idleContinuous")) { try Samples.read(Array((start + rule).utf8)) }
        #expect(throws: EntryError.mistyped(field: "seq")) { try Samples.read(Array(#"{"v":1,"seq":0,"kind":"x"}"#.utf8)) }
        #expect(throws: EntryError.version(2)) { try Samples.read(Array(#"{"v":2,"seq":1,"kind":"x"}"#.utf8)) }
        #expect(throws: EntryError.notAnObject) { try Samples.read(Array("[]".utf8)) }
        #expect(throws: EntryError.json(JSONError(.empty))) { try Samples.read([]) }
    }

    @Test("a figure that is no number becomes a note, a time beyond the calendar its edge; the line stays readable")
    func unwritable() throws {
        let item = Item(identifier: "lix", title: "LIX", value: .quantity(.nan), method: .counted)
        let facts = MetricsFacts(
            document: Samples.essay, assignment: nil, attribution: .unknown, savedAt: Samples.boot(1), size: 1, items: [item])
        let entry = Entry(
            seq: 1, at: WallTime(microseconds: 300_000_000_000_000_000), boot: Samples.bootID, mono: Samples.boot(1), body: .metrics(facts))
        let line = try #require(Samples.line(entry))
        let read = try Samples.read(line.bytes)
        #expect(read.at.rfc3339 == "9999-12-31T23:59:59.999999Z")
        guard case .metrics(let metrics) = read.body else { throw EntryError.missing(field: "metrics") }
        #expect(metrics.items.isEmpty)
        #expect(metrics.notes == [MissingItem(identifier: "lix", reason: "not a number")])
    }

    @Test("writes times and numbers as everybody else does")
    func texts() throws {
        for microseconds in [
            0, 1, -1, 999_999, 86_399_999_999, 86_400_000_000, -86_400_000_000, -86_400_000_001, 951_782_400_000_000, 1_773_529_140_000_001,
            4_102_444_799_999_999, -2_208_988_800_000_000,
        ] as [Int64] {
            let at = WallTime(microseconds: microseconds)
            let line = try #require(
                Samples.line(Entry(seq: 1, at: at, boot: Samples.bootID, mono: Samples.boot(1), body: .started(version: ""))))
            let object = try JSONValue(parsing: line.bytes)
            #expect(object["at"]?.stringValue == at.rfc3339)
        }
        for shift in [0, 7, 10, .max, -1, .min] as [Int64] {
            let body = EntryBody.clock(ClockFacts(cause: .stepped, by: shift))
            let line = try #require(Samples.line(Samples.entry(1, body)))
            #expect(String(decoding: line.bytes, as: UTF8.self).contains("\"shift\":\(shift),"))
            #expect(try Samples.read(line.bytes).body == body)
        }
    }

    @Test("a line holds the format's limit and not one byte more")
    func longest() throws {
        let empty = try #require(Samples.line(Samples.entry(1, .started(version: ""))))
        let room = JournalFormat.longestLine - empty.bytes.count
        let full = Samples.entry(1, .started(version: String(repeating: "x", count: room)))
        let line = try #require(Samples.line(full))
        #expect(line.bytes.count == JournalFormat.longestLine)
        #expect(try Samples.read(line.bytes) == full)
        let over = Samples.entry(1, .started(version: String(repeating: "x", count: room + 1)))
        #expect(Samples.line(over) == nil)
        #expect(throws: EntryError.tooLong(limit: JournalFormat.longestLine)) { try Samples.read(line.bytes + [0x20]) }
    }

    @Test("an erased line has its number, digest and chain, and no clock")
    func erased() throws {
        let line = try #require(Samples.lines([.started(version: "1")]).first)
        let entry = try Samples.read(LineParts.erased(seq: 1, digest: line.digest, chain: line.position.chain))
        #expect(entry.seq == 1)
        #expect(entry.body == .erased)
        #expect(entry.boot == BootID(text: ""))
        #expect(try Samples.read(LineParts.base(seq: 4, digest: line.digest, chain: line.position.chain)).body == .base)
    }

    @Test("no mutation of a line makes the decoder trap")
    func fuzz() {
        var state: UInt64 = 42
        func random(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % below
        }
        var read = 0
        for line in Samples.lines(Samples.bodies) {
            for _ in 0..<400 {
                var bytes = line.bytes
                for _ in 0...random(2) {
                    let place = random(bytes.count)
                    switch random(3) {
                    case 0: bytes[place] = UInt8(random(256))
                    case 1: bytes.removeSubrange(place..<min(bytes.count, place + random(12)))
                    default: bytes.insert(contentsOf: Array("-9e999\"}{[,:\\u0".utf8).prefix(random(14)), at: place)
                    }
                    if bytes.isEmpty { break }
                }
                if (try? Samples.read(bytes)) != nil { read += 1 }
                bytes.withUnsafeBytes { _ = LineParts($0) }
            }
        }
        #expect(read > 1000)
    }
}

private let goldenLines: [String] = [
    #"{"v":1,"seq":1,"at":"2026-03-14T22:59:01.000001Z","boot":"0f2d6f0c9a1b4c7f8e5d3a2b1c0d9e8f","mono":1000007,"kind":"started","version":"0.1""#
        + #","salt":"9e3779b97f4a7c15bf58476d1ce4e5b9","digest":"a98b57582547ae8e50cd2bd6a55fa14e52ece7d216d3fee1163ef6d54492e504","chain":"8d7cd654ddbacecea4a0890d211d2af8efc48dd0f1846dd2adcd8f34d711c23e"}"#,
    #"{"v":1,"seq":2,"at":"2026-03-14T22:59:02.000002Z","boot":"0f2d6f0c9a1b4c7f8e5d3a2b1c0d9e8f","mono":2000007,"kind":"evidence","activity":7,"what":"typed","first":6000007,"last":30000007,"count":12,"continuous":true"#
        + #","salt":"3c6ef372fe94f82a7eb08eda39c9cb72","digest":"aef8942bdf39b1c20ec475ac3668daea3dbf885a88f2d2191b168acf8486a7a4","chain":"df90febbff8e269897cf3f6e4b7bcf22a8da2052324f7de9c220b948513c9a32"}"#,
    #"{"v":1,"seq":3,"at":"2026-03-14T22:59:03.000003Z","boot":"0f2d6f0c9a1b4c7f8e5d3a2b1c0d9e8f","mono":3000007,"kind":"activity.moved","activity":7,"document":{"share":"/s","path":"a\\xff\\\\"}"#
        + #","salt":"daa66d2c7ddf743f3e08d64756aeb12b","digest":"70b8f9bb3587d6633ddc1e3a5d10d33a99c48ac5de90a748800ffbb5d93c3896","chain":"abf1d2372697bba36a8ace238c52d9a7b3992d82cdc48e228e76f0c8fa917550"}"#,
]
