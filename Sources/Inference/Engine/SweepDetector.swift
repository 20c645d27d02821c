// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// Knows a sweep (a backup, an indexer, a file manager) by the number of different documents opened within a second.
struct SweepDetector<Key: Hashable & Sendable>: Sendable {
    enum Verdict: Equatable { case none, begun, going, big }

    private var recent: [(key: Key, at: BootTime)] = []
    private let window = Duration.seconds(1)
    private let threshold: Int
    private let big: Int

    init(threshold: Int, big: Int) {
        self.threshold = threshold
        self.big = big
    }

    /// Takes an opening in. With `begun`, the documents of the last second were part of it already.
    mutating func opened(_ key: Key, at: BootTime) -> Verdict {
        recent.removeAll { at - $0.at > window }
        let isKnown = recent.contains { $0.key == key }
        let before = recent.count
        if !isKnown, recent.count < big { recent.append((key, at)) }
        if recent.count >= big { return .big }
        guard recent.count >= threshold else { return .none }
        return before < threshold ? .begun : .going
    }

    func isSweeping(at: BootTime) -> Bool {
        recent.count { at - $0.at <= window } >= threshold
    }

    func isRecent(at: BootTime) -> Bool { recent.contains { at - $0.at <= window } }

    var keys: [(key: Key, at: BootTime)] { recent }
}
