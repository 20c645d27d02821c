// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Settings
import Testing

@Suite("Settings")
struct SettingsTests {
    @Test("of an empty text are the defaults")
    func empty() throws {
        #expect(try Settings.parse(text: "") == Settings())
    }

    @Test("read every key, in every section")
    func everyKey() throws {
        let settings = try Settings.parse(text: everyKeyChanged)
        var expected = Settings()
        expected.server.socket = "/tmp/s.sock"
        expected.server.state = "/tmp/state"
        expected.server.logNames = true
        expected.recording.enabled = true
        expected.watch.source = .fanotify
        expected.watch.batchDelay = .milliseconds(5)
        expected.watch.retry = .seconds(90)
        expected.watch.pollInterval = .seconds(300)
        expected.watch.excluded = ["old*", ".git"]
        expected.rule = Rule(
            name: "mine", idleContinuous: .seconds(240), idleSavesOnly: .seconds(1200), atLeast: .seconds(60), atMost: .seconds(5400))
        expected.journal.commitDelay = .seconds(1)
        expected.journal.segmentSize = 1 << 20
        expected.journal.compressAfter = .seconds(7200)
        expected.journal.checkpointInterval = .seconds(3600)
        expected.journal.snapshotEntries = 1000
        expected.retention.evidence = .seconds(30 * 86_400)
        expected.retention.totals = .seconds(200 * 86_400)
        expected.retention.leavers = .seconds(80 * 86_400)
        expected.retention.viewed = .seconds(100 * 86_400)
        expected.analyzer.socket = nil
        expected.analyzer.documentSizeLimit = 1000
        expected.analyzer.timeLimit = .seconds(3)
        expected.analyzer.memoryLimit = 1 << 30
        expected.analyzer.settle = .zero
        expected.analyzer.external = [
            .init(
                ExternalAnalyzer(
                    name: "blocks", command: ["/usr/local/bin/blocks", "--json"], items: ["block_count"], seconds: 3, megabytes: 64,
                    processes: 2), patterns: ["*.sb2"], shares: ["/srv/a"])
        ]
        expected.metrics.file = "/run/x/d.prom"
        expected.metrics.interval = .seconds(5)
        expected.limits.clients = 3
        expected.limits.clientsPerUser = 2
        expected.limits.messageSize = 8 << 10
        expected.limits.outputSize = 1 << 20
        expected.limits.clientTimeout = .seconds(5)
        expected.limits.queuedChanges = 2000
        expected.limits.queuedEntries = 3000
        expected.limits.queuedDocuments = 4
        expected.access.administrators = [.group("heads"), .login("root2")]
        expected.access.viewAs = true
        expected.live.enabled = true
        expected.recording.when = .schoolHours
        expected.pages.directory = "/srv/pages"
        expected.pages.interval = .seconds(600)
        expected.identity.sharedAccounts = [.login("schule"), .uid(1000)]
        let layouts = LayoutSet(
            [try LayoutPattern("x/{document}"), try LayoutPattern("{person}/{document}")], excluding: ["old*", ".git"])
        expected.shares = [.init(path: "/srv/a", layouts: layouts)]
        expected.school.time = SchoolTime(
            hours: [.init(weekdays: [6, 0], minutes: 480..<750)],
            holidays: [try day("2026-10-31")...(try day("2026-10-31")), try day("2026-12-21")...(try day("2027-01-08"))])
        expected.school.smallGroup = 8
        expected.classes = [.init(name: "8b", students: [.login("berg"), .group("rest")], teachers: [.login("kelly")])]
        expected.classes[0].coteachers = [.login("moss")]
        expected.classes[0].coordinators = [.group("heads")]
        expected.classes[0].covers = [.init(login: "singh", until: try day("2026-12-18"))]
        expected.people = [.init(id: PersonID(uid: 61_002, login: "berg"), name: "Berg, Jonas")]
        expected.classKit.trusted = ["/usr/bin/quiz"]
        #expect(settings == expected)
        // So that no key can be added to the settings and forgotten in the text above, and hence in the example.
        for (name, value, changed) in leaves(of: Settings(), and: settings) {
            #expect(value != changed, "\(name) has no key in this test")
        }
    }

