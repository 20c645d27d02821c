// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("What is no student's work", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct NobodyElseTests {
    /// Linden opens and leaves a document of their own. Once its session has ended, all that came before has been looked at.
    private func waitUntilAllIsSeen(_ school: School) async throws {
        try school.put("Later.\n", "marker.txt", for: .linden)
        let terminal = try await Terminal(.linden, in: school)
        let opened = try await terminal.vim("marker.txt", shows: "Later")
        try await school.eventually("the marker's session") { try !school.sessions(of: "marker.txt").isEmpty }
        _ = try await terminal.vimQuits(opened: opened)
        _ = try await school.ended("marker.txt")
    }

    private func others(_ school: School) throws -> [SessionLine] {
        try school.sessions().filter { !$0.document.hasSuffix("/marker.txt") }
    }

    @Test("a teacher in a student's document makes no session, and no entry that names them")
    func teacher() async throws {
        let school = try School()
        try school.put("Hamlet waits.\n", "essay.txt", for: .berg)
        try school.openToAll(.berg)
        try await school.start()
        let terminal = try await Terminal(.kelly, in: school, folder: school.work(.berg))
        let opened = try await terminal.vim("essay.txt", shows: "Hamlet waits")
        try await terminal.vimAppends("Well said, but who says it?")
        _ = try await terminal.vimQuits(opened: opened)
        try await waitUntilAllIsSeen(school)
        #expect(try others(school).isEmpty)
        let naming = try school.journal().filter { $0.contains("kelly") || $0.contains("61003") }
        // Who set the assignment is no secret, and all that is known of them.
        #expect(naming.count { $0.contains("\"kind\":\"assignment.created\"") } == naming.count, "\(naming)")
        #expect(naming.count == 1)
    }

    @Test("backups, searches and copies over the share by root make no session and no evidence")
    func noise() async throws {
        let school = try School()
        for person in [School.Person.berg, .linden] {
            for number in 0..<6 { try school.put(String(repeating: "Hamlet waits.\n", count: 50), "poem\(number).txt", for: person) }
        }
        try await school.start()
        let line = """
            set -e; cd "$1"; cat */*/berg/poem1.txt > /dev/null; cp -r . ../copy; grep -r Hamlet . > /dev/null
            tar -cf /dev/null .; find . -type f -exec md5sum {} + > /dev/null; du -s . > /dev/null
            if command -v rsync > /dev/null; then rsync -a ./ ../mirror/; rsync -ac ./ ../mirror/; fi
            """
        let outcome = try Child.run(["bash", "-c", line, "bash", school.share])
        #expect(outcome.status == 0, "\(outcome)")
        try await waitUntilAllIsSeen(school)
        #expect(try others(school).isEmpty)
        #expect(try !school.journal().contains { $0.contains("poem") })
    }

    @Test("the copy that is measured after a save is no sign of anybody")
    func ownCopies() async throws {
        let school = try School()
        let path = try school.put("", "essay.txt", for: .berg)
        try await school.start()
        var written: [Date] = []
        for count in 1...3 {
            let write = school.command(["sh", "-c", "echo Word. >> \"$0\"", path], as: .berg)
            #expect(try Child.run(write).status == 0)
            written.append(Date())
            // Copied and measured.
            try await school.words(of: "essay.txt", by: .berg, are: count)
        }
        try await waitUntilAllIsSeen(school)
        let sessions = try others(school)
        #expect(sessions.map(\.saves) == [3])
        let between = written[2].timeIntervalSince(written[0])
        #expect(abs((sessions.first?.openSeconds ?? 0) - between) < 0.5, "\(sessions), written \(written)")
        #expect(try school.student(.berg).assignments.first?.evidence.kinds == [StudentLine.Count(name: "saved", count: 3)])
    }

    @Test("what lies outside the layouts stands nowhere in the state folder, and no name in what the daemon says")
    func plantedNames() async throws {
        let school = try School()
        let planted = "planted-name"
        let places = [
            school.share, "\(school.share)/8b", school.assignmentFolder, "\(school.share)/\(planted)-class/\(planted)-work/berg",
            "\(school.work(.berg))/.snapshots", "\(school.work(.berg))/.\(planted)-hidden",
        ]
        for place in places {
            try school.makeFolder(place, for: .berg)
            try school.put("Nobody's business.\n", "\(planted).txt", for: .berg, in: place)
        }
        // Still the teacher's.
        for place in ["\(school.share)/8b", school.assignmentFolder] { try school.makeFolder(place, for: .kelly) }
        #expect(chmod("\(school.share)/8b", 0o777) == 0 && chmod(school.assignmentFolder, 0o777) == 0)
        try school.put("Hamlet waits.\n", "essay.txt", for: .berg)
        try await school.start()
        for place in places {
            let terminal = try await Terminal(.berg, in: school, folder: place)
            let opened = try await terminal.vim("\(planted).txt", shows: "Nobody")
            try await terminal.vimAppends("Still \(planted).")
            _ = try await terminal.vimQuits(opened: opened)
            _ = try await terminal.start(
                "echo anew > \(planted)-2.txt; mv \(planted)-2.txt \(planted)-3.txt; ls", shows: "\(planted)-3.txt")
        }
        let terminal = try await Terminal(.berg, in: school)
        let opened = try await terminal.vim("essay.txt", shows: "Hamlet waits")
        try await terminal.vimAppends("To be or not to be.")
        _ = try await terminal.vimQuits(opened: opened)
        _ = try await school.ended("essay.txt")
        school.end(SIGTERM)

        func files(with text: String, in folder: String) throws -> [String] {
            try Child.run(["grep", "-rlaF", text, folder]).output.split(separator: "\n").map(String.init)
        }
        #expect(try !files(with: "essay.txt", in: school.state).isEmpty, "what is assigned is in the journal, or this test is empty")
        let found = try Child.run(["grep", "-raF", planted, school.state]).output
        #expect(found.isEmpty, "\(found)")
        let names = try Child.run(["find", school.state]).output
        #expect(!names.contains(planted))
        let said = try school.said()
        #expect(said.contains("watching"))
        for name in [planted, "essay.txt", "Hamlet", "berg", "linden", "kelly"] { #expect(!said.contains(name), "\(said)") }
    }
}
