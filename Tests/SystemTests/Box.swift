// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Foundation
import Testing

/// What a command printed and how it ended.
struct Outcome: CustomStringConvertible {
    var status: Int32
    var output: String

    var description: String { "exit \(status)\n\(output)" }
}

/// A throw-away machine with a real systemd, with Daybook installed as `make install` does it.
final class Box {
    struct Failed: Error, CustomStringConvertible { var description: String }

    static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let tool = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "box").path

    /// Why these tests cannot run here, nil where they can.
    static let obstacle: String? = {
        if getuid() != 0 { return "only root can boot a container" }
        if !FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-nspawn") { return "systemd-nspawn is not here (make packages)" }
        let built = package.appending(path: ".build/release/daybookd").path
        if !FileManager.default.isExecutableFile(atPath: built) { return "the programs are not built as they are installed (make build)" }
        return nil
    }()

    private let folder: String
    private let staging: String

    /// Boots and installs. `daybookd` is not started, `/etc/daybook/config.toml` is `configuration`.
    init(configuration: String = Box.configuration) async throws {
        folder = "/var/tmp/daybook-box-\(UUID().uuidString.prefix(8).lowercased())"
        staging = folder + ".install"
        try await Self.must(["make", "-s", "-C", Self.package.path, "install", "DESTDIR=\(staging)"])
        do {
            try await Self.must([Self.tool, "up", folder, "--bind-ro=\(staging):/opt/daybook"])
        } catch {
            try? FileManager.default.removeItem(atPath: staging)
            throw error
        }
        try await must(
            "cp -R /opt/daybook/. / && systemd-sysusers && systemd-tmpfiles --create daybook.conf && journalctl --update-catalog")
        try await must("useradd -M -u 61002 berg && useradd -M -u 61000 kelly && systemctl daemon-reload")
        try await must(
            "mkdir -p '/srv/classes/8b/2030-03-14 Hamlet essay/berg' && chown -R kelly: /srv/classes/8b && chown berg: /srv/classes/8b/*/berg"
        )
        try await write("/etc/daybook/config.toml", configuration)
        try await must("chgrp daybook-admin /etc/daybook/config.toml && chmod 640 /etc/daybook/config.toml")
    }

    deinit {
        // Nothing can be done about a failure here; the box itself prints what stayed.
        do {
            let running = try Self.start([Self.tool, "down", folder])
            while try running.child.reap() == nil { usleep(10_000) }
            try FileManager.default.removeItem(at: running.output)
        } catch {
            print("box down \(folder): \(error)")
        }
        try? FileManager.default.removeItem(atPath: staging)
    }

    static let configuration = """
        [recording]
        enabled = true
        [[share]]
        path = "/srv/classes"
        [[share.layout]]
        pattern = "{class}/{assignment}/{person}/{document}"
        [[class]]
        name = "8b"
        students = ["berg"]
        teachers = ["kelly"]

        """

    /// Runs a shell line inside, as root.
    func sh(_ line: String) async throws -> Outcome { try await Self.run(["timeout", "60", Self.tool, "in", folder, "bash", "-c", line]) }

    @discardableResult
    func must(_ line: String) async throws -> String {
        let outcome = try await sh(line)
        guard outcome.status == 0 else { throw Failed(description: "\(line)\n\(outcome)") }
        return outcome.output
    }

    func write(_ path: String, _ text: String) async throws {
        let encoded = Data(text.utf8).base64EncodedString()
        try await must("base64 -d > '\(path)' <<< '\(encoded)'")
    }

    /// A property of a unit, e.g. `ActiveState`.
    func show(_ unit: String, _ property: String) async throws -> String {
        try await must("systemctl show --value -p \(property) \(unit)").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Waits until a shell line succeeds inside; fails the test with the unit's journal otherwise.
    func eventually(_ line: String, within seconds: Double = 15, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let end = Date(timeIntervalSinceNow: seconds)
        var last = try await sh(line)
        while last.status != 0, Date() < end {
            try await Task.sleep(for: .milliseconds(50))
            last = try await sh(line)
        }
        if last.status != 0 {
            let journal = try await sh("journalctl --no-pager -n 40 -u daybookd -u daybook-analyze -u daybookd.socket")
            Issue.record("never true: \(line)\n\(last)\n\(journal.output)", sourceLocation: sourceLocation)
            throw Failed(description: "never true: \(line)")
        }
    }

    private static func must(_ command: [String]) async throws {
        let outcome = try await run(command)
        guard outcome.status == 0 else { throw Failed(description: "\(command.joined(separator: " "))\n\(outcome)") }
    }

    /// Runs a command of this machine. Waiting holds no thread, so that other tests go on meanwhile.
    static func run(_ command: [String]) async throws -> Outcome {
        let running = try start(command)
        defer { try? FileManager.default.removeItem(at: running.output) }
        while true {
            if let ending = try running.child.reap() { return try outcome(ending, running.output) }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private struct Running: ~Copyable {
        let child: ChildProcess
        let output: URL
    }

    /// Not Foundation's `Process`: its children inherit the signals that the threads of tests block, and then nothing ends them.
    private static func start(_ command: [String]) throws -> Running {
        // A file, not a pipe: what goes on in the background inherits it, and would keep a pipe from ending.
        let file = FileManager.default.temporaryDirectory.appending(path: "daybook-\(UUID().uuidString)")
        guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
            throw Failed(description: "cannot make \(file.path)")
        }
        let output = try FileHandle(forWritingTo: file)
        let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
        let child = try ChildProcess.start(
            "/usr/bin/env", arguments: command, environment: environment,
            descriptors: [nil, output.fileDescriptor, output.fileDescriptor], privileges: .unchanged)
        try output.close()
        return Running(child: child, output: file)
    }

    private static func outcome(_ ending: ChildProcess.Ending, _ file: URL) throws -> Outcome {
        let status: Int32 =
            switch ending {
            case .exited(let code): code
            case .killed(let signal): 128 + signal
            }
        return Outcome(status: status, output: String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }
}
