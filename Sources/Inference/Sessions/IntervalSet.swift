// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// Stretches of time: sorted, half-open, never touching or overlapping, so that a length is never counted twice.
package struct IntervalSet: Equatable, Sendable {
    package private(set) var stretches: [Range<BootTime>] = []

    package init() {}

    package init(_ stretches: some Sequence<Range<BootTime>>) {
        for stretch in stretches.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = self.stretches.last, stretch.lowerBound <= last.upperBound {
                self.stretches[self.stretches.count - 1] = last.lowerBound..<max(last.upperBound, stretch.upperBound)
            } else {
                self.stretches.append(stretch)
            }
        }
    }

    package var length: Duration {
        stretches.reduce(.zero) { $0 + ($1.upperBound - $1.lowerBound) }
    }

    package var isEmpty: Bool { stretches.isEmpty }

    package func union(_ other: IntervalSet) -> IntervalSet { IntervalSet(stretches + other.stretches) }

    /// What lies inside; half-open, so that neighbouring days share nothing and lose nothing.
    package func clipped(to window: Range<BootTime>) -> IntervalSet {
        IntervalSet(stretches.compactMap { $0.overlaps(window) ? $0.clamped(to: window) : nil })
    }

    package func subtracting(_ other: IntervalSet) -> IntervalSet {
        var result: [Range<BootTime>] = []
        var holes = other.stretches[...]
        for stretch in stretches {
            var start = stretch.lowerBound
            while let hole = holes.first, hole.upperBound <= start { holes.removeFirst() }
            for hole in holes {
                if hole.lowerBound >= stretch.upperBound { break }
                if hole.lowerBound > start { result.append(start..<hole.lowerBound) }
                start = max(start, hole.upperBound)
            }
            if start < stretch.upperBound { result.append(start..<stretch.upperBound) }
        }
        return IntervalSet(result)
    }

    /// The instant at which so much time has gone by that is in none of the stretches. A stretch without an end is left out.
    package func instant(after span: Duration, from start: BootTime) -> BootTime {
        var end = start + span
        for stretch in stretches where stretch.upperBound > start && stretch.upperBound.microseconds != .max {
            if stretch.lowerBound >= end { break }
            end = end + (stretch.upperBound - max(stretch.lowerBound, start))
        }
        return end
    }

    /// The same, backwards.
    package func instant(before span: Duration, from end: BootTime) -> BootTime {
        var start = end - span
        for stretch in stretches.reversed() where stretch.lowerBound < end && stretch.upperBound.microseconds != .max {
            if stretch.upperBound <= start { break }
            start = start - (min(stretch.upperBound, end) - stretch.lowerBound)
        }
        return start
    }
}
