// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite(
    "Assignments that are over", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")),
    .enabled(if: Programs.built("benchmarks") != nil, "benchmarks is not built"))
struct IndexFileTests {
    private func indexes(_ school: School) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: school.state + "/journal").filter { $0.hasSuffix(".evidence") }.sorted()
            .map { "\(school.state)/journal/\($0)" }
    }

    /// The rows of some tables, without the lines that tell what time it is, and sessions.
    private func answers(_ school: School) throws -> [String] {
        var all: [String] = []
        for number in [0, 17, 39] {
            for words in [[], ["--rule", "idle-continuous=10m"]] {
                let outcome = try school.daybook(["report", "class\(number)/task 1"] + words)
                #expect(outcome.status == 0, "\(outcome)")
                all += outcome.output.split(separator: "\n").dropFirst(2).map(String.init)
            }
        }
        return all + [try school.daybook(["sessions", "--person", "student1430", "--json"]).output]
    }

    @Test("leave the daemon's memory for index files, and their tables stay as they were, whatever happens to the files")
    func answersStay() async throws {
        let school = try School(extra: "[retention]\nevidence = \"36500d\"\ntotals = \"36500d\"\nleavers = \"36500d\"\n")
        let program = try #require(Programs.built("benchmarks"))
        try FileManager.default.removeItem(atPath: school.state)
        #expect(try Child.run([program, "--entries", "100000", "make-school", school.state]).status == 0)
        try await school.start()
        let before = try answers(school)
        #expect(before.count > 100 && before.joined().contains("min"))
        try await school.eventually("index files and a snapshot", within: 60) {
            try self.indexes(school).count == 40 && FileManager.default.fileExists(atPath: school.state + "/ledger.snapshot")
        }
        #expect(try answers(school) == before)
        #expect(try school.verifies())

        // A start relies on them.
        school.end(SIGTERM)
        try await school.start()
        #expect(try school.startedWithSnapshot().snapshot != nil)
        #expect(try answers(school) == before)

        // Made shorter under the daemon.
        for path in try indexes(school) { #expect(truncate(path, 300) == 0) }
        #expect(try answers(school) == before)
        #expect(try school.said().contains("does not give its bytes any more"))
        #expect(school.pid != nil, "it goes on")

        // Damaged or deleted before a start: read from the journal.
        school.end(SIGKILL)
        try await school.start()
        #expect(try school.startedWithSnapshot().snapshotReason?.contains("index of an ended assignment") == true)
        #expect(try answers(school) == before)
        try await school.eventually("whole ones take their place", within: 60) { try self.indexes(school).count == 40 }
        #expect(try answers(school) == before)

        // Somebody in one of them is forgotten, and it is written anew without them.
        let first = Set(try indexes(school))
        let done = try school.daybook(["forget", "student1999", "--yes"])
        #expect(done.status == 0, "\(done)")
        try await school.eventually("another one for their class", within: 60) {
            let now = Set(try self.indexes(school))
            return now.count == 40 && now.subtracting(first).count == 1
        }
        let names = try #require(FileManager.default.enumerator(atPath: school.state))
        for case let name as String in names {
            let bytes = FileManager.default.contents(atPath: "\(school.state)/\(name)") ?? Data()
            for word in ["student1999", "\"uid\":20999"] { #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) in \(name)") }
        }
        #expect(try school.verifies())
        school.end(SIGKILL)
        try await school.start()
        #expect(try school.daybook(["show", "student1999"]).status == 1)
        #expect(try school.daybook(["report", "class17/task 1"]).status == 0)
    }
}
