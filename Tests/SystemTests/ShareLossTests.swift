// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The share as a mount: another folder, bound to its place.
private final class Mount {
    private let share: String
    private let store: String

    /// Moves what is in the share so far to the folder behind it.
    init(_ school: School) throws {
        share = school.share
        store = school.folder + "/store"
        try FileManager.default.moveItem(atPath: share, toPath: store)
        try FileManager.default.createDirectory(atPath: share, withIntermediateDirectories: false)
        try mount()
    }

    deinit { _ = try? Child.run(["umount", share]) }

    func mount() throws { try run(["mount", "--bind", store, share]) }

    func unmount() throws { try run(["umount", share]) }

    private func run(_ words: [String]) throws {
        let outcome = try Child.run(words)
        guard outcome.status == 0 else { throw School.Failed(description: "\(words) \(outcome)") }
    }
}

@Suite("A share that goes and comes back", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct ShareLossTests {
    @Test("unmounted and mounted again amid a session: the session goes on, and the hole is a gap", arguments: School.sources)
    func remounted(source: String) async throws {
        let school = try School(source: source)
        let essay = try school.put("Hamlet waits.\n", "essay.txt", for: .berg)
        let mount = try Mount(school)
        try await school.start()
        // Neither the shell nor nano keeps anything of the share open.
        let terminal = try await Terminal(.berg, in: school, folder: school.home(.berg))
        let opened = try await terminal.start("nano --locking \(essay.replacing(" ", with: "\\ "))", shows: "Hamlet waits")
        try await terminal.type("Ophelia sings. ")
        try await terminal.nanoSaves()
        try await school.eventually("the save is there") { try school.sessions(of: "essay.txt").first?.saves == 1 }

        try mount.unmount()
        try await school.shares(are: "unavailable")
        try mount.mount()
        try await school.shares(are: "complete")
        #expect(try school.sessions(of: "essay.txt").map(\.closedAt) == [nil])
        try await terminal.type("Again. ")
        try await terminal.nanoSaves()
        let times = try await terminal.quit("C-x", opened: opened)
        let sessions = try await school.ended("essay.txt")
        try #require(sessions.count == 1)
        expect(sessions[0], by: .berg, took: times, in: "nano, on a share that was unmounted, by \(source)")
        #expect(sessions[0].saves == 2)
        #expect(try school.journal().count { $0.contains(#""kind":"gap""#) && $0.contains(#""cause":"unavailable""#) } == 1)
        #expect(try school.verifies())
    }

    @Test("that does not exist yet is watched from the moment it does", arguments: School.sources)
    func later(source: String) async throws {
        let school = try School(source: source)
        try school.put("Hamlet waits.\n", "essay.txt", for: .berg)
        try FileManager.default.moveItem(atPath: school.share, toPath: school.folder + "/later")
        try await school.start(expecting: "unavailable")
        try FileManager.default.moveItem(atPath: school.folder + "/later", toPath: school.share)
        try await school.shares(are: "complete")
        let terminal = try await Terminal(.berg, in: school)
        let opened = try await terminal.vim("essay.txt", shows: "Hamlet waits")
        try await terminal.vimAppends("To be or not to be.")
        let times = try await terminal.vimQuits(opened: opened)
        let sessions = try await school.ended("essay.txt")
        try #require(sessions.count == 1)
        expect(sessions[0], by: .berg, took: times, in: "vim, on a share that came later, by \(source)")
        try await school.words(of: "essay.txt", by: .berg, are: 8)
        #expect(!(try school.journal().contains { $0.contains(#""kind":"gap""#) }), "nothing was lost")
    }

    @Test("moved away and put back amid a session: the session goes on", arguments: School.sources)
    func movedAway(source: String) async throws {
        let school = try School(source: source)
        try school.put("Hamlet waits.\n", "essay.txt", for: .berg)
        try await school.start()
        let terminal = try await Terminal(.berg, in: school)
        let opened = try await terminal.vim("essay.txt", shows: "Hamlet waits")
        try await terminal.vimAppends("To be or not to be.")
        try await school.eventually("the save is there") { try school.sessions(of: "essay.txt").first?.saves == 1 }
        let away = school.folder + "/away"
        try FileManager.default.moveItem(atPath: school.share, toPath: away)
        try await school.shares(are: "unavailable")
        try FileManager.default.moveItem(atPath: away, toPath: school.share)
        try await school.shares(are: "complete")
        try await terminal.vimAppends("That is the question.")
        let times = try await terminal.vimQuits(opened: opened)
        let sessions = try await school.ended("essay.txt")
        try #require(sessions.count == 1)
        expect(sessions[0], by: .berg, took: times, in: "vim, on a share that was moved, by \(source)")
        #expect(sessions[0].saves == 2)
    }

    @Test("read-only, and the daemon works as ever: it never writes below it", arguments: School.sources)
    func readOnly(source: String) async throws {
        let school = try School(source: source)
        let essay = try school.put("Hamlet waits.\n", "essay.txt", for: .berg)
        // Where people write stays as it is; the daemon has the same folder by a mount that takes no write.
        let writable = school.folder + "/writable"
        try FileManager.default.moveItem(atPath: school.share, toPath: writable)
        try FileManager.default.createDirectory(atPath: school.share, withIntermediateDirectories: false)
        for words in [["--bind", writable], ["-o", "remount,ro,bind"]] {
            let outcome = try Child.run(["mount"] + words + [school.share])
            #expect(outcome.status == 0, "\(outcome)")
        }
        defer {
            school.end(SIGTERM)
            _ = try? Child.run(["umount", school.share])
        }
        /// Every name with its kind, rights, owner, size and times of writing and of change; reading may change the time of reading.
        func tree() throws -> String {
            try Child.run(["find", writable, "-printf", "%p %y %m %U %G %s %T@ %C@ %n\\n"]).output
        }
        try await school.start()
        let place = essay.replacing(school.share, with: writable)
        let terminal = try await Terminal(.berg, in: school, folder: writable + essay.dropFirst(school.share.count).dropLast(10))
        _ = try await terminal.vim("essay.txt", shows: "Hamlet waits")
        try await terminal.vimAppends("To be or not to be.")
        _ = try await terminal.vimQuits(opened: Date())
        let after = try tree()
        #expect(after.contains(place))
        _ = try await school.ended("essay.txt")
        try await school.words(of: "essay.txt", by: .berg, are: 8)
        school.end(SIGKILL)
        try await school.start()
        school.end(SIGTERM)
        #expect(try tree() == after)
        #expect(!(try school.said().contains("Read-only file system")))
    }
}
