// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The newest checkpoint", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct CheckpointStatusTests {
    private struct Status: Decodable {
        struct Journal: Decodable {
            struct Checkpoint: Decodable {
                var seq: Int
                var at: String?
                var key: String
            }
            var lastSeq: Int
            var checkpoint: Checkpoint?
        }
        var journal: Journal
    }

    @Test("is shown by status and missed by doctor, before and after the stop that signs the first one", .timeLimit(.minutes(1)))
    func status() async throws {
        let school = try School()
        try await school.start()
        let first = try #require((try school.read(["status"]) as [Status]).first).journal
        #expect(first.checkpoint == nil)
        let said = "no checkpoint was signed yet"
        #expect(try school.daybook(["doctor", "--config", school.folder + "/config.toml"]).output.contains(said))
        #expect(try school.daybook(["status"]).output.contains("none was signed yet"))

        school.end(SIGTERM)
        try await school.start()
        let second = try #require((try school.read(["status"]) as [Status]).first).journal
        let checkpoint = try #require(second.checkpoint)
        #expect(checkpoint.seq >= first.lastSeq && checkpoint.seq < second.lastSeq)
        #expect(try #require(checkpoint.at).hasPrefix("20"))
        let key = try school.daybook(["verify", "--print-key", school.state]).output
        #expect(key.hasPrefix(checkpoint.key + "+"))
        #expect(!(try school.daybook(["doctor", "--config", school.folder + "/config.toml"]).output.contains(said)))
        #expect(try school.daybook(["status"]).output.contains("Checkpoint  up to entry"))
    }
}
