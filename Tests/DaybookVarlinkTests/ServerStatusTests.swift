// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import Testing

@testable import DaybookVarlink

@Suite("The server's status")
struct ServerStatusTests {
    /// Every optional member is there once and missing once.
    static let examples: [ServerStatus] = [true, false].map { full in
        func text(_ value: String) -> String? { full ? value : nil }
        return ServerStatus(
            version: "1.2", now: "2026-03-11T10:20:00.000000Z", startedAt: "2026-03-03T07:05:00.000000Z", pid: 77, isDemo: full,
            role: full ? .administrator : .nobody,
            recording: .init(
                state: .paused, since: text("2026-03-03T07:05:00.000000Z"), exceptions: 2, reason: full ? .holidays : nil,
                until: text("2026-03-16T07:00:00.000000Z"), by: text("heath")),
            shares: [
                .init(
                    path: "/srv/classes", state: full ? .crawling : .partial, percent: full ? 62 : nil, folders: 10, watches: 9,
                    source: "inotify", fileSystem: text("ext4"), reason: text("limit"), unreadable: 1)
            ],
            openSessions: 3, connections: 4, queues: [.init(name: "changes", depth: 1, capacity: 4096)],
            journal: .init(
                lastSeq: 42, bytes: 1 << 40, segments: 2, writable: !full, reason: text("no space left"),
                checkpoint: full
                    ? .init(seq: 40, at: "2026-03-10T10:20:00.000000Z", key: "daybook-journal/21fe31dfa154a261+0a1b2c3d") : nil,
                snapshot: full ? nil : 40, snapshotReason: text("it is damaged"),
                losses: full ? ["the end was cut off"] : [], freeBytes: full ? 1 << 41 : nil),
            analyzer: .init(state: .failing, waiting: 1, reason: text("not found")),
            gaps: [.init(cause: "overflow", share: text("/srv/classes"), from: "a", to: "b", lost: full ? 7 : nil)],
            limits: [.init(name: "fs.inotify.max_user_watches", need: 10, have: 5, stops: true, mend: text("raise it"))],
            selfTests: [.init(name: "foreign-process", passed: false, meaning: "who", stops: false, mend: text("capability"))],
            settings: .init(file: text("/etc/daybook/config.toml"), loadedAt: text("c"), problem: text("line 3")),
            pages: full ? .init(directory: "/srv/pages", pages: 3, waiting: 1, published: false, reason: "no lists") : nil,
            counts: full
                ? .init(
                    residentBytes: 25_000_000, gaps: 2, lostEvents: 9, measured: 40, unmeasured: 1,
                    commitLatency: [.init(atMostSeconds: 0.25, entries: 41), .init(atMostSeconds: nil, entries: 1)]) : nil)
    }

    @Test("is what the interface says, and reads back as it was", arguments: examples)
    func roundTrip(status: ServerStatus) throws {
        #expect(VarlinkConnectionTests.service.mistake(inReply: ["status": status.json], to: "org.daybook.Reports.Status") == nil)
        #expect(ServerStatus(json: try JSONValue(parsing: status.json.encoded)) == status)
    }

    @Test("is not read where a member is missing")
    func missing() {
        guard case .object(let whole) = Self.examples[0].json else {
            Issue.record("no object")
            return
        }
        for (key, _) in whole.members {
            var cut = whole
            cut[key] = nil
            #expect(ServerStatus(json: .object(cut)) == nil, "without \(key)")
        }
    }
}
