// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Inference
import Ledger
import Reports
import Testing

@Suite("Reports on their way over the socket")
struct ReportFormTests {
    private let journal = HamletClass.journal()

    private func report() throws -> ClassReport {
        let id = try #require(HamletClass.facts()?.id)
        return try #require(ClassReport(of: id, in: journal.ledger, now: journal.moment(HamletClass.asOf)))
    }

    private func student(_ login: String, _ journal: Journal? = nil) throws -> StudentReport {
        let journal = journal ?? self.journal
        return try #require(
            StudentReport(
                of: HamletClass.person(login), in: journal.ledger, now: journal.moment(HamletClass.asOf), clock: .utc, withLooks: true))
    }

    @Test("read back as what they were")
    func roundTrips() throws {
        let report = try report()
        #expect(try ClassReport(json: report.json) == report)
        #expect(try ClassReport(json: report.withoutRows().json) == report.withoutRows())
        for (login, _) in HamletClass.students {
            let student = try student(login)
            #expect(try StudentReport(json: student.json) == student)
        }
        let summary = AssignmentSummary(report)
        #expect(try AssignmentSummary(json: summary.json) == summary)
        let ledger = journal.ledger
        let rows = ledger.sessions(SessionFilter()).map { SessionRow($0, in: ledger, now: journal.moment(HamletClass.asOf)) }
        #expect(rows.count == 8)
        for row in rows { #expect(try SessionRow(json: row.json) == row) }
    }

    @Test("carry items of every kind")
    func items() throws {
        var report = try report()
        report.rows[0].items = [
            Item(identifier: "quiz_score", title: "Score", value: .score(7.5, max: 10), method: .counted),
            Item(identifier: "question_1", title: "1", value: .binary(true, type: .correctIncorrect), method: .declared),
            Item(identifier: "page_count", title: "Pages", value: .quantity(3), method: .estimated),
        ]
        #expect(try ClassReport(json: report.json) == report)
        #expect(
            report.json["rows"]?.arrayValue?[0]["items"]?.text
                == #"[{"identifier":"quiz_score","title":"Score","kind":"score","score":7.5,"maxScore":10,"method":"counted"},"#
                + #"{"identifier":"question_1","title":"1","kind":"binary","value":true,"valueType":"correctIncorrect","method":"declared"},"#
                + #"{"identifier":"page_count","title":"Pages","kind":"quantity","value":3,"method":"estimated"}]"#)
    }

    @Test("say which member is missing, or of another kind")
    func malformed() throws {
        let optional: Set = [
            "due", "ended", "recordedSince", "primary", "target", "median", "average", "ownRule", "ruleChange", "since", "until",
        ]
        guard case .object(let whole) = try report().json else { return }
        for (key, _) in whole.members {
            var cut = whole
            cut[key] = nil
            var wrong = whole
            wrong[key] = ["strange": true]
            if optional.contains(key) {
                _ = try ClassReport(json: .object(cut))
                continue
            }
            #expect(throws: MalformedReport.self, "\(key)") { try ClassReport(json: .object(cut)) }
            #expect(throws: MalformedReport.self, "\(key)") { try ClassReport(json: .object(wrong)) }
        }
        #expect(throws: MalformedReport(what: "class report", member: "class report")) { try ClassReport(json: .null) }
        #expect(throws: MalformedReport(what: "session", member: "document")) { try SessionRow(json: [:]) }
        #expect(
            "\(MalformedReport(what: "class report", member: "rows"))"
                == "the daemon's answer is no class report that this program can read: 'rows' is missing or of another kind; do both have the same version?"
        )
    }

    @Test("print a session as documented")
    func sessionLine() throws {
        let ledger = journal.ledger
        let number = try #require(ledger.sessions(SessionFilter(person: HamletClass.person("evans"))).first).id.rawValue
        let lines = ledger.sessions(SessionFilter(person: HamletClass.person("evans")))
            .map { SessionRow($0, in: ledger, now: journal.moment(HamletClass.asOf)).json.text }
        #expect(
            lines == [
                #"{"document":"8b/2025-03-14 Hamlet essay/evans/essay.odt","person":"evans","uid":2004,"#
                    + #""openedAt":"2025-03-10T08:00:00.000000Z","closedAt":"2025-03-10T08:00:00.000000Z","openSeconds":null,"activeSeconds":null,"#
                    + #""atLeastSeconds":0,"atMostSeconds":2700,"saves":1,"confidence":"thin","ended":"idle","session":\#(number),"excluded":false,"#
                    + #""notes":[],"timesHidden":false}"#
            ])
        let open = ledger.sessions(SessionFilter(person: HamletClass.person("abara")))
            .map { SessionRow($0, in: ledger, now: journal.moment(HamletClass.asOf)) }
        #expect(open.map(\.closedAt) == [nil])
        #expect(open.map(\.ended) == [nil])
        let text = SessionRow.text(open, .plain, clock: .utc, now: wall(HamletClass.asOf))
        #expect(
            text == """
                No  When                  Who    Worked    (range)  Sure  Saves  Document
                \(padded("\(open[0].number)", to: 2, right: true))  Tue 11 Mar 10:05–now  abara  55 min  40–75 min  good      1  …bara/essay.odt

                """)
        #expect(SessionRow.text([], .plain, clock: .utc, now: wall(HamletClass.asOf)) == "No session matches.\n")
        // What does not fit goes as a whole column, and is named.
        let narrow = SessionRow.text(open, TextStyle(width: 50, isUTF8: true), clock: .utc, now: wall(HamletClass.asOf))
        #expect(
            narrow == """
                When                  Who    Worked  Document
                Tue 11 Mar 10:05–now  abara  55 min  …ra/essay.odt
                Not shown, as the terminal is narrow: (range),
                Saves, Sure, No.

                """, "\(narrow)")
    }

    @Test("show what lock files say, in quotes that it cannot end, and that nobody checked it")
    func lockWords() throws {
        var journal = journal
        let sessions = journal.ledger.sessions(SessionFilter(person: HamletClass.person("berg")))
        #expect(sessions.count == 2)
        let writer = try #require(LockWords(program: "libreoffice", login: "jberg", name: "Berg, Jonas\" on \"PC-1", host: "PC-12"))
        let vim = try #require(LockWords(program: "vim", login: "jberg", name: nil, host: "lab"))
        for (session, words) in [(sessions[0], writer), (sessions[0], writer), (sessions[0], vim), (sessions[1], writer)] {
            let at = session.work.openedAt + .seconds(600)
            let wallTime = journal.ledger.wallTime(of: at, in: journal.boot)
            journal.add(.session(.lockSays(session.id, words, at: at), assignment: nil), at: wallTime)
        }
        journal.sort()
        let before = try student("berg")
        let report = try student("berg", journal)
        let text = report.text(.plain, clock: .utc)
        #expect(
            text.contains(
                """
                  The lock file says "Berg, Jonas' on 'PC-1" ("jberg") on "PC-12" (2 sessions),
                    "jberg" on "lab" (1 session); anybody can write that, and it is not
                    checked.

                """), "\(text)")
        #expect(report.assignments.map(\.row) == before.assignments.map(\.row))
        let row = try #require(report.assignments.first?.sessions.first)
        #expect(
            row.json.text.hasSuffix(
                #","lockSays":[{"program":"libreoffice","login":"jberg","name":"Berg, Jonas\" on \"PC-1","host":"PC-12"},"#
                    + #"{"program":"vim","login":"jberg","name":null,"host":"lab"}]}"#))
        #expect(try SessionRow(json: row.json) == row)
        #expect(try StudentReport(json: report.json) == report)
        let exported = StudentExport.parts(of: HamletClass.person("berg"), in: journal.ledger).map { JSONValue.object($0).text }.joined()
        #expect(exported.contains(#""lockSays":[{"program":"libreoffice","login":"jberg""#))
    }

    @Test("show how far audio was delivered, the furthest of all sessions, and where it is not known, why")
    func delivered() throws {
        var journal = journal
        let assignment = try #require(HamletClass.facts()?.id)
        let known = Attribution(person: HamletClass.person("berg"), source: .holder)
        for (number, name, positions) in [(900, "hymn.mp3", [100, 437]), (901, "hymn.mp3", [200]), (902, "speech.ogg", [])]
            as [(UInt64, String, [Int64])]
        {
            let id = ActivityID(number)
            let at = journal.moment(HamletClass.asOf).mono - .seconds(3600)
            let wallTime = journal.ledger.wallTime(of: at, in: journal.boot)
            let start = SessionStart(
                id: id, document: HamletClass.document("berg", name), attribution: known, presence: .held, openedAt: at, notBefore: at)
            journal.add(.session(.started(start), assignment: assignment), at: wallTime)
            for position in positions {
                let read = try #require(Delivery(position: position, size: 1000))
                journal.add(.session(.delivered(id, read, at: at + .seconds(30)), assignment: nil), at: wallTime + .seconds(30))
            }
            let end = SessionEnd(ending: .closed, closedAt: at + .seconds(300), notAfter: at + .seconds(300), confidence: .good)
            journal.add(.session(.stopped(id, end), assignment: nil), at: wallTime + .seconds(300))
        }
        journal.sort()
        let report = try student("berg", journal)
        let text = report.text(.plain, clock: .utc)
        #expect(text.contains("Delivered: read by a player on this server, ahead of what is heard\n"), "\(text)")
        #expect(text.contains("    43 %  hymn.mp3\n"), "\(text)")
        #expect(text.contains("speech.ogg: how far it was played is not known"), "\(text)")
        let rows = try #require(report.assignments.first?.sessions).filter { $0.document.hasSuffix("hymn.mp3") }
        #expect(rows.map { $0.delivery?.percent } == [43, 20])
        #expect(rows.first?.json.text.hasSuffix(#","delivered":{"position":437,"size":1000,"percent":43}}"#) == true)
        #expect(try StudentReport(json: report.json) == report)
    }

    @Test("list assignments one line each, and have a sentence for who has none")
    func summaries() throws {
        var other = AssignmentSummary(try report())
        other.title = "Map"
        other.className = "10c"
        other.due = nil
        other.started = 0
        other.finished = 0
        other.median = nil
        let list = [AssignmentSummary(try report()), other]
        #expect(
            AssignmentSummary.text(Array(list.prefix(1)), .plain, clock: .utc, now: wall(HamletClass.asOf))
                == "Hamlet essay  8B  due Fri 14 Mar  7 of 10 started  3 handed in  median 50 min\n")
        #expect(
            AssignmentSummary.text(list, .plain, clock: .utc, now: wall(HamletClass.asOf)) == """
                Hamlet essay  8B   due Fri 14 Mar  7 of 10 started  3 handed in  median 50 min
                Map           10c                  0 of 10 started  0 handed in

                """)
        #expect(AssignmentSummary.text([], .plain, clock: .utc, now: wall(HamletClass.asOf)).hasPrefix("You have no assignments.\n"))
    }

    @Test("show one student: sessions, words at each save, days, results, and what it is known from")
    func studentText() throws {
        var journal = journal
        journal.add(
            .viewed(ViewedFacts(by: 900, byLogin: "keller", person: nil, assignment: HamletClass.facts()?.id, what: "Report")),
            at: wall("2025-03-11T09:30:00Z"))
        journal.add(
            .gap(GapFacts(cause: .restart, from: wall("2025-03-10T14:10:00Z"), to: wall("2025-03-10T14:11:00Z"))),
            at: wall("2025-03-11T09:31:00Z"))
        let numbers = journal.ledger.sessions(SessionFilter(person: HamletClass.person("berg"))).map(\.id.rawValue)
        let text = try student("berg", journal).text(.plain, clock: .utc)
        #expect(
            text == """
                Berg, Jonas (berg) · as of Tue 11 Mar 11:20

                Hamlet essay · class 8B · due Fri 14 Mar 23:59, in 3 days · handed in
                Worked about 1 h 35 (1:10–2:05), confidence good.
                Goal: 540 of 500 words, 100 %.
                Sessions
                  Fri 7 Mar 10:00–11:15     55 min   40–75 min  good  1 save    \(numbers[0])  essay.odt
                  Mon 10 Mar 14:00–14:50    40 min   30–50 min  good  1 save    \(numbers[1])  essay.odt
                At each save
                  Fri 7 Mar 11:14       310         words  essay.odt
                  Mon 10 Mar 14:49      540   +230  words  essay.odt
                Day by day
                  Fri 7 Mar          55 min   40–75 min  good  1 save
                  Mon 10 Mar         40 min   30–50 min  good  1 save
                Results of essay.odt
                  Word Count                      540
                  Sentences                        45
                  Paragraphs                        7
                  Flesch-Kincaid Grade Level      9.1
                What we know it from
                  Seen: 209 signs of typing, 2 saves
                  Open and closed by: its lock file (2 sessions)
                  Who it was by: the owner of its lock file (2 sessions)
                Something may have been missed
                  Mon 10 Mar 14:10–14:11  (Daybook was not running)
                Rule 2026-1. Estimated from saves, lock files and open files on this server;
                not a measure of effort or attention.

                Who has looked
                  Tue 11 Mar 09:30  keller  the class's table, Hamlet essay

                """)
        #expect(try student("grant").text(.plain, clock: .utc).contains("not started\nNothing was seen yet.\n"))
        #expect(try student("evans").text(.plain, clock: .utc).contains("duration unknown (up to 45 min here)."))
        // What is recorded of somebody is shown to them, whatever the class table hides.
        var off = journal
        off.add(.recording(RecordingChange(state: .off, person: HamletClass.person("berg"))), at: wall(HamletClass.asOf))
        let own = try student("berg", off)
        #expect(own.assignments.first?.row.state == .recordingOff)
        #expect(own.assignments.first?.sessions.count == 2)
        #expect(own.text(.plain, clock: .utc).contains("Recording is off for this student."))
        #expect(
            StudentReport(
                of: PersonID(uid: 7, login: "nobody"), in: journal.ledger, now: journal.moment(HamletClass.asOf), clock: .utc) == nil)
    }

    @Test("name what was left open, each document by itself, and who changed the rule")
    func leftOpen() throws {
        var journal = journal
        journal.typing(
            "grant", from: "2025-03-10T22:00:00Z", typed: 10, pauses: (0, 0), silent: 590, document: HamletClass.document("grant", "a.odt"))
        journal.typing(
            "grant", from: "2025-03-10T22:05:00Z", typed: 15, pauses: (0, 0), silent: 0, document: HamletClass.document("grant", "b.odt"))
        let id = try #require(HamletClass.facts()?.id)
        var facts = try #require(journal.ledger.assignment(id)?.facts)
        facts.ruleChange = RuleChange(before: facts.rule, by: 900, byLogin: "keller")
        facts.rule = Rule(name: "2030-1", idleContinuous: minutes(4))
        journal.add(.assignmentChanged(facts), at: wall("2025-03-11T10:00:00Z"))
        journal.sort()
        let report = try student("grant", journal)
        #expect(try StudentReport(json: report.json) == report)
        let numbers = journal.ledger.sessions(SessionFilter(person: HamletClass.person("grant"))).map(\.id.rawValue)
        let lines = report.text(.plain, clock: .utc).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let start = try #require(lines.firstIndex { $0.hasPrefix("Worked about") })
        let stop = try #require(lines.firstIndex { $0.hasPrefix("What we know") })
        #expect(
            Array(lines[start..<stop]) == [
                "Worked about 20 min (20–70 min), confidence good. Left open for another 8 h 50,",
                "not counted. Main document: a.odt, 1 of 2; time on all of them counts once.",
                "Goal: 500 words, nothing measured yet.",
                "Sessions",
                "  Mon 10 Mar 22:00–Tue 11 Mar 08:00  10 min   10–70 min  good  1 save    \(numbers[0])", "      a.odt",
                "  Mon 10 Mar 22:05–22:20    15 min   15–15 min  good  1 save    \(numbers[1])  b.odt",
                "Day by day",
                "  Mon 10 Mar         20 min   20–70 min  good  1 save",
                "  Tue 11 Mar          0 min     0–0 min  good  1 save",
                "Each document by itself (times may overlap)",
                "    10 min   10–70 min  good  1 save    2 days   a.odt",
                "    15 min   15–15 min  good  1 save    1 day    b.odt",
                "Left open, not counted",
                "  Mon 10 Mar 23:10–Tue 11 Mar 08:00",
            ])
        #expect(lines.contains { $0.hasPrefix("Rule 2030-1. Since Tue 11 Mar by keller, before 2026-1. Estimated from") })
        let table = try #require(
            ClassReport(of: facts.id, in: journal.ledger, now: journal.moment(HamletClass.asOf))
        ).text(.plain, clock: .utc)
        #expect(table.contains("\nRule 2030-1. Since Tue 11 Mar by keller, before 2026-1."))
        #expect(table.contains("Pauses over 4 min"))
        #expect(table.contains("\nLeft open, not counted: Grant 8 h 50.\n"))
    }

    @Test("list at most the latest hundred looks")
    func looks() throws {
        var journal = journal
        for _ in 0...StudentReport.looksAtMost {
            journal.add(
                .viewed(ViewedFacts(by: 900, byLogin: "keller", person: HamletClass.person("berg"), assignment: nil, what: "Student")),
                at: wall(HamletClass.asOf))
        }
        #expect(try student("berg", journal).looks?.count == StudentReport.looksAtMost)
    }
}

