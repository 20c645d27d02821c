// SPDX-License-Identifier: Apache-2.0
import Settings
import Testing

@Suite("A mistake in the configuration")
struct MistakeTests {
    @Test("is named together with all others, in the order of the text")
    func allAtOnce() {
        let text = """
            socket = "/x"
            [server]
            stat = "/var/lib/daybook"
            log-names = "no"
            [watch]
            source = "inotfy"
            batch-delay = 20
            retry = "0s"
            excluded = ["a/b", 3, "*x"]
            [sessoins]
            at-most = "1h"
            [limits]
            clients = 0
            message-size = "1MB"
            [[share]]
            path = "srv/x"
            [[share.layout]]
            pattern = "{pupil}/{document}"
            [[class]]
            nam = "7b"
            students = ["berg", "berg"]
            """
        #expect(
            mistakes(text) == [
                "1:1: unknown key 'socket' at the top level; it belongs in [server]",
                "3:1: unknown key 'stat' in [server]; did you mean 'state'?",
                "4:13: log-names must be true or false, not a text",
                "6:10: source must be one of \"auto\", \"inotify\", \"fanotify\", not \"inotfy\"; did you mean \"inotify\"?",
                "7:15: batch-delay must be a duration in quotes, such as \"10ms\", not a number",
                "8:9: retry must be from 1s to 1d",
                "9:13: 'a/b' is no folder name; one name without a slash is meant, at any depth",
                "9:20: excluded holds folder names in quotes, not a number",
                "9:23: '*x': a * may only stand at the end of a name",
                "10:2: unknown key 'sessoins' at the top level; did you mean 'sessions'?",
                "13:11: clients must be from 1 to 10000",
                "14:16: '1MB' is no size; write whole numbers with B, KiB, MiB, GiB or TiB, such as \"64MiB\"",
                "16:8: path must be an absolute path, one that begins with /, not 'srv/x'",
                "18:11: layout '{pupil}/{document}': {pupil} is not known; use {class}, {assignment}, {person} and {document}",
                "19:1: this class has no name; write the name that stands at {class} in a layout",
                "20:1: unknown key 'nam' in [[class]]; did you mean 'name'?",
                "21:21: 'berg' stands twice in students",
            ])
    }

    @Test("in the folder for pages is one that lies in a share, in the state, around them, or in the system's own")
    func pages() {
        func problems(_ directory: String) -> [String] {
            mistakes(
                """
                [pages]
                directory = "\(directory)"
                [server]
                state = "/var/lib/daybook"
                [[share]]
                path = "/srv/classes"
                [[share.layout]]
                pattern = "{class}/{assignment}/{person}/{document}"
                """)
        }
        for good in ["", "/srv/pages", "/srv/classes-pages", "/var/lib/daybook-pages/"] { #expect(problems(good).isEmpty, "\(good)") }
        for share in ["/srv/classes", "/srv//classes/8b/pages/", "/srv"] {
            #expect(problems(share).count == 1 && problems(share)[0].contains("2:13: directory /srv"), "\(problems(share))")
        }
        for state in ["/var/lib/daybook/pages", "/var/lib"] {
            #expect(problems(state).count == 1 && problems(state)[0].contains("overlaps the state folder"), "\(problems(state))")
        }
        for system in ["/", "/proc/1", "/etc/pages"] { #expect(problems(system).first?.contains("the system's own") == true) }
        #expect(problems("pages") == ["2:13: directory must be an absolute path, one that begins with /, not 'pages'"])
        #expect(mistakes("[pages]\ninterval = \"0s\"\n") == ["2:12: interval must be from 1s to 1d"])
        #expect(mistakes("directory = \"/x\"\n") == ["1:1: unknown key 'directory' at the top level; it belongs in [pages]"])
    }

    @Test("of the notation does not hide the others")
    func syntax() {
        let text = """
            [server]
            state = /var/lib/daybook
            log-names = "no"
            [watch]
            source == "auto"
            retry = "1x"
            [limits
            clients = 5
            [journal]
            commit-delay = true
            """
        let found = mistakes(text)
        #expect(found.map { $0.prefix { $0 != ":" } } == ["2", "3", "5", "6", "7", "10"], "\(found)")
        #expect(found.filter { $0.contains("not TOML: ") }.count == 3, "\(found)")
    }

    @Test("of the notation is not repeated by its echoes")
    func echoes() {
        #expect(mistakes("[[class]]\nname = \"7b\"\nstudents = [\"a\", \"b\"\nteachers = \"c\"\n[limits]\nclients = 3\n").count == 1)
        #expect(mistakes("[server]\nstate = \"\"\"\n/var\nlog-names = true\n").count == 1)
    }

    @Test("is named where two limits contradict each other")
    func contradictions() {
        #expect(
            mistakes("[sessions]\nat-least = '10m'\nat-most = '10m'\n") == [
                "2:12: at-least (10m) must not be longer than idle-continuous (5m)",
                "3:11: idle-saves-only (15m) must not be longer than at-most (10m)",
            ])
        #expect(mistakes("[sessions]\nat-least = '5m'\nidle-saves-only = '5m'\nat-most = '5m'\n") == [])
        #expect(
            mistakes("[sessions]\nidle-saves-only = '90m'\n") == ["2:19: idle-saves-only (90m) must not be longer than at-most (1h)"])
    }

    @Test("is named where shares overlap, by names and not by letters")
    func overlaps() {
        #expect(
            mistakes(share("/srv/a", "{document}") + share("/srv/a/b", "{document}")) == [
                "6:8: share /srv/a/b overlaps: /srv/a stands in line 2; name one share and give it several layouts"
            ])
        #expect(
            mistakes(share("/srv/a", "{document}") + share("/srv/a/", "{document}")) == [
                "6:8: share /srv/a is configured twice: /srv/a stands in line 2; name one share and give it several layouts"
            ])
        #expect(mistakes(share("/srv/a", "{document}") + share("/srv/ab", "{document}")) == [])
        #expect(
            mistakes(share("/var", "{document}")) == [
                "2:8: share /var overlaps the state folder /var/lib/daybook; nothing is ever written below a share, so move one of them"
            ])
        #expect(mistakes("[server]\nstate = '/srv/x/state'\n" + share("/srv/x", "{document}")).count == 1)
    }

    @Test("is named where a share would hold the system", arguments: ["/", "/proc", "/sys/kernel", "/run/user", "/dev"])
    func system(path: String) {
        #expect(mistakes(share(path, "{document}")).count == 1)
    }

    @Test(
        "is named where a layout takes in whole homes",
        arguments: [
            ("/home", "{person}/{document}"), ("/home", "{person}/{assignment}/{document}"), ("/home/students", "{person}/{document}"),
            ("/srv/homes/8b", "{person}/{document}"), ("/srv/data", "homes/{person}/{document}"), ("/home/anna", "{document}"),
            ("/home", "{class}/{assignment}/{person}/{document}"), ("/home", "{document}"), ("/root", "{document}"),
            ("/home/anna", "{assignment}/{document}"), ("/home", "{person}/{assignment}/Work/{document}"),
        ])
    func homes(path: String, pattern: String) {
        #expect(
            mistakes(share(path, pattern)) == [
                "4:11: layout '\(pattern)' below \(path) takes in whole homes; name a folder inside each home, such as {person}/Schoolwork/{assignment}/{document}"
            ])
    }

    @Test(
        "is not seen where a layout names a folder in each home, or where there are none",
        arguments: [
            ("/home", "{person}/Schoolwork/{assignment}/{document}"), ("/home/students", "{person}/Work/{document}"),
            ("/srv/homes/8b", "{person}/Work/{document}"), ("/home/anna/essays", "{document}"), ("/root/essays", "{document}"),
            ("/home/share", "{class}/{assignment}/{person}/{document}"), ("/srv/homework", "{person}/{document}"),
            ("/home/anna", "essays/{document}"), ("/srv/root", "{document}"),
        ])
    func noHomes(path: String, pattern: String) {
        #expect(mistakes(share(path, pattern)) == [])
    }

    @Test("is named where a share or layout lacks what it needs")
    func missing() {
        #expect(
            mistakes("[[share]]\n[[share.layout]]\n[[class]]\n[[person]]\n") == [
                "1:1: this share has no path; write path = \"/srv/…\"",
                "2:1: this layout has no pattern; write pattern = \"{class}/{assignment}/{person}/{document}\"",
                "3:1: this class has no name; write the name that stands at {class} in a layout",
                "3:1: this class has no students; write students = \"@group\" or a list of logins",
                "4:1: this person has no login; a person needs login and uid",
                "4:1: this person has no uid; a person needs login and uid",
            ])
        #expect(
            mistakes("[[share]]\npath = '/srv/x'\n") == [
                "1:1: this share has no layout, so nothing in it would count; add [[share.layout]] with a pattern"
            ])
        #expect(mistakes("[share]\npath = '/x'") == ["1:1: share needs double brackets; write a line [[share]] for each"])
        #expect(mistakes("share = 3") == ["1:9: share is a section; write a line [[share]] for each"])
        #expect(mistakes("server = 3") == ["1:10: server is a section; write its keys below a line [server]"])
    }

    @Test("is named where people or classes stand twice")
    func twice() {
        #expect(
            mistakes("[[class]]\nname = '7b'\nstudents = 'a'\nteachers = ['a']\n[[class]]\nname = '7b'\nstudents = []\n") == [
                "4:13: 'a' is student and teacher of one class; take one of the two out", "6:8: class '7b' stands in line 2 already",
            ])
        let person = "[[person]]\nlogin = 'a'\nuid = 61001\n"
        #expect(
            mistakes(person + person) == [
                "5:9: login 'a' stands in line 2 already", "6:7: uid 61001 stands in line 3 already; a number is one person",
            ])
    }

    @Test("is a uid that can be nobody", arguments: [0, 65_534, 4_294_967_295, 4_294_967_296, -1, Int64.max, Int64.min])
    func uids(uid: Int64) {
        #expect(
            mistakes("[[person]]\nlogin = 'a'\nuid = \(uid)") == [
                "3:7: \(uid) cannot be a person's uid; it is from 1 to 4294967294, and not 65534"
            ])
    }

    @Test("is a socket path beyond the kernel's limit")
    func socketPath() {
        let path = "/" + String(repeating: "s", count: 106)
        #expect(mistakes("[server]\nsocket = '\(path)'") == [])
        #expect(mistakes("[server]\nsocket = '\(path)s'") == ["2:10: the path of a socket has at most 107 bytes; this one has 108"])
    }

    @Test("keeps control characters and long texts out of its message")
    func messages() {
        #expect(
            mistakes("[watch]\nretry = \"\\u001b[2J\"") == [
                "2:9: '\u{FFFD}[2J' is no duration; write whole numbers with ms, s, m, h or d, such as \"1h 30m\""
            ])
        let long = mistakes("[watch]\nretry = \"\(String(repeating: "9", count: 500_000))\"")
        #expect(long.count == 1 && long.allSatisfy { $0.count < 200 })
    }

    @Test("is a line with more dots than the limit, so that no tree is too deep to take down")
    func dots() {
        let key = String(repeating: "a.", count: 500) + "a = 1"
        #expect(mistakes(key) == ["1:1: unknown key 'a' at the top level"])
        #expect(mistakes("#\na." + key) == ["2:1: not TOML: more than 500 dots in one line; break a long list into several lines"])
        let deep = String(repeating: "[{" + String(repeating: "a.", count: 500) + "a=\n", count: 200)
        #expect(mistakes("x = " + deep).count == 1)
    }

    @Test("is listed up to a limit, and the rest counted")
    func manyMistakes() {
        let keys = (1...101).map { "k\($0)q = 1" }.joined(separator: "\n")
        #expect(mistakes(keys).count == 101)
        #expect(mistakes(keys).last == "and 1 more mistakes")
        let hundred = (1...100).map { "k\($0)q = 1" }.joined(separator: "\n")
        #expect(mistakes(hundred).count == 100)
        #expect(mistakes(hundred).last?.hasPrefix("100:1: ") == true)
    }
}

