// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Inference
import Ledger
import Reports
import Testing

@Suite("The class table")
struct ClassReportTests {
    private func report(_ journal: Journal = HamletClass.journal(), rule: Rule? = nil) throws -> ClassReport {
        let id = try #require(HamletClass.facts()?.id)
        return try #require(ClassReport(of: id, in: journal.ledger, now: journal.moment(HamletClass.asOf), rule: rule))
    }

    @Test("is the documented text, from evidence to the last column")
    func golden() throws {
        let text = try report().text(.plain, clock: .utc, hasPages: true)
        let expected = """
            Hamlet essay · class 8B · due Fri 14 Mar 23:59, in 3 days
            10 students · as of Tue 11 Mar 11:20 · recorded since Mon 3 Mar 08:05

            Student           State        Worked     (range)  Sure  Words  Goal Level  Last
            ───────────────────────────────────────────────────────────────────────────────
            Abara, Chidi      working now  55 min   40–75 min  good    612 100 %   8.4  now
            Berg, Jonas       handed in    1 h 35   1:10–2:05  good    540 100 %   9.1  Mon
            Castellanos-Ru…   started      20 min    9–50 min  fair    188  37 %   6.9  Fri
            Demir, Elif       done         1 h 10   0:50–1:40  good    505 100 %   7.7  Sun
            Evans, Rhys       brought in        ?   up to 45   thin    301  60 %   8.0  Mon
            Fofanah, Isatu    excused
            Grant, Ola        not started
            Haddad, Sami      recording off
            Ito, Ren          handed in    45 min   30–65 min  good    498  99 %   8.8  Mon
            Jansson, Mia      started      27 min   18–40 min  fair    240  48 %   7.1  Fri
            ───────────────────────────────────────────────────────────────────────────────
            Median            6 with time  50 min                      498         8.0
            Average           6 with time  52 min                      412         8.0
            Not in the time figures: Evans (too little evidence), 1 excused, 1 not started,
            1 recording off.

            Worked is estimated from saves, lock files and open files on this server.
            Pauses over 5 min (15 min where only saves are seen) do not count. Paper,
            thinking and work on other copies are not seen. Not a measure of effort.
            Rule 2026-1.  One student: daybook show berg   As a page: daybook pages

            """
        #expect(text == expected)
        // The same after the way over the socket.
        let read = try ClassReport(json: try report().json)
        #expect(read.text(.plain, clock: .utc, hasPages: true) == expected)
    }

