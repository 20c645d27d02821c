// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import DaybookVarlink
import Reports

/// Replies as a server gives them, with every member once there and once missing.
enum Samples {
    static let status = ServerStatus(
        version: DaybookVersion.text, now: "2026-03-11T10:20:00.000000Z", startedAt: "2026-03-03T07:05:00.000000Z", pid: 77, isDemo: false,
        role: .administrator, recording: .init(state: .on, since: "2026-03-03T07:05:00.000000Z", exceptions: 2),
        shares: [
            .init(path: "/srv/classes", state: .crawling, percent: 62, folders: 1234, watches: 1200, source: "inotify", fileSystem: "ext4"),
            .init(
                path: "/srv/b", state: .partial, folders: 1, watches: 1, source: "inotify", reason: "the limit is reached", unreadable: 3),
        ],
        openSessions: 3, connections: 1, queues: [.init(name: "changes", depth: 1, capacity: 65_536)],
        journal: .init(lastSeq: 12_345, bytes: 12_300_000, segments: 2, writable: true, freeBytes: 5_000_000_000),
        analyzer: .init(state: .idle, waiting: 0),
        gaps: [
            .init(cause: "overflow", share: "/srv/classes", from: "2026-03-10T07:05:00.000000Z", to: "2026-03-10T07:06:00.000000Z", lost: 7)
        ],
        limits: [.init(name: "fs.inotify.max_user_watches", need: 1235, have: 65_536, stops: true, mend: "raise it")],
        selfTests: [.init(name: "boot id", passed: true, meaning: "durations are exact", stops: true, mend: nil)],
        settings: .init(file: "/etc/daybook/config.toml", loadedAt: "2026-03-03T07:05:00.000000Z"),
        counts: .init(
            residentBytes: 25_400_000, gaps: 1, lostEvents: 7, measured: 40, unmeasured: 2,
            // 99 of 100 are within the second bound.
            commitLatency: [
                .init(atMostSeconds: 0.05, entries: 90), .init(atMostSeconds: 0.25, entries: 9), .init(atMostSeconds: nil, entries: 1),
            ]))

    static let statusText = """
        Server      daybookd \(DaybookVersion.text), running since Tue 3 Mar 07:05, process 77, still
                    looking through the folders
        Recording   on since Tue 3 Mar 07:05; switched otherwise for 2 people
        Share       /srv/classes: crawl 62 %, 1,234 folders, inotify, 1,200 watches,
                    ext4
        Share       /srv/b: partial, 1 folder, inotify, 1 watch, 3 folders unreadable:
                    the limit is reached
        Limit       fs.inotify.max_user_watches: need 1,235, have 65,536
        Sessions    3 open
        Journal     12,345 entries, 12 MB in 2 files; 5.0 GB free
        Checkpoint  none was signed yet
        Analyzer    idle, 0 documents waiting
        Since then  40 documents measured, 2 could not be; 1 gap; 99 % of entries on
                    the disk within 250 ms; 25 MB of memory
        Queues      changes 1 of 65,536
        Clients     1 connected; you are an administrator
        Gap         overflow, Tue 10 Mar 07:05 to Tue 10 Mar 07:06, /srv/classes, 7
                    changes lost
        Self-test   all 1 good

        """

