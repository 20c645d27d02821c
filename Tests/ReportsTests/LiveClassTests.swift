// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Ledger
import Reports
import Testing

@Suite("Who is working now")
struct LiveClassTests {
    private func picture(_ journal: Journal, _ hours: [SchoolTime.Hours] = []) -> LiveClass {
        LiveClass(
            of: "8B", in: journal.ledger, now: journal.moment(HamletClass.asOf), hidden: HiddenTimes(SchoolTime(hours: hours), clock: .utc))
    }

    @Test("is shown with document and since when, as text and as JSON, and for whom recording is off not")
    func shown() throws {
        var journal = HamletClass.journal()
        let live = picture(journal)
        #expect(live.rows.map(\.person.login) == ["abara"])
        #expect(live.students == 10)
        #expect(try LiveClass(json: live.json) == live)
        let text = live.text(.plain, clock: .utc, now: live.asOf)
        #expect(text.hasPrefix("Class 8B · 1 of 10 students working now · Tue 11 Mar 11:20\n\nStudent"), "\(text)")
        #expect(text.contains("Abara, Chidi  ") && text.contains("Hamlet essay  essay.odt"), "\(text)")
        for width in [20, 40, 79] {
            let narrow = live.text(TextStyle(width: width, isUTF8: false), clock: .utc, now: live.asOf)
            #expect(narrow.utf8.allSatisfy { $0 < 128 })
        }
        journal.add(
            .recording(RecordingChange(state: .paused, person: HamletClass.person("abara"), by: 0)), at: wall("2025-03-11T11:19:00Z"))
        #expect(picture(journal).rows.isEmpty)
    }

    @Test("is shown to nobody outside of school hours")
    func hidden() {
        let live = picture(HamletClass.journal(), [SchoolTime.Hours(weekdays: [1, 2, 3, 4, 5], minutes: 480..<600)])
        #expect(live.rows.isEmpty && !live.isSchool)
        #expect(live.text(.plain, clock: .utc, now: live.asOf).contains("It is not school"))
    }
}
