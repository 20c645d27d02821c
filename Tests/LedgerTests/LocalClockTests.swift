// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Ledger
import Testing

/// A zone whose offset changes at one instant.
private func zone(_ before: Double, until change: String, then after: Double) -> LocalClock {
    let border = wall(change)
    return LocalClock { civilTime(of: $0, offset: minutes(($0 < border ? before : after) * 60)) }
}

private func date(_ text: String) throws -> CivilDate { try #require(CivilDate(prefixOf: text)) }

@Suite("A local day")
struct LocalClockTests {
    @Test(
        "begins at the instant the date changes, also where midnight does not exist or comes twice",
        arguments: [
            // Berlin, both days of 2025: 23 and 25 hours.
            ("2025-03-30", 1, "2025-03-30T01:00:00Z", 2, "2025-03-29T23:00:00Z", 23),
            ("2025-10-26", 2, "2025-10-26T01:00:00Z", 1, "2025-10-25T22:00:00Z", 25),
            // São Paulo 2018: at midnight the clock jumped to one o'clock.
            ("2018-11-04", -3, "2018-11-04T03:00:00Z", -2, "2018-11-04T03:00:00Z", 23),
            // São Paulo 2018, the other way: midnight was eleven o'clock once more, so the day before is the long one.
            ("2018-02-17", -2, "2018-02-18T02:00:00Z", -3, "2018-02-17T02:00:00Z", 25),
            ("2018-02-18", -2, "2018-02-18T02:00:00Z", -3, "2018-02-18T03:00:00Z", 24),
        ] as [(String, Double, String, Double, String, Int)])
    func borders(day: String, before: Double, change: String, after: Double, start: String, hours: Int) throws {
        let clock = zone(before, until: change, then: after)
        let day = try date(day)
        let next = CivilDate(daysSince1970: day.daysSince1970 + 1)
        #expect(clock.startOfDay(day) == wall(start))
        #expect(clock.startOfDay(next) - clock.startOfDay(day) == .seconds(hours * 3600))
        #expect(clock.civil(clock.startOfDay(day)).date == day)
        #expect(clock.civil(clock.startOfDay(day) - .microseconds(1)).date < day)
        #expect(clock.civil(clock.endOfDay(day)) == CivilTime(date: day, hour: 23, minute: 59))
    }

    @Test("shares nothing with its neighbours, and between them nothing is lost")
    func partition() throws {
        let clock = zone(1, until: "2025-03-30T01:00:00Z", then: 2)
        let (from, to) = (wall("2025-03-28T17:31:07.5Z"), wall("2025-04-01T03:00:00Z"))
        let days = clock.days(from: from, to: to)
        #expect(days.map(\.date.text) == ["2025-03-28", "2025-03-29", "2025-03-30", "2025-03-31", "2025-04-01"])
        #expect(days.first?.from == from)
        #expect(days.last?.to == to)
        #expect(zip(days, days.dropFirst()).allSatisfy { $0.to == $1.from } && days.count == 5)
        #expect(clock.days(from: to, to: from).isEmpty)
    }
}

@Suite("The two clocks of a boot")
struct BootClocksTests {
    private let boot = BootID(text: "b1")

    @Test("show before a step what people's clocks showed then", arguments: [-3600, 3600])
    func step(seconds: Int) {
        var clocks = BootClocks()
        let noon = wall("2025-03-10T12:00:00Z")
        clocks.note(boot: boot, mono: instant(0), wall: noon)
        clocks.note(boot: boot, mono: instant(10), wall: noon + minutes(10) + .seconds(seconds))
        #expect(clocks.wallTime(of: instant(9), in: boot) == noon + minutes(9))
        #expect(clocks.wallTime(of: instant(11), in: boot) == noon + minutes(11) + .seconds(seconds))
        #expect(clocks.wallTime(of: instant(-5), in: boot) == noon - minutes(5))
        #expect(clocks.wallTime(of: instant(0), in: BootID(text: "b2")) == nil)
        let later = noon + minutes(11) + .seconds(seconds)
        #expect(clocks.bootTime(of: later, in: boot) == instant(11))
    }

    @Test("take a drift within the tolerance for slewing, and one microsecond more for a step")
    func tolerance() {
        for (drift, moved) in [(Duration.milliseconds(100), false), (.milliseconds(100) + .microseconds(1), true)] {
            var clocks = BootClocks()
            let noon = wall("2025-03-10T12:00:00Z")
            clocks.note(boot: boot, mono: instant(0), wall: noon)
            clocks.note(boot: boot, mono: instant(1), wall: noon + minutes(1) + drift)
            #expect(clocks.wallTime(of: instant(2), in: boot) == noon + minutes(2) + (moved ? drift : .zero))
        }
    }
}
