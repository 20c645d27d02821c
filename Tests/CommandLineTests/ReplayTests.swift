// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import Foundation
import Testing

@Suite("daybook replay")
struct ReplayTests {
    /// gedit, as fanotify told it in part by a thread's name: opened, saved by rename, and ended 40 s later. A viewer whose open and close came
    /// as one event, and that `/proc` showed holding the file after it. One rsync that nobody saw alive.
    private func makeTrace(_ folder: Folder) throws -> String {
        let path = folder.path + "/trace"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        func event(_ time: Double, _ mask: [String], _ path: String, _ pid: Int, _ tid: Int, _ comm: String, gone: Bool = false) -> String {
            let masks = mask.map { "\"\($0)\"" }.joined(separator: ",")
            return
                "{\"t\":\(time),\"src\":\"fanotify\",\"mask\":[\(masks)],\"path\":\"\(path)\",\"tid\":\(tid),\"pid\":\(pid),"
                + "\"comm\":\"\(comm)\",\"uid\":2001,\"euid\":2001,\"fsuid\":2001\(gone ? ",\"gone\":true" : "")}"
        }
        let essay = "students/alice/essay.txt"
        let temporary = "students/alice/.goutputstream-ABC"
        let files = [
            "fanotify.jsonl": [
                event(10, ["OPEN"], essay, 7, 8, "pool-gedit"), event(10, ["ACCESS", "CLOSE_NOWRITE"], essay, 7, 8, "pool-gedit"),
                event(15, ["OPEN", "CLOSE_NOWRITE"], "media/a.pdf", 9, 9, "evince"),
                event(20, ["OPEN", "CREATE"], temporary, 7, 8, "pool-gedit"), event(20, ["MODIFY"], temporary, 7, 8, "pool-gedit"),
                event(20, ["MOVED_FROM"], temporary, 7, 8, "pool-gedit"), event(20, ["MOVED_TO"], essay, 7, 8, "pool-gedit"),
                event(30, ["OPEN", "CLOSE_NOWRITE"], essay, -1, 99, "", gone: true),
                event(45, ["CLOSE_NOWRITE"], "media/a.pdf", 9, 9, "evince"),
            ],
            "events.jsonl": ["{\"t\":70,\"src\":\"tracer\",\"note\":\"end\"}"],
            "procs.jsonl": ["{\"t\":50,\"ev\":\"exit\",\"pid\":7,\"comm\":\"pool-gedit\"}"],
            "holders.jsonl": [
                "{\"t\":15.3,\"ev\":\"hold\",\"pid\":9,\"fd\":4,\"path\":\"media/a.pdf\",\"comm\":\"evince\",\"mode\":\"r\"}",
                "{\"t\":45.2,\"ev\":\"release\",\"pid\":9,\"fd\":4,\"path\":\"media/a.pdf\",\"comm\":\"evince\"}",
            ],
            "people.json": ["{\"2001\":\"alice\"}"],
        ]
        for (name, lines) in files {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path + "/" + name))
        }
        return path
    }

    @Test("takes processes, their end and what they held from a trace, and gives the same each time")
    func fanotify() throws {
        let folder = try Folder()
        let trace = try makeTrace(folder)
        let words = ["replay", "--source", "fanotify", "--people", trace + "/people.json", "--json", trace]
        let result = try Program.run(words)
        #expect(result.code == 0, "\(result)")
        let rows = try result.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        #expect(rows.map { $0["document"]?.stringValue } == ["students/alice/essay.txt", "media/a.pdf"])
        #expect(rows.map { $0["person"]?.stringValue } == ["alice", "alice"])
        #expect(rows.map { $0["openSeconds"]?.doubleValue } == [40, 30])
        #expect(rows.map { $0["ended"]?.stringValue } == ["process", "closed"])
        #expect(rows.map { $0["saves"]?.integerValue } == [1, 0])
        #expect(try Program.run(words) == result)
    }

    @Test("says what is missing for fanotify, and which sources there are")
    func missing() throws {
        let folder = try Folder()
        let trace = try makeTrace(folder)
        try FileManager.default.removeItem(atPath: trace + "/fanotify.jsonl")
        let without = try Program.run(["replay", "--source", "fanotify", trace])
        #expect(without.code == 1)
        #expect(without.errors.contains("has no fanotify.jsonl"))
        let unknown = try Program.run(["replay", "--source", "dtrace", trace])
        #expect(unknown.code == 2)
        #expect(unknown.errors.contains("--source is inotify or fanotify, not 'dtrace'"))
    }
}