@Suite("Any text")
struct HostileSettingsTests {
    @Test("is settings or named mistakes, whatever its bytes")
    func fuzz() {
        let base = Array(everyKeyChanged.utf8)
        var random = SplitMix(state: 7)
        for _ in 0..<1_500 {
            var bytes = base
            for _ in 0...Int(random.next() % 4) {
                let index = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 4 {
                case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.removeSubrange(index..<min(bytes.count, index + Int(random.next() % 30)))
                case 2: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 20)], at: index)
                default: bytes.removeLast(min(bytes.count - 1, Int(random.next() % 200)))
                }
                if bytes.isEmpty { bytes = [0] }
            }
            do {
                _ = try Settings.parse(bytes)
            } catch {
                #expect(!error.problems.isEmpty)
                #expect(error.problems.allSatisfy { !$0.message.isEmpty && ($0.line ?? 1) >= 1 && ($0.column ?? 1) >= 1 })
            }
        }
    }

    @Test("with deep nesting, wild bytes or huge numbers is a mistake, not a crash")
    func hostile() {
        let texts: [[UInt8]] = [
            Array(("x = " + String(repeating: "[", count: 100_000)).utf8), Array(String(repeating: "[a.", count: 50_000).utf8),
            Array(String(repeating: "a.", count: 100_000).utf8), [0xff, 0xfe, 0x00], [0x00], Array(repeating: 0xc3, count: 1000),
            Array("[limits]\nclients = 9223372036854775808".utf8), Array("[limits]\nclients = -9223372036854775808".utf8),
            Array("[limits]\nclients = nan".utf8), Array("x = 2026-01-01".utf8), Array("\"\" = 1".utf8),
            Array("[[share]]\nlayout = [[1]]".utf8),
        ]
        for text in texts {
            #expect(throws: SettingsProblems.self) { try Settings.parse(text) }
        }
    }
}

private struct SplitMix {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
