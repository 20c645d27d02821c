// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import DaybookJSON
import Testing

@Suite("The answer of an external analyzer")
struct ExternalProtocolTests {
    private func answer(_ text: String) -> Result<Measurement, ExternalProtocol.Refusal> {
        do { return .success(try ExternalProtocol.answer(Array(text.utf8))) } catch { return .failure(error) }
    }

    private func reason(_ text: String) -> String? {
        if case .failure(let refusal) = answer(text) { refusal.reason } else { nil }
    }

    private func items(_ list: String) -> String { "{\"version\":1,\"items\":[\(list)]}" }

    @Test("holds items of three kinds, a format, a language and notes")
    func good() {
        let text = """
            {"version":1,"format":"sb3","language":"en","items":[
              {"identifier":"sprites","title":"Sprites","kind":"quantity","value":4},
              {"identifier":"mark","title":"Mark","kind":"score","score":3.5,"maxScore":5,"method":"estimated"},
              {"identifier":"runs","kind":"binary","value":true,"valueType":"passFail"}],
             "notes":[{"identifier":"loops","reason":"the project has none"}],"error":null,"new":1}
            """
        #expect(
            answer(text)
                == .success(
                    Measurement(
                        format: "sb3", language: "en",
                        items: [
                            Item(identifier: "sprites", title: "Sprites", value: .quantity(4), method: .counted),
                            Item(identifier: "mark", title: "Mark", value: .score(3.5, max: 5), method: .estimated),
                            Item(identifier: "runs", title: "runs", value: .binary(true, type: .passFail), method: .counted),
                        ], notes: [MissingItem(identifier: "loops", reason: "the project has none")])))
        #expect(answer(#"{"version":1,"error":"no project in it"}"#) == .success(Measurement(error: "no project in it")))
    }

    @Test(
        "is refused with a reason where it is none",
        arguments: [
            ("", "no answer"), ("  \n", "no answer"), ("nonsense", "no JSON"), ("[]", "version"), (#"{"version":2,"items":[]}"#, "version"),
            (#"{"version":1,"items":{}}"#, "no list"), (#"{"version":1,"items":[1]}"#, "item 1 has no identifier"),
            (#"{"version":1,"items":[{"identifier":"Über"}]}"#, "item 1 has no identifier"),
            (#"{"version":1,"items":[{"identifier":"a"}]}"#, "the kind of a"),
            (#"{"version":1,"items":[{"identifier":"a","kind":"quantity","value":"3"}]}"#, "no number"),
            (#"{"version":1,"items":[{"identifier":"a","kind":"quantity","value":1e300}]}"#, "no number"),
            (#"{"version":1,"items":[{"identifier":"a","kind":"score","score":1,"maxScore":0}]}"#, "not above 0"),
            (#"{"version":1,"items":[{"identifier":"a","kind":"binary","value":1}]}"#, "neither true nor false"),
            (#"{"version":1,"items":[{"identifier":"a","kind":"binary","value":true,"valueType":"x"}]}"#, "valueType"),
            (#"{"version":1,"items":[{"identifier":"a","kind":"quantity","value":1,"method":"guessed"}]}"#, "method"),
            (#"{"version":1,"items":[{"identifier":"a","title":"\u001b[31m","kind":"quantity","value":1}]}"#, "cannot be seen"),
            (#"{"version":1,"items":[{"identifier":"a","title":"\u202e","kind":"quantity","value":1}]}"#, "cannot be seen"),
            (
                #"{"version":1,"items":[{"identifier":"a","kind":"quantity","value":1},{"identifier":"a","kind":"quantity","value":1}]}"#,
                "twice"
            ),
            (#"{"version":1,"error":5}"#, "no text"), (#"{"version":1,"format":"A B"}"#, "format"),
        ])
    func bad(text: String, expected: String) {
        #expect(reason(text)?.contains(expected) == true, "\(reason(text) ?? "taken")")
    }

    @Test("is refused one item, one character, one byte beyond a limit, and taken at it")
    func limits() {
        func many(_ count: Int) -> String {
            items((0..<count).map { "{\"identifier\":\"i\($0)\",\"kind\":\"quantity\",\"value\":1}" }.joined(separator: ","))
        }
        #expect(reason(many(ExternalProtocol.itemLimit)) == nil)
        #expect(reason(many(ExternalProtocol.itemLimit + 1))?.contains("at most 64") == true)
        func titled(_ count: Int) -> String {
            items("{\"identifier\":\"a\",\"title\":\"\(String(repeating: "t", count: count))\",\"kind\":\"quantity\",\"value\":1}")
        }
        #expect(reason(titled(ExternalProtocol.titleLimit)) == nil)
        #expect(reason(titled(ExternalProtocol.titleLimit + 1))?.contains("longer than 80") == true)
        let whole = items("")
        let padding = String(repeating: " ", count: ExternalProtocol.answerLimit - whole.utf8.count)
        #expect(reason(whole + padding) == nil)
        #expect(reason(whole + padding + " ")?.contains("longer than") == true)
        #expect(reason(String(repeating: "[", count: 100_000)) != nil)
    }

    @Test("survives every cut and flip")
    func damage() {
        let whole = Array(items(#"{"identifier":"a","title":"Title","kind":"score","score":3,"maxScore":4,"method":"counted"}"#).utf8)
        for length in 0..<whole.count { #expect(reason(String(decoding: whole.prefix(length), as: UTF8.self)) != nil, "cut at \(length)") }
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= UInt8(1 << (index % 8))
            // Either refused or a whole measurement; what is taken is within its limits.
            if let taken = try? ExternalProtocol.answer(damaged) { #expect(taken.items.count <= 1) }
        }
    }

    @Test("adds what nobody counted, keeps what is counted, and names what is too much")
    func merge() {
        let words = Item(identifier: "total_word_count", title: "Word Count", value: .quantity(5), method: .counted)
        let other = Item(identifier: "total_word_count", title: "Words", value: .quantity(99), method: .counted)
        let sprites = Item(identifier: "sprites", title: "Sprites", value: .quantity(4), method: .counted)
        let extra = Item(identifier: "extra", title: "Extra", value: .quantity(1), method: .counted)
        let analyzer = ExternalAnalyzer(name: "scratch", command: ["/x"], items: ["sprites", "total_word_count"])
        var measured = Measurement(format: "txt", items: [words], notes: [MissingItem(identifier: "sprites", reason: "?")])
        measured.add(.success(Measurement(format: "sb3", items: [other, sprites, extra])), of: analyzer)
        #expect(measured.items == [words, sprites])
        #expect(measured.format == "txt")
        #expect(measured.notes.map(\.identifier) == ["scratch", "scratch"])
        #expect(measured.notes.map(\.reason).contains { $0.contains("does not name: extra") })
        #expect(measured.notes.map(\.reason).contains { $0.contains("counted already: total_word_count") })

        var unknown = Measurement(error: "no analyzer for this format")
        unknown.add(.failure(.init(reason: "it gave no answer")), of: analyzer)
        #expect(unknown.error == "no analyzer for this format")
        unknown.add(.success(Measurement(format: "sb3", items: [sprites])), of: analyzer)
        #expect(unknown.error == nil)
        #expect(unknown.format == "sb3")
        #expect(unknown.items == [sprites])
        #expect(unknown.notes.last == MissingItem(identifier: "total_word_count", reason: "no analyzer for this format"))
    }

    @Test("comes from a program that is described the same on both sides")
    func description() throws {
        let analyzer = ExternalAnalyzer(
            name: "scratch", command: ["/usr/bin/x", "-a"], items: ["sprites"], seconds: 3, megabytes: 64, processes: 1)
        #expect(ExternalAnalyzer(json: .object(analyzer.json)) == analyzer)
        let least = try JSONValue(parsing: #"{"name":"a","command":["/x"]}"#)
        #expect(ExternalAnalyzer(json: least) == ExternalAnalyzer(name: "a", command: ["/x"]))
        for bad in [
            #"{"name":"A","command":["/x"]}"#, #"{"name":"a","command":["x"]}"#, #"{"name":"a","command":[]}"#,
            #"{"name":"a","command":["/x"],"seconds":0}"#, #"{"name":"a","command":["/x"],"processes":65}"#,
        ] {
            #expect(ExternalAnalyzer(json: try JSONValue(parsing: bad)) == nil, "\(bad)")
        }
        let request = AnalyzerRequest(id: 1, name: "a", external: [analyzer], seconds: 9, megabytes: 128)
        #expect(AnalyzerRequest(json: .object(request.json)) == request)
    }
}
