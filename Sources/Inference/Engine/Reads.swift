// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// The times at which a document was read and closed again: what a text editor does when somebody opens it, and what `cat` does too. No work
/// by themselves; after a save they say when the work may have begun.
struct Reads: Equatable, Sendable {
    struct Cluster: Equatable, Sendable {
        var first: BootTime
        var last: BootTime
    }

    /// Reads closer together than this are one opening: editors read in several steps.
    static let together = Duration.seconds(2)

    private(set) var latest: Cluster?
    private var previous: Cluster?
    /// The last one that was part of a sweep over many documents.
    private var swept: Cluster?
    /// The beginning of the chain of reads without a longer pause.
    private(set) var earliest: BootTime?

    mutating func add(from first: BootTime, to last: BootTime, isSweep: Bool, chain: Duration) {
        if isSweep {
            if let old = swept, first - old.last <= Self.together { swept?.last = last } else { swept = Cluster(first: first, last: last) }
            return
        }
        if let start = earliest, let old = latest, first - old.last <= chain { earliest = min(start, first) } else { earliest = first }
        if let old = latest, first - old.last <= Self.together {
            latest?.last = max(last, old.last)
            latest?.first = min(first, old.first)
        } else {
            previous = latest
            latest = Cluster(first: first, last: last)
        }
    }

    /// A sweep is known by its fourth document only: what was taken for a reading since then was none.
    mutating func markSwept(since: BootTime) {
        guard let cluster = latest, cluster.first >= since else { return }
        swept = cluster
        latest = previous
        previous = nil
        earliest = latest?.first
    }

    /// The reading that a sign at `instant` continues. A save may read the document itself, so that its reading must be `apart` from it.
    func opening(before instant: BootTime, apart: Duration) -> Cluster? {
        for cluster in [latest, previous, swept] {
            if let cluster, instant - cluster.first >= apart { return cluster }
        }
        return nil
    }

    func isSwept(_ cluster: Cluster) -> Bool { cluster == swept }

    /// What was read before a session's end belongs to that session.
    mutating func forget(before instant: BootTime) {
        if let cluster = latest, cluster.first < instant { latest = nil }
        if let cluster = previous, cluster.first < instant { previous = nil }
        if let cluster = swept, cluster.first < instant { swept = nil }
        if latest == nil { latest = previous }
        if let start = earliest, start < instant { earliest = latest?.first }
    }

    /// A reading that ended at most `span` before an instant.
    func recent(at instant: BootTime, within span: Duration) -> Cluster? {
        for cluster in [latest, swept] {
            if let cluster, instant - cluster.last <= span, cluster.first <= instant { return cluster }
        }
        return nil
    }

    var last: BootTime? { [latest?.last, swept?.last].compactMap(\.self).max() }
}
