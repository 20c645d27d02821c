// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The snapshot of the ledger", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct SnapshotTests {
    private struct Work: Decodable {
        var document: String
        var openedAt: String
        var saves: Int
    }

    @Test("is written while the daemon runs; a killed daemon starts with it, a damaged one is thrown away, and answers are the same")
    func start() async throws {
        let school = try School()
        let configuration = school.folder + "/config.toml"
        let text = try String(contentsOfFile: configuration, encoding: .utf8) + "\n[journal]\nsnapshot-entries = 1\n"
        try text.write(toFile: configuration, atomically: true, encoding: .utf8)
        try school.put("Hamlet waits.\n", "essay.txt", for: .berg)
        try await school.start()
        try await school.eventually("the folder is an assignment") { try school.daybook(["report", "Hamlet essay"]).status == 0 }
        let path = school.work(.berg) + "/essay.txt"
        _ = try Child.run(school.command(["sh", "-c", "echo To be or not to be. >> '\(path)'"], as: .berg))
        try await school.words(of: "essay.txt", by: .berg, are: 8)
        let snapshot = school.state + "/ledger.snapshot"
        func names() -> Bool { FileManager.default.contents(atPath: snapshot)?.range(of: Data("essay.txt".utf8)) != nil }
        try await school.eventually("a snapshot has the document") { names() }
        let mode = try FileManager.default.attributesOfItem(atPath: snapshot)[.posixPermissions] as? Int
        #expect(mode == 0o600)

        func answers() throws -> [String] {
            // What grows with time is left out.
            try (school.read(["sessions"]) as [Work]).map { "\($0.document) \($0.openedAt) \($0.saves)" }
                + [try school.student(.berg).assignments.first?.saves.description ?? ""]
        }
        let before = try answers()
        school.end(SIGKILL)
        try await school.start()
        #expect(try school.startedWithSnapshot().snapshot != nil)
        #expect(try answers() == before)
        #expect(try school.daybook(["status"]).output.contains("started with the snapshot of entry"))

        school.end(SIGKILL)
        var bytes = try Data(contentsOf: URL(filePath: snapshot))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: snapshot))
        try await school.start()
        let use = try school.startedWithSnapshot()
        #expect(use.snapshot == nil && use.snapshotReason == "it is damaged")
        #expect(try school.said().contains("the journal was read from its beginning"))
        #expect(try answers() == before)
        try await school.eventually("a good one takes its place") { names() }
        school.end(SIGTERM)
        try await school.start()
        #expect(try school.startedWithSnapshot().snapshot != nil)
        #expect(try answers() == before)
        #expect(try school.verifies())
    }
}
