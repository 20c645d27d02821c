// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookVarlink
import Foundation
import JournalFormat
import DaybookLinux
import JournalStore
import Testing

@testable import daybook

@Suite("The program daybook and a journal")
struct JournalProgramTests {
    private func writer(_ folder: Folder) throws -> JournalWriter {
        var options = JournalOptions()
        options.commitDelay = .zero
        options.signing = JournalOptions.Signing()
        return try JournalWriter(stateDirectory: folder.path + "/state", boot: BootID(text: "b"), options: options, wake: nil)
    }

    private func submit(_ number: Int, to writer: JournalWriter) {
        let draft = EntryDraft(
            at: WallTime(microseconds: 1_773_529_140_000_000), mono: BootTime(microseconds: 1), body: .stopped(reason: "\(number)"))
        #expect(writer.submit(draft))
    }

    @Test("shows that it goes on from a checkpoint kept elsewhere, and prints the key to keep with it")
    func since() throws {
        let folder = try Folder()
        let state = folder.path + "/state"
        let first = try writer(folder)
        for number in 1...3 { submit(number, to: first) }
        _ = first.finish()
        _ = consume first
        let kept = folder.path + "/kept"
        try FileManager.default.copyItem(atPath: state + "/checkpoint", toPath: kept)
        let key = try Program.run(["verify", "--print-key", state])
        #expect(key.code == 0)
        #expect(CheckpointKey(text: String(key.output.dropLast())) != nil)
        let second = try writer(folder)
        submit(4, to: second)
        _ = second.finish()
        _ = consume second

        let good = try Program.run(["verify", state, "--since", kept, "--key", String(key.output.dropLast())])
        #expect(good.code == 0, "\(good)")
        #expect(good.output.contains("It goes on from the checkpoint of entry 3.\n"))
        #expect(good.output.contains("2 checkpoints are signed rightly; the last covers entries up to 5.\n"))

        // Changed, signed by somebody else, no note at all.
        let text = try String(contentsOfFile: kept, encoding: .utf8)
        let changed = try folder.write(text.replacing("\n3\n", with: "\n2\n"), to: "changed")
        let wrong = try Program.run(["verify", state, "--since", changed])
        #expect(wrong.code == 1)
        #expect(wrong.errors.contains("the signature of \(changed) is wrong"))
        let stranger = try #require(CheckpointSigner()?.note(of: .start))
        let foreign = try folder.write(stranger.whole, to: "foreign")
        #expect(try Program.run(["verify", state, "--since", foreign]).errors.contains("is signed by none of this journal's keys"))
        let none = try folder.write("hello\n", to: "none")
        #expect(try Program.run(["verify", state, "--since", none]).errors.contains("is no checkpoint of a journal"))
        #expect(try Program.run(["verify", state, "--key", "x"]).code == 2)
        #expect(try Program.run(["verify", "--print-key", folder.path]).code == 1)

        // The end is cut off, to a whole line, and the note beside it removed.
        let segment = state + "/journal/00000000000000000001.jsonl"
        let lines = try String(contentsOfFile: segment, encoding: .utf8).split(separator: "\n")
        try Data(lines.prefix(2).map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: segment))
        try FileManager.default.removeItem(atPath: state + "/checkpoint")
        #expect(try Program.run(["verify", state]).code == 0)
        let cut = try Program.run(["verify", state, "--since", kept, "--json"])
        #expect(cut.code == 1)
        let found = try JSONValue(parsing: cut.output.dropLast().description)
        #expect(found["known"]?.arrayValue?.first?["answer"] == "endsBefore")
    }

    @Test("makes a backup beside a server, up to what it has acknowledged, and without one all there is")
    func backup() throws {
        let folder = try Folder()
        let state = folder.path + "/state"
        let running = try writer(folder)
        for number in 1...5 { submit(number, to: running) }
        var durable = 0
        while durable < 5, let reports = running.reports.takeWaiting() {
            for case .durable(let entries) in reports { durable += entries.count }
        }
        // The writer runs, and nobody says what it has acknowledged.
        let refused = try Program.run(["backup", folder.path + "/none", "--state", state, "--socket", folder.path + "/none.sock"])
        #expect(refused.code == 3)
        #expect(refused.errors.contains("does not say what it has acknowledged"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/none"))
        var status = Samples.status
        status.journal.lastSeq = 4
        let reply: JSONObject = ["status": status.json]
        let server = try TestServer(in: folder.path) { _ in [.reply(reply)] }
        let made = try Program.run(["backup", folder.path + "/one", "--state", state, "--socket", server.path])
        server.stop()
        #expect(made.code == 0, "\(made)")
        #expect(made.output.hasPrefix("\(folder.path)/one: 1 segment, "))
        #expect(try Program.run(["verify", folder.path + "/one"]).output.hasPrefix("good: entries 1 to 4 in 1 segment.\n"))
        _ = running.finish()
        _ = consume running
        let all = try Program.run(["backup", folder.path + "/two", "--state", state, "--socket", folder.path + "/none.sock", "--json"])
        #expect(all.code == 0, "\(all)")
        #expect(try JSONValue(parsing: all.output.dropLast().description)["check"]?["lastSeq"] == 6)
        let again = try Program.run(["backup", folder.path + "/two", "--state", state])
        #expect(again.code == 1)
        #expect(again.errors.contains("is there already"))
    }
}
