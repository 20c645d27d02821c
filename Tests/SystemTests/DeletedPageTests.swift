// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The page of a deleted assignment", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct DeletedPageTests {
    @Test("goes with it")
    func goes() async throws {
        let folder = "/var/tmp/daybook-deleted-\(UUID().uuidString.prefix(8).lowercased())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let school = try School(extra: "[pages]\ndirectory = \"\(folder)\"\ninterval = \"1s\"\n")
        try await school.start()
        func pages() throws -> [String] {
            try Child.run(["find", folder, "-name", "index.html"]).output.split(separator: "\n").map(String.init)
        }
        let page = folder + "/8b/hamlet-essay/index.html"
        try await school.eventually("the page is there") { try pages().contains(page) }
        let deleted = try school.daybook(["assignment", "delete", "Hamlet essay", "--yes"], as: .kelly)
        #expect(deleted.status == 0, "\(deleted)")
        try await school.eventually("the page is gone") { try !pages().contains(page) }
    }
}
