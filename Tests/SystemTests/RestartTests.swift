// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("A daemon that ends amid a session", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct RestartTests {
    @Test("killed and started again: the journal verifies, the session goes on, the hole is a gap", arguments: [SIGKILL, SIGTERM])
    func restart(signal: Int32) async throws {
        let school = try School()
        try school.put("Hamlet waits.\n", "essay.txt", for: .berg)
        try await school.start()
        let terminal = try await Terminal(.berg, in: school)
        let opened = try await terminal.vim("essay.txt", shows: "Hamlet waits")
        try await terminal.vimAppends("To be or not to be.")
        try await school.words(of: "essay.txt", by: .berg, are: 8)
        let before = try #require(try school.sessions(of: "essay.txt").first)
        #expect(before.closedAt == nil)

        school.end(signal)
        #expect(try school.verifies(), "while nobody writes it")
        try await terminal.vimAppends("That is the question.")
        try await school.start()
        #expect(try school.verifies())
        // What was saved meanwhile is found.
        try await school.words(of: "essay.txt", by: .berg, are: 12)
        let during = try school.sessions(of: "essay.txt")
        #expect(during.map(\.openedAt) == [before.openedAt])
        #expect(during.map(\.closedAt) == [nil])

        let times = try await terminal.vimQuits(opened: opened)
        let sessions = try await school.ended("essay.txt")
        try #require(sessions.count == 1)
        expect(sessions[0], by: .berg, took: times, in: "vim, over a restart by signal \(signal)")
        #expect(sessions[0].openedAt == before.openedAt)
        #expect(sessions[0].saves == 2)
        #expect(try school.student(.berg).assignments.first?.gaps.map(\.cause) == ["restart"])
        #expect(try school.journal().count { $0.contains("\"kind\":\"gap\"") } == 1)
        #expect(try school.verifies())
    }
}
