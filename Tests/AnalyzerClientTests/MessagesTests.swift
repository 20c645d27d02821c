// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import DaybookJSON
import Testing

@Suite("A message of the analyzer's protocol")
struct MessagesTests {
    @Test("has the keys and the order that programs rely on")
    func form() {
        let measurement = Measurement(
            format: "docx", language: nil,
            items: [
                Item(identifier: "total_word_count", title: "Word Count", value: .quantity(558), method: .counted),
                Item(identifier: "quiz_score", title: "Quiz", value: .score(7.5, max: 10), method: .counted),
                Item(identifier: "question_1", title: "1", value: .binary(true, type: .correctIncorrect), method: .declared),
            ], notes: [MissingItem(identifier: "lix", reason: "too short")])
        let text = JSONValue.object(measurement.json(after: ["file": "a.docx"])).text
        #expect(
            text
                == #"{"file":"a.docx","format":"docx","language":null,"items":["#
                + #"{"identifier":"total_word_count","title":"Word Count","kind":"quantity","value":558,"method":"counted"},"#
                + #"{"identifier":"quiz_score","title":"Quiz","kind":"score","score":7.5,"maxScore":10,"method":"counted"},"#
                + #"{"identifier":"question_1","title":"1","kind":"binary","value":true,"valueType":"correctIncorrect","method":"declared"}],"#
                + #""notes":[{"identifier":"lix","reason":"too short"}],"error":null}"#)
        #expect((try? JSONValue(parsing: text)).flatMap(Measurement.init(json:)) == measurement)
    }

    @Test("of another version is no request, and unknown members are no harm")
    func requests() throws {
        let request = AnalyzerRequest(id: 7, name: "essay.odt", analyzers: ["odt"])
        #expect(JSONValue.object(request.json).text == #"{"version":1,"id":7,"name":"essay.odt","analyzers":["odt"]}"#)
        #expect(AnalyzerRequest(json: .object(request.json)) == request)
        #expect(AnalyzerRequest(json: try JSONValue(parsing: #"{"version":2,"id":7,"name":"a"}"#)) == nil)
        #expect(AnalyzerRequest(json: try JSONValue(parsing: #"{"version":1,"name":"a"}"#)) == nil)
        #expect(AnalyzerRequest(json: try JSONValue(parsing: #"{"version":1,"id":7,"new":[]}"#)) == AnalyzerRequest(id: 7, name: ""))
    }
}
