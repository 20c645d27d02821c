// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import DaybookJSON
import Glibc
import Testing

@Suite("daybook-analyze FILE", .serialized)
struct CommandTests {
    @Test("prints one line for each file, whatever the file is, and never waits")
    func lines() throws {
        let folder = try TemporaryFolder()
        let good = try folder.file("good.txt", "three little words")
        let bad = try folder.file("bad.docx", "PK\u{3}\u{4} and then nothing of a container")
        mkfifo("\(folder.path)/fifo", 0o600)
        mkdir("\(folder.path)/folder", 0o700)
        let sparse = try folder.file("sparse.txt")
        try #require(truncate(sparse, 10 << 30) == 0)
        let files = [good, bad, "\(folder.path)/fifo", "\(folder.path)/folder", "/dev/zero", sparse, "\(folder.path)/none", good]
        let (output, status) = try run(["--json"] + files)
        #expect(status == 1)
        let answers = try output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        #expect(answers.compactMap { $0["file"]?.stringValue } == files)
        #expect(answers.map { $0["error"] == .null } == [true, false, false, false, false, false, false, true])
        #expect(answers.first?["items"]?.arrayValue?.first?["value"] == .integer(3))
        #expect(answers[1]["error"]?.stringValue?.contains("damaged") == true)
        #expect(try run(["--json", good]).status == 0)
    }

    @Test("scores answers by a quiz key, and says what is wrong with a key before anything is measured")
    func key() throws {
        let folder = try TemporaryFolder()
        let key = try folder.file("key.txt", "Capital of France?\nA) Lyon\nB) Paris\nANSWER: B\n")
        let answers = try folder.file("answers.txt", "1. B\n1. A\n")
        let (output, status) = try run(["--key", key, answers])
        #expect(status == 0)
        #expect(output.contains("Score               0 of 1"))
        #expect(output.contains("\n  quiz_score: answered more than once"))
        let broken = try folder.file("broken.txt", "Capital of France?\nA) Lyon\nB) Paris\nANSWER: C\n")
        #expect(try run(["--key", broken, answers]).status == 2)
        #expect(try run(["--key=\(folder.path)/none", answers]).status == 2)
    }

    @Test("speaks to people without --json")
    func people() throws {
        let folder = try TemporaryFolder()
        let good = try folder.file("good.txt", "three little words")
        let (output, status) = try run([good])
        #expect(status == 0)
        let lines = output.split(separator: "\n").map(String.init)
        #expect(lines.first == "\(good) (txt)")
        #expect(lines.dropFirst().first == "  Word Count  3")
        #expect(lines.last?.contains("the language is not known") == true)
    }

    @Test(
        "takes names that begin with a hyphen after --, and says what it does not understand",
        arguments: [
            ["--nonsense"], [], ["--time-limit"], ["--time-limit", "0", "a"], ["--time-limit=x", "a"], ["--fd", "2"], ["--fd", "3", "a"],
        ])
    func usage(arguments: [String]) throws {
        #expect(try run(arguments).status == 2)
    }

    @Test("explains itself")
    func help() throws {
        let (output, status) = try run(["--help"])
        #expect(status == 0)
        #expect(output.hasPrefix("usage: daybook-analyze"))
    }

    @Test("reads a document where nothing can be opened, made, sent, started or run")
    func sandbox() throws {
        let (output, status) = try run(["--check-sandbox"])
        #expect(status == 0, "\(output)")
        #expect(output.split(separator: "\n").count == 10)
        #expect(!output.contains("ALLOWED"))
    }
}