    static let session = #"""
        {"document":"7b/Hamlet/berg/essay.odt","person":"berg","uid":2001,"openedAt":"2026-03-10T09:00:00.000000Z","closedAt":"2026-03-10T10:00:00.000000Z","openSeconds":3600,"activeSeconds":2400.5,"atLeastSeconds":600,"atMostSeconds":3600,"saves":4,"confidence":"good","ended":"companion","session":7,"excluded":false,"notes":[],"timesHidden":false,"lockSays":[{"program":"libreoffice","login":"jberg","name":"Berg, Jonas","host":"PC-12"}]}
        """#
    static let openSession = #"""
        {"document":"7b/Hamlet/x.txt","person":null,"uid":null,"openedAt":"2026-03-11T09:00:00.000000Z","closedAt":null,"openSeconds":null,"activeSeconds":null,"atLeastSeconds":0,"atMostSeconds":3600,"saves":1,"confidence":"thin","ended":null}
        """#
    static let summary = #"""
        {"assignment":"7b/Hamlet","title":"Hamlet","class":"7b","due":"2026-03-14T22:59:00.000000Z","ended":null,"students":2,"started":1,"finished":0,"medianSeconds":null,"withTime":1}
        """#
    static let row = #"""
        {"person":"berg","uid":2001,"name":"Berg, Jonas","state":"handed-in","working":false,"openSeconds":3600,"activeSeconds":2400,"atLeastSeconds":600,"atMostSeconds":3600,"leftOpenSeconds":0,"saves":4,"confidence":"good","document":"7b/Hamlet/berg/essay.odt","documents":1,"items":[{"identifier":"total_word_count","title":"Words","kind":"quantity","value":540,"method":"counted"},{"identifier":"question_1","title":"Q1","kind":"binary","value":true,"valueType":"yesNo","method":"declared"}],"last":"2026-03-10T10:00:00.000000Z"
        """#
    static let rule = #"{"name":"2026-1","idleContinuousSeconds":300,"idleSavesOnlySeconds":900,"atLeastSeconds":120,"atMostSeconds":3600}"#
    static let report = #"""
        {"assignment":"7b/Hamlet","title":"Hamlet","class":"7b","due":"2026-03-14T22:59:00.000000Z","ended":null,"asOf":"2026-03-11T10:20:00.000000Z","recording":"on","recordedSince":"2026-03-03T07:05:00.000000Z","students":2,"started":1,"finished":1,"rows":[\#(row),"goalPercent":100},{"person":"abara","uid":2002,"name":"Abara, Chidi","state":"not-started","working":false,"activeSeconds":null,"document":null,"documents":0,"items":[],"last":null,"goalPercent":null}],"primary":{"identifier":"total_word_count","title":"Words"},"more":[],"target":500,"withTime":1,"median":{"workedSeconds":2400,"primary":540,"level":null},"average":null,"gaps":0,"rule":\#(rule),"ownRule":null,"ruleChange":{"at":"2026-03-10T12:00:00.000000Z","by":"keller","before":"2025-1"}}
        """#
    static let student = #"""
        {"person":"berg","uid":2001,"name":"Berg, Jonas","asOf":"2026-03-11T10:20:00.000000Z","recording":"on","personRecording":"on","assignments":[{"assignment":"7b/Hamlet","title":"Hamlet","class":"7b","due":null,"target":500,"row":\#(row)},"rule":\#(rule),"ownRule":"2025-1","ruleChange":null,"sessions":[\#(session)],"saves":[{"at":"2026-03-10T09:30:00.000000Z","document":"7b/Hamlet/berg/essay.odt","item":{"identifier":"total_word_count","title":"Words","kind":"quantity","value":540,"method":"counted"},"reason":null},{"at":"2026-03-10T09:40:00.000000Z","document":"7b/Hamlet/berg/essay.odt","item":null,"reason":"broken"}],"days":[{"date":"2026-03-10","openSeconds":3600,"activeSeconds":2400,"atLeastSeconds":600,"atMostSeconds":3600,"leftOpenSeconds":0,"saves":4,"confidence":"good"}],"documents":[{"document":"7b/Hamlet/berg/essay.odt","openSeconds":3600,"activeSeconds":2400,"atLeastSeconds":600,"atMostSeconds":3600,"leftOpenSeconds":0,"saves":4,"confidence":"good","days":[]}],"leftOpen":[{"from":"2026-03-10T22:10:00.000000Z","to":"2026-03-11T06:50:00.000000Z"}],"notes":[{"identifier":"page_count","reason":"not kept in the file"}],"evidence":{"kinds":[{"name":"saved","count":4}],"presence":[{"name":"held","count":1}],"identity":[{"name":"event","count":1}]},"gaps":[{"from":"2026-03-10T09:10:00.000000Z","to":"2026-03-10T09:11:00.000000Z","cause":"overflow"}]}],"looks":[{"at":"2026-03-10T12:00:00.000000Z","by":"teacher","what":"Report","assignment":"Hamlet"}]}
        """#

    static func object(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }
}
