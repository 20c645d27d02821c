// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Testing

@Suite("Instants")
struct InstantTests {
    @Test("a wall time survives RFC 3339", arguments: [0, 1, -1, 1_773_529_140_000_000, 253_402_300_799_999_999, -62_135_596_800_000_000])
    func roundTrip(microseconds: Int64) {
        let time = WallTime(microseconds: microseconds)
        #expect(WallTime(rfc3339: time.rfc3339) == time)
    }

    @Test("RFC 3339 reads as published")
    func known() {
        #expect(WallTime(microseconds: 1_773_529_140_000_000).rfc3339 == "2026-03-14T22:59:00.000000Z")
        #expect(WallTime(rfc3339: "2026-03-14T23:59:00.5+01:00")?.microseconds == 1_773_529_140_500_000)
        #expect(WallTime(rfc3339: "2026-02-30T00:00:00Z") == nil)
        #expect(WallTime(rfc3339: "2026-03-14T23:59:00") == nil)
    }

    @Test("every day of four centuries is its own inverse")
    func days() {
        for day in stride(from: Int64(-80_000), to: 80_000, by: 1) where CivilDate(daysSince1970: day).daysSince1970 != day {
            Issue.record("day \(day)")
        }
        #expect(CivilDate(year: 2026, month: 3, day: 14)?.weekday == 6)
        #expect(CivilDate(prefixOf: "2026-03-14 Hamlet")?.text == "2026-03-14")
        #expect(CivilDate(prefixOf: "2026-13-14 Hamlet") == nil)
    }
}

@Suite("Path bytes")
struct PathBytesTests {
    @Test("any bytes survive their text")
    func reversible() {
        for first in UInt8.min...UInt8.max {
            for second in [0x00, 0x2f, 0x41, 0x5c, 0x80, 0x9f, 0xa0, 0xbf, 0xff] as [UInt8] {
                let path = PathBytes(bytes: [0x61, first, second, 0x62])
                #expect(PathBytes(text: path.text) == path, "\(first) \(second)")
            }
        }
        #expect(PathBytes("Jansson, Mia/öffentlich 😀.odt").text == "Jansson, Mia/öffentlich 😀.odt")
        #expect(PathBytes(bytes: [0x66, 0xff, 0x5c]).text == "f\\xff\\\\")
    }

    @Test("a folder's name is compared whole")
    func prefixes() {
        #expect(!PathBytes("ab/c").isAtOrBelow(PathBytes("a")))
        #expect(PathBytes("a/c").isAtOrBelow(PathBytes("a")))
        #expect(PathBytes("a/c/d").moved(from: PathBytes("a"), to: PathBytes("x/y")) == PathBytes("x/y/c/d"))
        #expect(PathBytes("ab").moved(from: PathBytes("a"), to: PathBytes("x")) == nil)
    }
}
