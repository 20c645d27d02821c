// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// Sweeps within one person's folder, and sweeps across the folders of several persons.
///
/// Of each person, no more than two documents count for a sweep across: whoever writes or reads many files of their own cannot make the
/// others' work look like a sweep.
struct ScopedSweeps: Sendable {
    typealias Key = InferenceEngine.Key
    typealias Verdict = SweepDetector<Key>.Verdict

    struct Scope: Hashable, Sendable {
        var share: Int
        var className: String?
        var person: String?

        init(_ share: Int, _ placement: Placement) {
            self.share = share
            className = placement.className
            person = placement.person
        }
    }

    /// Folders that are remembered; what is older than a sweep is forgotten first.
    static let scopeLimit = 1024

    private var within: [Scope: SweepDetector<Key>] = [:]
    private struct Share: Hashable, Sendable {
        var scope: Scope
        var isFirst: Bool
    }

    private var across: SweepDetector<Share>
    private let threshold: Int
    private let big: Int

    init(threshold: Int, big: Int) {
        self.threshold = threshold
        self.big = big
        across = SweepDetector(threshold: threshold, big: big)
    }

    /// With `begun`, `swept` are the documents of the last second: they were part of it already.
    mutating func opened(_ key: Key, _ scope: Scope, at: BootTime) -> (verdict: Verdict, swept: [(key: Key, at: BootTime)]) {
        if within[scope] == nil, within.count >= Self.scopeLimit { within = within.filter { $0.value.isRecent(at: at) } }
        let inside = within[scope, default: SweepDetector(threshold: threshold, big: big)].opened(key, at: at)
        let outside = across.opened(Share(scope: scope, isFirst: within[scope].map { $0.keys.count <= 1 } ?? true), at: at)
        if outside == .begun { return (.begun, within.values.flatMap { $0.keys.filter { $0.at >= at - .seconds(1) } }) }
        if inside == .begun { return (.begun, within[scope]?.keys ?? []) }
        if inside == .big || outside == .big { return (.big, []) }
        return (inside == .going || outside == .going ? .going : .none, [])
    }

    func isSweeping(_ scope: Scope, at: BootTime) -> Bool {
        within[scope]?.isSweeping(at: at) ?? false || across.isSweeping(at: at)
    }
}