    private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(prefixOf: text)) }

    @Test("read hours and days of school, and refuse others")
    func schoolTime() throws {
        for text in [
            "Mon-Fri", "Mon-Fri 7-17", "Mo 07:00-08:00", "Mon 08:00-07:00", "Mon 07:00-24:01", "Mon 07:60-08:00", "07:00-08:00", "",
        ] {
            #expect(
                mistakes("[school]\nhours = '\(text)'")
                    == ["2:9: hours are written like \"Mon-Fri 07:00-17:00\"; an empty list means that no time is hidden"], "\(text)")
        }
        for text in ["2026-02-30", "2027-01-08 2026-12-21", "2026-1-1", "2026-01-01 2026-01-02 2026-01-03", "tomorrow"] {
            #expect(mistakes("[school]\nholidays = '\(text)'").count == 1, "\(text)")
        }
        #expect(try Settings.parse(text: "[school]\nhours = []").school.time.hours.isEmpty)
        let usual = SchoolTime.usual
        // A Monday.
        let monday = try day("2026-03-09")
        #expect(usual.isSchool(monday, minute: 420) && usual.isSchool(monday, minute: 1019))
        #expect(!usual.isSchool(monday, minute: 419) && !usual.isSchool(monday, minute: 1020))
        #expect(!usual.isSchool(try day("2026-03-08"), minute: 600))
        #expect(!SchoolTime(hours: usual.hours, holidays: [monday...monday]).isSchool(monday, minute: 600))
    }

    @Test("name what is wrong with a program whose word is to count")
    func trusted() {
        let start = "[[classkit.trusted]]\n"
        #expect(mistakes(start) == ["1:1: this program has no executable; write executable = \"/usr/bin/quiz\""])
        #expect(
            mistakes(start + "executable = 'quiz'")
                == ["2:14: executable must be an absolute path, one that begins with /, not 'quiz'"])
        let twice = start + "executable = '/usr/bin/quiz'\n"
        #expect(mistakes(twice + twice) == ["4:14: the executable /usr/bin/quiz is listed already"])
        #expect(mistakes("[classkit.trusted]\nexecutable = '/x'").count == 1)
        #expect(mistakes("executable = '/x'").first?.contains("[[classkit.trusted]]") == true)
    }

    @Test("name what is wrong with a cover teacher")
    func covers() {
        let start = "[[class]]\nname = '7b'\nstudents = 'a'\n[[class.cover]]\n"
        #expect(
            mistakes(start + "login = 'x'") == ["4:1: this cover has no until; write who covers and the last day, such as \"2026-12-18\""])
        #expect(
            mistakes(start + "login = 'x'\nuntil = 2026-12-18")
                == ["6:9: until must be a date in quotes, such as \"2026-12-18\", not a date or time"])
        #expect(mistakes(start + "login = 'x'\nuntil = '18.12.2026'") == ["6:9: '18.12.2026' is no day; write it like \"2026-12-18\""])
        #expect(
            mistakes("[[class]]\nname = '7b'\nstudents = 'a'\ncoteachers = 'a'")
                == ["4:14: 'a' is student and teacher of one class; take one of the two out"])
    }

    @Test("take one login or group for a list of one")
    func oneOrMany() throws {
        let settings = try Settings.parse(text: "[[class]]\nname = '7b'\nstudents = '@students-7b'\nteachers = 'DOM\\kelly'")
        #expect(settings.classes == [.init(name: "7b", students: [.group("students-7b")], teachers: [.login("DOM\\kelly")])])
    }

    @Test("choose external analyzers by share and name, or by the names that are asked for")
    func externals() throws {
        let settings = try Settings.parse(
            text: """
                [[analyzer.external]]
                name = "blocks"
                command = ["/usr/bin/blocks"]
                patterns = ["*.sb?", "project*"]
                [[analyzer.external]]
                name = "questions"
                command = "/usr/bin/questions"
                shares = ["/srv/a"]
                """)
        func names(_ share: String, _ name: String, _ asked: [String] = []) -> [String] {
            settings.analyzer.externals(share: share, name: name, asked: asked).map(\.name)
        }
        #expect(names("/srv/b", "Game.SB3") == ["blocks"])
        #expect(names("/srv/b", "game.sb") == [])
        #expect(names("/srv/b", "game.sb3x") == [])
        #expect(names("/srv/b", "Project") == ["blocks"])
        #expect(names("/srv/a", "project.txt") == ["blocks", "questions"])
        #expect(names("/srv/b", "essay.txt", ["questions", "none"]) == ["questions"])
        // Many stars cost no more than a look at each place.
        var slow = Settings.Analyzer()
        slow.external = [
            .init(ExternalAnalyzer(name: "x", command: ["/x"]), patterns: [String(repeating: "*a", count: 40) + "b"])
        ]
        #expect(slow.externals(share: "/", name: String(repeating: "a", count: 5000)).isEmpty)
    }

    @Test("name what is wrong with an external analyzer")
    func badExternals() {
        let start = "[[analyzer.external]]\n"
        #expect(
            mistakes(start)
                == [
                    "1:1: this analyzer has no command; write command = [\"/usr/local/lib/…\"]",
                    "1:1: this analyzer has no name; write name = \"…\"",
                ])
        #expect(
            mistakes(start + "name = 'A b'\ncommand = ['x']\nitems = ['Ä']\nprocesses = 0\ntime-limit = '0s'")
                == [
                    "2:8: 'A b' is no name of an analyzer; small letters, digits and hyphens are meant",
                    "3:12: command must be an absolute path, one that begins with /, not 'x'",
                    "4:10: 'Ä' names no item; small letters, digits and underscores are meant", "5:13: processes must be from 1 to 64",
                    "6:14: time-limit must be from 1s to 1h",
                ])
        let good = "name = 'a'\ncommand = '/x'\n"
        #expect(mistakes(start + good + start + good) == ["5:8: there is an analyzer a already"])
    }

    @Test("tidy a path")
    func tidyPath() throws {
        let settings = try Settings.parse(text: share("/srv//classes/", "{document}"))
        #expect(settings.shares.map(\.path) == ["/srv/classes"])
    }

    @Test("allow a relative share only where the caller does")
    func relative() throws {
        let options = Settings.Options(allowRelativeShares: true)
        #expect(try Settings.parse(text: share(".", "students/{person}/{document}"), options: options).shares.map(\.path) == ["."])
        #expect(mistakes(share(".", "{document}")) == ["2:8: path must be an absolute path, one that begins with /, not '.'"])
    }

    @Test(
        "read durations with their unit",
        arguments: [
            ("5m", .seconds(300)), ("90s", .seconds(90)), ("1h 30m", .seconds(5400)), ("1h30m", .seconds(5400)), ("1d", .seconds(86_400)),
            ("5000ms", .seconds(5)),
        ] as [(String, Duration)])
    func durations(text: String, expected: Duration) throws {
        #expect(try Settings.parse(text: "[watch]\nretry = '\(text)'").watch.retry == expected)
    }

    @Test(
        "refuse what is no duration",
        arguments: [
            "", "5", "m", "5 m", "5min", "m5", "1m 1h", "1s1s", "-5s", "1.5h", " 5s", "5s ", "99999999999999999999s", "9999999999999999d",
        ])
    func noDurations(text: String) {
        #expect(
            mistakes("[watch]\nretry = '\(text)'")
                == ["2:9: '\(text)' is no duration; write whole numbers with ms, s, m, h or d, such as \"1h 30m\""])
    }

    @Test("read sizes with their unit, and refuse others")
    func sizes() throws {
        for (text, expected) in [("1MiB", 1 << 20), ("64KiB", 64 << 10), ("1GiB 1B", 1 << 30 | 1), ("1TiB", 1 << 40)] {
            #expect(try Settings.parse(text: "[journal]\nsegment-size = '\(text)'").journal.segmentSize == expected)
        }
        for text in ["1MB", "1", "MiB", "1 MiB", "99999999TiB", "9223372036854775808B"] {
            #expect(
                mistakes("[journal]\nsegment-size = '\(text)'")
                    == ["2:16: '\(text)' is no size; write whole numbers with B, KiB, MiB, GiB or TiB, such as \"64MiB\""])
        }
    }

    @Test("of a file that cannot be read say so")
    func unreadable() {
        let missing = "/var/tmp/daybook-no-such-folder/config.toml"
        #expect(
            throws: SettingsProblems(
                file: missing,
                problems: [
                    .init(
                        line: nil, column: nil,
                        message: "cannot be read: No such file or directory; begin with a copy of config.example.toml")
                ])
        ) {
            try Settings.load(missing)
        }
        #expect(throws: SettingsProblems(file: "/", problems: [.init(line: nil, column: nil, message: "cannot be read: Is a directory")])) {
            try Settings.load("/")
        }
        #expect(throws: SettingsProblems.self) { try Settings.load("/dev/zero") }
    }

    @Test("stop at the size limit")
    func sizeLimit() throws {
        let full = "#" + String(repeating: "x", count: Settings.textSizeLimit - 1)
        #expect(try Settings.parse(text: full) == Settings())
        #expect(mistakes(full + "x") == ["larger than 1048576 bytes, so this is no configuration"])
    }
}

