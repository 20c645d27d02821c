// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// How the boot clock and the wall clock of each run of the machine belong together, read off the journal's entries.
///
/// A new pair is kept where the wall clock moved against the boot clock, so that an instant before a step still shows what people's clocks
/// showed then, and a step never makes time on task.
package struct BootClocks: Equatable, Sendable {
    struct Pair: Equatable, Sendable {
        var mono: BootTime
        var wall: WallTime
    }

    /// Smaller drifts are a clock being slewed; they are shown with the older pair.
    package static let tolerance = Duration.milliseconds(100)

    var pairs: [BootID: [Pair]] = [:]
    /// The run and its last pair that were noted last: most entries are of the same.
    var recent: (boot: BootID, pair: Pair)?

    package init() {}

    package static func == (left: BootClocks, right: BootClocks) -> Bool { left.pairs == right.pairs }

    package mutating func note(boot: BootID, mono: BootTime, wall: WallTime) {
        let known = recent.flatMap { $0.boot == boot ? $0.pair : nil } ?? pairs[boot]?.last
        if let last = known {
            let drift = (wall - last.wall) - (mono - last.mono)
            guard mono > last.mono, drift > Self.tolerance || drift < .zero - Self.tolerance else {
                recent = (boot, last)
                return
            }
        }
        let pair = Pair(mono: mono, wall: wall)
        pairs[boot, default: []].append(pair)
        recent = (boot, pair)
    }

    /// What the wall clock showed; nil for a boot that no entry speaks of.
    package func wallTime(of instant: BootTime, in boot: BootID) -> WallTime? {
        guard let list = pairs[boot], let first = list.first else { return nil }
        // The last pair at or before the instant: a machine that runs for years under a slewed clock has many.
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low + high) / 2
            if list[middle].mono <= instant { low = middle + 1 } else { high = middle }
        }
        let pair = low > 0 ? list[low - 1] : first
        return pair.wall + (instant - pair.mono)
    }

    /// When the wall clock showed this, or would have; where it stepped back over an instant, the later time.
    package func bootTime(of wall: WallTime, in boot: BootID) -> BootTime? {
        guard let list = pairs[boot], let pair = list.last(where: { $0.wall <= wall }) ?? list.first else { return nil }
        return pair.mono + (wall - pair.wall)
    }
}