@Suite("Small groups")
struct SmallGroupTests {
    private func people(_ numbers: Range<UInt32>) -> Set<PersonID> { Set(numbers.map { PersonID(uid: $0, login: "p\($0)") }) }

    @Test(
        "have no figures, nor can they be had by subtraction",
        arguments: [
            ([0..<4], [false]), ([0..<5], [true]), ([0..<0], [false]),
            // All and all but one: their difference is one person.
            ([0..<10, 0..<9], [true, false]), ([0..<9, 0..<10], [true, false]), ([0..<10, 0..<5], [true, true]),
            ([0..<10, 0..<6], [true, false]),
            ([0..<10, 0..<10], [true, true]), ([0..<5, 5..<10], [true, true]),
            // Two halves shown, then a group that leaves three between them.
            ([0..<20, 0..<10, 0..<13], [true, true, false]), ([0..<20, 0..<10, 5..<15], [true, true, true]),
        ] as [([Range<UInt32>], [Bool])])
    func publishable(ranges: [Range<UInt32>], expected: [Bool]) {
        #expect(SmallGroup.publishable(ranges.map(people)) == expected)
    }

    @Test("are protected from who cannot see the rows, and only from them")
    func withoutRows() throws {
        let journal = HamletClass.journal()
        let id = try #require(HamletClass.facts()?.id)
        let report = try #require(ClassReport(of: id, in: journal.ledger, now: journal.moment(HamletClass.asOf)))
        // Six have a time, seven have words: together they would give away one student's words.
        let shown = report.withoutRows()
        #expect(shown.rows.isEmpty)
        #expect(shown.median?.worked == report.median?.worked)
        #expect(shown.median?.primary == nil)
        #expect(shown.average?.level == nil)
        #expect(report.withoutRows(minimum: 7).withTime == 0)
        #expect(report.withoutRows(minimum: 7).median?.worked == nil)
        #expect(report.withoutRows(minimum: 8).median == nil)
        #expect(shown.text(.plain, clock: .utc).contains("The rows are not yours to see."))
        #expect(!shown.text(.plain, clock: .utc).contains("berg"))
    }
}
