// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import CDaybookLinux
import DaybookJSON
import DaybookLinux
import Glibc
import Testing

/// A text that takes this build some seconds to count.
private let longText = String(repeating: "Some words of a long text, and a stop. ", count: 200_000)

@Suite("The analyzer service", .serialized)
struct ServiceTests {
    private func words(_ measurement: Measurement) -> Item.Value? {
        measurement.items.first { $0.identifier == "total_word_count" }?.value
    }

    @Test("measures what is sent and keeps serving")
    func serves() throws {
        let connection = try AnalyzerConnection.start(program: analyzerProgram)
        for count in 1...20 {
            let text = Array(repeating: "word", count: count).joined(separator: " ")
            let measured = try connection.measure(SealedMemory(text.utf8), name: "a.txt")
            #expect(words(measured) == .quantity(Double(count)))
            #expect(measured.format == "txt")
        }
        let refused = try connection.measure(SealedMemory([0, 1, 2, 3]), name: "a.docx")
        #expect(refused.error?.hasPrefix("no analyzer for") == true)
        #expect(words(try connection.measure(SealedMemory("one more".utf8), name: "b.md")) == .quantity(2))
        let chosen = try connection.measure(SealedMemory("one more".utf8), name: "b.md", analyzers: ["txt"])
        #expect(chosen.format == "txt")
    }

    @Test("scores answers by the key that comes with a request")
    func key() throws {
        let connection = try AnalyzerConnection.start(program: analyzerProgram)
        let text = String(repeating: "// \u{1}\n", count: 10_000) + "Capital of France?{=Paris}"
        let key = AnswerKey(name: "key.gift", text: text)
        let measured = try connection.measure(SealedMemory("1. paris".utf8), name: "a.txt", key: key)
        #expect(measured.items.first?.value == .score(1, max: 1))
        #expect(measured.items.first?.identifier == "quiz_score")
    }

