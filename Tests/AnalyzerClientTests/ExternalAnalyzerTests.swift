// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import DaybookJSON
import DaybookLinux
import Glibc
import Testing

/// The programs of `Examples/analyzers`, and programs that a student could have got somebody to install.
@Suite("An external analyzer", .serialized)
struct ExternalAnalyzerTests {
    /// A program in a folder that others may enter too: as root it runs as nobody.
    private func program(_ text: String, in folder: TemporaryFolder, name: String = "analyzer") throws -> String {
        let path = try folder.file(name, text)
        chmod(path, 0o755)
        chmod(folder.path, 0o755)
        return path
    }

    private func measure(
        _ command: [String], seconds: Int = 10, processes: Int = 8, only: Bool = true, text: String = "Four little words here."
    )
        throws -> JSONValue
    {
        let folder = try TemporaryFolder()
        let document = try folder.file("essay.txt", text)
        let analyzer = ExternalAnalyzer(name: "probe", command: command, seconds: seconds, processes: processes)
        let external = ["--external", JSONValue.object(analyzer.json).text] + (only ? ["--analyzer", "probe"] : [])
        let (output, _) = try run(["--json"] + external + [document])
        return try JSONValue(parsing: output.split(separator: "\n").first.map(String.init) ?? "")
    }

