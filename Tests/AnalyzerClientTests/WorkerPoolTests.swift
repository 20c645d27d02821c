// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import DaybookJSON
import DaybookLinux
import Glibc
import Testing

/// A text that takes this build some seconds to count.
private let longText = String(repeating: "Some words of a long text, and a stop. ", count: 200_000)

@Suite("Documents of one owner", .serialized)
struct WorkerPoolTests {
    private func words(_ measurement: Measurement) -> Item.Value? {
        measurement.items.first { $0.identifier == "total_word_count" }?.value
    }

    private func measure(
        _ text: String, _ connection: AnalyzerConnection, owner: Int64?, name: String = "a.txt", key: AnswerKey? = nil
    ) throws -> Measurement {
        try connection.measure(SealedMemory(text.utf8), AnalyzerRequest(id: 0, name: name, owner: owner, key: key))
    }

    /// The processes that the service has now.
    private func readers(_ connection: AnalyzerConnection) throws -> Set<pid_t> {
        let process = try #require(connection.processID)
        let children = try text(of: "/proc/\(process)/task/\(process)/children")
        return Set(children.split(separator: " ").compactMap { pid_t($0) })
    }

    @Test("are read by one process, one after the other, and no more than fifty; each is measured by its own name and bytes")
    func reuse() throws {
        let connection = try AnalyzerConnection.start(program: analyzerProgram)
        var pids: [pid_t] = []
        for count in 1...60 {
            let name = count.isMultiple(of: 2) ? "a.txt" : "a.md"
            let text = Array(repeating: "word", count: count).joined(separator: " ")
            let measured = try measure(text, connection, owner: 1, name: name)
            #expect(words(measured) == .quantity(Double(count)))
            #expect(measured.format == (count.isMultiple(of: 2) ? "txt" : "md"))
            // One that has served enough, or has cost enough (this build is slow), is gone already.
            let now = try readers(connection)
            #expect(now.count <= 1)
            if let pid = now.first { pids.append(pid) }
        }
        let runs = Dictionary(grouping: pids) { $0 }.mapValues(\.count)
        #expect(runs.values.max() ?? 0 >= 4, "\(runs)")
        #expect(runs.values.max() ?? 0 <= 50 && runs.count > 1, "\(runs)")
    }

    @Test("never share a process with another's, with one that names no owner, or with one that has a quiz key")
    func apart() throws {
        let connection = try AnalyzerConnection.start(program: analyzerProgram)
        #expect(words(try measure("one", connection, owner: 1)) == .quantity(1))
        let first = try readers(connection)
        #expect(first.count == 1)
        #expect(words(try measure("one two", connection, owner: 2)) == .quantity(2))
        let both = try readers(connection)
        #expect(both.count == 2 && both.isSuperset(of: first))
        #expect(words(try measure("one two three", connection, owner: nil)) == .quantity(3))
        #expect(try readers(connection) == both, "nothing stays of it")
        let scored = try measure("1. paris", connection, owner: 1, key: AnswerKey(name: "key.gift", text: "Capital of France?{=Paris}"))
        #expect(scored.items.first?.identifier == "quiz_score")
        #expect(try readers(connection) == both)
        // Back to its own.
        #expect(words(try measure("one", connection, owner: 1)) == .quantity(1))
        #expect(try readers(connection) == both)
        #expect(try eventually { try readers(connection).isEmpty ? true : nil } == true, "and after a while nothing is left")
    }

    @Test("a third that hangs costs its own figures alone, after its own time")
    func hang() throws {
        let connection = try AnalyzerConnection.start(program: analyzerProgram, arguments: ["--time-limit", "1"])
        let endless = String(repeating: longText, count: 3)
        for number in 1...10 {
            let measured = try measure(number == 3 ? endless : "still here", connection, owner: 1)
            if number == 3 {
                #expect(measured.error?.contains("took longer than 1 s") == true)
            } else {
                #expect(words(measured) == .quantity(2), "document \(number)")
            }
        }
    }

