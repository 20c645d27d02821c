// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Ledger
import Testing

@Suite("When school begins and ends")
struct SchoolBordersTests {
    private func wall(_ text: String) throws -> WallTime { try #require(WallTime(rfc3339: text)) }

    private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(prefixOf: text)) }

    @Test("is found over nights, weekends and holidays")
    func borders() throws {
        // The Tuesday and the Wednesday are holidays.
        let school = SchoolTime(
            hours: [.init(weekdays: [1, 2, 3, 4, 5], minutes: 480..<780), .init(weekdays: [1], minutes: 840..<960)],
            holidays: [try day("2025-03-11")...(try day("2025-03-12"))])
        let expected = [
            ("2025-03-07T12:59:59.999999Z", "2025-03-07T13:00:00Z"), ("2025-03-07T13:00:00Z", "2025-03-10T08:00:00Z"),
            ("2025-03-10T08:00:00Z", "2025-03-10T13:00:00Z"), ("2025-03-10T13:30:00Z", "2025-03-10T14:00:00Z"),
            ("2025-03-10T14:00:00Z", "2025-03-10T16:00:00Z"), ("2025-03-10T16:00:00Z", "2025-03-13T08:00:00Z"),
        ]
        for (now, next) in expected { #expect(try school.nextBorder(after: wall(now), .utc) == wall(next), "\(now)") }
        #expect(SchoolTime(hours: []).nextBorder(after: try wall("2025-03-07T12:00:00Z"), .utc) == nil)
        let always = SchoolTime(hours: [.init(weekdays: Set(0...6), minutes: 0..<1440)])
        #expect(always.nextBorder(after: try wall("2025-03-07T12:00:00Z"), .utc) == nil, "school without an end has none")
    }

    @Test("follows the clock on the wall on the day on which it is set")
    func summerTime() throws {
        // At 1:00 Greenwich the clock goes from 2 to 3 o'clock, on a Sunday with school.
        let change = try wall("2025-03-30T01:00:00Z")
        let clock = LocalClock { civilTime(of: $0, offset: .seconds($0 < change ? 3600 : 7200)) }
        let school = SchoolTime(hours: [.init(weekdays: [0], minutes: 480..<780)])
        #expect(try school.nextBorder(after: wall("2025-03-30T00:00:00Z"), clock) == wall("2025-03-30T06:00:00Z"))
        #expect(try school.nextBorder(after: wall("2025-03-30T06:00:00Z"), clock) == wall("2025-03-30T11:00:00Z"))
    }
}