    @Test("shows bars and two more items from 120 columns on, and not at 119")
    func wide() throws {
        let text = try report().text(TextStyle(width: 120, isUTF8: true), clock: .utc)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            lines[3..<10].map(String.init) == [
                "Student              State        Worked     (range)  Sure  Words  Goal Level  Last  Sentences  Paragraphs  0:00–2:05",
                String(repeating: "─", count: 119),
                "Abara, Chidi         working now  55 min   40–75 min  good    612 100 %   8.4  now          51           8  ████▓░░",
                "Berg, Jonas          handed in    1 h 35   1:10–2:05  good    540 100 %   9.1  Mon          45           7  ███████▓▓░░░",
                "Castellanos-Ruiz,…   started      20 min    9–50 min  fair    188  37 %   6.9  Fri          16           2  █▓░░░",
                "Demir, Elif          done         1 h 10   0:50–1:40  good    505 100 %   7.7  Sun          42           6  █████▓▓░░░",
                "Evans, Rhys          brought in        ?   up to 45   thin    301  60 %   8.0  Mon          25           4  ░░░░",
            ])
        #expect(text.contains("\nBars: █ at least, ▓ worked, ░ at most;"))
        let narrower = try report().text(TextStyle(width: 119, isUTF8: true), clock: .utc)
        #expect(!narrower.contains("Sentences") && !narrower.contains("█"))
    }

    @Test("writes ASCII only outside UTF-8")
    func ascii() throws {
        let text = try report().text(TextStyle(width: 80, isUTF8: false), clock: .utc, hasPages: true)
        #expect(text.utf8.allSatisfy { $0 == 10 || (32..<127).contains($0) })
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[0] == "Hamlet essay - class 8B - due Fri 14 Mar 23:59, in 3 days")
        #expect(lines[4] == String(repeating: "-", count: 79))
        #expect(lines[5] == "Abara, Chidi      working now  55 min   40-75 min  good    612 100 %   8.4  now")
        #expect(lines[7] == "Castellanos-...   started      20 min    9-50 min  fair    188  37 %   6.9  Fri")
    }

    @Test("fits every width, and loses its columns from the right")
    func narrow() throws {
        let report = try report()
        let heads = ["Student", "State", "Worked", "(range)", "Sure", "Words", "Goal", "Level", "Last"]
        var shown: Set<Int> = []
        for width in 20...140 {
            for isUTF8 in [true, false] {
                let text = report.text(TextStyle(width: width, isUTF8: isUTF8), clock: .utc)
                let lines = text.split(separator: "\n")
                #expect(lines.allSatisfy { displayWidth(String($0)) <= width }, "\(width)")
                #expect(lines.contains { $0.hasPrefix("Rule 2026-1.") }, "\(width)")
                guard width >= 36 else { continue }
                let head = try #require(lines.first { $0.hasPrefix("Student ") }, "\(width)").split(separator: " ").map(String.init)
                #expect(head.prefix(9) == heads.prefix(head.count).prefix(9), "\(width)")
                shown.insert(head.count)
            }
        }
        #expect(shown == [3, 4, 5, 6, 7, 8, 9, 12])
    }

    @Test(
        "sorts by surname, state, time and last sign",
        arguments: [
            (.surname, ["abara", "berg", "castellanos", "demir", "evans", "fofanah", "grant", "haddad", "ito", "jansson"]),
            (.state, ["abara", "castellanos", "jansson", "evans", "demir", "berg", "ito", "grant", "fofanah", "haddad"]),
            (.worked, ["berg", "demir", "abara", "ito", "jansson", "castellanos", "evans", "fofanah", "grant", "haddad"]),
            (.last, ["abara", "berg", "ito", "evans", "demir", "jansson", "castellanos", "fofanah", "grant", "haddad"]),
        ] as [(ClassReport.Order, [String])])
    func order(order: ClassReport.Order, expected: [String]) throws {
        #expect(try report().sorted(by: order).rows.map(\.person.login) == expected)
    }

    @Test("takes results from the student's last save, not from the teacher's")
    func teachersSave() throws {
        var journal = HamletClass.journal()
        journal.measure(
            "berg", words: 9999, level: 1, at: "2025-03-11T09:00:00Z", by: PersonID(uid: 900, login: "keller"))
        journal.sort()
        let row = try #require(try report(journal).rows.first { $0.person.login == "berg" })
        #expect(row.item("total_word_count")?.value == .quantity(540))
        #expect(row.last == wall("2025-03-10T14:50:00Z"))
        #expect(try report(journal).rows.count == 10)
    }

    @Test("never sums copies: time is the union, words are those of the main document")
    func copies() throws {
        var journal = HamletClass.journal()
        let copy = HamletClass.document("ito", "essay final.odt")
        // The same minutes, with a copy open beside it, and saved last.
        journal.typing("ito", from: "2025-03-10T10:00:00Z", typed: 30, pauses: (3, 5), silent: 20, document: copy)
        journal.measure("ito", words: 200, level: 5, at: "2025-03-10T11:04:30Z", document: copy)
        journal.sort()
        let row = { (journal: Journal) in try #require(try self.report(journal).rows.first { $0.person.login == "ito" }) }
        #expect(try row(journal).figures?.active == minutes(45))
        #expect(try row(journal).figures?.atMost == minutes(65))
        #expect(try row(journal).documents == 2)
        #expect(try row(journal).document == copy.path.text)
        #expect(try row(journal).item("total_word_count")?.value == .quantity(200))
        // The one handed in speaks for the row, whichever was saved last.
        let id = try #require(HamletClass.facts()?.id)
        let handed = DoneFacts(
            assignment: id, person: HamletClass.person("ito"), state: .handedIn, document: HamletClass.document("ito"))
        journal.add(.done(handed), at: wall("2025-03-11T09:00:00Z"))
        #expect(try row(journal).document == HamletClass.document("ito").path.text)
        #expect(try row(journal).item("total_word_count")?.value == .quantity(498))
        // A document without what the assignment asks for is not the main one.
        journal.add(
            .metrics(
                MetricsFacts(
                    document: HamletClass.document("abara", "cover.png"), assignment: id,
                    attribution: Attribution(person: HamletClass.person("abara"), source: .save),
                    savedAt: journal.mono(wall("2025-03-11T11:15:00Z")), size: 1)), at: wall("2025-03-11T11:15:02Z"))
        let abara = try #require(try report(journal).rows.first { $0.person.login == "abara" })
        #expect(abara.document == HamletClass.document("abara").path.text)
        #expect(abara.documents == 2)
    }

    @Test("rounds a goal down only where it is not reached: 145 of 500 words are 29 %, and 149 no more")
    func goals() throws {
        for (words, percent) in [(145.0, 29), (149, 29), (290, 58), (499, 99), (500, 100), (0, 0)] {
            var journal = HamletClass.journal()
            journal.measure("ito", words: words, level: 8, at: "2025-03-10T12:00:00Z")
            journal.sort()
            let report = try report(journal)
            let row = try #require(report.rows.first { $0.person.login == "ito" })
            #expect(report.goal(row) == percent, "\(words)")
        }
    }

    @Test("says what a student takes back, and does not call idle people working")
    func states() throws {
        var journal = HamletClass.journal()
        journal.mark("ito", .withdrawn, at: "2025-03-11T08:00:00Z")
        journal.add(
            .session(.paused(ActivityID(1), at: journal.mono(wall("2025-03-11T11:00:00Z"))), assignment: nil), at: wall(HamletClass.asOf))
        journal.add(.recording(RecordingChange(state: .off, person: HamletClass.person("jansson"))), at: wall(HamletClass.asOf))
        let report = try report(journal)
        let state = { (login: String) in report.rows.first { $0.person.login == login }?.state }
        #expect(state("ito") == .started)
        #expect(state("abara") == .started)
        #expect(state("jansson") == .recordingOff)
        #expect(report.rows.first { $0.person.login == "jansson" }?.figures == nil)
        #expect(report.withTime == 5)
        #expect(report.started == 6)
        #expect(report.finished == 2)
    }

    @Test("shows figures by another rule only where it is asked for, and says so")
    func otherRule() throws {
        let wide = Rule(name: "2030-1", idleContinuous: minutes(25), idleSavesOnly: minutes(45))
        let text = try report(rule: wide).text(.plain, clock: .utc)
        #expect(text.contains("Abara, Chidi      working now  1 h 15   0:40–1:15  good"))
        #expect(text.contains("Pauses over 25 min (45 min where only saves are seen) do not count."))
        #expect(text.contains("Rule 2030-1 instead of this assignment's own, 2026-1."))
        #expect(try report().ownRule == nil)
    }

    @Test("is the same table however the entries of one instant are ordered")
    func permutations() throws {
        let journal = HamletClass.journal()
        let expected = try report(journal)
        let id = try #require(HamletClass.facts()?.id)
        var random: UInt64 = 3
        for round in 0..<20 {
            // Evidence and metrics only: a session cannot be seen before it began.
            var entries = journal.entries
            for index in entries.indices.dropLast() where entries[index].at == entries[index + 1].at {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                guard random >> 63 == 1, case .session(.evidence, _) = entries[index].body,
                    case .session(.evidence, _) = entries[index + 1].body
                else { continue }
                entries.swapAt(index, index + 1)
            }
            let ledger = entries.reduce(into: Ledger()) { $0.apply($1) }
            #expect(ClassReport(of: id, in: ledger, now: journal.moment(HamletClass.asOf)) == expected, "round \(round)")
        }
    }

    @Test("of a trial without classes has a row for whoever worked, and no class, target or due day in its words")
    func trial() throws {
        var journal = Journal()
        let id = AssignmentID(text: "/srv/trial")
        let facts = try #require(RecordingPolicy(roster: Roster()).namelessAssignment(share: "/srv/trial", rule: Rule(), in: Ledger()))
        journal.add(.recording(RecordingChange(state: .on)), at: wall("2025-03-03T06:00:00Z"))
        journal.add(.assignmentCreated(facts), at: wall("2025-03-03T06:00:00Z"))
        let empty = try #require(ClassReport(of: id, in: journal.ledger, now: journal.moment("2025-03-03T12:00:00Z")))
        #expect(empty.text(.plain, clock: .utc).contains("0 students · as of Mon 3 Mar 12:00 · recorded since Mon 3 Mar 06:00\n\nNobody"))
        let document = DocumentRef(share: "/srv/trial", path: PathBytes("notes.txt"))
        journal.typing("berg", from: "2025-03-03T09:00:00Z", typed: 12, pauses: (0, 0), silent: 0, document: document, assignment: id)
        let report = try #require(ClassReport(of: id, in: journal.ledger, now: journal.moment("2025-03-03T12:00:00Z")))
        let lines = report.text(.plain, clock: .utc).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(
            lines.prefix(10) == [
                "trial", "1 student · as of Mon 3 Mar 12:00 · recorded since Mon 3 Mar 06:00", "",
                "Student   State        Worked     (range)  Sure  Last",
                "─────────────────────────────────────────────────────",
                "berg      started      12 min   12–12 min  good  today",
                "─────────────────────────────────────────────────────",
                "Median    1 with time  12 min",
                "Average   1 with time  12 min",
                "",
            ])
    }

    @Test("of an assignment that is none is nothing")
    func unknown() {
        #expect(
            ClassReport(of: AssignmentID(text: "none"), in: HamletClass.journal().ledger, now: Journal().moment(HamletClass.asOf)) == nil)
    }
}
