// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The demo")
struct DemoTests {
    private static let script = Box.package.appending(path: "Demo/demo.sh").path
    private static let isBuilt = FileManager.default.isExecutableFile(atPath: Box.package.appending(path: ".build/release/daybookd").path)

    @Test(
        "shows in the teacher's table what each student of the made-up class did",
        .enabled(if: isBuilt, "the programs are not built as they are installed (make build)"))
    func school() async throws {
        let outcome = try await Box.run(["timeout", "180", Self.script, "--once"])
        #expect(outcome.status == 0, "\(outcome)")
        let table = outcome.output.split(separator: "\n").drop { !$0.hasPrefix("Hamlet essay · class 8b · due ") }.map(String.init)
        // What was written is in the scripts; the times are those of this run.
        for (student, state, words) in [
            ("Abara, Chidi", "working now", nil), ("Berg, Jonas", "started", "540"), ("Castellanos-Ruiz, A", "started", "188"),
            ("Evans, Rhys", "brought in", "301"), ("Fofanah, Isatu", "not started", nil), ("Grant, Ola", "not started", nil),
            ("Haddad, Sami", "recording off", nil), ("Ito, Ren", "started", "540"), ("Jansson, Mia", "started", "188"),
            ("Demir, Elif", "", "505"),
        ] as [(String, String, String?)] {
            let row = table.first { $0.hasPrefix(student) } ?? ""
            #expect(row.contains(state.isEmpty ? student : " \(state)"), "\(student): \(outcome)")
            if let words { #expect(row.contains(" \(words) "), "\(student): \(outcome)") }
        }
        // The same as pages.
        #expect(
            outcome.output.contains("/pages/8b/hamlet-essay/index.html") && outcome.output.contains("Hamlet essay · 8b, made "),
            "\(outcome)")
        #expect(outcome.output.contains("10 students have pages of their own"), "\(outcome)")
        // Nothing stays.
        let places = outcome.output.matches(of: /\/var\/tmp\/daybook-demo\.[A-Za-z0-9]+/).map { String($0.output) }
        #expect(!places.isEmpty)
        for place in Set(places) { #expect(!FileManager.default.fileExists(atPath: place)) }
        #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: Box.package.appending(path: "demo").path)) == nil)
    }
}
