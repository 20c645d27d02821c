// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import Testing

@Suite("JSON from elsewhere")
struct JSONParserTests {
    private func parse(_ text: String, limits: JSONLimits = .standard) throws(JSONError) -> JSONValue {
        try JSONValue(parsing: text, limits: limits)
    }

    @Test("keeps the members of an object in their order and every kind of value")
    func values() throws {
        #expect(
            try parse(#" { "b" : [ 1, -2.5, true, false, null ], "a" : { "é" : "x\n\"\u00e9\ud83d\ude00\u0000" }, "c": [] , "d": {} } "#)
                == ["b": [1, -2.5, true, false, nil], "a": ["é": "x\n\"é😀\u{0}"], "c": [], "d": [:]])
        #expect(try parse(#"{"z":1,"a":2}"#).text == #"{"z":1,"a":2}"#)
        #expect(try parse("\"x\"") == "x")
    }

    @Test("an integer keeps 64 bits with sign; one without sign becomes a number; a larger one is an error")
    func integers() throws {
        #expect(try parse("9223372036854775807") == .integer(.max))
        #expect(try parse("-9223372036854775808") == .integer(.min))
        #expect(try parse("9223372036854775808") == .number(9_223_372_036_854_775_808))
        #expect(try parse("18446744073709551615") == .number(1.8446744073709552e19))
        #expect(throws: JSONError(.numberOutOfRange, position: 1)) { try parse("[18446744073709551616]") }
        #expect(throws: JSONError(.numberOutOfRange, position: 0)) { try parse("1e999") }
        #expect(try parse("1.0") == .number(1))
    }

    @Test(
        "says what is wrong and where",
        arguments: [
            ("", .empty, nil), (" \n", .empty, nil), ("{", .unfinished, 1), ("[1,]", .unexpectedByte, 3), ("[1 2]", .unexpectedByte, 3),
            ("{\"a\" 1}", .unexpectedByte, 5), ("{a:1}", .unexpectedByte, 1), ("{\"a\":1,}", .unexpectedByte, 7),
            ("1 x", .afterTheEnd, 2), ("{} {}", .afterTheEnd, 3), ("01", .badNumber, 0), ("-", .badNumber, 0), ("1.", .badNumber, 0),
            ("1e+", .badNumber, 0), ("\"a\u{1}\"", .controlCharacter, 2), ("\"\\x\"", .badEscape, 1), ("\"\\u00g0\"", .badEscape, 1),
            ("\"abc", .unfinished, 4), ("tru", .unfinished, 3), ("trux", .unexpectedByte, 3), ("nullx", .unexpectedByte, 4),
            ("[\"\\ud800\"]", .loneSurrogate, 2), ("[\"\\udc00\"]", .loneSurrogate, 2), ("[\"\\ud800\\u0041\"]", .loneSurrogate, 2),
            ("[\"\\ud800\\ud800\"]", .loneSurrogate, 2), ("{\"a\":1,\"b\":2,\"a\":3}", .duplicateKey, nil),
            ("{\"a\":1,\"\\u0061\":2}", .duplicateKey, nil),
        ] as [(String, JSONError.Problem, Int?)])
    func errors(text: String, problem: JSONError.Problem, position: Int?) {
        #expect(throws: JSONError(problem, position: position)) { try parse(text) }
    }

    @Test("bytes that are not UTF-8 are an error at their place", arguments: [0x80, 0xc0, 0xc1, 0xe0, 0xed, 0xf4, 0xf5, 0xff] as [UInt8])
    func notUTF8(lead: UInt8) {
        let bytes = Array("[\"ab".utf8) + [lead, 0xa0, 0x80] + Array("\"]".utf8)
        if lead == 0xe0 {
            #expect(throws: Never.self) { try JSONValue(parsing: bytes) }
        } else {
            #expect(throws: JSONError(.notUTF8, position: 4)) { try JSONValue(parsing: bytes) }
        }
    }

    @Test("equal-looking keys of different bytes are different members")
    func canonicalEquivalence() throws {
        let value = try parse("{\"\u{e9}\":1,\"e\u{301}\":2}")
        #expect(value.objectValue?.members.count == 2)
    }

