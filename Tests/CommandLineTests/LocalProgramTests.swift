// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookVarlink
import Foundation
import JournalFormat
import Testing

@testable import daybook

@Suite("The program daybook, without a server")
struct LocalProgramTests {
    private func config(_ folder: Folder, share: String, state: String) throws -> String {
        try folder.write(
            """
            [server]
            state = "\(state)"
            [[share]]
            path = "\(share)"
            [[share.layout]]
            pattern = "{class}/{assignment}/{person}/{document}"
            """, to: "config.toml")
    }

    @Test("checks a configuration and names every mistake with line and column")
    func configCheck() throws {
        let folder = try Folder()
        let good = try config(folder, share: "/srv/classes", state: "/var/lib/daybook")
        #expect(
            try Program.run(["config", "check", good])
                == Program.Result(code: 0, output: "\(good) is good: 1 share, 0 classes.\n", errors: ""))
        let bad = try folder.write("[server]\nsocket = 5\n\n[recording]\nenabeld = true\n", to: "bad.toml")
        let text = try Program.run(["config", "check", bad])
        #expect(text.code == 1)
        #expect(text.output.split(separator: "\n").map { $0.prefix(bad.count + 3) } == ["\(bad):2:", "\(bad):5:"])
        #expect(text.errors == "daybook: 2 mistakes in \(bad)\n")
        let json = try Program.run(["config", "check", bad, "--json"])
        let lines = try json.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        #expect(lines.map { $0["line"] } == [2, 5])
        #expect(lines.allSatisfy { $0["file"]?.stringValue == bad && $0["message"]?.stringValue?.isEmpty == false })
        let missing = try Program.run(["config", "check", folder.path + "/none"])
        #expect(missing.code == 1)
        #expect(missing.output.contains("No such file"))
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        for path in [folder.path + "/pipe", "/dev/null"] {
            let pipe = try Program.run(["config", "check", path])
            #expect(pipe.code == 1 && pipe.output.contains("a pipe or a device"), "\(pipe)")
        }
    }

    @Test("verifies a journal, and says the first bad place")
    func verify() throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.path + "/journal", withIntermediateDirectories: false)
        var encoder = EntryEncoder()
        var position = JournalPosition.start
        var lines: [String] = []
        for seq in 1...3 as ClosedRange<UInt64> {
            let entry = Entry(
                seq: seq, at: WallTime(microseconds: 0), boot: BootID(text: "b"), mono: BootTime(microseconds: 0),
                body: .started(version: "1"))
            let salt = Salt(high: seq, low: 7)
            let sealed = encoder.line(for: entry, salt: salt, after: position)
            let line = try #require(sealed)
            position = line.position
            lines.append(String(decoding: line.bytes, as: UTF8.self))
        }
        let file = "journal/00000000000000000001.jsonl"
        _ = try folder.write(lines.map { $0 + "\n" }.joined(), to: file)
        let good = try Program.run(["verify", folder.path, "--json"])
        #expect(good.code == 0)
        let found = try JSONValue(parsing: good.output.dropLast().description)
        #expect(found["good"] == true)
        #expect(found["lastSeq"] == 3)
        lines[1] = lines[1].replacing(#""version":"1""#, with: #""version":"2""#)
        _ = try folder.write(lines.map { $0 + "\n" }.joined(), to: file)
        let bad = try Program.run(["verify", folder.path])
        #expect(bad.code == 1)
        #expect(bad.output.hasPrefix("not good: 00000000000000000001.jsonl, line 2 "))
        #expect(try Program.run(["verify", folder.path + "/none"]).code == 1)
    }

    @Test("hands the words of 'analyze' on to the program beside it")
    func analyze() throws {
        let folder = try Folder()
        // A copy of our own, since the real one may lie beside the built program.
        let program = URL(fileURLWithPath: folder.path + "/daybook")
        try FileManager.default.copyItem(at: Program.file("daybook"), to: program)
        let missing = try Program.run(["analyze", "x"], program: program)
        #expect(missing.code == 1)
        #expect(missing.errors.contains("daybook-analyze is not installed"))
        let stand = try folder.write("#!/bin/sh\nfor word; do echo \"<$word>\"; done\nexit 7\n", to: "daybook-analyze")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: stand)
        func words(_ words: [String]) throws -> Program.Result { try Program.run(words, program: program) }
        #expect(
            try words(["analyze", "a b", "--json", "--odd=1", "-x"])
                == .init(code: 7, output: "<a b>\n<--json>\n<--odd=1>\n<-x>\n", errors: ""))
        // A name that is not UTF-8 stays what it is, through a shell since a process of Foundation takes texts only.
        let raw = try Program.run(
            ["-c", #"exec "$0" analyze "$(printf 'a\377')" | od -An -c"#, program.path], program: URL(fileURLWithPath: "/bin/sh"))
        #expect(raw.output.contains("377"))
        #expect(try words(["--json", "analyze", "--", "a"]) == .init(code: 7, output: "<--json>\n<-->\n<a>\n", errors: ""))
    }

    @Test("the doctor says what would stop it, and exits with 1")
    func doctorWithoutServer() throws {
        let folder = try Folder()
        let file = try config(folder, share: folder.path + "/none", state: folder.path + "/state")
        let result = try Program.run(["doctor", "--json", "--config", file, "--socket", folder.path + "/none.sock"])
        #expect(result.code == 1)
        #expect(result.errors == "")
        let findings = try result.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        func states(_ check: String) -> [String] {
            findings.filter { $0["check"]?.stringValue == check }.compactMap { $0["state"]?.stringValue }
        }
        #expect(states("configuration") == ["good"])
        #expect(states("server") == ["stops"])
        #expect(states("share") == ["stops"])
        let server = try #require(findings.first { $0["check"] == "server" })
        #expect(server["mend"]?.stringValue == "systemctl enable --now daybookd.socket daybookd.service")
        let text = try Program.run(["doctor", "-c", file, "--socket", folder.path + "/none.sock"])
        #expect(text.code == 1)
        #expect(text.output.hasSuffix("things would stop recording.\n"))
    }

    @Test("the doctor is content where nothing stands in the way, and counts what needs watches")
    func doctorWithServer() throws {
        let folder = try Folder()
        let share = folder.path + "/classes"
        for path in ["7b/Hamlet/berg", "7b/Hamlet/ito/deep/er", "8a"] {
            try FileManager.default.createDirectory(atPath: share + "/" + path, withIntermediateDirectories: true)
        }
        let file = try config(folder, share: share, state: folder.path + "/state")
        var status = Samples.status
        status.shares = []
        status.limits = []
        let server = try TestServer(in: folder.path) { [status] _ in [.reply(["status": status.json])] }
        defer { server.stop() }
        let result = try Program.run(["doctor", "--json", "-c", file, "--socket", server.path])
        let findings = try result.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        #expect(findings.filter { $0["state"] == "stops" } == [], "\(result.output)")
        #expect(result.code == 0)
        // The share, two classes, one assignment, two people, and two folders below a document's place.
        let limit = try #require(findings.first { $0["what"]?.stringValue?.hasPrefix("fs.inotify.max_user_watches: need ") == true })
        #expect(limit["what"]?.stringValue?.hasPrefix("fs.inotify.max_user_watches: need 8, have ") == true)
    }
}
