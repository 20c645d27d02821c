// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import Foundation
import Testing

@testable import daybook

@Suite("A recorded trace")
struct RecordTests {
    /// A class with one document, and its configuration.
    private func makeSchool(_ folder: Folder, shares: [String] = ["classes"]) throws -> String {
        var text = ""
        for share in shares {
            let work = "\(folder.path)/\(share)/8b/Hamlet/berg"
            try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
            try "To be.\n".write(toFile: work + "/first essay.txt", atomically: false, encoding: .utf8)
            text +=
                "[[share]]\npath = \"\(folder.path)/\(share)\"\n[[share.layout]]\npattern = \"{class}/{assignment}/{person}/{document}\"\n"
        }
        return try folder.write(text + "[[person]]\nlogin = \"berg\"\nuid = \(max(1000, getuid()))\n", to: "config.toml")
    }

    /// Names, sizes and times of all that is below a folder.
    private func tree(_ path: String) throws -> [String] {
        var lines: [String] = []
        for name in try FileManager.default.subpathsOfDirectory(atPath: path).sorted() {
            var facts = stat()
            #expect(lstat(path + "/" + name, &facts) == 0)
            lines.append("\(name) \(facts.st_size) \(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec) \(facts.st_ino)")
        }
        return lines
    }

    @Test("has what happened below the layouts, masked, and nothing is written below the share")
    func records() throws {
        let folder = try Folder()
        let config = try makeSchool(folder)
        let share = folder.path + "/classes"
        let out = folder.path + "/trace"
        let work = share + "/8b/Hamlet/berg"
        let recording = Thread {
            // Begins when the recorder has made its folder: until then it may not watch yet.
            while !FileManager.default.fileExists(atPath: out) { usleep(1000) }
            let script = """
                cd '\(work)' && exec 3>>'first essay.txt' && echo 'or not' >&3 && exec 3>&- && cp 'first essay.txt' .copy.tmp \
                && mv .copy.tmp 'first essay.txt' && mkdir ../linden && echo x > '\(share)/8b/outside.txt' && echo y > ../unasked.txt
                """
            let shell = Process()
            shell.executableURL = URL(filePath: "/bin/sh")
            shell.arguments = ["-c", script]
            try? shell.run()
            shell.waitUntilExit()
        }
        recording.start()
        let result = try Program.run(["record", out, "--config", config, "--for", "2s"])
        #expect(result.code == 0, "\(result)")
        let after = try tree(share)
        #expect(after.map { $0.prefix { $0 != " " } }.filter { $0.contains("trace") } == [])
        #expect(result.output.contains("  class-1/assignment-1/person-1/document-1.txt\n"), "\(result)")
        #expect(result.output.contains("Look at all of it before you hand it on"))

        var names = ["events.jsonl", "holders.jsonl", "final_tree.txt", "people.json", "config.toml"]
        if !result.output.contains("not recorded: ") { names += ["fanotify.jsonl", "procs.jsonl"] }
        #expect(try FileManager.default.contentsOfDirectory(atPath: out).sorted() == names.sorted())
        for name in names {
            let text = try String(contentsOfFile: out + "/" + name, encoding: .utf8)
            for word in ["berg", "first", "Hamlet", "linden", "outside", "unasked", folder.path] {
                #expect(!text.contains(word), "\(name): \(word)")
            }
        }
        let lines = try String(contentsOfFile: out + "/events.jsonl", encoding: .utf8).split(separator: "\n")
            .map { try JSONValue(parsing: String($0)) }
        #expect(lines.last?["note"] == "end")
        let kinds = lines.filter { $0["path"]?.stringValue?.hasSuffix("person-1/document-1.txt") == true }
            .map { ($0["mask"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: "+") }
        #expect(kinds.filter { ["MODIFY", "CLOSE_WRITE", "MOVED_TO"].contains($0) } == ["MODIFY", "CLOSE_WRITE", "MOVED_TO"])
        #expect(lines.contains { $0["mask"] == ["CREATE", "ISDIR"] && $0["path"] == "class-1/assignment-1/folder-1" })
        let times = lines.compactMap { $0["t"]?.doubleValue }
        #expect(times == times.sorted() && times.count == lines.count)
        // It is a trace that 'replay' reads, and gives the same each time.
        let words = ["replay", "--config", out + "/config.toml", "--people", out + "/people.json", out, "--json"]
        let replay = try Program.run(words)
        #expect(replay.code == 0, "\(replay)")
        #expect(replay.output.contains("\"document\":\"class-1/assignment-1/person-1/document-1.txt\""), "\(replay)")
        #expect(try Program.run(words) == replay)
    }

    @Test("keeps the names where that is asked for, and says so")
    func names() throws {
        let folder = try Folder()
        let config = try makeSchool(folder)
        let result = try Program.run(["record", folder.path + "/trace", "-c", config, "--for", "1s", "--names"])
        #expect(result.code == 0)
        #expect(result.output.contains("Names and user numbers are the REAL ones."))
        #expect(result.output.contains("  8b/Hamlet/berg/first essay.txt\n"))
        let json = try Program.run(["record", folder.path + "/other", "-c", config, "--for", "1s", "--json"])
        let line = try JSONValue(parsing: json.output)
        #expect(line["masked"] == true)
        #expect(line["documents"] == 1)
        #expect(line["losses"] == 0)
    }

    @Test("is never written into a share, by whatever path it is reached, nor into a folder that has something")
    func places() throws {
        let folder = try Folder()
        let config = try makeSchool(folder, shares: ["classes", "other"])
        let before = try tree(folder.path + "/classes") + tree(folder.path + "/other")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: folder.path + "/classes/8b")
        for place in ["/classes/trace", "/classes/8b/Hamlet", "/link/trace", "/other/trace", "/classes/../classes/trace", "/classes"] {
            let result = try Program.run(["record", folder.path + place, "-c", config, "--for", "1s", "--share", folder.path + "/classes"])
            #expect(result.code == 1, "\(place)")
            #expect(result.errors.contains("lies in a share, where Daybook never writes"), "\(result)")
        }
        #expect(try tree(folder.path + "/classes") + tree(folder.path + "/other") == before)
        let full = try Program.run(["record", folder.path, "-c", config, "--for", "1s", "--share", folder.path + "/classes"])
        #expect(full.errors.contains("is not empty; name a new folder"), "\(full)")
        let missing = try Program.run(["record", folder.path + "/no/trace", "-c", config, "--for", "1s", "--share", folder.path + "/other"])
        #expect(missing.code == 1)
    }

    @Test("begins only with a share, a place and a time that are clear")
    func usage() throws {
        let folder = try Folder()
        let config = try makeSchool(folder, shares: ["classes", "other"])
        let out = folder.path + "/trace"
        for (words, code, message) in [
            ([], 2, "DIR, the folder to write to, is missing"), ([out, "--for", "soon"], 2, "--for needs a time from 1s to 24h"),
            ([out, "--for", "0s"], 2, "--for needs a time"), ([out, "-c", config], 2, "say which share with --share: "),
            ([out, "-c", config, "--share", "/none"], 1, "no share '/none' is configured; there is "),
            ([out, "-c", folder.path + "/none"], 1, "No such file"),
        ] as [([String], Int32, String)] {
            let result = try Program.run(["record"] + words)
            #expect(result.code == code, "\(result)")
            #expect(result.errors.contains(message), "\(result)")
        }
        #expect(!FileManager.default.fileExists(atPath: out))
    }
}