    @Test("a limit holds what it says and refuses one more")
    func limits() throws {
        let limits = JSONLimits(bytes: 20, depth: 3, members: 5)
        #expect(throws: Never.self) { try parse("\"" + String(repeating: "x", count: 18) + "\"", limits: limits) }
        #expect(throws: JSONError(.tooLong(limit: 20))) { try parse("\"" + String(repeating: "x", count: 19) + "\"", limits: limits) }
        for (good, bad) in [("[[[1]]]", "[[[[1]]]]"), ("[[[]]]", "[[[[]]]]"), ("[{\"a\":{}}]", "[{\"a\":[{}]}]")] {
            #expect(throws: Never.self, "\(good)") { try parse(good, limits: limits) }
            #expect(throws: JSONError(.tooDeep(limit: 3)), "\(bad)") { try parse(bad, limits: limits) }
        }
        #expect(throws: Never.self) { try parse("[1,2,3,4]", limits: limits) }
        #expect(throws: JSONError(.tooManyMembers(limit: 5))) { try parse("[1,2,3,4,5]", limits: limits) }
        #expect(throws: JSONError(.tooManyMembers(limit: 5))) {
            try parse("{\"a\":1,\"b\":{\"c\":1},\"d\":1,\"e\":1}", limits: JSONLimits(bytes: 99, depth: 3, members: 5))
        }
    }

    @Test("the standard limits hold at their edge, and the deepest nesting is bounded whatever is asked")
    func standardLimits() throws {
        let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        #expect(throws: Never.self) { try parse(nested(JSONLimits.standard.depth)) }
        #expect(throws: JSONError(.tooDeep(limit: 64))) { try parse(nested(65)) }
        let deep = JSONLimits(bytes: 1 << 20, depth: .max, members: 1 << 20)
        #expect(throws: Never.self) { try parse(nested(JSONLimits.deepest), limits: deep) }
        #expect(throws: JSONError(.tooDeep(limit: JSONLimits.deepest))) { try parse(nested(JSONLimits.deepest + 1), limits: deep) }
        #expect(throws: JSONError(.tooDeep(limit: JSONLimits.deepest))) { try parse(nested(200_000), limits: deep) }
        let members = JSONLimits.standard.members
        #expect(throws: JSONError(.tooManyMembers(limit: members))) { try parse("[" + String(repeating: "1,", count: members - 1) + "1]") }
        #expect(throws: JSONError(.tooLong(limit: 16 << 20))) {
            try JSONValue(parsing: [UInt8](repeating: 0x20, count: JSONLimits.standard.bytes) + [0x31])
        }
    }

    @Test("an object of a hundred thousand keys is read, and a double among them found")
    func manyKeys() throws {
        let keys = (0..<100_000).map { "\"k\($0)\":1" }
        #expect(try parse("{" + keys.joined(separator: ",") + "}").objectValue?.members.count == 100_000)
        #expect(throws: JSONError(.duplicateKey)) { try parse("{" + keys.joined(separator: ",") + ",\"k5\":1}") }
    }

    @Test("a parser that has failed parses on, also long after short")
    func reuse() throws {
        var parser = JSONParser()
        for length in [1, 5000, 3, 70_000, 2] {
            let value = JSONValue.array((0..<length).map { .string("é\($0)") })
            #expect(try parser.parse(value.encoded) == value)
            #expect(throws: JSONError.self) { try parser.parse(value.encoded.dropLast()) }
        }
    }

    @Test("the tree gives members, elements and scalars without making values")
    func tree() throws {
        var parser = JSONParser()
        let bytes = Array(#"{"a":[1,"two",[3]],"b":{"a":4.5},"c":true,"d":null}"#.utf8)
        let root = try parser.tree(of: bytes).root
        var elements: [JSONValue] = []
        root["a"]?.forEachElement { elements.append($0.value) }
        #expect(elements == [1, "two", [3]])
        #expect(root["b"]?["a"]?.doubleValue == 4.5)
        #expect(root["c"]?.boolValue == true)
        #expect(root["d"]?.isNull == true)
        #expect(root["ab"] == nil)
        #expect(root["b"]?["b"] == nil)
        #expect(root["c"]?["a"] == nil)
        var keys: [String] = []
        root.forEachMember { key, _ in keys.append(String(decoding: key, as: UTF8.self)) }
        #expect(keys == ["a", "b", "c", "d"])
    }

    @Test("what the writer writes the parser reads, and two independent readers agree on broken text")
    func fuzz() {
        var random = SeededRandom(seed: 20_260_314)
        let seeds = [
            #"{"v":1,"seq":12,"at":"2026-03-14T22:59:00.000000Z","boot":"00ff","mono":123456,"kind":"evidence","x":[-1.5e3,true,null,{"é😀":"\ud83d\ude00\\"}]}"#,
            #"[[],{},"",0,-0,1E5,"\u0000\uffff\"","\t"]"#, #"{"a":{"b":{"c":[[[["deep"]]]]}}}"#,
        ].map { Array($0.utf8) }
        let interesting = Array("\"\\{}[]:,0123456789.eE+-utfn/dDcC8".utf8) + [0, 0x1f, 0x7f, 0x80, 0xc3, 0xa9, 0xed, 0xa0, 0xf0, 0xff]
        var accepted = 0
        var parser = JSONParser()
        for _ in 0..<30_000 {
            var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                let byte = interesting[Int.random(in: 0..<interesting.count, using: &random)]
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = byte
                case 1: bytes.insert(byte, at: place)
                case 2: bytes.remove(at: place)
                default: bytes.removeSubrange(place...)
                }
            }
            let second = JSONScan.verdict(on: bytes)
            do throws(JSONError) {
                let value = try parser.parse(bytes)
                accepted += 1
                if second != nil { Issue.record("only the parser accepts \(String(decoding: bytes, as: UTF8.self))") }
                // A whole number is written without its point, so that it comes back as an integer: the same text, not the same case.
                let again = try JSONValue(parsing: value.encoded)
                if again.encoded != value.encoded { Issue.record("no round trip of \(String(decoding: bytes, as: UTF8.self))") }
            } catch {
                let agrees = second.map { $0 == error } ?? (error.problem == .duplicateKey)
                if !agrees { Issue.record("\(error) against \(String(describing: second)) for \(String(decoding: bytes, as: UTF8.self))") }
            }
        }
        #expect(accepted > 1000)
    }
}

/// The same numbers in every run (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
