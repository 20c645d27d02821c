// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Foundation
import JournalFormat
import Testing

@Suite("The format's page")
struct PageTests {
    private func page() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("Documentation/Journal.md"), encoding: .utf8)
    }

    /// The row of a table that begins with the kind.
    private func tableRow(of kind: String, in page: String) -> Substring? {
        page.split(separator: "\n").first { $0.hasPrefix("| `") && $0.split(separator: "|")[0].contains("`\(kind)`") }
    }

    @Test("has every kind with every field that its lines have, and every word of a choice")
    func complete() throws {
        let page = try page()
        let common: Set = ["v", "seq", "at", "boot", "mono", "kind", "salt", "digest", "chain"]
        for line in Samples.lines(Samples.bodies.filter { if case .unknown = $0 { false } else { true } }) {
            let object = try #require(JSONValue(parsing: line.bytes).objectValue)
            let kind = try #require(object["kind"]?.stringValue)
            let row = try #require(tableRow(of: kind, in: page), "\(kind) has no row")
            for key in object.members.map(\.key) where !common.contains(key) {
                // The forms of evidence's time have a table of their own.
                let place = kind == "evidence" && key != "activity" && key != "what" ? page[...] : row
                #expect(place.contains("`\(key)`"), "\(kind) has no \(key)")
            }
        }
        for word in [
            ["opened", "closed", "saved", "typed", "read", "lock-appeared", "lock-vanished", "lock-changed", "brought-in"],
            IdentitySource.allCases.map(\.rawValue), Confidence.allCases.map(\.rawValue),
        ].joined() {
            #expect(page.contains("`\(word)`"), "\(word)")
        }
    }

    @Test("shows a line that is one")
    func example() throws {
        let page = try page()
        let line = try #require(page.split(separator: "\n").first { $0.hasPrefix("{\"v\":1") })
        #expect(line.utf8.elementsEqual(Samples.exampleLine))
        #expect(try Samples.read(Array(line.utf8)).seq == 2)
    }
}

extension Samples {
    static var exampleLine: [UInt8] {
        lines([
            .started(version: "0.1"),
            .session(
                .evidence(ActivityID(7), Evidence(.typed, first: boot(6), last: boot(30), count: 12, isContinuous: true)), assignment: nil),
        ])[1].bytes
    }
}
