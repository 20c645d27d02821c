// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Ledger
import Reports
import Testing

@testable import daybook

@Suite("What people read and type")
struct TextTests {
    @Test(
        "numbers and sizes",
        arguments: [
            (0, "0", "0 bytes"), (999, "999", "999 bytes"), (1000, "1,000", "1.0 kB"), (12_345, "12,345", "12 kB"),
            (9_949, "9,949", "9.9 kB"), (9_950, "9,950", "10 kB"), (999_400, "999,400", "999 kB"), (999_600, "999,600", "1.0 MB"),
            (1_234_567_890, "1,234,567,890", "1.2 GB"), (-1234, "-1,234", nil), (Int64.max, "9,223,372,036,854,775,807", "9,223,372 TB"),
        ] as [(Int64, String, String?)])
    func numbers(value: Int64, text: String, size: String?) {
        #expect(grouped(value) == text)
        if let size { #expect(sizeText(value) == size) }
    }

    @Test("JSON that a terminal does not act on, with the same value")
    func safe() throws {
        let value = JSONValue.object(["a\u{202e}": "\u{1b}[31m\u{9b}31m \u{2028}\u{e0001}\u{fffe}\u{e000} Zoë 😀 \\ \""])
        let text = terminalSafe(value)
        #expect(text == #"{"a\u202e":"\u001b[31m\u009b31m \u2028\udb40\udc01\ufffe\ue000 Zoë 😀 \\ \""}"#)
        #expect(try JSONValue(parsing: Array(text.utf8)) == value)
    }

    @Test("instants, in the machine's zone")
    func instants() throws {
        // The zone is the machine's: expected values come from the C library by another way, the civil clock.
        let now = try #require(WallTime(rfc3339: "2026-03-11T12:30:15Z"))
        let civil = LocalTime.clock.civil(now)
        func midnight(_ daysBefore: Int64) throws -> WallTime {
            LocalTime.clock.startOfDay(CivilDate(daysSince1970: civil.date.daysSince1970 - daysBefore))
        }
        #expect(TimeArgument.read("now", now: now) == now)
        #expect(try TimeArgument.read("today", now: now) == midnight(0))
        #expect(try TimeArgument.read("yesterday", now: now) == midnight(1))
        #expect(TimeArgument.read("90m", now: now) == now - .seconds(5400))
        #expect(TimeArgument.read("3d", now: now) == now - .seconds(3 * 86_400))
        #expect(TimeArgument.read("2026-03-11T13:30:15+01:00", now: now) == now)
        for text in ["2026-03-10", "2026-03-10 14:05", "2026-03-10T14:05:09", "9:07", "23:59:59"] {
            let instant = try #require(TimeArgument.read(text, now: now), "\(text)")
            let read = LocalTime.clock.civil(instant)
            let expected: (Int64, Int, Int, Int) =
                switch text {
                case "2026-03-10": (10, 0, 0, 0)
                case "2026-03-10 14:05": (10, 14, 5, 0)
                case "2026-03-10T14:05:09": (10, 14, 5, 9)
                case "9:07": (civil.date.day, 9, 7, 0)
                default: (civil.date.day, 23, 59, 59)
                }
            #expect((read.date.day, read.hour, read.minute, read.second) == expected, "\(text)")
        }
        for text in ["", "soon", "24:00", "2026-02-30", "2026-03-10 25:00", "2026-3-10", "d", "-3d", "999999999999h", "1:2:3:4", "12:60"] {
            #expect(TimeArgument.read(text, now: now) == nil, "\(text)")
        }
    }

    @Test("an entry in one line, with every field of its own")
    func entries() throws {
        let entry = try JSONValue(
            parsing:
                #"{"v":1,"seq":7,"at":"2026-03-11T12:30:15.000000Z","boot":"b","mono":5,"kind":"later.kind","person":{"login":"berg"},"list":["a",2],"rows":[{"x":true}],"title":"two words","none":null,"bad":"a\u001b[2J","salt":"s","digest":"d","chain":"c"}"#
        )
        let line = EntryText.line(entry, shown: Terminal(width: 80, isUTF8: true, isTerminal: true).style.shown)
        let when = line.prefix(19)
        #expect(WallTime(rfc3339: when.replacing(" ", with: "T") + "Z") != nil)
        #expect(line.dropFirst(19) == #" 7 later.kind person=berg list=a,2 rows[0].x=true title="two words" none=null bad=a?[2J"#)
    }

    @Test(
        "the locale says whether a terminal shows more than ASCII",
        arguments: [
            (["LANG": "de_DE.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "C"], false), ([:], false),
            (["LANG": "de_DE.UTF-8", "LC_ALL": "C"], false), (["LANG": "C", "LC_CTYPE": "en_GB.UTF-8"], true),
            (["LANG": "de_DE.ISO-8859-1"], false), (["LC_ALL": "", "LANG": "de_DE.UTF-8@euro"], true),
        ] as [([String: String], Bool)])
    func locale(variables: [String: String], isUTF8: Bool) {
        #expect(Terminal.isUTF8 { variables[$0] } == isUTF8)
    }

    @Test("COLUMNS says the width, within reason", arguments: [("100", 100), ("1", 20), ("100000", 1000), ("0", 80), ("x", 80), (nil, 80)])
    func width(columns: String?, width: Int) {
        // In a test run standard output may be a terminal; then only the cases that COLUMNS decides are sure.
        let terminal = Terminal.current { $0 == "COLUMNS" ? columns : nil }
        if !terminal.isTerminal || columns.flatMap({ Int($0) }).map({ $0 > 0 }) == true { #expect(terminal.width == width) }
    }
}
