// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookVarlink
import Reports

/// The server's status as people read it.
struct StatusText {
    let status: ServerStatus
    let style: TextStyle
    let time: TimeText

    private static let labelWidth = 12

    var lines: [String] {
        var lines: [String] = []
        func add(_ label: String, _ text: String) {
            let room = max(style.width - 1 - Self.labelWidth, 20)
            for (index, part) in wrapped(style.shown(text), to: room).enumerated() {
                lines.append(padded(index == 0 ? label : "", to: Self.labelWidth) + part)
            }
        }
        add("Server", serverText)
        add("Recording", recordingText)
        for share in status.shares { add("Share", shareText(share)) }
        if status.shares.isEmpty, status.role == .administrator { add("Share", "none is configured, so nothing is watched") }
        for limit in status.limits { add("Limit", limitText(limit)) }
        add("Sessions", "\(grouped(Int64(status.openSessions))) open")
        add("Journal", journalText)
        add("Checkpoint", checkpointText)
        for loss in status.journal.losses { add("Journal", lossText(loss)) }
        add("Analyzer", analyzerText)
        if let pages = status.pages { add("Pages", pagesText(pages)) }
        if let counts = status.counts { add("Since then", countsText(counts)) }
        if !status.queues.isEmpty {
            add(
                "Queues",
                status.queues.map { "\($0.name) \(grouped(Int64($0.depth))) of \(grouped(Int64($0.capacity)))" }.joined(separator: ", "))
        }
        add("Clients", "\(grouped(Int64(status.connections))) connected; you are \(roleText)")
        for gap in status.gaps { add("Gap", gapText(gap)) }
        let failed = status.selfTests.filter { !$0.passed }
        for test in failed { add("Self-test", "\(test.name) failed: \(test.meaning)" + (test.mend.map { "; \($0)" } ?? "")) }
        if failed.isEmpty, !status.selfTests.isEmpty { add("Self-test", "all \(status.selfTests.count) good") }
        if let problem = status.settings.problem { add("Settings", "\(problem); what was read before stays in force") }
        return lines
    }

    private var serverText: String {
        "daybookd \(status.version), running since \(moment(status.startedAt)), process \(status.pid)"
            + (status.isDemo ? ", a demonstration" : "") + (isCrawling ? ", still looking through the folders" : "")
    }

    private var isCrawling: Bool { status.shares.contains { $0.state == .crawling } }

    private var recordingText: String {
        let recording = status.recording
        var text = recording.state.rawValue + (recording.since.map { " since \(moment($0))" } ?? ", and was never on")
        switch recording.reason {
        case .configuration: text += ", as the configuration has it"
        case .switched: text += recording.by.map { ", switched by \(style.shown($0))" } ?? ", switched by an administrator"
        case .lessons: text += ", for school hours only"
        case .hours: text += ", outside school hours"
        case .holidays: text += ", for the holidays"
        case nil: break
        }
        switch (recording.state, recording.until) {
        case (.on, let until?): text += "; pauses by itself \(moment(until))"
        case (.paused, let until?): text += "; goes on by itself \(moment(until))"
        case (.paused, nil) where recording.reason == .switched: text += "; goes on with 'daybook recording on'"
        default: break
        }
        guard recording.exceptions > 0 else { return text }
        return text + "; switched otherwise for \(count(recording.exceptions, "person", "people"))"
    }

    private func shareText(_ share: ServerStatus.Share) -> String {
        var state = share.state.rawValue
        if share.state == .crawling, let percent = share.percent { state = "crawl \(percent) %" }
        var text =
            "\(share.path): \(state), \(count(share.folders, "folder")), \(share.source), \(count(share.watches, "watch", "watches"))"
        if let system = share.fileSystem { text += ", \(system)" }
        if share.unreadable > 0 { text += ", \(count(share.unreadable, "folder")) unreadable" }
        text += share.reason.map { ": \($0)" } ?? ""
        return text + (share.sourceReason.map { "; not fanotify: \($0)" } ?? "")
    }

    private func limitText(_ limit: ServerStatus.Limit) -> String {
        "\(limit.name): need \(grouped(Int64(limit.need))), have \(grouped(Int64(limit.have)))"
            + (limit.have < limit.need ? limit.mend.map { "; \($0)" } ?? "" : "")
    }

    private var journalText: String {
        let journal = status.journal
        var size = "\(grouped(journal.lastSeq)) entries, \(sizeText(journal.bytes)) in \(count(journal.segments, "file"))"
        if let seq = journal.snapshot {
            size += "; started with the snapshot of entry \(grouped(seq))"
        } else if let reason = journal.snapshotReason {
            size += "; started without the snapshot: \(reason)"
        }
        if let free = journal.freeBytes { size += "; \(sizeText(free)) free" }
        return journal.writable ? size : size + "; CANNOT BE WRITTEN: \(journal.reason ?? "see the systemd journal")"
    }

    /// In capitals, so that nobody overlooks it.
    private func lossText(_ loss: String) -> String { "WARNING: \(loss); see daybook verify" }

    private var checkpointText: String {
        guard let checkpoint = status.journal.checkpoint else { return "none was signed yet" }
        return "up to entry \(grouped(checkpoint.seq))" + (checkpoint.at.map { ", \(moment($0))" } ?? "") + ", key \(checkpoint.key)"
    }

    private var analyzerText: String {
        status.analyzer.state.rawValue + ", \(count(status.analyzer.waiting, "document")) waiting"
            + (status.analyzer.reason.map { ": \($0)" } ?? "")
    }

    private func countsText(_ counts: ServerStatus.Counts) -> String {
        var text = "\(count(Int(counts.measured), "document")) measured, \(grouped(counts.unmeasured)) could not be; "
        text += count(Int(counts.gaps), "gap")
        let all = counts.commitLatency.reduce(0) { $0 + $1.entries }
        var sum: Int64 = 0
        let bound = counts.commitLatency.first {
            sum += $0.entries
            return sum * 100 >= all * 99
        }
        if all > 0, let bound {
            let within = bound.atMostSeconds.map { "within \(Int($0 * 1000)) ms" } ?? "later than in 10 s"
            text += "; 99 % of entries on the disk \(within)"
        }
        return text + (counts.residentBytes.map { "; \(sizeText($0)) of memory" } ?? "")
    }

    private func pagesText(_ pages: ServerStatus.Pages) -> String {
        guard pages.published else { return "\(pages.directory): NOT PUBLISHED: \(pages.reason ?? "the folder is being opened")" }
        let waiting = pages.waiting > 0 ? ", \(pages.waiting) to be written" : ""
        return "\(pages.directory): \(count(pages.pages, "page"))\(waiting)" + (pages.reason.map { "; \($0)" } ?? "")
    }

    private func gapText(_ gap: ServerStatus.Gap) -> String {
        var text = "\(gap.cause), \(moment(gap.from)) to \(moment(gap.to))"
        if let share = gap.share { text += ", \(share)" }
        if let lost = gap.lost { text += ", \(count(lost, "change")) lost" }
        return text
    }

    private var roleText: String {
        switch status.role {
        case .administrator: "an administrator"
        case .coordinator: "a coordinator"
        case .teacher: "a teacher"
        case .student: "a student"
        case .nobody: "nobody that it knows"
        }
    }

    private func moment(_ text: String) -> String { WallTime(rfc3339: text).map(time.dayAndTime) ?? text }
}