    private func values(_ answer: JSONValue) -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        for item in answer["items"]?.arrayValue ?? [] { values[item["identifier"]?.stringValue ?? ""] = item["value"] }
        return values
    }

    private func example(_ name: String) throws -> String {
        let sources = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        return try text(of: "\(sources)/Examples/analyzers/\(name)")
    }

    @Test("in Python measures a document beside the built-in ones")
    func python() throws {
        let folder = try TemporaryFolder()
        let path = try program(try example("questions.py"), in: folder)
        let answer = try measure([path], only: false, text: "My Holidays\n\nWhere was I? Nobody knows. Do you?\n")
        #expect(values(answer)["question_count"] == .integer(2))
        #expect(values(answer)["has_title"] == .bool(true))
        #expect(values(answer)["total_word_count"] == .integer(9))
        #expect(answer["error"] == .null)
        #expect(try measure([path], text: "")["error"] == "the analyzer probe says: the text is empty")
    }

    @Test("in shell reads the document as its descriptor and again by its path")
    func shell() throws {
        let folder = try TemporaryFolder()
        let answer = try measure([try program(try example("lines.sh"), in: folder)], text: "one\n\ntwo\n\n\nthree\n")
        #expect(values(answer) == ["line_count": .integer(6), "empty_line_count": .integer(3)])
    }

    @Test("can do nothing but read what is installed, compute and answer")
    func locked() throws {
        let folder = try TemporaryFolder()
        let secret = try folder.file("secret", "not for analyzers")
        chmod(secret, 0o644)
        // Each trial says whether it succeeded; the last two show that the trials themselves work.
        let probe = """
            #!/usr/bin/python3
            import json, os, socket, signal, sys
            json.load(sys.stdin)
            def write(path):
                with open(path, "w") as file: file.write("x")
            def in_child(act):
                child = os.fork()
                if child == 0:
                    try: act()
                    except OSError: os._exit(1)
                    os._exit(0)
                if os.waitpid(child, 0)[1] != 0: raise OSError
            trials = {
                "passwd": lambda: open("/etc/passwd").read(),
                "shadow": lambda: open("/etc/shadow").read(),
                "neighbour": lambda: open("\(secret)").read(),
                "environment": lambda: open(f"/proc/{os.getppid()}/environ").read(),
                "own_environment": lambda: open("/proc/self/environ").read(),
                "write_tmp": lambda: write("/tmp/daybook-probe"),
                "write_var_tmp": lambda: write("/var/tmp/daybook-probe"),
                "write_beside": lambda: write("\(folder.path)/written"),
                "make_folder": lambda: os.mkdir("\(folder.path)/made"),
                "remove": lambda: os.unlink("\(secret)"),
                "empty": lambda: os.open("\(secret)", os.O_RDONLY | os.O_TRUNC),
                "change_mode": lambda: os.chmod("\(secret)", 0o600),
                "write_document": lambda: write("/proc/self/fd/3"),
                "tcp": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM),
                "udp": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
                "unix": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM),
                "netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
                "signal_parent": lambda: os.kill(os.getppid(), 0),
                "signal_all": lambda: os.kill(-1, 0),
                "session": lambda: in_child(os.setsid),
                "own_group": lambda: in_child(lambda: os.setpgid(0, 0)),
                "priority": lambda: os.nice(-5),
                "child": lambda: in_child(lambda: None),
                "open_twice": lambda: open("/proc/self/fd/3").read(),
            }
            items = []
            for name, trial in trials.items():
                try:
                    trial()
                    done = True
                except OSError:
                    done = False
                items.append({"identifier": name, "kind": "binary", "value": done})
            json.dump({"version": 1, "items": items}, sys.stdout)
            """
        let answer = try measure([try program(probe, in: folder)])
        let done = values(answer).filter { $0.value == .bool(true) }.keys.sorted()
        #expect(done == ["child", "open_twice"])
        #expect(values(answer).count == 24, "\(answer["error"]?.stringValue ?? "")")
        #expect(try text(of: secret) == "not for analyzers")
    }

    @Test(
        "that does not answer as it should is a reason, and the built-in figures stand",
        arguments: [
            ("#!/bin/sh\nwhile :; do sleep 1000; done", "took longer than 1 s"), ("#!/bin/sh\nwhile :; do :; done", "took longer than 1 s"),
            ("#!/bin/sh\nexec yes", "longer than 262144 bytes"), ("#!/bin/sh\necho nonsense", "is no JSON"), ("#!/bin/sh\n:", "no answer"),
            ("#!/bin/sh\necho '{\"version\":1}'; exit 3", "status 3"), ("#!/bin/sh\nkill -9 $$; echo; ulimit -c 0; exit 4", "status 4"),
            ("#!/usr/bin/python3\nprint('{\"version\":1,\"items\":[' + '{},' * 1000000 + '{}]}')", "longer than 262144 bytes"),
            ("#!/usr/bin/python3\nprint('{\"version\":1,\"items\":[' + '{},' * 1000 + '{}]}')", "it gave 1001 items"),
            ("#!/usr/bin/python3\nx = 'a' * (4 << 30)", "status 1"), ("#!/usr/bin/no-such-interpreter\n", "cannot be started"),
            ("#!/bin/sh\n(sleep 1000) & exit 0", "no answer"),
        ])
    func unruly(script: String, reason: String) throws {
        let folder = try TemporaryFolder()
        let answer = try measure([try program(script, in: folder)], seconds: 1, only: false)
        #expect(values(answer)["total_word_count"] == .integer(4))
        #expect(answer["error"] == .null)
        let notes = (answer["notes"]?.arrayValue ?? []).filter { $0["identifier"] == "probe" }.compactMap { $0["reason"]?.stringValue }
        #expect(notes.count == 1)
        #expect(notes.first?.contains(reason) == true, "\(notes)")
    }

    @Test("that forks without end gets no further than its number, and leaves nothing behind")
    func forks() throws {
        let folder = try TemporaryFolder()
        let bomb = """
            #!/usr/bin/python3
            import json, os, sys, time
            forks = 0
            for _ in range(1000):
                try:
                    if os.fork() == 0:
                        time.sleep(1000)
                except OSError:
                    break
                forks += 1
            json.dump({"version": 1, "items": [{"identifier": "forks", "kind": "quantity", "value": forks}]}, sys.stdout)
            """
        let path = try program(bomb, in: folder)
        let forks = try #require(values(try measure([path], seconds: 5, processes: 8))["forks"]?.integerValue)
        #expect((1...40).contains(forks))
        #expect(eventually { processes(running: path) == 0 ? true : nil } == true)
        #expect(values(try measure([path], seconds: 5, processes: 1))["forks"] == .integer(0))
    }

    /// Processes that have this path in their command line; those that were killed may take a moment to go.
    private func processes(running path: String) -> Int {
        guard let all = opendir("/proc") else { return -1 }
        defer { closedir(all) }
        var count = 0
        while let entry = readdir(all) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            guard Int(name) != nil, let line = try? text(of: "/proc/\(name)/cmdline") else { continue }
            if line.contains(path) { count += 1 }
        }
        return count
    }

    @Test("and all that it started ends with the service that it was started by")
    func ending() throws {
        let folder = try TemporaryFolder()
        let path = try program("#!/bin/sh\n(exec sh -c 'sleep 1000; true' \(folder.path)/analyzer) & sleep 1000", in: folder)
        let analyzer = ExternalAnalyzer(name: "probe", command: [path], seconds: 60)
        var connection: AnalyzerConnection? = try AnalyzerConnection.start(program: analyzerProgram)
        let request = AnalyzerRequest(id: 0, name: "a.txt", analyzers: ["probe"], external: [analyzer])
        let document = try SealedMemory("one two".utf8)
        #expect(throws: AnalyzerClientError.self) { try connection?.measure(document, request, timeoutSeconds: 1) }
        #expect(eventually { processes(running: path) >= 2 ? true : nil } == true)
        connection = nil
        #expect(eventually { processes(running: path) == 0 ? true : nil } == true)
    }

    @Test("that hangs delays no other document of the service, whoever asks")
    func pool() throws {
        let folder = try TemporaryFolder()
        let path = try program("#!/bin/sh\nsleep 1000", in: folder)
        let analyzer = ExternalAnalyzer(name: "probe", command: [path], seconds: 5)
        let first = try RawClient()
        for id in 1...3 {
            let document = try SealedMemory("one two".utf8)
            let request = AnalyzerRequest(id: Int64(id), name: "a.txt", external: id == 1 ? [analyzer] : [])
            first.send(JSONValue.object(request.json).text + "\0", passing: document.descriptor)
        }
        // The two that came after it are answered before it.
        #expect(try first.receive()?["id"]?.integerValue != 1)
        #expect(try first.receive()?["id"]?.integerValue != 1)
        let last = try #require(try first.receive())
        #expect(last["id"]?.integerValue == 1)
        #expect(last["notes"]?.arrayValue?.contains { $0["reason"]?.stringValue?.contains("took longer than 5 s") == true } == true)
        #expect(last["items"]?.arrayValue?.first?["value"] == .integer(2))
        #expect(eventually { processes(running: path) == 0 ? true : nil } == true)
    }
}
