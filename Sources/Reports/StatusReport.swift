// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import DaybookJSON
package import Ledger

/// How the daemon does. No names, and no paths below a class.
package struct StatusReport: Equatable, Sendable {
    package struct Share: Equatable, Sendable {
        package var path: String
        package var state: WatchingFacts.State
        /// `inotify` or `fanotify`.
        package var source: String
        package var folders: Int
        package var reason: String?

        package init(path: String, state: WatchingFacts.State, source: String, folders: Int, reason: String? = nil) {
            self.path = path
            self.state = state
            self.source = source
            self.folders = folders
            self.reason = reason
        }
    }

    /// Something with a limit, and how much of it is in use.
    package struct Level: Equatable, Sendable {
        package var name: String
        package var inUse: Int
        package var limit: Int?

        package init(name: String, inUse: Int, limit: Int? = nil) {
            self.name = name
            self.inUse = inUse
            self.limit = limit
        }
    }

    package struct Missed: Equatable, Sendable {
        package var from: WallTime
        package var to: WallTime
        package var cause: GapFacts.Cause
        package var share: String?

        package init(from: WallTime, to: WallTime, cause: GapFacts.Cause, share: String? = nil) {
            self.from = from
            self.to = to
            self.cause = cause
            self.share = share
        }
    }

    package var version: String
    package var asOf: WallTime
    package var startedAt: WallTime?
    package var recording: RecordingChange.State
    package var recordedSince: WallTime?
    /// 100 when all folders are watched.
    package var crawlPercent: Int
    package var shares: [Share]
    package var watches: Level?
    package var openSessions: Int
    package var assignments: Int
    package var queues: [Level]
    /// The latest first.
    package var gaps: [Missed]
    package var gapCount: Int
    package var lastSeq: UInt64
    /// What stops something here, each with its mend.
    package var problems: [String]

    /// What the ledger knows; the daemon adds what only it can see.
    package init(
        ledger: Ledger, version: String, asOf: WallTime, startedAt: WallTime? = nil, crawlPercent: Int = 100, shares: [Share]? = nil,
        watches: Level? = nil, queues: [Level] = [], problems: [String] = []
    ) {
        self.version = version
        self.asOf = asOf
        self.startedAt = startedAt
        recording = ledger.recording.state
        recordedSince = ledger.recording.isOn ? ledger.recording.everybody?.since : nil
        self.crawlPercent = crawlPercent
        self.shares =
            shares
            ?? ledger.watching.values.map { watching in
                let facts = watching.facts
                return Share(
                    path: facts.share, state: facts.state, source: facts.source, folders: facts.folders, reason: facts.reason)
            }.sorted { $0.path < $1.path }
        self.watches = watches
        openSessions = ledger.openSessionCount
        assignments = ledger.allAssignments.count { $0.ended == nil }
        self.queues = queues
        gaps = ledger.gaps.suffix(Self.gapsAtMost).reversed().map {
            Missed(from: $0.facts.from, to: $0.facts.to, cause: $0.facts.cause, share: $0.facts.share)
        }
        gapCount = ledger.gaps.count
        lastSeq = ledger.lastSeq
        self.problems = problems
    }

    /// Older gaps are counted only.
    package static let gapsAtMost = 10
}

extension StatusReport {
    /// Keys keep their names and their order once released.
    package var json: JSONValue {
        [
            "version": .string(version), "asOf": asOf.json, "startedAt": orNull(startedAt, \.json),
            "recording": .string(recording.rawValue),
            "recordedSince": orNull(recordedSince, \.json), "crawlPercent": .integer(Int64(crawlPercent)),
            "shares": .array(shares.map(\.json)), "watches": orNull(watches, \.json), "openSessions": .integer(Int64(openSessions)),
            "assignments": .integer(Int64(assignments)), "queues": .array(queues.map(\.json)), "gaps": .array(gaps.map(\.json)),
            "gapCount": .integer(Int64(gapCount)), "lastSeq": .integer(Int64(clamping: lastSeq)),
            "problems": .array(problems.map { .string($0) }),
        ]
    }