    @Test("a third that wants too much memory costs its own figures alone")
    func memory() throws {
        let connection = try AnalyzerConnection.start(program: analyzerProgram, arguments: ["--memory-limit", "80"])
        let large = String(repeating: longText, count: 8)
        for number in 1...10 {
            let measured = try measure(number == 3 ? large : "still here", connection, owner: 1, name: number == 3 ? "a.md" : "a.txt")
            if number == 3 {
                #expect(measured.error?.contains("80 MB of memory") == true)
            } else {
                #expect(words(measured) == .quantity(2), "document \(number)")
            }
        }
    }

    /// Kills the process that reads, as often as asked, and tells whom.
    private func killing(_ connection: AnalyzerConnection, times: Int, _ number: Int32) throws -> WorkerThread {
        let process = try #require(connection.processID)
        return try WorkerThread(name: "killer") {
            var killed: Set<pid_t> = []
            _ = eventually(seconds: 30) { () -> Bool? in
                let children = (try? text(of: "/proc/\(process)/task/\(process)/children")) ?? ""
                for child in children.split(separator: " ").compactMap({ pid_t($0) }) where !killed.contains(child) {
                    // Only one that is at work: it has used up some time.
                    let words = ((try? text(of: "/proc/\(child)/stat")) ?? "").split(separator: " ")
                    guard words.count > 14, let ticks = Int(words[13]), ticks > 30 else { continue }
                    if kill(child, number) == 0 { killed.insert(child) }
                }
                return killed.count >= times ? true : nil
            }
        }
    }

    @Test("a third whose process crashes has a second one to itself; if that crashes too, it costs its own figures alone")
    func crash() throws {
        for (times, isMeasured) in [(1, true), (2, false)] {
            let connection = try AnalyzerConnection.start(program: analyzerProgram)
            for number in 1...10 {
                guard number == 3 else {
                    #expect(words(try measure("still here", connection, owner: 1)) == .quantity(2), "document \(number)")
                    continue
                }
                let killer = try killing(connection, times: times, SIGSEGV)
                let measured = try measure(longText, connection, owner: 1)
                killer.join()
                if isMeasured {
                    #expect(words(measured) == .quantity(1_800_000))
                } else {
                    #expect(measured.error?.contains("its reader stopped (signal 11)") == true, "\(measured)")
                }
            }
        }
    }

    @Test("a process that died while it waited is not missed")
    func idleDeath() throws {
        let connection = try AnalyzerConnection.start(program: analyzerProgram)
        #expect(words(try measure("one", connection, owner: 1)) == .quantity(1))
        for reader in try readers(connection) { #expect(kill(reader, SIGKILL) == 0) }
        #expect(words(try measure("one two", connection, owner: 1)) == .quantity(2))
    }

    @Test("many files of one command come in their order, whatever some of them are")
    func files() throws {
        let folder = try TemporaryFolder()
        var files: [String] = []
        for number in 0..<120 {
            let text =
                switch number {
                case 30: "PK\u{3}\u{4} and then nothing of a container"
                case 60: String(repeating: longText, count: 8)
                default: Array(repeating: "word", count: number + 1).joined(separator: " ")
                }
            files.append(try folder.file("\(number)" + (number == 60 ? ".md" : ".txt"), text))
        }
        let (output, status) = try run(["--json", "--memory-limit", "80"] + files)
        #expect(status == 1)
        let answers = try output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        #expect(answers.compactMap { $0["file"]?.stringValue } == files)
        for (number, answer) in answers.enumerated() {
            if number == 30 || number == 60 {
                #expect(answer["error"]?.stringValue != nil, "\(answer)")
            } else {
                #expect(answer["items"]?.arrayValue?.first?["value"] == .integer(Int64(number + 1)))
            }
        }
    }
}
