// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Foundation
import JournalFormat
import JournalStore
import Synchronization

/// A state directory of its own for one test; goes away with it.
final class StateDirectory: Sendable {
    let path: String

    /// In memory for tests that open hundreds of journals and look at what is written, not at how the disk keeps it.
    init(inMemory: Bool = false) throws {
        let place = inMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/var/tmp"
        var template = Array("\(place)/daybook-journal-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemCallError(call: "mkdtemp", code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var journal: String { path + "/journal" }

    var segments: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: journal)) ?? []).filter { $0.hasSuffix(".jsonl") }.sorted()
    }

    func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: "\(journal)/\(name)"))) }

    func write(_ name: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: "\(journal)/\(name)")) }

    func open(_ options: JournalOptions = .quick, disk: Disk = Disk()) throws(JournalError) -> JournalWriter {
        try JournalWriter(stateDirectory: path, boot: BootID(text: "b00t"), options: options, wake: nil, disk: disk)
    }

    /// The bodies of all entries on the disk.
    func bodies() throws -> [EntryBody] {
        var bodies: [EntryBody] = []
        try JournalReader(stateDirectory: path).replay { entry, _ in
            bodies.append(entry.body)
            return true
        }
        return bodies
    }

    /// The numbers in the entries that `draft` made.
    func numbers() throws -> [Int] {
        try bodies().compactMap { if case .stopped(let reason) = $0 { Int(reason) } else { nil } }
    }
}

extension JournalOptions {
    /// No waiting: every group is written at once.
    static var quick: JournalOptions {
        var options = JournalOptions()
        options.commitDelay = .zero
        options.retryDelay = .milliseconds(1)
        return options
    }
}

func draft(_ number: Int) -> EntryDraft {
    EntryDraft(
        at: WallTime(microseconds: 1_773_529_140_000_000 + Int64(number)), mono: BootTime(microseconds: Int64(number)),
        body: .stopped(reason: "\(number)"))
}

extension JournalReport {
    var entries: [DurableEntry] { if case .durable(let entries) = self { entries } else { [] } }
}

/// Takes reports until `done` says so of all that came, or the journal has ended.
func take(_ writer: JournalWriter, until done: ([JournalReport]) -> Bool) -> [JournalReport] {
    var all: [JournalReport] = []
    while !done(all), let more = writer.reports.takeWaiting() { all.append(contentsOf: more) }
    return all
}

/// Lets chosen calls fail, counting from 0.
final class Faults: Sendable {
    private let count = Mutex(0)
    private let failing: Range<Int>
    private let fault: Disk.Fault
    private let only: Set<Disk.Call>

    init(_ failing: Range<Int>, _ fault: Disk.Fault, only: Set<Disk.Call> = Set(Disk.Call.allCases)) {
        self.failing = failing
        self.fault = fault
        self.only = only
    }

    var disk: Disk {
        Disk { call in
            guard self.only.contains(call) else { return nil }
            let number = self.count.withLock { count in
                defer { count += 1 }
                return count
            }
            return self.failing.contains(number) ? self.fault : nil
        }
    }

    var calls: Int { count.withLock { $0 } }
}

extension StateDirectory {
    /// The files of compressed segments.
    var packed: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: journal)) ?? []).filter { $0.hasSuffix(".jsonl.zst") }.sorted()
    }

    /// Opens the journal until everything but its newest segment is compressed.
    func pack() throws {
        var options = JournalOptions.quick
        options.packAfter = .zero
        while segments.count > 1 {
            let writer = try open(options)
            _ = take(writer) { reports in reports.contains { if case .packed = $0 { true } else { false } } }
            _ = writer.finish()
        }
    }

    /// All stored lines in order, as any reader gets them.
    func lines() throws -> [[UInt8]] {
        var lines: [[UInt8]] = []
        try JournalReader(stateDirectory: path).replay { _, line in
            lines.append(Array(line))
            return true
        }
        return lines
    }

    /// A copy with everything in it.
    func copy() throws -> StateDirectory {
        let copy = try StateDirectory(inMemory: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: path) where name != "lock" {
            try FileManager.default.copyItem(atPath: "\(path)/\(name)", toPath: "\(copy.path)/\(name)")
        }
        return copy
    }
}

extension JournalOptions {
    /// The same, with checkpoints.
    static var withCheckpoints: JournalOptions {
        var options = JournalOptions.quick
        options.signing = JournalOptions.Signing()
        return options
    }
}

/// Runs a program to its end, with its output.
func runProgram(_ words: [String]) throws -> (status: Int32, output: [UInt8]) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, Array(bytes))
}

extension StateDirectory {
    static let program = "9.9"

    var snapshot: String { "\(path)/\(SnapshotFile.name)" }

    /// Where the journal stands.
    func position() throws -> JournalPosition { JournalCheck.run(path).findings.last }

    /// Writes a snapshot of the whole journal with this content.
    @discardableResult
    func writeSnapshot(of content: String, at position: JournalPosition? = nil, disk: Disk = Disk()) throws -> Bool {
        let output = try SnapshotOutput(stateDirectory: path, disk: disk)
        let stamp = SnapshotFile.Stamp(
            position: try position ?? self.position(), journalBytes: 7, contentVersion: 3, program: Self.program)
        output.begin(stamp)
        Array(content.utf8).withUnsafeBytes { output.add($0) }
        return try output.finish()
    }

    /// The content of the snapshot, and the last entry in it; or why it is of no use.
    func readSnapshot(
        version: UInt32 = 3, program: String = program, through last: UInt64 = .max
    ) -> Result<(content: String, seq: UInt64), SnapshotFile.Refusal> {
        do throws(SnapshotFile.Refusal) {
            let stored = try StoredSnapshot(stateDirectory: path, contentVersion: version, program: program, through: last)
            return .success((stored.withContent { String(decoding: $0, as: UTF8.self) }, stored.stamp.position.seq))
        } catch {
            return .failure(error)
        }
    }

    func refusal(version: UInt32 = 3, program: String = program, through last: UInt64 = .max) -> SnapshotFile.Refusal? {
        if case .failure(let refusal) = readSnapshot(version: version, program: program, through: last) { refusal } else { nil }
    }
}
