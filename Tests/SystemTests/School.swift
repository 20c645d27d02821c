// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A made-up school in a folder of its own, with a daemon that watches it: a class, an assignment, two students and their teacher.
///
/// The three have accounts only in a `passwd` file that is put over the machine's for the programs they run.
final class School {
    struct Failed: Error, CustomStringConvertible { var description: String }

    enum Person: UInt32, CaseIterable {
        case berg = 61001
        case linden, kelly
        /// Nobody in class 8b, unless a test says so.
        case moss

        var login: String { "\(self)" }
    }

    /// The kernel's interfaces; the second names processes.
    static let sources = ["inotify", "fanotify"]

    static let assignment = "2030-03-14 Hamlet essay"

    /// Why these tests cannot run here, nil where they can.
    static let obstacle: String? = {
        if getuid() != 0 { return "only root can work as other people" }
        for program in ["tmux", "vim", "nano", "setpriv", "unshare"] where !Programs.isInstalled(program) {
            return "\(program) is not here (make packages)"
        }
        for program in ["daybookd", "daybook", "daybook-analyze"] where Programs.built(program) == nil { return "\(program) is not built" }
        return (try? Child.run(["unshare", "--mount", "true"]))?.status == 0 ? nil : "no mount of one's own can be had here"
    }()

    let folder: String
    var share: String { folder + "/classes" }
    var state: String { folder + "/state" }
    var assignmentFolder: String { "\(share)/8b/\(Self.assignment)" }
    /// As in the configuration.
    let source: String
    private let inClass: String
    private let extra: String
    private var daemon: Child?
    /// Nil where no daemon runs.
    var pid: pid_t? { daemon.flatMap { $0.isRunning ? $0.pid : nil } }

    /// `inClass` is added to the section of class 8b, `extra` to the end of the configuration.
    init(source: String = "auto", inClass: String = "", extra: String = "") throws {
        self.source = source
        self.inClass = inClass
        self.extra = extra
        folder = "/var/tmp/daybook-school-\(UUID().uuidString.prefix(8).lowercased())"
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        for person in Person.allCases { try makeFolder(home(person), for: person) }
        try makeFolder("\(share)/8b", for: .kelly)
        try makeFolder(assignmentFolder, for: .kelly)
        for person in [Person.berg, .linden] { try makeFolder(work(person), for: person) }
        try accounts.write(toFile: folder + "/passwd", atomically: true, encoding: .utf8)
        try configuration.write(toFile: folder + "/config.toml", atomically: true, encoding: .utf8)
    }

    deinit {
        end(SIGTERM)
        try? FileManager.default.removeItem(atPath: folder)
    }

    func home(_ person: Person) -> String { "\(folder)/home/\(person.login)" }

    /// The person's folder of the assignment.
    func work(_ person: Person) -> String { "\(assignmentFolder)/\(person.login)" }

