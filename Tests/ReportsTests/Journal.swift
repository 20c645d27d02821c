// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Ledger

/// Writes entries as the daemon would, for tests: one boot, the wall clock of 2025.
struct Journal {
    private(set) var entries: [Entry] = []
    var boot = BootID(text: "b1")
    /// What the wall clock shows when the boot clock shows 0.
    var offset: WallTime
    private var activities: UInt64 = 0

    /// Begins on a local day of a zone without summer time, at midnight.
    init(from text: String = "2025-03-03T00:00:00Z") { offset = wall(text) }

    func mono(_ instant: WallTime) -> BootTime { BootTime(microseconds: (instant - offset).microseconds) }

    mutating func add(_ body: EntryBody, at instant: WallTime) {
        entries.append(Entry(seq: UInt64(entries.count + 1), at: instant, boot: boot, mono: mono(instant), body: body))
    }

    mutating func nextID() -> ActivityID {
        activities += 1
        return ActivityID(activities)
    }

    /// In the order of their times, as one writer would have written them.
    mutating func sort() {
        entries = entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
        for index in entries.indices { entries[index].seq = UInt64(index + 1) }
    }

    var ledger: Ledger {
        entries.reduce(into: Ledger()) { $0.apply($1) }
    }

    func moment(_ text: String) -> Moment {
        Moment(wall: wall(text), boot: boot, mono: mono(wall(text)))
    }
}

func wall(_ text: String) -> WallTime {
    guard let time = WallTime(rfc3339: text) else { preconditionFailure("no time: \(text)") }
    return time
}

func minutes(_ count: Double) -> Duration { .microseconds(Int64(count * 60_000_000)) }

func quantity(_ identifier: String, _ title: String, _ value: Double) -> Item {
    Item(identifier: identifier, title: title, value: .quantity(value), method: .counted)
}
