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
        // An orderly stop leaves a snapshot of the ledger; without one the whole journal is read, and both know the same.
        let start = try school.startedWithSnapshot()
        #expect((start.snapshot != nil) == (signal == SIGTERM))
        #expect((start.snapshotReason == nil) == (signal == SIGTERM))
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

    /// nano reads and closes: nothing but its process shows that it is there.
    @Test("killed and started again while an editor shows nothing but its process: the session goes on", arguments: [SIGKILL, SIGTERM])
    func process(signal: Int32) async throws {
        let school = try School(source: "fanotify")
        try school.put("Hamlet waits.\n", "essay.txt", for: .berg)
        try await school.start()
        let terminal = try await Terminal(.berg, in: school)
        let opened = try await terminal.nano("essay.txt", shows: "Hamlet waits")
        // It counts once its process has lived for a while.
        let before = try await school.eventually("the session is there") { try school.sessions(of: "essay.txt").first }
        school.end(signal)
        try await school.start()
        try await terminal.type("Ophelia sings. ")
        try await terminal.nanoSaves()
        let times = try await terminal.quit("C-x", opened: opened)
        let sessions = try await school.ended("essay.txt")
        try #require(sessions.count == 1)
        expect(sessions[0], by: .berg, took: times, in: "nano, over a restart by signal \(signal)")
        #expect(sessions[0].openedAt == before.openedAt)
        #expect(sessions[0].saves == 1)
        #expect(try school.verifies())
    }

    @Test("and the editor ends meanwhile: the session ended between its last sign and the start", arguments: ["nano", "less", "vim"])
    func endsMeanwhile(editor: String) async throws {
        let school = try School(source: "fanotify")
        try school.put("Hamlet waits.\n", "essay.txt", for: .berg)
        try await school.start()
        let terminal = try await Terminal(.berg, in: school)
        let opened = try await terminal.start("\(editor) essay.txt", shows: "Hamlet waits")
        try await school.eventually("the session is there") { try school.sessions(of: "essay.txt").first != nil }
        let seen = Date()
        school.end(SIGKILL)
        let times =
            editor == "nano"
            ? try await terminal.quit("C-x", opened: opened)
            : editor == "less" ? try await terminal.quit("q", opened: opened) : try await terminal.vimQuits(opened: opened)
        try await school.start()
        let started = Date()
        // Without a process to ask for, a lock is waited for.
        let session = try await school.eventually("it has ended", within: 150) { () -> SessionLine? in
            guard let session = try school.sessions(of: "essay.txt").first, session.closedAt != nil else { return nil }
            return session
        }
        print("\(editor): \(times.seconds) s in truth, \(session)")
        #expect(try school.sessions(of: "essay.txt").count == 1)
        #expect(session.openSeconds <= started.timeIntervalSince(opened) + 1)
        #expect(session.openSeconds >= 0 && session.atLeastSeconds <= times.gone.timeIntervalSince(opened))
        #expect(session.atMostSeconds >= times.seconds - 1, "\(seen)")
        #expect(session.ended == "censored" || session.ended == "process" || session.ended == "companion" || session.ended == "closed")
    }

    @Test("killed and started again while a reader holds the document: the session goes on")
    func held() async throws {
        let school = try School(source: "fanotify")
        try school.put("Hamlet waits.\n", "essay.txt", for: .berg)
        try await school.start()
        let terminal = try await Terminal(.berg, in: school)
        let opened = try await terminal.start("less essay.txt", shows: "Hamlet waits")
        try await school.eventually("the session is there") { try school.sessions(of: "essay.txt").first != nil }
        school.end(SIGKILL)
        try await school.start()
        #expect(try school.sessions(of: "essay.txt").map(\.closedAt) == [nil])
        let times = try await terminal.quit("q", opened: opened)
        let sessions = try await school.ended("essay.txt")
        try #require(sessions.count == 1)
        expect(sessions[0], by: .berg, took: times, in: "less, over a restart")
    }

    @Test(
        "killed and started again, with a share that is configured by way of a link: who holds a document is found",
        arguments: School.sources)
    func linkedShare(source: String) async throws {
        let school = try School(source: source)
        try school.put("Words.", "essay.odt", for: .berg)
        let place = school.folder + "/elsewhere"
        try FileManager.default.moveItem(atPath: school.share, toPath: place)
        try FileManager.default.createSymbolicLink(atPath: school.share, withDestinationPath: place)
        try await school.start()
        let stop = school.home(.berg) + "/stop"
        let program = """
            import ctypes, os, sys, time
            ctypes.CDLL(None).prctl(15, b"writer", 0, 0, 0)
            file = open(sys.argv[1], "r+")
            while not os.path.exists(sys.argv[2]): time.sleep(0.02)
            """
        let holder = try Hostile.Running(
            school.command(["/usr/bin/python3", "-c", program, school.work(.berg) + "/essay.odt", stop], as: .berg), name: "holder",
            in: school)
        try await school.eventually("the session is there") { school.started("essay.odt") == 1 }
        school.end(SIGKILL)
        try await school.start()
        if source == "inotify" {
            try await school.eventually("its holder is found") { try school.journal().contains { $0.contains(#""identity":"holder""#) } }
        }
        let before = Date()
        try Data().write(to: URL(filePath: stop))
        _ = try await holder.finish()
        let sessions = try await school.ended("essay.odt")
        #expect(
            sessions.count == 1 && sessions.first?.uid == School.Person.berg.rawValue && sessions.first?.ended != "censored", "\(sessions)")
        #expect(Date().timeIntervalSince(before) < 60)
    }
}
