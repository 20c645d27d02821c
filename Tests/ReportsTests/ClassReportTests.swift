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
}
