// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import DaybookVarlink
import Foundation
import Testing

@testable import DaemonService

private func status(_ shares: [String]) -> ServerStatus {
    ServerStatus(
        version: "1.2", now: "", startedAt: "", pid: 1, isDemo: false, role: .administrator,
        recording: .init(state: .on, since: nil, exceptions: 0),
        shares: shares.map { .init(path: $0, state: .complete, folders: 12, watches: 11, source: "inotify") }, openSessions: 7,
        connections: 2, queues: [.init(name: "entries", depth: 3, capacity: 100)],
        journal: .init(lastSeq: 42, bytes: 1000, segments: 1, writable: true), analyzer: .init(state: .idle, waiting: 0),
        gaps: [], limits: [.init(name: "fs.inotify.max_user_watches", need: 12, have: 100, stops: false, mend: nil)],
        selfTests: [.init(name: "boot id", passed: true, meaning: "", stops: true, mend: nil)], settings: .init(file: nil, loadedAt: nil))
}

private let promtoolPath = ["/usr/bin/promtool", "/usr/local/bin/promtool"].first { path in
    FileManager.default.isExecutableFile(atPath: path)
}

@Suite("The metrics file")
struct MetricsTests {
    private var counts: MetricsCounts {
        var counts = MetricsCounts()
        counts.gaps = ["overflow": 2, "restart": 1]
        counts.lostEvents = 9
        for seconds in [0.01, 0.05, 0.2, 20] { counts.committed(after: seconds) }
        return counts
    }

    @Test("has each figure once, with its kind")
    func figures() {
        let lines = Set(MetricsText(status(["/srv/classes"]), counts, startSeconds: 5.5, residentBytes: 4096).text.split(separator: "\n"))
        for line in [
            "daybook_info{version=\"1.2\"} 1", "daybook_start_time_seconds 5.5", "daybook_resident_memory_bytes 4096",
            "daybook_recording{state=\"on\"} 1", "daybook_recording{state=\"off\"} 0",
            "daybook_share_watches{share=\"/srv/classes\"} 11", "daybook_limit_have{limit=\"fs.inotify.max_user_watches\"} 100",
            "daybook_gaps_total{cause=\"overflow\"} 2", "daybook_lost_events_total 9", "daybook_open_sessions 7",
            "daybook_queue_depth{queue=\"entries\"} 3", "daybook_journal_entries 42", "# TYPE daybook_gaps_total counter",
            "daybook_commit_latency_seconds_bucket{le=\"0.05\"} 2", "daybook_commit_latency_seconds_bucket{le=\"0.25\"} 3",
            "daybook_commit_latency_seconds_bucket{le=\"10\"} 3", "daybook_commit_latency_seconds_bucket{le=\"+Inf\"} 4",
            "daybook_commit_latency_seconds_count 4",
        ] {
            #expect(lines.contains(line[...]), "\(line)")
        }
        let samples = lines.filter { !$0.hasPrefix("#") }.map { $0.prefix { $0 != " " } }
        #expect(samples.count == Set(samples).count)
    }

    @Test("is in the status too, with each entry once")
    func inStatus() {
        let told = counts.status(residentBytes: 4096)
        #expect(told.gaps == 3)
        #expect(told.lostEvents == 9)
        #expect(told.residentBytes == 4096)
        let found = told.commitLatency.filter { $0.entries > 0 }
        #expect(found.map(\.atMostSeconds) == [0.05, 0.25, nil])
        #expect(found.map(\.entries) == [2, 1, 1])
    }

    @Test("escapes what would end a label")
    func escapes() {
        let text = MetricsText(status(["/srv/a\"b\\c\nd"]), counts, startSeconds: 0, residentBytes: nil).text
        #expect(text.contains("daybook_share_folders{share=\"/srv/a\\\"b\\\\c\\nd\"} 12\n"))
    }

    @Test("is what Prometheus reads", .enabled(if: promtoolPath != nil, "promtool is not here (Debian package prometheus)"))
    func promtool() throws {
        let program = try #require(promtoolPath)
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = ["check", "metrics"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        input.fileHandleForWriting.write(
            Data(MetricsText(status(["/srv/a", "/srv/b"]), counts, startSeconds: 5, residentBytes: 1).text.utf8))
        try input.fileHandleForWriting.close()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(String(decoding: said, as: UTF8.self))")
        #expect(said.isEmpty, "\(String(decoding: said, as: UTF8.self))")
    }

    @Test("is replaced as a whole, readable for the collector, and says why it cannot be")
    func writing() throws {
        let folder = NSTemporaryDirectory() + "daybook-metrics-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/daybook.prom"
        try MetricsWriter.write("a 1\n", to: path)
        try MetricsWriter.write("b 2\n", to: path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "b 2\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["daybook.prom"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o644)
        #expect(throws: SystemCallError.self) { try MetricsWriter.write("c 3\n", to: folder + "/none/daybook.prom") }
    }
}
