// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import Inference

extension Settings {
    /// What data protection asks of these settings. `recording` is how it stands in a server that runs with them, nil where none does.
    package func facts(version: String, recording state: RecordingChange.State? = nil) -> RunningFacts {
        func kept(_ duration: Duration) -> Duration? { duration >= Retention.longest ? nil : duration }
        var layouts: [String] = []
        for layout in shares.flatMap(\.layouts.layouts) where !layouts.contains(layout.text) { layouts.append(layout.text) }
        return RunningFacts(
            version: version, recording: state, recordsFromTheStart: recording.enabled, layouts: layouts, shares: shares.count,
            classes: classes.count, administrators: access.administrators.map(\.text), viewAs: access.viewAs, logNames: server.logNames,
            kept: RunningFacts.Kept(
                evidence: kept(retention.evidence), totals: kept(retention.totals), leavers: kept(retention.leavers),
                viewed: kept(retention.viewed)),
            rule: rule, pages: pages.directory != nil, live: live.enabled, onlySchool: recording.when == .schoolHours)
    }
}
