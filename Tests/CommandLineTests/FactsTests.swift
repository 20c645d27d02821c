// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Foundation
import Reports
import Settings
import Testing

@testable import daybook

@Suite("The sheet of facts for data protection")
struct FactsTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func document(_ name: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: "Documentation/\(name)"), encoding: .utf8)
    }

    @Test("the documentation has the table that the program prints of the shipped configuration")
    func documented() throws {
        let sheet = FactSheet(try Settings.load(Self.root.path + "/config.example.toml").facts(version: "x"))
        let page = try document("DataProtection.md")
        #expect(page.contains(sheet.table))
        for line in FactSheet.notTaken { #expect(page.contains("* " + line)) }
        let spans = sheet.settings.filter { $0.key.hasPrefix("retention.") }.map(\.value)
        #expect(spans == ["60 days", "400 days", "90 days", "400 days"])
        let notice = try document("NoticeToStudents.md")
        for span in spans { #expect(notice.contains("[\(span)]")) }
        #expect(page.components(separatedBy: FactSheet.mustNot.prefix(12)).count > 1)
    }

    @Test("says what is in force, also for ever and without a class")
    func values() throws {
        var settings = Settings()
        settings.retention.evidence = Settings.Retention.longest
        settings.retention.viewed = .seconds(90)
        settings.recording.enabled = true
        settings.access.viewAs = true
        settings.server.logNames = true
        settings.pages.directory = "/srv/pages"
        let facts = settings.facts(version: "9")
        let sheet = FactSheet(facts)
        #expect(sheet.items.first { $0.what.hasPrefix("Sessions") }?.kept == "for ever")
        #expect(sheet.items.first { $0.what.hasPrefix("Looks") }?.kept == "90 s")
        let values = Dictionary(uniqueKeysWithValues: sheet.settings.map { ($0.key, $0.value) })
        #expect(values["recording.enabled"] == "recording is on from the start")
        #expect(values["share.layout"] == "nothing is watched")
        #expect(values["class"]?.contains("a trial") == true)
        #expect(values["access.view-as"]?.hasPrefix("administrators may") == true)
        #expect(values["pages.directory"] == "pages are published")
        #expect(sheet.items.last?.kept.hasPrefix("as long as") == true)
        #expect(values["server.log-names"] == "the systemd journal has names")
        #expect(try RunningFacts(json: facts.json) == facts)
        for state in [RecordingChange.State.on, .off, .paused] {
            let running = settings.facts(version: "9", recording: state)
            #expect(try RunningFacts(json: running.json) == running)
            #expect(FactSheet(running).settings[0].value == "recording is \(state.rawValue)")
        }
    }

    @Test("a table cell cannot end its row, and a terminal gets no control characters")
    func hostile() throws {
        var facts = Settings().facts(version: "1|2\n3")
        facts.layouts = ["{person}/a|b\u{1B}[2J/{document}"]
        let sheet = FactSheet(facts)
        let row = try #require(sheet.markdown.split(separator: "\n").first { $0.hasPrefix("| `share.layout`") })
        #expect(row.contains("a\\|b"))
        #expect(!sheet.text(.plain).contains("\u{1B}"))
        #expect(sheet.text(TextStyle(width: 40, isUTF8: false)).split(separator: "\n").allSatisfy { $0.count <= 60 })
    }

    @Test("the program prints it of a configuration, and says what is wrong with a bad one")
    func program() throws {
        let config = Self.root.path + "/config.example.toml"
        let text = try Program.run(["facts", "--config", config])
        #expect(text.code == 0 && text.output.contains("retention.evidence     60 days"), "\(text)")
        let markdown = try Program.run(["facts", "--config", config, "--markdown"])
        #expect(markdown.output.hasPrefix("# What Daybook keeps\n"))
        let json = try JSONValue(parsing: try Program.run(["facts", "--config", config, "--json"]).output.dropLast().description)
        #expect(json["items"]?.arrayValue?.count == 16)
        let folder = try Folder()
        let bad = try folder.write("[server]\nsocket = 5\n", to: "bad.toml")
        let refused = try Program.run(["facts", "--config", bad])
        #expect(refused.code == 1 && refused.errors.contains("1 mistake") && refused.errors.contains("config check"), "\(refused)")
        #expect(try Program.run(["facts", "--socket", folder.path + "/none"]).code == 3)
        #expect(try Program.run(["facts", "more"]).code == 2)
    }
}
