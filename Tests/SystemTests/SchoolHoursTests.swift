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

    private struct Recording: Decodable {
        var state: String
        var reason: String?
        var until: String?
        var by: String?
    }

    private func why(_ school: School) throws -> Recording? {
        struct Line: Decodable { var recording: Recording }
        return try (school.read(["status"]) as [Line]).first?.recording
    }

    private func recording(_ school: School) throws -> String { try why(school)?.state ?? "" }

    /// As a reader sees it, on one line.
    private func text(_ school: School, as person: School.Person? = nil) throws -> String {
        let outcome = try person.map { try school.daybook(["status"], as: $0) } ?? school.daybook(["status"])
        return outcome.output.replacing(/\n +/, with: " ")
    }

    /// By the student, not by root for them.
    @Test("pauses while it is not school, goes on when it is, and leaves alone what somebody switched off")
    func borders() async throws {
        let school = try School()
        try configure(school, isSchool: false)
        try await school.start()
        try await school.eventually("it is paused") { try recording(school) == "paused" }
        let hours = try why(school)
        #expect(hours?.reason == "hours" && hours?.until != nil && hours?.by == nil)
        #expect(try text(school).contains(Regex("Recording +paused since [^,]*, outside school hours; goes on by itself [A-Z]")))
        try school.write("one two", "evening.txt", as: .berg)
        // A restart does not switch it on.
        school.end(SIGTERM)
        try await school.start()
        #expect(try recording(school) == "paused")
        try configure(school, isSchool: true)
        kill(try #require(school.pid), SIGHUP)
        try await school.eventually("it is on") { try recording(school) == "on" }
        #expect(try why(school)?.reason == "lessons")
        #expect(try text(school, as: .berg).contains(", for school hours only"))
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
        let off = try why(school)
        #expect(off?.reason == "switched" && off?.by == "root" && off?.until == nil)
        #expect(try text(school).contains(Regex("Recording +off since [^,]*, switched by root")))
        // Who it was is for administrators.
        #expect(try text(school, as: .kelly).contains(Regex("Recording +off since [^,]*, switched by an administrator")))
        #expect(try school.verifies())
    }

    @Test("says that it is for the holidays, and until when; what somebody paused waits for them")
    func holidays() async throws {
        let school = try School()
        try configure(school, isSchool: true)
        let file = school.folder + "/config.toml"
        let format = DateFormatter()
        format.dateFormat = "yyyy-MM-dd"
        let (first, last) = (
            format.string(from: Date(timeIntervalSinceNow: -86_400)), format.string(from: Date(timeIntervalSinceNow: 86_400))
        )
        let next = format.string(from: Date(timeIntervalSinceNow: 2 * 86_400))
        try (String(contentsOfFile: file, encoding: .utf8) + "holidays = [\"\(first) \(last)\"]\n").write(
            toFile: file, atomically: true, encoding: .utf8)
        try await school.start()
        try await school.eventually("it is paused") { try recording(school) == "paused" }
        #expect(try why(school)?.reason == "holidays")
        let until = try #require(
            try why(school)?.until.flatMap { try? Date($0, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)) })
        #expect(format.string(from: until) == next)
        #expect(try text(school).contains(", for the holidays; goes on by itself "))
        #expect(try school.daybook(["recording", "pause"]).status == 0)
        let paused = try why(school)
        #expect(paused?.reason == "switched" && paused?.until == nil && paused?.by == "root", "\(String(describing: paused))")
        #expect(try text(school).contains("switched by root; goes on with 'daybook recording on'"))
        // Switched on it is on for school, and waits for that.
        let on = try school.daybook(["recording", "on"])
        #expect(on.status == 0 && on.output.contains("for school hours only: it is paused now, and goes on by itself"), "\(on)")
        try await school.eventually("it is paused by itself again") { try why(school)?.reason == "holidays" }
    }
}