    @Test("has no capability left and can gain none")
    func capabilities() throws {
        let connection = try AnalyzerConnection.start(program: analyzerProgram)
        _ = try connection.measure(SealedMemory("x".utf8), name: "a.txt")
        let process = try #require(connection.processID)
        let status = try text(of: "/proc/\(process)/status").split(separator: "\n")
        for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
            #expect(status.contains { $0.hasPrefix(set) && $0.hasSuffix("\t0000000000000000") }, "\(set)")
        }
        #expect(status.contains("NoNewPrivs:\t1"))
    }

    @Test("answers for a reader that was killed, and serves the next document")
    func killed() throws {
        let connection = try AnalyzerConnection.start(program: analyzerProgram)
        let process = try #require(connection.processID)
        let killer = try WorkerThread(name: "killer") {
            _ = eventually { () -> Bool? in
                let children = (try? text(of: "/proc/\(process)/task/\(process)/children")) ?? ""
                guard let child = children.split(separator: " ").first.flatMap({ pid_t($0) }) else { return nil }
                return kill(child, SIGKILL) == 0 ? true : nil
            }
        }
        let measured = try connection.measure(SealedMemory(longText.utf8), name: "a.txt")
        killer.join()
        #expect(measured.error?.contains("killed from outside") == true)
        #expect(measured.items.isEmpty)
        #expect(words(try connection.measure(SealedMemory("still here".utf8), name: "a.txt")) == .quantity(2))
    }

    @Test("stops a reader after its time, and serves the next document")
    func time() throws {
        let connection = try AnalyzerConnection.start(program: analyzerProgram, arguments: ["--time-limit", "1"])
        let endless = String(repeating: longText, count: 3)
        let measured = try connection.measure(SealedMemory(endless.utf8), name: "a.txt")
        #expect(measured.error?.contains("took longer than 1 s") == true)
        #expect(words(try connection.measure(SealedMemory("still here".utf8), name: "a.txt")) == .quantity(2))
    }

    @Test("stops a reader that wants too much memory, and serves the next document", arguments: [8])
    func memory(times: Int) throws {
        let connection = try AnalyzerConnection.start(program: analyzerProgram, arguments: ["--memory-limit", "80"])
        let large = String(repeating: longText, count: times)
        // Plain text is counted as it comes; Markdown is read as a whole.
        let measured = try connection.measure(SealedMemory(large.utf8), name: "a.md")
        #expect(measured.error?.contains("80 MB of memory") == true)
        #expect(words(try connection.measure(SealedMemory("still here".utf8), name: "a.txt")) == .quantity(2))
    }

    @Test("serves whoever connects to its listening socket, several at a time")
    func listens() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/analyze.sock"
        let listener = OwnedDescriptor(adopting: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = listener.withRaw { raw in
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
            }
        }
        try #require(bound == 0)
        try #require(listener.withRaw { listen($0, 8) } == 0)
        let service = try RawService(serving: listener)
        let first = try AnalyzerConnection.connect(to: path)
        let second = try AnalyzerConnection.connect(to: path)
        #expect(words(try second.measure(SealedMemory("two words".utf8), name: "a.txt")) == .quantity(2))
        #expect(words(try first.measure(SealedMemory("one".utf8), name: "a.txt")) == .quantity(1))
        withExtendedLifetime(service) {}
    }

    @Test("gives up waiting at its deadline, and skips the late reply")
    func deadline() throws {
        let connection = try AnalyzerConnection.start(program: analyzerProgram)
        let long = try SealedMemory(longText.utf8)
        #expect(throws: AnalyzerClientError.timedOut(seconds: 0)) { try connection.measure(long, name: "a.txt", timeoutSeconds: 0) }
        #expect(words(try connection.measure(SealedMemory("two words".utf8), name: "a.txt")) == .quantity(2))
    }

    @Test("that went away is an error, not a wait")
    func gone() throws {
        let connection = try AnalyzerConnection.start(program: analyzerProgram)
        let process = try #require(connection.processID)
        kill(process, SIGKILL)
        #expect(throws: AnalyzerClientError.self) { try connection.measure(SealedMemory("x".utf8), name: "a.txt") }
        #expect(throws: AnalyzerClientError.cannotStart(program: "/nonexistent", errno: ENOENT)) {
            try AnalyzerConnection.start(program: "/nonexistent")
        }
        #expect(throws: AnalyzerClientError.self) { try AnalyzerConnection.connect(to: "/nonexistent/socket") }
    }

    @Test("refuses a document that can still change")
    func unsealed() throws {
        let raw = try RawClient()
        let memory = OwnedDescriptor(adopting: daybook_memory_file("test"))
        memory.withRaw { _ = write($0, "text", 4) }
        raw.send(#"{"version":1,"id":3,"name":"a.txt"}"# + "\0", passing: memory)
        let reply = try #require(try raw.receive())
        #expect(reply["id"]?.integerValue == 3)
        #expect(reply["error"]?.stringValue?.contains("sealed") == true)
    }

    @Test("answers requests that were sent ahead, each by its id")
    func ahead() throws {
        let raw = try RawClient()
        for id in 1...30 {
            let memory = try SealedMemory(Array(repeating: "w", count: id).joined(separator: " ").utf8)
            raw.send(#"{"version":1,"id":\#(id),"name":"a.txt"}"# + "\0", passing: memory.descriptor)
        }
        var seen: [Int64: Double] = [:]
        while seen.count < 30, let reply = try raw.receive() {
            let id = try #require(reply["id"]?.integerValue)
            seen[id] = reply["items"]?.arrayValue?.first?["value"]?.doubleValue
        }
        #expect(seen == Dictionary(uniqueKeysWithValues: (1...30).map { (Int64($0), Double($0)) }))
    }

    @Test("hangs up on who does not speak its protocol", arguments: ["{}\0", "nonsense\0", #"{"version":1,"id":1}"# + "\0"])
    func nonsense(message: String) throws {
        let raw = try RawClient()
        raw.send(message, passing: nil)
        #expect(try raw.receive() == nil)
    }

    @Test("hangs up on a request of one byte beyond the limit")
    func longRequest() throws {
        let raw = try RawClient()
        raw.send(String(repeating: " ", count: AnalyzerMessages.requestLimit + 1), passing: nil)
        #expect(try raw.receive() == nil)
    }
}

/// The service on a descriptor, connected or listening; gone with this object.
final class RawService {
    private var process: pid_t = 0

    init(serving descriptor: borrowing OwnedDescriptor) throws {
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(analyzerProgram), strdup("--fd"), strdup("3"), nil]
        defer { for argument in arguments { free(argument) } }
        var none: [UnsafeMutablePointer<CChar>?] = [nil]
        let code = descriptor.withRaw { daybook_spawn_unprivileged(analyzerProgram, &arguments, &none, $0, &process) }
        guard code == 0 else { throw SystemCallError(call: "execve", code: code) }
    }

    deinit {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }
}

/// The service without our own client between.
final class RawClient {
    private let socket: OwnedDescriptor
    private let service: RawService
    private var unread: [UInt8] = []

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard daybook_stream_pair(0, &ends) == 0 else { throw SystemCallError(call: "socketpair", code: errno) }
        socket = OwnedDescriptor(adopting: ends[0])
        service = try RawService(serving: OwnedDescriptor(adopting: ends[1]))
    }

    func send(_ text: String, passing document: borrowing OwnedDescriptor) {
        document.withRaw { send(text, passing: $0) }
    }

    func send(_ text: String, passing raw: Int32?) {
        let bytes = Array(text.utf8)
        socket.withRaw { _ = daybook_send_passing($0, bytes, bytes.count, raw ?? -1) }
    }

    /// The next reply; nil at the end.
    func receive() throws -> JSONValue? {
        while true {
            if let end = unread.firstIndex(of: 0) {
                let message = Array(unread[..<end])
                unread.removeSubrange(...end)
                return try JSONValue(parsing: message)
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let got = socket.withRaw { recv($0, &buffer, buffer.count, 0) }
            guard got > 0 else { return nil }
            unread.append(contentsOf: buffer[..<got])
        }
    }
}