    /// Reads what `json` wrote.
    package init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "status")
        version = try members.string("version")
        asOf = try members.time("asOf")
        startedAt = try members.optional(members.time, "startedAt")
        recording = try members.choice("recording", RecordingChange.State.self)
        recordedSince = try members.optional(members.time, "recordedSince")
        crawlPercent = try members.int("crawlPercent")
        shares = try members.list("shares", Share.init(json:))
        watches = try members["watches"].map(Level.init(json:))
        openSessions = try members.int("openSessions")
        assignments = try members.int("assignments")
        queues = try members.list("queues", Level.init(json:))
        gaps = try members.list("gaps", Missed.init(json:))
        gapCount = try members.int("gapCount")
        guard let seq = UInt64(exactly: try members.int("lastSeq")) else { throw members.missing("lastSeq") }
        lastSeq = seq
        problems = try members.strings("problems")
    }

    /// What `status` prints.
    package func text(_ style: TextStyle, clock: LocalClock) -> String {
        let times = TimeText(clock: clock, now: asOf)
        var lines = [
            "Daybook \(version), as of \(times.dayAndTime(asOf))" + (startedAt.map { ", running since \(times.dayAndTime($0))" } ?? "")
        ]
        switch recording {
        case .on: lines.append("Recording is on" + (recordedSince.map { ", since \(times.dayAndTime($0))" } ?? "") + ".")
        case .paused: lines.append("Recording is paused. Go on with: daybook recording on")
        case .off: lines.append("Recording is off. After everybody has been informed: daybook recording on")
        }
        if crawlPercent < 100 { lines.append("Looking through the folders: crawl \(crawlPercent) %. What is not reached yet is not seen.") }
        lines += section("Shares", shares.isEmpty ? ["none is configured"] : shares.map(\.text))
        if let watches { lines.append(watches.text) }
        lines.append("\(plural(openSessions, "open session")), \(plural(assignments, "assignment")), journal at entry \(lastSeq)")
        lines += section("Queues", queues.map(\.text))
        lines += section(
            gapCount > gaps.count ? "The last \(gaps.count) of \(gapCount) gaps" : plural(gapCount, "gap"),
            gaps.map { gap in
                "\(times.stretch(from: gap.from, to: gap.to, dash: style.dash))  \(gap.cause.rawValue)"
                    + (gap.share.map { ", \($0)" } ?? "")
            })
        lines += section("Problems", problems)
        return lines.flatMap { wrapped(style.shown($0), to: max(style.width, 40), indent: "    ") }.map { $0 + "\n" }.joined()
    }

    private func section(_ title: String, _ lines: [String]) -> [String] { lines.isEmpty ? [] : [title] + lines.map { "  " + $0 } }
}

extension StatusReport.Share {
    fileprivate var text: String {
        "\(path): \(state.rawValue), \(source), \(plural(folders, "folder"))" + (reason.map { "; \($0)" } ?? "")
    }

    fileprivate var json: JSONValue {
        [
            "path": .string(path), "state": .string(state.rawValue), "source": .string(source), "folders": .integer(Int64(folders)),
            "reason": orNull(reason) { .string($0) },
        ]
    }

    fileprivate init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "share")
        path = try members.string("path")
        state = try members.choice("state", WatchingFacts.State.self)
        source = try members.string("source")
        folders = try members.int("folders")
        reason = try members.optional(members.string, "reason")
    }
}

extension StatusReport.Level {
    fileprivate var text: String { "\(name): \(inUse)" + (limit.map { " of \($0)" } ?? "") }

    fileprivate var json: JSONValue {
        ["name": .string(name), "inUse": .integer(Int64(inUse)), "limit": orNull(limit) { .integer(Int64($0)) }]
    }

    fileprivate init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "level")
        name = try members.string("name")
        inUse = try members.int("inUse")
        limit = try members.optional(members.int, "limit")
    }
}

extension StatusReport.Missed {
    fileprivate var json: JSONValue {
        ["from": from.json, "to": to.json, "cause": .string(cause.rawValue), "share": orNull(share) { .string($0) }]
    }

    fileprivate init(json: JSONValue) throws(MalformedReport) {
        let members = try Members(json, of: "gap")
        from = try members.time("from")
        to = try members.time("to")
        cause = try members.choice("cause", GapFacts.Cause.self)
        share = try members.optional(members.string, "share")
    }
}
