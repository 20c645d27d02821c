// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Foundation
import JournalFormat
import JournalStore
import Testing

@Suite("The commands in the documentation of the journal")
struct DocumentedCommandsTests {
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Documentation/Journal.md")

    /// The shell commands of a section, one text for each code block.
    private func commands(of section: String) throws -> [String] {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let start = try #require(text.ranges(of: "\n## \(section)\n").first).upperBound
        let rest = text[start...]
        let body = rest[..<(rest.ranges(of: "\n## ").first?.lowerBound ?? rest.endIndex)]
        return body.split(separator: "```", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            .compactMap { block in
                let block = block.hasPrefix("sh\n") ? block.dropFirst(3) : ""
                return block.isEmpty ? nil : String(block)
            }
    }

    private static let mia = PersonID(uid: 2001, login: "mia")
    private static let essay = DocumentRef(share: "/srv/classes", path: PathBytes("8b/2026-03-14 Hamlet/mia/essay.odt"))
    private static let hamlet = AssignmentID(text: "8b/2026-03-14 Hamlet")
    private static func boot(_ seconds: Int64) -> BootTime { BootTime(microseconds: seconds * 1_000_000) }

    /// Something for each recipe, half of it compressed.
    private func journal() throws -> StateDirectory {
        let state = try StateDirectory(inMemory: true)
        let known = Attribution(person: Self.mia, source: .companion)
        let start = SessionStart(
            id: ActivityID(7), document: Self.essay, attribution: known, presence: .companion, openedAt: Self.boot(5),
            notBefore: Self.boot(4))
        let item = Item(identifier: "total_word_count", title: "Word Count", value: .quantity(558), method: .counted)
        let bodies: [[EntryBody]] = [
            [
                .started(version: "0.1"), .session(.started(start), assignment: Self.hamlet),
                .session(.evidence(ActivityID(7), Evidence(.saved, first: Self.boot(6))), assignment: nil),
                .repaired(
                    RepairFacts(lastGoodSeq: 3, lastGoodChain: Digest.zero.hex, setAside: "x.torn-4", bytes: 9, reason: "power failed")),
            ],
            [
                .metrics(
                    MetricsFacts(
                        document: Self.essay, assignment: Self.hamlet, attribution: known, savedAt: Self.boot(6), size: 9, items: [item])),
                .viewed(ViewedFacts(by: 1500, byLogin: "teach", person: Self.mia, assignment: Self.hamlet, what: "Report")),
                .gap(
                    GapFacts(
                        cause: .overflow, share: "/srv/classes", from: WallTime(microseconds: 0), to: WallTime(microseconds: 5), lost: 3)),
            ],
        ]
        for (day, bodies) in bodies.enumerated() {
            let writer = try state.open(.withCheckpoints)
            let at = WallTime(microseconds: 1_773_529_140_000_000 + Int64(day) * 86_400_000_000)
            for body in bodies { #expect(writer.submit(EntryDraft(at: at, mono: Self.boot(4), body: body))) }
            _ = writer.finish()
        }
        try state.pack()
        #expect(state.packed.count == 1)
        #expect(state.segments.count == 1)
        return state
    }

    @Test("find what they say, in compressed segments as in plain ones")
    func recipes() throws {
        let state = try journal()
        let recipes = try #require(try commands(of: "Recipes").first).replacing("/var/lib/daybook", with: state.path)
            .replacing("> 100000", with: "> 3")
        let parts = recipes.split(separator: "\n\n").map(String.init)
        let (prelude, rest) = (parts[0], parts.dropFirst())
        let expected: [(begins: String, output: String)] = [
            ("# How many entries", "2 checkpoint\n1 viewed\n1 started\n1 repaired\n1 metrics\n1 gap\n1 evidence\n1 activity.started\n"),
            (
                "# Everything that",
                #"{"cause":"overflow","share":"/srv/classes","from":"1970-01-01T00:00:00.000000Z","to":"1970-01-01T00:00:00.000005Z","lost":3}"#
                    + "\n"
            ), ("# The saves", "2026-03-14T22:59:02Z\n"),
            ("# The sessions", #"{"activity":7,"document":"8b/2026-03-14 Hamlet/mia/essay.odt"}"# + "\n"),
            ("# The word count", "2026-03-15T22:59:00.000000Z 558\n"),
            (
                "# Who looked",
                #"{"at":"2026-03-15T22:59:00.000000Z","byLogin":"teach","what":"Report","person":"mia","assignment":"8b/2026-03-14 Hamlet"}"#
                    + "\n"
            ),
            ("# Repairs", #"{"seq":4,"lastGoodSeq":3,"setAside":"x.torn-4","reason":"power failed"}"# + "\n"),
        ]
        for (begins, output) in expected {
            let recipe = try #require(rest.first { $0.hasPrefix(begins) }, "\(begins)")
            let result = try runProgram(["bash", "-c", "set -o pipefail\n\(prelude)\n\(recipe)"])
            #expect(result.status == 0, "\(recipe)")
            let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n").map { $0.drop { $0 == " " } + "\n" }
            #expect(lines.sorted() == output.split(separator: "\n").map { $0 + "\n" }.sorted(), "\(recipe)")
        }
        // The note as a file is one that `verify --since` takes.
        let note = try #require(rest.first { $0.hasPrefix("# The checkpoint") })
        let file = try runProgram(["bash", "-c", "\(prelude)\n\(note)"]).output
        #expect(try #require(SignedNote(file)?.position).seq >= 4)
        #expect(rest.count == expected.count + 2, "a recipe is not tested")
        // `tail -F` does not end, so it is told to.
        let tail = try #require(rest.first { $0.hasPrefix("# What happened") }).replacing("tail -F", with: "timeout -s KILL 1 tail -F")
        let shown = try runProgram(["bash", "-c", "\(prelude)\n\(tail)"]).output
        #expect(String(decoding: shown, as: UTF8.self).contains("\"kind\":\"gap\""))
    }

    @Test("check a checkpoint's signature with OpenSSL alone, and refuse a changed one")
    func signature() throws {
        let state = try journal()
        let script = try #require(try commands(of: "Checkpoints").first { $0.contains("pkeyutl") })
        let key = try #require(CheckpointFiles.keys(in: state.path).last)
        func check(_ file: String) throws -> Int32 {
            try runProgram(["bash", "-ec", "cd \(state.path); KEY='\(key)'; NOTE='\(file)'\n\(script)"]).status
        }
        #expect(try check(state.path + "/checkpoint") == 0)
        let text = try String(contentsOfFile: state.path + "/checkpoint", encoding: .utf8)
        let changed = text.replacing("\n\(try #require(CheckpointFiles.note(in: state.path)?.position).seq)\n", with: "\n9\n")
        #expect(changed != text)
        try Data(changed.utf8).write(to: URL(fileURLWithPath: state.path + "/changed"))
        #expect(try check(state.path + "/changed") != 0)
    }

    @Test("the Python check agrees with ours on compressed segments, good and broken")
    func python() throws {
        let state = try journal()
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let start = try #require(text.ranges(of: "```python\n").first).upperBound
        let script = String(text[start...].prefix { $0 != "`" })
        let good = try runProgram(["python3", "-c", script, state.journal])
        let last = JournalCheck.run(state.path).findings.last
        #expect(String(decoding: good.output, as: UTF8.self) == "\(last.seq) \(last.chain.hex)\n")
        // The first day goes, and a base line stands for it.
        struct All: EntrySelection {
            var words: [String] { [] }
            mutating func learn(_ entry: Entry, digest: Digest) {}
            func replacements() -> [EntryBody] { [] }
            func selects(_ entry: Entry, digest: Digest) -> Bool {
                switch entry.body {
                case .repaired, .checkpoint: false
                default: true
                }
            }
        }
        let shortened = try state.copy()
        let writer = try shortened.open()
        let limit = WallTime(microseconds: 1_773_529_140_000_000 + 86_400_000_000 + 1)
        #expect(writer.erase(ErasureRequest(id: 1, kind: .retention, by: nil, selection: All(), before: limit)))
        _ = take(writer) { $0.contains { if case .erased = $0 { true } else { false } } }
        _ = writer.finish()
        let check = JournalCheck.run(shortened.path, since: [last])
        #expect(check.isGood && check.findings.firstSeq == 6, "\(check.text)")
        let found = try runProgram(["python3", "-c", script, shortened.journal])
        #expect(String(decoding: found.output, as: UTF8.self) == "\(check.findings.last.seq) \(check.findings.last.chain.hex)\n")

        let name = state.packed[0]
        var bytes = try state.read(name)
        bytes[bytes.count / 2] ^= 0x10
        try state.write(name, bytes)
        #expect(!JournalCheck.run(state.path).isGood)
        #expect(try runProgram(["python3", "-c", script, state.journal]).status != 0)
    }
}
