// SPDX-License-Identifier: Apache-2.0
import DaybookVarlink

/// What is counted for monitoring besides what `status` says: since the start, and of nobody in particular.
struct MetricsCounts: Equatable, Sendable {
    /// Upper bounds in seconds.
    static let bounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    /// How many entries were durable within each bound after they were made, the rest last.
    private(set) var commits = [UInt64](repeating: 0, count: bounds.count + 1)
    private(set) var commitSeconds = 0.0
    var gaps: [String: UInt64] = [:]
    var lostEvents: UInt64 = 0
    var measured: UInt64 = 0
    /// Documents that the analyzer gave no figures of.
    var unmeasured: UInt64 = 0

    mutating func committed(after seconds: Double) {
        let seconds = max(0, seconds)
        commits[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        commitSeconds += seconds
    }

    func status(residentBytes: Int64?) -> ServerStatus.Counts {
        ServerStatus.Counts(
            residentBytes: residentBytes, gaps: Int64(clamping: gaps.values.reduce(0, +)), lostEvents: Int64(clamping: lostEvents),
            measured: Int64(clamping: measured), unmeasured: Int64(clamping: unmeasured),
            commitLatency: commits.enumerated().map {
                ServerStatus.Counts.CommitLatency(
                    atMostSeconds: $0 < Self.bounds.count ? Self.bounds[$0] : nil, entries: Int64(clamping: $1))
            })
    }
}

/// The same as text in the exposition format of Prometheus, for the node exporter's textfile collector. No names of people, and no path below
/// a share.
struct MetricsText {
    private var lines: [String] = []

    init(_ status: ServerStatus, _ counts: MetricsCounts, startSeconds: Double, residentBytes: Int64?) {
        add("daybook_info", "gauge", "The version that runs; always 1.", [([("version", status.version)], 1)])
        add("daybook_start_time_seconds", "gauge", "When the daemon started, in seconds since 1970.", [([], startSeconds)])
        if let residentBytes {
            add("daybook_resident_memory_bytes", "gauge", "Memory that the daemon holds.", [([], Double(residentBytes))])
        }
        add(
            "daybook_recording", "gauge", "1 for the state that recording is in.",
            ["on", "off", "paused"].map { ([("state", $0)], status.recording.state.rawValue == $0 ? 1 : 0) })
        add(
            "daybook_share_folders", "gauge", "Folders of a share that are to be watched.",
            status.shares.map { (Self.label($0), Double($0.folders)) })
        add(
            "daybook_share_watches", "gauge", "Folders of a share that are watched.",
            status.shares.map { (Self.label($0), Double($0.watches)) })
        add(
            "daybook_share_complete", "gauge", "1 where a share is watched whole, 0 while it is crawled, in part or not.",
            status.shares.map { (Self.label($0), $0.state == .complete ? 1 : 0) })
        add(
            "daybook_limit_need", "gauge", "What is needed of a limit of the kernel.",
            status.limits.map { ([("limit", $0.name)], Double($0.need)) })
        add("daybook_limit_have", "gauge", "A limit of the kernel.", status.limits.map { ([("limit", $0.name)], Double($0.have)) })
        add(
            "daybook_gaps_total", "counter", "Times for which events may be missing, since the start, by cause.",
            counts.gaps.sorted { $0.key < $1.key }.map { ([("cause", $0.key)], Double($0.value)) }
                + (counts.gaps.isEmpty ? [([("cause", "none")], 0)] : []))
        add("daybook_lost_events_total", "counter", "Events that are known to be lost, since the start.", [([], Double(counts.lostEvents))])
        add("daybook_open_sessions", "gauge", "Sessions that go on.", [([], Double(status.openSessions))])
        add("daybook_clients", "gauge", "Programs that are connected.", [([], Double(status.connections))])
        add("daybook_queue_depth", "gauge", "What waits in a queue.", status.queues.map { ([("queue", $0.name)], Double($0.depth)) })
        add(
            "daybook_queue_capacity", "gauge", "What finds room in a queue.",
            status.queues.map { ([("queue", $0.name)], Double($0.capacity)) })
        add("daybook_journal_entries", "gauge", "The number of the last entry.", [([], Double(status.journal.lastSeq))])
        add("daybook_journal_bytes", "gauge", "The journal's size.", [([], Double(status.journal.bytes))])
        if let free = status.journal.freeBytes {
            add("daybook_journal_free_bytes", "gauge", "Room where the journal lies.", [([], Double(free))])
        }
        add("daybook_journal_writable", "gauge", "1 while the disk takes entries.", [([], status.journal.writable ? 1 : 0)])
        add(
            "daybook_documents_measured_total", "counter", "Documents that were measured, since the start.", [([], Double(counts.measured))]
        )
        add(
            "daybook_analyzer_failures_total", "counter", "Documents that could not be measured, since the start.",
            [([], Double(counts.unmeasured))])
        add("daybook_analyzer_failing", "gauge", "1 while no document can be measured.", [([], status.analyzer.state == .failing ? 1 : 0)])
        add("daybook_documents_waiting", "gauge", "Documents that wait to be measured.", [([], Double(status.analyzer.waiting))])
        add(
            "daybook_self_test_passed", "gauge", "1 where a test at the start was good.",
            status.selfTests.map { ([("test", $0.name)], $0.passed ? 1 : 0) })
        add(
            "daybook_configuration_refused", "gauge", "1 while a configuration with mistakes waits to be mended.",
            [([], status.settings.problem == nil ? 0 : 1)])
        addHistogram(counts)
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    private static func label(_ share: ServerStatus.Share) -> [(String, String)] { [("share", share.path)] }

    private mutating func add(_ name: String, _ type: String, _ help: String, _ samples: [([(String, String)], Double)]) {
        guard !samples.isEmpty else { return }
        lines.append("# HELP \(name) \(help)")
        lines.append("# TYPE \(name) \(type)")
        for (labels, value) in samples { lines.append(Self.sample(name, labels, value)) }
    }

    private mutating func addHistogram(_ counts: MetricsCounts) {
        let name = "daybook_commit_latency_seconds"
        lines.append("# HELP \(name) From an entry's making until it is on the disk, since the start.")
        lines.append("# TYPE \(name) histogram")
        var sum: UInt64 = 0
        for (bound, count) in zip(MetricsCounts.bounds, counts.commits) {
            sum += count
            lines.append(Self.sample(name + "_bucket", [("le", Self.number(bound))], Double(sum)))
        }
        sum += counts.commits.last ?? 0
        lines.append(Self.sample(name + "_bucket", [("le", "+Inf")], Double(sum)))
        lines.append(Self.sample(name + "_sum", [], counts.commitSeconds))
        lines.append(Self.sample(name + "_count", [], Double(sum)))
    }

    private static func sample(_ name: String, _ labels: [(String, String)], _ value: Double) -> String {
        let words = labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",")
        return name + (words.isEmpty ? "" : "{\(words)}") + " " + number(value)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map { String($0) } ?? "\(value)"
    }
}