/// Every key once, with a value that is not its default.
let everyKeyChanged = """
    [server]
    socket = "/tmp/s.sock"
    state = "/tmp/state"
    log-names = true
    [recording]
    enabled = true
    when = "school-hours"
    [watch]
    source = "fanotify"
    batch-delay = "5ms"
    retry = "90s"
    poll-interval = "5m"
    excluded = ["old*", ".git"]
    [sessions]
    rule = "mine"
    idle-continuous = "4m"
    idle-saves-only = "20m"
    at-least = "1m"
    at-most = "1h 30m"
    [journal]
    commit-delay = "1s"
    segment-size = "1MiB"
    compress-after = "2h"
    checkpoint-interval = "1h"
    snapshot-entries = 1000
    [retention]
    evidence = "30d"
    totals = "200d"
    leavers = "80d"
    viewed = "100d"
    [analyzer]
    socket = ""
    document-size-limit = "1000B"
    time-limit = "3s"
    memory-limit = "1GiB"
    settle = "0s"
    [[analyzer.external]]
    name = "blocks"
    command = ["/usr/local/bin/blocks", "--json"]
    patterns = "*.sb2"
    shares = ["/srv/a/"]
    items = ["block_count"]
    time-limit = "3s"
    memory-limit = "64MiB"
    processes = 2
    [limits]
    clients = 3
    clients-per-user = 2
    message-size = "8KiB"
    output-size = "1MiB"
    client-timeout = "5s"
    queued-changes = 2000
    queued-entries = 3000
    queued-documents = 4
    [access]
    administrators = ["@heads", "root2"]
    view-as = true
    [pages]
    directory = "/srv/pages"
    interval = "10m"
    [live]
    enabled = true
    [metrics]
    file = "/run/x/d.prom"
    interval = "5s"
    [school]
    hours = "Sat-Sun 08:00-12:30"
    holidays = ["2026-10-31", "2026-12-21 2027-01-08"]
    small-group = 8
    [identity]
    shared-accounts = ["schule", 1000]
    [[share]]
    path = "/srv/a"
    [[share.layout]]
    pattern = "x/{document}"
    [[share.layout]]
    pattern = "{person}/{document}"
    [[class]]
    name = "8b"
    students = ["berg", "@rest"]
    teachers = "kelly"
    coteachers = ["moss"]
    coordinators = "@heads"
    [[class.cover]]
    login = "singh"
    until = "2026-12-18"
    [[person]]
    login = "berg"
    uid = 61002
    name = "Berg, Jonas"
    [[classkit.trusted]]
    executable = "/usr/bin/quiz"
    """

func share(_ path: String, _ pattern: String) -> String {
    "[[share]]\npath = \"\(path)\"\n[[share.layout]]\npattern = \"\(pattern)\"\n"
}

/// `LINE:COLUMN: message`, without the file.
func mistakes(_ text: String, _ options: Settings.Options = .init()) -> [String] {
    do {
        _ = try Settings.parse(text: text, options: options)
        return []
    } catch {
        return error.lines.map { String($0.dropFirst("configuration:".count).drop { $0 == " " }) }
    }
}

/// Every stored value below two of a kind, with its name.
private func leaves(of left: Any, and right: Any, name: String = "") -> [(String, String, String)] {
    let children = Array(zip(Mirror(reflecting: left).children, Mirror(reflecting: right).children))
    if children.isEmpty || Mirror(reflecting: left).displayStyle != .struct || left is Duration || left is String {
        return [(name, "\(left)", "\(right)")]
    }
    return children.flatMap { leaves(of: $0.value, and: $1.value, name: name + "." + ($0.label ?? "?")) }
}
