// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("Recording in school hours only", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct SchoolHoursTests {
    /// Hours that have now in them, or that have it not: all days but today, yesterday and tomorrow.
    private func configure(_ school: School, isSchool: Bool) throws {
        let file = school.folder + "/config.toml"
        let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let today = Calendar(identifier: .gregorian).component(.weekday, from: Date()) - 1
        let days = isSchool ? names : (2...5).map { names[(today + $0) % 7] }
        let hours = days.map { "\"\($0) 00:00-24:00\"" }.joined(separator: ", ")
        let text =
            try String(contentsOfFile: file, encoding: .utf8)
            .replacing("enabled = true\n[watch]", with: "enabled = true\nwhen = \"school-hours\"\n[watch]")
            .replacing(/\[school\]\nhours = .*\n/, with: "") + "[school]\nhours = [\(hours)]\n"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
    }

    private func recording(_ school: School) throws -> String {
        struct Line: Decodable {
            struct Recording: Decodable { var state: String }
            var recording: Recording
        }
        return try (school.read(["status"]) as [Line]).first?.recording.state ?? ""
    }

    /// By the student, not by root for them.
    @Test("pauses while it is not school, goes on when it is, and leaves alone what somebody switched off")
    func borders() async throws {
        let school = try School()
        try configure(school, isSchool: false)
        try await school.start()
        try await school.eventually("it is paused") { try recording(school) == "paused" }
        try school.write("one two", "evening.txt", as: .berg)
        // A restart does not switch it on.
        school.end(SIGTERM)
        try await school.start()
        #expect(try recording(school) == "paused")
        try configure(school, isSchool: true)
        kill(try #require(school.pid), SIGHUP)
        try await school.eventually("it is on") { try recording(school) == "on" }
        try school.write("one two three", "lesson.txt", as: .berg)
        try await school.words(of: "lesson.txt", by: .berg, are: 3)
        #expect(try !school.journal().contains { $0.contains("evening.txt") })
        let switches = try school.journal().filter { $0.contains("\"kind\":\"recording\"") }
        #expect(switches.count { $0.contains("\"scheduled\":true") } == 2, "\(switches)")
        #expect(try school.daybook(["recording", "off"]).status == 0)
        kill(try #require(school.pid), SIGHUP)
        try await school.eventually("the configuration was read") {
            try school.journal().count { $0.contains("\"kind\":\"settings\"") } >= 4
        }
        #expect(try recording(school) == "off")
        #expect(try school.verifies())
    }
}
