// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The programs in `hostile`, and what can be asked about a daemon that they attack.
enum Hostile {
    struct Failed: Error, CustomStringConvertible { var description: String }

    /// Why these tests cannot run here, nil where they can.
    static let obstacle: String? = {
        if let obstacle = School.obstacle { return obstacle }
        if Programs.installed("daybookd") == nil { return "the programs are not built as they are installed (make build)" }
        return Programs.isInstalled("python3") ? nil : "python3 is not here (make packages)"
    }()

    /// The words that run one of the programs. Its text is handed over, since a student may not read the folder it is in.
    static func program(_ name: String, _ words: [String], as person: School.Person? = nil) throws -> [String] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "hostile/\(name).py")
        let python = ["timeout", "120", "/usr/bin/python3", "-c", try String(contentsOf: file, encoding: .utf8)] + words
        guard let id = person.map({ String($0.rawValue) }) else { return python }
        return ["setpriv", "--reuid", id, "--regid", id, "--clear-groups"] + python
    }

    /// A program that goes on beside the test; what it prints is in a file.
    final class Running {
        private let child: Child
        private let name: String
        private let file: String

        init(_ words: [String], name: String, in school: School) throws {
            self.name = name
            file = "\(school.folder)/\(name).out"
            child = try Child(words, output: file)
        }

        deinit { if child.isRunning { child.killGroup() } }

        /// Waits for its end and gives what it printed.
        func finish() async throws -> String {
            while child.isRunning { try await Task.sleep(for: .milliseconds(20)) }
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let status = child.wait()
            guard status == 0 else { throw Failed(description: "\(name): exit \(status)\n\(text)") }
            return text
        }
    }

    /// Resident memory of a process in KiB.
    static func resident(_ pid: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let figure = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { throw Failed(description: "no VmRSS of \(pid)") }
        return figure
    }

    /// One call by a uid of its own choice; the error's name, or "" where the answer was none, and the whole answer.
    static func ask(_ school: School, uid: UInt32, _ method: String, _ parameters: String = "{}") throws -> (error: String, answer: String)
    {
        let script = """
            import json, socket, sys
            client = socket.socket(socket.AF_UNIX)
            client.settimeout(20)
            client.connect(sys.argv[1])
            client.sendall(json.dumps({"method": sys.argv[2], "parameters": json.loads(sys.argv[3])}).encode() + b"\\0")
            answer = b""
            while not answer.endswith(b"\\0"):
                data = client.recv(65536)
                assert data, "cut off"
                answer += data
            print(json.loads(answer[:-1]).get("error", ""))
            print(answer[:-1].decode())
            """
        let outcome = try Child.run([
            "setpriv", "--reuid", String(uid), "--regid", String(uid), "--clear-groups", "/usr/bin/python3", "-c", script,
            school.folder + "/daybook.sock", method, parameters,
        ])
        guard outcome.status == 0 else { throw Failed(description: "\(method) as \(uid) \(outcome)") }
        let lines = outcome.output.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (lines[0], lines.count > 1 ? lines[1] : "")
    }
}
