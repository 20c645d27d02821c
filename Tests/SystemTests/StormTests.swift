// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// How many files are made while the daemon stands still, so that the kernel's queue overflows; nil where that is too many to try.
private let enoughToOverflow: Int? = {
    let limits = ["inotify", "fanotify"].compactMap { name in
        (try? String(contentsOfFile: "/proc/sys/fs/\(name)/max_queued_events", encoding: .utf8)).flatMap {
            Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }
    return limits.max().flatMap { $0 <= 100_000 ? $0 + 2000 : nil }
}()

@Suite("Hostile processes", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct StormTests {
    @Test(
        "an overflow amid a session: the session goes on, and one that ended meanwhile ends in it",
        .enabled(if: enoughToOverflow != nil, "the kernel's queues are larger here than a test can fill"), arguments: School.sources)
    func overflow(source: String) async throws {
        let school = try School(source: source)
        try school.put("Hamlet waits.\n", "essay.txt", for: .berg)
        try school.put("Ophelia sings.\n", "notes.txt", for: .linden)
        try await school.start()
        let (berg, linden) = (try await Terminal(.berg, in: school), try await Terminal(.linden, in: school))
        let opened = try await berg.vim("essay.txt", shows: "Hamlet waits")
        let openedNotes = try await linden.vim("notes.txt", shows: "Ophelia")
        try await school.eventually("both sessions are there") { school.started() == 2 }

        let pid = try #require(school.pid)
        kill(pid, SIGSTOP)
        let stopped = Date()
        let place = school.assignmentFolder + "/berg"
        let filled = try Child.run([
            "/usr/bin/python3", "-c",
            "import os, sys\nfor n in range(int(sys.argv[2])):\n  p = f'{sys.argv[1]}/.x{n}.tmp'\n  os.close(os.open(p, os.O_CREAT))\n  os.unlink(p)",
            place, String(enoughToOverflow ?? 0),
        ])
        #expect(filled.status == 0, "\(filled)")
        try await berg.vimAppends("To be or not to be.")
        let timesNotes = try await linden.vimQuits(opened: openedNotes)
        kill(pid, SIGCONT)
        let continued = Date()
        try await school.eventually("the gap is journaled") {
            try school.journal().contains { $0.contains(#""kind":"gap""#) && $0.contains(#""cause":"overflow""#) }
        }
        // It left no process, no lock and no handle.
        let notes = try await school.ended("notes.txt")
        try await school.words(of: "essay.txt", by: .berg, are: 8)
        #expect(try school.sessions(of: "essay.txt").map(\.closedAt) == [nil])
        try await berg.vimAppends("That is the question.")
        let times = try await berg.vimQuits(opened: opened)
        let essay = try await school.ended("essay.txt")
        try #require(essay.count == 1 && notes.count == 1)
        expect(essay[0], by: .berg, took: times, in: "vim, over an overflow of \(source)'s queue")
        #expect(essay[0].saves == 2)
        print("vim that ended in the gap: \(timesNotes.seconds) s in truth, \(notes[0])")
        #expect(notes[0].person == "linden")
        #expect(notes[0].openSeconds <= continued.timeIntervalSince(openedNotes) + 3)
        // When a process ended while the daemon stood still is known no better than that, and it has a whole queue to read first.
        let known = source == "fanotify" ? continued : timesNotes.gone
        #expect(notes[0].atLeastSeconds <= known.timeIntervalSince(openedNotes) + 3)
        #expect(notes[0].atMostSeconds >= timesNotes.seconds - 1, "\(stopped)")
        #expect(try school.verifies())
    }

    @Test("killed amid a storm of processes, the daemon starts again, verifies, and keeps the sessions", arguments: School.sources)
    func killed(source: String) async throws {
        let school = try School(source: source)
        try school.put("Ophelia sings.\n", "notes.txt", for: .linden)
        try await school.start()
        let terminal = try await Terminal(.linden, in: school)
        let opened = try await terminal.vim("notes.txt", shows: "Ophelia")
        try await school.eventually("the session is there") { school.started("notes.txt") == 1 }
        for _ in 0..<3 {
            let storm = try Hostile.Running(
                Hostile.program("processes", ["storm", school.work(.berg), "1500"], as: .berg), name: "storm", in: school)
            try await school.eventually("the storm is there") { FileManager.default.fileExists(atPath: school.work(.berg) + "/storm7.txt") }
            school.end(SIGKILL)
            #expect(try school.verifies())
            try await school.start()
            _ = try await storm.finish()
        }
        try await terminal.vimAppends("Of flowers.")
        let times = try await terminal.vimQuits(opened: opened)
        let notes = try await school.ended("notes.txt")
        try #require(notes.count == 1)
        expect(notes[0], by: .linden, took: times, in: "vim, while the daemon was killed three times, by \(source)")
        #expect(try school.verifies())
    }

    @Test("thousands of processes that live for a moment delay nobody's save, and cost no memory")
    func storm() async throws {
        struct Summary: Decodable {
            var saves: Int
            var worst: Double
            var median: Double
            var worstReply: Double
        }
        let school = try School(source: "fanotify")
        try await school.start(asInstalled: Programs.installed("daybookd") != nil)
        let pid = try #require(school.pid)
        let (linden, stop) = (School.Person.linden, school.folder + "/stop")
        let student = try Hostile.Running(
            Hostile.program(
                "student",
                [school.folder + "/daybook.sock", school.work(linden) + "/essay.txt", String(linden.rawValue), linden.login, stop]),
            name: "student", in: school)
        let storm = try Hostile.Running(
            Hostile.program("processes", ["storm", school.work(.berg), "20000"], as: .berg), name: "storm", in: school)
        let figures = try await storm.finish()
        let peak = try Hostile.resident(pid)
        try Data().write(to: URL(filePath: stop))
        let summary = try await JSONDecoder().decode(Summary.self, from: Data(student.finish().utf8))
        print("processes, and how many a second: \(figures)\(summary), resident \(peak) KiB")
        #expect(summary.saves >= 1)
        #expect(summary.worst < 2.0 + 5.0, "\(summary)")
        #expect(summary.worstReply < 3, "\(summary)")
        #expect(peak < 150 << 10)
        #expect(school.pid == pid)
        try await school.eventually("descriptors are given back") {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count < 600
        }
        school.end(SIGTERM)
        #expect(try school.verifies())
    }

    @Test(
        "15,000 files of one student, and folders deeper than any path, take another student's save from nobody", arguments: School.sources)
    func files(source: String) async throws {
        let school = try School(source: source)
        // Deeper than Foundation can remove.
        defer { _ = try? Child.run(["rm", "-rf", school.share]) }
        try school.put("Hamlet waits.", "mine.txt", for: .linden)
        try await school.start()
        let pid = try #require(school.pid)
        func mine() throws -> [SessionLine] { try school.read(["sessions", "--person", "linden"]) }
        let terminal = try await Terminal(.linden, in: school)
        let opened = try await terminal.vim("mine.txt", shows: "Hamlet waits")
        let running = try Hostile.Running(
            Hostile.program("processes", ["files", school.work(.berg), "15000"], as: .berg), name: "files", in: school)
        try await terminal.vimAppends("To be or not to be.")
        _ = try await running.finish()
        try await school.eventually("the save is seen", within: 60) { try mine().first?.saves == 1 }
        let times = try await terminal.vimQuits(opened: opened)
        let sessions = try await school.eventually("it has ended", within: 60) { try mine().first?.closedAt == nil ? nil : try mine() }
        try #require(sessions.count == 1)
        print("vim beside 15,000 files: \(times.seconds) s in truth, \(sessions[0]), resident \(try Hostile.resident(pid)) KiB")
        #expect(sessions[0].person == "linden" && sessions[0].saves == 1)
        // An event has the time at which it is read: late, while so many others are before it.
        #expect(sessions[0].atLeastSeconds <= times.gone.timeIntervalSince(opened) + 5)
        #expect(sessions[0].atMostSeconds >= times.seconds - 1)
        #expect(try Hostile.resident(pid) < 150 << 10)
        #expect(school.started("file") <= 310, "sessions of one person in one go")
        #expect(school.pid == pid)
        school.end(SIGTERM)
        #expect(try school.verifies())
    }

    @Test("what a program calls itself misleads nobody about its person, and reaches no terminal")
    func names() async throws {
        let school = try School(source: "fanotify")
        try await school.start()
        let running = try Hostile.Running(
            Hostile.program("processes", ["names", school.work(.berg), "5"], as: .berg), name: "names", in: school)
        let count = try #require(Int(try await running.finish().trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(count == 20)
        // The last two are a sync program's name and a copier's: no work of anybody's, but what a copier makes was brought in.
        for number in 0..<18 {
            let sessions = try await Self.ended("named\(number).txt", in: school)
            #expect(sessions.count == 1 && sessions[0].uid == School.Person.berg.rawValue, "\(number): \(sessions)")
            #expect(sessions.first.map { $0.atMostSeconds ?? 0 > 4 } ?? false, "\(number): \(sessions)")
        }
        for number in [18, 19] {
            #expect(try Self.sessions("named\(number).txt", in: school).allSatisfy { $0.openSeconds ?? 0 < 1 }, "\(number)")
        }
        let journal = try school.journal().joined()
        #expect(!journal.contains("\u{1b}") && !journal.contains("[31mred"), "names of programs are not journaled")
        #expect(try !school.said().contains("[31mred"))
        #expect(try school.verifies())
    }

    @Test("10,000 handles of one program are one session, also over a restart", arguments: School.sources)
    func handles(source: String) async throws {
        let school = try School(source: source)
        try await school.start()
        let running = try Hostile.Running(
            Hostile.program("processes", ["handles", school.work(.berg), "10000"], as: .berg), name: "handles", in: school)
        try await school.eventually("the session is there") { school.started("many.txt") == 1 }
        school.end(SIGKILL)
        let began = Date()
        try await school.start()
        print("started beside 10,000 handles in \(Date().timeIntervalSince(began)) s")
        try await school.eventually("the second start has looked at them") {
            try Self.sessions("many.txt", in: school).map(\.closedAt) == [nil]
        }
        try Data().write(to: URL(filePath: school.work(.berg) + "/go"))
        _ = try await running.finish()
        let sessions = try Self.sessions("many.txt", in: school)
        #expect(sessions.count == 1 && sessions.first?.uid == School.Person.berg.rawValue, "\(sessions)")
        let pid = try #require(school.pid)
        try await school.eventually("nothing is kept for them") {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count < 100
        }
    }

    @Test("a document that becomes a link, a FIFO or a folder when it is about to be copied gives nothing away")
    func links() async throws {
        let school = try School(source: "fanotify")
        try await school.start()
        let secret = school.folder + "/secret.txt"
        try Data(String(repeating: "secret ", count: 777).utf8).write(to: URL(filePath: secret))
        chmod(secret, 0o600)
        let running = try Hostile.Running(
            Hostile.program("processes", ["links", school.work(.berg), "20", secret], as: .berg), name: "links", in: school)
        _ = try await running.finish()
        try school.save("Words after that, five.", "after.txt", by: .linden)
        try await school.eventually("the next document is measured", within: 60) {
            try school.journal().contains { $0.contains(#""kind":"metrics""#) && $0.contains("after.txt") }
        }
        #expect(try !school.journal().contains { $0.contains(#""value":777,"#) })
    }

    @Test("who works in a user, process and mount namespace of their own is the same person")
    func namespaces() async throws {
        let school = try School(source: "fanotify")
        try await school.start()
        let script = "echo $$ > \"$0/inside.txt\"; exec 3>> \"$0/held.txt\"; echo words >&3; sleep 4"
        let outcome = try Child.run(
            school.command(
                [
                    "unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "bash", "-c",
                    "exec -a ed bash -c '\(script)' \"$0\"", school.work(.berg),
                ], as: .berg))
        if outcome.status != 0 { try Test.cancel("no namespaces for students here: \(outcome.output)") }
        let sessions = try await school.eventually("what was written there is seen") { () -> [Line]? in
            let found = try Self.sessions("held.txt", in: school)
            return found.isEmpty ? nil : found
        }
        #expect(sessions.count == 1 && sessions.first?.uid == School.Person.berg.rawValue, "\(sessions)")
        #expect(try Self.sessions("inside.txt", in: school).allSatisfy { $0.uid == School.Person.berg.rawValue })
    }

    /// What is brought in with its first save has no time.
    private struct Line: Decodable {
        var document: String
        var uid: UInt32?
        var closedAt: String?
        var openSeconds: Double?
        var atMostSeconds: Double?
    }

    private static func sessions(_ name: String, in school: School) throws -> [Line] {
        try (school.read(["sessions"]) as [Line]).filter { $0.document.hasSuffix("/" + name) }
    }

    private static func ended(_ name: String, in school: School) async throws -> [Line] {
        try await school.eventually("the session on \(name) has ended", within: 40) {
            let found = try sessions(name, in: school)
            return !found.isEmpty && found.allSatisfy { $0.closedAt != nil } ? found : nil
        }
    }
}
