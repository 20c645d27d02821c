// SPDX-License-Identifier: Apache-2.0
import CDaybookBench
import DaybookJSON
import DaybookLinux
import Glibc

/// How long a program waits for `Save`, from its call to the answer that its activity is on the disk; and what of it is the disk.
struct SaveBenchmark {
    let options: BenchmarkOptions
    let folder: String

    /// As many as one account may save in one go, but for some to begin with.
    private static let saves = 500
    /// About an entry's line.
    private static let lineLength = 700

    func run() throws {
        show("| `Save` of one activity, \(Self.saves) in a row | median | 90 % |")
        show("| --- | --- | --- |")
        let disk = try measure(state: folder + "/state", besides: folder + "/plain")
        show("| state on the disk of \(options.folder) | \(Self.line(disk.saves)) |")
        show("| of it, a plain append of \(Self.lineLength) bytes and fdatasync, in turns | \(Self.line(disk.syncs)) |")
        let memory = try TemporaryFolder(in: "/dev/shm")
        defer { memory.remove() }
        let light = try measure(state: memory.path + "/state", besides: memory.path + "/plain")
        show("| state in memory (tmpfs) | \(Self.line(light.saves)) |")
        show("")
    }

    /// Sorted spans in nanoseconds.
    private func measure(state: String, besides plain: String) throws -> (saves: [Int64], syncs: [Int64]) {
        guard let daemon = Program.sibling("daybookd"), let analyzer = Program.sibling("daybook-analyze") else {
            throw BenchmarkFailure("daybookd is not built beside this program")
        }
        let share = folder + "/share"
        let socket = state + ".sock"
        let document = share + "/me/quiz.txt"
        _ = try Program.run(["mkdir", "-p", state, share + "/me"])
        let text = """
            [server]
            socket = "\(socket)"
            state = "\(state)"
            [recording]
            enabled = true
            [analyzer]
            socket = ""
            [[share]]
            path = "\(share)"
            [[share.layout]]
            pattern = "{person}/{document}"

            """
        try writeFile(state + ".toml", Array(text.utf8))
        let pid = try Program.start([daemon, "--config", state + ".toml", "--analyzer", analyzer])
        defer {
            kill(pid, SIGTERM)
            waitpid(pid, nil, 0)
        }
        let program = try Connection(socket)
        let file = open(plain, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard file >= 0 else { throw BenchmarkFailure.errno("cannot make \(plain)") }
        defer { close(file) }
        let line = [UInt8](repeating: 0x61, count: Self.lineLength)
        var (saves, syncs): ([Int64], [Int64]) = ([], [])
        for number in 1...(Self.saves + 20) {
            let begin = bench_monotonic()
            try program.save(document: document, seconds: number)
            let saved = bench_monotonic()
            guard write(file, line, line.count) == line.count, fdatasync(file) == 0 else { throw BenchmarkFailure.errno("cannot write") }
            // The first ones meet what is not loaded yet.
            guard number > 20 else { continue }
            saves.append(saved - begin)
            syncs.append(bench_monotonic() - saved)
        }
        try check(state)
        return (saves.sorted(), syncs.sorted())
    }

    /// Each of them is an entry: what was measured was no refusal.
    private func check(_ state: String) throws {
        let usage = try Program.run([
            "sh", "-c", "test \"$(grep -c '\"kind\":\"activity.saved\"' \"$0/current.jsonl\")\" = \(Self.saves + 20)", state,
        ])
        guard usage.status == 0 else { throw BenchmarkFailure("the saves are not in the journal") }
    }

    private static func line(_ sorted: [Int64]) -> String {
        func span(_ part: Int) -> String {
            let tenths = (sorted[min(sorted.count - 1, sorted.count * part / 100)] + 5_000) / 10_000
            return "\(tenths / 100).\(tenths % 100 < 10 ? "0" : "")\(tenths % 100) ms"
        }
        return span(50) + " | " + span(90)
    }

    /// A program's connection, which waits.
    private struct Connection: ~Copyable {
        private let stream: UnixStream

        init(_ socket: String) throws {
            let end = bench_monotonic() + 20_000_000_000
            while true {
                do {
                    stream = try UnixStream.connect(to: socket, within: .seconds(5))
                    return
                } catch {
                    guard bench_monotonic() < end else { throw error }
                    usleep(20_000)
                }
            }
        }

        func save(document: String, seconds: Int) throws {
            let now = "2024-01-15T08:00:00.000000Z"
            let activity: JSONValue = [
                "id": "1", "created": .string(now), "modified": .string(now), "running": false, "duration": .integer(Int64(seconds)),
                "ranges": [["from": 0, "to": 0.5]], "primary": .null, "additional": [],
            ]
            let call: JSONValue = [
                "method": "org.daybook.ClassKit.Save",
                "parameters": [
                    "store": ["app": "org.example.Quiz"],
                    "changes": [["activity": activity, "subject": ["document": .string(document)]]],
                ],
            ]
            var bytes: [UInt8] = []
            call.encode(into: &bytes)
            bytes.append(0)
            let reply = try exchange(bytes)
            let outcome = try JSONValue(parsing: reply)["parameters"]?["outcomes"]?.arrayValue?.first
            guard let outcome, outcome["error"] ?? .null == .null else {
                throw BenchmarkFailure("refused: \(String(decoding: reply, as: UTF8.self))")
            }
        }

        private func exchange(_ bytes: [UInt8]) throws -> [UInt8] {
            try stream.descriptor.withRaw { raw in
                guard send(raw, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
                    throw BenchmarkFailure.errno("cannot send")
                }
                var reply: [UInt8] = []
                while reply.last != 0 {
                    var wait = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
                    guard poll(&wait, 1, 20_000) == 1 else { throw BenchmarkFailure("the daemon does not answer") }
                    var room = [UInt8](repeating: 0, count: 65_536)
                    let count = recv(raw, &room, room.count, 0)
                    guard count > 0 else { throw BenchmarkFailure.errno("cannot receive") }
                    reply += room.prefix(count)
                }
                reply.removeLast()
                return reply
            }
        }
    }
}
