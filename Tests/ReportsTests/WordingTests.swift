// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Ledger
import Reports
import Testing

@Suite("Durations")
struct SpanTextTests {
    @Test(
        "are rounded to a minute up to half an hour, to five beyond",
        arguments: [
            (0, "0 min"), (0.4, "0 min"), (0.6, "1 min"), (27.4, "27 min"), (30, "30 min"), (32.4, "30 min"), (32.6, "35 min"),
            (57.4, "55 min"),
            (57.6, "1 h 00"), (94, "1 h 35"), (600, "10 h 00"), (-5, "0 min"),
        ] as [(Double, String)])
    func best(length: Double, text: String) { #expect(SpanText.best(minutes(length)) == text) }

    @Test("of a class are rounded to a minute", arguments: [(51.6, "52 min"), (59.6, "1 h 00"), (94, "1 h 34")] as [(Double, String)])
    func average(length: Double, text: String) { #expect(SpanText.best(minutes(length), step: 1) == text) }

    @Test(
        "widen as ranges, never narrow, and hold the best estimate between them",
        arguments: [
            (40, 75, 55, "40–75 min"), (70, 125, 95, "1:10–2:05"), (9, 50, 20, "9–50 min"), (50, 100, 70, "0:50–1:40"),
            (0, 45, 20, "0–45 min"),
            (22.9, 71, 35, "22–75 min"), (33, 36, 34, "30–40 min"), (29.5, 30.2, 30, "29–35 min"), (55, 61, 57.6, "0:55–1:05"),
            (40, 600, 50, "0:40–10:00"), (40, 599, 50, "0:40–10:00"), (40, 595, 50, "40–595 min"),
        ] as [(Double, Double, Double, String)])
    func range(least: Double, most: Double, best: Double, text: String) {
        #expect(SpanText.range(from: minutes(least), to: minutes(most), best: minutes(best)) == text)
    }

    @Test(
        "that are unknown have a bound",
        arguments: [(45, "up to 45"), (41, "up to 45"), (0.2, "up to 1"), (60, "up to 1:00"), (86, "up to 1:30")] as [(Double, String)])
    func upTo(most: Double, text: String) { #expect(SpanText.upTo(minutes(most)) == text) }
}

@Suite("Times")
struct TimeTextTests {
    private let times = TimeText(clock: .utc, now: wall("2025-03-11T11:20:00Z"))

    @Test(
        "are near or far",
        arguments: [
            ("2025-03-14T23:59:00Z", "in 3 days", "today"), ("2025-03-12T00:00:00Z", "tomorrow", "today"),
            ("2025-03-11T23:59:59Z", "today", "today"),
            ("2025-03-10T23:59:59Z", "yesterday", "Mon"), ("2025-03-05T00:00:00Z", "6 days ago", "Wed"),
            ("2025-03-04T23:59:59Z", "7 days ago", "4 Mar"),
            ("2024-12-31T12:00:00Z", "70 days ago", "Dec 2024"),
        ] as [(String, String, String)])
    func distances(instant: String, distance: String, short: String) {
        #expect(times.distance(wall(instant)) == distance)
        #expect(times.short(wall(instant)) == short)
    }

    @Test("name the year where it is another one")
    func days() {
        #expect(times.dayAndTime(wall("2025-03-03T08:05:00Z")) == "Mon 3 Mar 08:05")
        #expect(times.dayAndTime(wall("2026-01-02T23:59:00Z")) == "Fri 2 Jan 2026 23:59")
    }

    @Test("are those of the school's clock, not of Greenwich")
    func zone() {
        let tokyo = LocalClock { civilTime(of: $0, offset: .seconds(9 * 3600)) }
        let times = TimeText(clock: tokyo, now: wall("2025-03-11T11:20:00Z"))
        #expect(times.dayAndTime(wall("2025-03-11T16:30:00Z")) == "Wed 12 Mar 01:30")
        #expect(times.distance(wall("2025-03-11T16:30:00Z")) == "tomorrow")
    }
}

@Suite("Display width")
struct DisplayWidthTests {
    @Test(
        "counts columns, not characters",
        arguments: [
            ("Berg", 4), ("Öberg", 5), ("O\u{308}berg", 5), ("山田太郎", 8), ("김민준", 6), ("\u{1100}\u{1161}\u{11a8}", 2), ("ｶﾀｶﾅ", 4), ("Ａ", 2),
            ("…", 1),
            ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("👍🏽", 2), ("❤️", 2), ("❤", 1), ("—", 1), ("─", 1), ("a\u{200B}b", 2), ("\u{1b}[31m", 4), ("", 0), ("नमस्ते", 4),
        ] as [(String, Int)])
    func widths(text: String, width: Int) { #expect(displayWidth(text) == width) }

    @Test("cuts at whole characters, and pads what a wide one leaves")
    func cuts() {
        #expect(fitted("Castellanos-Ruiz, Ana", to: 15) == "Castellanos-Ru…")
        #expect(fitted("山田太郎", to: 8) == "山田太郎")
        #expect(fitted("山田太郎", to: 7) == "山田太…")
        #expect(fitted("山田太郎", to: 6) == "山田…")
        #expect(padded(fitted("山田太郎", to: 6), to: 6) == "山田… ")
        #expect(fitted("e\u{301}e\u{301}e\u{301}", to: 2) == "e\u{301}…")
        #expect(fitted("abc", to: 1) == ".")
        #expect(fittedPath("8b/2025-03-14 Hamlet/berg/essay.odt", to: 15) == "…berg/essay.odt")
        for width in 0...20 {
            #expect(displayWidth(fitted("日本語 and more 日本語", to: width)) <= width)
        }
    }

    @Test("decides how a table is set")
    func table() throws {
        var journal = HamletClass.journal()
        let names = ["abara": "山田 太郎左衛門尉源義経", "berg": "O\u{308}zlem Yı\u{307}ldız", "ito": "Ann\u{1b}[31m\u{202e}a Evil\nLine"]
        for (login, name) in names {
            journal.add(
                .person(PersonFacts(person: HamletClass.person(login), displayName: name, role: .student, classes: ["8B"])),
                at: wall("2025-03-11T11:00:00Z"))
        }
        let id = try #require(HamletClass.facts()?.id)
        let report = try #require(ClassReport(of: id, in: journal.ledger, now: journal.moment(HamletClass.asOf)))
        let text = report.text(.plain, clock: .utc)
        let rows = text.split(separator: "\n").filter { $0.contains(" good ") }
        #expect(rows.count == 4)
        for row in rows {
            let parts = row.split(separator: " good ")
            #expect(displayWidth(String(parts[0])) == 50, "\(row)")
        }
        #expect(!text.unicodeScalars.contains("\u{1b}") && !text.unicodeScalars.contains("\u{202e}"))
        #expect(text.contains("山田 太郎左衛…    working now"))
    }

    @Test("sets running text without losing a word or its inner spaces")
    func wrapping() {
        #expect(wrapped("one two  three", to: 8, indent: " ") == ["one two", " three"])
        #expect(wrapped("one two  three", to: 14) == ["one two  three"])
        #expect(wrapped("  indented text", to: 12, indent: "    ") == ["  indented", "    text"])
        #expect(wrapped("unbreakable", to: 3) == ["unbreakable"])
        #expect(wrapped("", to: 10).isEmpty)
    }
}

@Suite("Names")
struct NameTests {
    @Test(
        "stand as lists have them",
        arguments: [
            ("Jonas Berg", "Berg, Jonas"), ("Berg, Jonas", "Berg, Jonas"), ("berg", "berg"),
            ("Ana María Castellanos-Ruiz", "Castellanos-Ruiz, Ana María"),
            ("  Ola   Grant ", "Grant, Ola"), ("山田太郎", "山田太郎"), ("山田 太郎", "山田 太郎"), ("김 민준", "김 민준"), ("", ""),
        ] as [(String, String)])
    func listed(name: String, expected: String) {
        #expect(listedName(name) == expected)
    }

    @Test("are sorted whatever their capitals and accents")
    func sorted() {
        let names = ["Zander, A", "Öberg, B", "oberg, a", "Østby, C", "Abara, D", "O\u{308}berg, C", "Łukasz, E"]
        #expect(
            names.sorted { sortKey($0) < sortKey($1) } == [
                "Abara, D", "Łukasz, E", "oberg, a", "Öberg, B", "O\u{308}berg, C", "Østby, C", "Zander, A",
            ])
        #expect(surname("Berg, Jonas") == "Berg")
    }
}
