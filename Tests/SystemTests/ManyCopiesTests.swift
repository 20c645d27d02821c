// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("Copies for many", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct ManyCopiesTests {
    private struct Counts: Decodable {
        var copied: Int
        var present: Int
        var left: Int
        var interrupted: Bool
        var stoppedBy: String?
    }

    /// Logins that a file system, a terminal or a careless program could stumble over.
    private static let strange = ["o'hara", "ليلى حداد", "a b", "DOM\\\\berg", "ö\u{308}", "$(id)", "-rf"]

    private static func configuration(_ count: Int) -> String {
        let logins = (0..<count).map { "s\($0)" } + strange
        let people = logins.enumerated().map { "[[person]]\nlogin = \"\($1)\"\nuid = \(70_000 + $0)\n" }.joined()
        return "[[class]]\nname = \"big\"\nstudents = [\(logins.map { "\"\($0)\"" }.joined(separator: ", "))]\nteachers = \"kelly\"\n"
            + people
    }

    private func counts(_ text: String) throws -> Counts {
        let line = try #require(text.split(separator: "\n").first { $0.contains("\"copied\"") }, "\(text)")
        return try JSONDecoder().decode(Counts.self, from: Data(line.utf8))
    }

    private func template(_ school: School, bytes: Int) throws -> String {
        let path = school.folder + "/template.bin"
        try Data(repeating: 0x61, count: bytes).write(to: URL(filePath: path))
        return path
    }

    private func temporaries(_ school: School) throws -> String {
        try Child.run(["find", school.share, "-name", ".daybook-copy-*"]).output
    }

    @Test("put 500 where each works, whatever their logins, and say which of a folder is taken")
    func many() async throws {
        let school = try School(extra: Self.configuration(500))
        try school.makeFolder(school.share + "/big", for: .kelly)
        try await school.start()
        let template = try template(school, bytes: 2000)
        let began = Date()
        let made = try school.daybook(["assign", "All of it", "--class", "big", "--copy", template, "--json"])
        print("500 copies in \(Date().timeIntervalSince(began)) s")
        #expect(made.status == 0, "\(made.output.suffix(500))")
        let all = 500 + Self.strange.count
        #expect(try counts(made.output).copied == all)
        for login in ["s0", "s499", "o'hara", "ليلى حداد", "a b", "DOM\\berg", "$(id)", "-rf"] {
            #expect(FileManager.default.fileExists(atPath: "\(school.share)/big/All of it/\(login)/template.bin"), "\(login)")
        }
        #expect(try temporaries(school) == "")
        // A terminal gets a bar, and the second run has nothing to do.
        let again = try Child.run([
            "script", "-qec",
            "\(try #require(Programs.built("daybook"))) --socket \(school.folder)/daybook.sock assignment copy 'All of it' \(template)",
            "/dev/null",
        ])
        #expect(again.output.contains("0 of \(all) copied, \(all) were there already") && again.output.contains("of \(all)"), "\(again)")
    }

    @Test("leave whole copies only when the disk is full, and go on when there is room")
    func fullDisk() async throws {
        let school = try School(extra: Self.configuration(60))
        #expect(try Child.run(["mount", "-t", "tmpfs", "-o", "size=1m,mode=755", "tmpfs", school.share]).status == 0)
        defer { _ = try? Child.run(["umount", "-l", school.share]) }
        try school.makeFolder(school.share + "/big", for: .kelly)
        try await school.start()
        let template = try template(school, bytes: 40_000)
        // What the disk says it has no room for is not begun.
        let small = try school.daybook(["assign", "Full", "--class", "big", "--copy", template])
        #expect(small.status == 1 && small.output.contains("nothing was copied"), "\(small)")
        #expect(try Child.run(["find", school.share, "-name", "template.bin"]).output == "")
        // Of files it does not say it: it fills in the middle.
        #expect(try Child.run(["mount", "-o", "remount,size=16m,nr_inodes=90", school.share]).status == 0)
        let made = try school.daybook(["assign", "Full", "--class", "big", "--copy", template])
        #expect(made.status == 1, "\(made)")
        let said = made.output.replacing("\n", with: " ")
        #expect(
            said.contains("It stopped: No space left on device. What is there is whole")
                && said.contains("To go on: daybook assignment copy"), "\(made)")
        #expect(try temporaries(school) == "")
        let sizes = try Child.run(["find", school.share, "-name", "template.bin", "-printf", "%s\n"]).output.split(separator: "\n")
        #expect(!sizes.isEmpty && sizes.allSatisfy { $0 == "40000" })
        // It is a draft still, and goes on where it stopped.
        #expect(try school.daybook(["assignment", "show", "Full"]).output.contains("draft"))
        #expect(try Child.run(["mount", "-o", "remount,nr_inodes=1000", school.share]).status == 0)
        let again = try school.daybook(["assignment", "copy", "Full", template, "--json"])
        #expect(again.status == 0, "\(again)")
        #expect(try counts(again.output).present == sizes.count)
        #expect(try counts(again.output).left == 0)
    }

    @Test("leave whole copies only when a small disk fills up in the middle, and go on when there is room again")
    func smallDisk() async throws {
        let school = try School(extra: Self.configuration(60))
        let image = school.folder + "/disk"
        for words in [
            ["truncate", "-s", "9M", image], ["mkfs.ext4", "-q", "-b", "1024", "-m", "0", "-O", "^has_journal", "-N", "400", image],
        ] {
            #expect(try Child.run(words).status == 0)
        }
        try #require(try Child.run(["mount", "-o", "loop", image, school.share]).status == 0)
        defer { _ = try? Child.run(["umount", "-l", school.share]) }
        #expect(try Child.run(["chmod", "755", school.share]).status == 0)
        try school.makeFolder(school.share + "/big", for: .kelly)
        try await school.start()
        func free() throws -> Int {
            try #require(
                Int(try Child.run(["stat", "-f", "-c", "%a", school.share]).output.trimmingCharacters(in: .whitespacesAndNewlines)))
        }
        let filler = school.share + "/filler"
        #expect(try Child.run(["dd", "if=/dev/zero", "of=" + filler, "bs=1M", "count=4"]).status == 0)
        // The disk has room for all the bytes when it begins; folders and access lists take some of it.
        let students = 60 + Self.strange.count
        let size = try free() / students * 1024 - 200
        let template = try template(school, bytes: size)
        #expect(chmod(template, 0o644) == 0 && chmod(school.folder, 0o755) == 0)
        let made = try school.daybook(["assign", "Full", "--class", "big", "--copy", template], as: .kelly)
        let said = made.output.replacing("\n", with: " ")
        #expect(made.status == 1 && said.contains("It stopped: No space left on device. What is there is whole"), "\(made)")
        #expect(try temporaries(school) == "")
        func sizes() throws -> [Substring] {
            try Child.run(["find", school.share, "-name", "template.bin", "-printf", "%s\n"]).output.split(separator: "\n")
        }
        let first = try sizes()
        #expect(first.count > 10 && first.count < students && first.allSatisfy { $0 == "\(size)" }, "\(first.count)")
        print("a small disk was full after \(first.count) of \(students) copies")
        // The same command says the same while there is no room, and goes on from there once there is.
        #expect(try school.daybook(["assignment", "copy", "Full", template], as: .kelly).status == 1)
        #expect(try sizes() == first)
        try FileManager.default.removeItem(atPath: filler)
        let again = try school.daybook(["assignment", "copy", "Full", template, "--json"], as: .kelly)
        #expect(again.status == 0, "\(again)")
        #expect(try counts(again.output).present == first.count && counts(again.output).left == 0, "\(again)")
        #expect(try sizes().count == students)
    }

    @Test("leave whole copies only when they are interrupted")
    func interrupted() async throws {
        let school = try School(extra: Self.configuration(40))
        try school.makeFolder(school.share + "/big", for: .kelly)
        try await school.start()
        let template = try template(school, bytes: 8 << 20)
        let program = try #require(Programs.built("daybook"))
        let out = school.folder + "/out"
        let child = try Child(
            [program, "--socket", school.folder + "/daybook.sock", "assign", "Cut", "--class", "big", "--copy", template, "--json"],
            output: out)
        // Looked for without a rest in between: all copies together take a fraction of a second.
        let folder = school.share + "/big/Cut"
        let limit = ContinuousClock.now + .seconds(20)
        func isBegun() -> Bool {
            let students = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return students.contains { FileManager.default.fileExists(atPath: "\(folder)/\($0)/template.bin") }
        }
        while !isBegun(), ContinuousClock.now < limit { usleep(200) }
        child.end(SIGINT)
        let text = try String(contentsOfFile: out, encoding: .utf8)
        let counts = try counts(text)
        #expect(counts.interrupted && counts.copied > 0 && counts.left > 0, "\(text)")
        #expect(try temporaries(school) == "")
        let sizes = try Child.run(["find", school.share, "-name", "template.bin", "-printf", "%s\n"]).output.split(separator: "\n")
        #expect(sizes.count == counts.copied && sizes.allSatisfy { $0 == "\(8 << 20)" })
        // What another run that was killed left behind is removed by the next.
        let stray = school.share + "/big/Cut/s39"
        try FileManager.default.createDirectory(atPath: stray, withIntermediateDirectories: true)
        try Data("half".utf8).write(to: URL(filePath: stray + "/.daybook-copy-template.bin"))
        #expect(try school.daybook(["assignment", "copy", "Cut", template]).status == 0)
        #expect(try temporaries(school) == "")
    }
}