    func makeFolder(_ path: String, for person: Person) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard chown(path, person.rawValue, person.rawValue) == 0 else { throw Failed(description: "chown \(path)") }
    }

    /// A document of this person, by default in their folder of the assignment.
    @discardableResult
    func put(_ text: String, _ name: String, for person: Person, in place: String? = nil) throws -> String {
        let path = "\(place ?? work(person))/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        guard chown(path, person.rawValue, person.rawValue) == 0 else { throw Failed(description: "chown \(path)") }
        return path
    }

    /// The same by a process of this person's own, which is who saved it.
    func write(_ text: String, _ name: String, as person: Person) throws {
        let words = ["sh", "-c", "echo \"$1\" > \"$0\"", "\(work(person))/\(name)", text]
        guard try Child.run(command(words, as: person)).status == 0 else { throw Failed(description: "\(name) cannot be written") }
    }

    /// Everybody may write in this person's folder and to what is in it now.
    func openToAll(_ person: Person) throws {
        guard try Child.run(["chmod", "-R", "a+rwX", work(person)]).status == 0 else { throw Failed(description: "chmod \(work(person))") }
    }

    /// A command line that does something as this person, with that person's home and nothing of the environment here.
    func command(_ words: [String], as person: Person, environment: [String: String] = [:]) -> [String] {
        let id = String(person.rawValue)
        let variables = ["HOME": home(person), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"].merging(environment) { $1 }
        return ["unshare", "--mount", "sh", "-c", "mount --bind \"$0\" /etc/passwd && exec \"$@\"", folder + "/passwd"]
            + ["setpriv", "--reuid", id, "--regid", id, "--clear-groups", "env", "-i"] + variables.map { "\($0)=\($1)" } + words
    }

    // MARK: The daemon

    /// Starts the daemon and waits until it watches everything.
    /// `asInstalled`: with the programs that are built for a server, where it matters how fast they are.
    /// `expecting`: what each share is then. `wrapping`: a program that starts it in surroundings of its own.
    func start(asInstalled: Bool = false, expecting state: String = "complete", wrapping: [String] = []) async throws {
        let found = asInstalled ? Programs.installed : Programs.built
        guard let program = found("daybookd"), let analyzer = found("daybook-analyze") else { throw Failed(description: "not built") }
        daemon = try Child(wrapping + [program, "--config", folder + "/config.toml", "--analyzer", analyzer], output: log)
        try await shares(are: state)
    }

    func shares(are state: String) async throws {
        struct Line: Decodable {
            struct Share: Decodable { var state: String }
            var shares: [Share]
        }
        try await eventually("the share is \(state)") {
            let lines: [Line] = (try? self.read(["status"])) ?? []
            return lines.first?.shares.allSatisfy { $0.state == state }
        }
    }

    /// Ends the daemon with a signal, and waits for it.
    func end(_ signal: Int32) {
        daemon?.end(signal)
        daemon = nil
    }

    /// All that the daemon has said.
    var log: String { folder + "/daemon.log" }

    func said() throws -> String { try String(contentsOfFile: log, encoding: .utf8) }

    /// The lines of the Daybook journal, as they are on the disk.
    func journal() throws -> [String] {
        try String(contentsOfFile: state + "/current.jsonl", encoding: .utf8).split(separator: "\n").map(String.init)
    }

    // MARK: The command line

    func daybook(_ words: [String]) throws -> Outcome {
        guard let program = Programs.built("daybook") else { throw Failed(description: "not built") }
        return try Child.run([program, "--socket", folder + "/daybook.sock"] + words)
    }

    /// What a command prints with `--json`, line by line.
    func read<Line: Decodable>(_ words: [String]) throws -> [Line] {
        let outcome = try daybook(words + ["--json"])
        guard outcome.status == 0 else { throw Failed(description: "\(words) \(outcome)") }
        return try outcome.output.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    func sessions(of name: String? = nil) throws -> [SessionLine] {
        try read(["sessions"]).filter { line in name.map { line.document.hasSuffix("/" + $0) } ?? true }
    }

    /// Waits until all `count` sessions on a document have ended.
    func ended(_ name: String, count: Int = 1) async throws -> [SessionLine] {
        try await eventually("\(count) sessions on \(name) have ended", within: 40) {
            let found = try self.sessions(of: name)
            return found.count >= count && found.allSatisfy { $0.closedAt != nil } ? found : nil
        }
    }

    func student(_ person: Person) throws -> StudentLine {
        guard let line = (try read(["show", person.login]) as [StudentLine]).first else { throw Failed(description: "show said nothing") }
        return line
    }

    /// The word count of a document as `show` has it at the last save.
    func words(of name: String, by person: Person, are expected: Int) async throws {
        try await eventually("\(name) has \(expected) words") {
            // Nobody knows the person before the first entry that names them.
            let saves = (try? self.student(person))?.assignments.first?.saves ?? []
            return saves.last { $0.document.hasSuffix("/" + name) }?.item?.value == Double(expected)
        }
    }

    func verifies() throws -> Bool { try daybook(["verify", state]).status == 0 }

    // MARK: Waiting

    /// Waits until `condition` gives something. What it never gives fails the test, with all that could say why.
    @discardableResult
    func eventually<Value>(
        _ what: String, within seconds: Double = 20, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () throws -> Value?
    ) async throws -> Value {
        let end = Date(timeIntervalSinceNow: seconds)
        repeat {
            if let value = try condition() { return value }
            try await Task.sleep(for: .milliseconds(50))
        } while Date() < end
        // Beside many other tests, the wait itself may have outlasted the deadline.
        if let value = try condition() { return value }
        let entries = try? daybook(["tail", "-n", "60", "--names"]).output
        Issue.record("never: \(what)\n\((try? said()) ?? "")\n\(entries ?? "")", sourceLocation: sourceLocation)
        throw Failed(description: "never: \(what)")
    }

    /// The same where only yes counts.
    func eventually(
        _ what: String, within seconds: Double = 20, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool?
    ) async throws {
        let _: Bool = try await eventually(what, within: seconds, sourceLocation: sourceLocation) {
            try condition() ?? false ? true : Bool?.none
        }
    }

    // MARK: What it is made from

    private var accounts: String {
        Person.allCases.reduce(into: "root:x:0:0:root:/root:/bin/bash\n") { text, person in
            text += "\(person.login):x:\(person.rawValue):\(person.rawValue):\(person.login.capitalized):\(home(person)):/bin/bash\n"
        }
    }

    private var configuration: String {
        Person.allCases.reduce(
            into: """
                [server]
                socket = "\(folder)/daybook.sock"
                state = "\(state)"
                [recording]
                enabled = true
                [watch]
                source = "\(source)"
                retry = "1s"
                [analyzer]
                socket = ""
                [access]
                view-as = true
                [[share]]
                path = "\(share)"
                [[share.layout]]
                pattern = "{class}/{assignment}/{person}/{document}"
                [[class]]
                name = "8b"
                students = ["berg", "linden"]
                teachers = ["kelly"]
                \(inClass)

                """
        ) { text, person in
            text += "[[person]]\nlogin = \"\(person.login)\"\nuid = \(person.rawValue)\nname = \"\(person.login.capitalized)\"\n"
        } + extra
    }

    /// The command line of daybook, as one of the people.
    func daybook(_ words: [String], as person: Person, environment: [String: String] = [:]) throws -> Outcome {
        guard let program = Programs.built("daybook") else { throw Failed(description: "not built") }
        return try Child.run(
            command([program, "--socket", folder + "/daybook.sock"] + words, as: person, environment: environment))
    }
}

/// Where programs are.
enum Programs {
    /// One of ours: in the folder that `DAYBOOK_PROGRAMS` names, else beside the tests.
    static func built(_ name: String) -> String? {
        let places: [String?] = [
            ProcessInfo.processInfo.environment["DAYBOOK_PROGRAMS"],
            URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path,
            URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().path,
        ]
        return places.lazy.compactMap { $0.map { "\($0)/\(name)" } }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// One of ours as `make install` takes it.
    static func installed(_ name: String) -> String? {
        let path = Box.package.appending(path: ".build/release/\(name)").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    static func isInstalled(_ name: String) -> Bool {
        ["/usr/bin/", "/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + name) }
    }
}

extension School {
    /// What `status` says of the ledger's snapshot.
    struct SnapshotUse: Decodable {
        var snapshot: Int?
        var snapshotReason: String?
    }

    func startedWithSnapshot() throws -> SnapshotUse {
        struct Status: Decodable { var journal: SnapshotUse }
        return try (read(["status"]) as [Status]).first?.journal ?? SnapshotUse()
    }
}
