// SPDX-License-Identifier: Apache-2.0

/// What data protection asks of a server: the settings that decide what is kept, for how long, and who sees it. As they are in force, or as
/// a configuration would have them. Names nobody but the administrators, as configured.
package struct RunningFacts: Equatable, Sendable {
    /// How long what is kept; nil stands for ever.
    package struct Kept: Equatable, Sendable {
        /// Sessions and their evidence, after the work on their assignment is over.
        package var evidence: Duration?
        /// Figures by day and the last results, after the same moment.
        package var totals: Duration?
        /// Everything of a student, after they left every class.
        package var leavers: Duration?
        /// Who looked.
        package var viewed: Duration?

        package init(evidence: Duration?, totals: Duration?, leavers: Duration?, viewed: Duration?) {
            self.evidence = evidence
            self.totals = totals
            self.leavers = leavers
            self.viewed = viewed
        }
    }

    package var version: String
    /// How recording stands; nil where only a configuration was read, which says how it would begin.
    package var recording: RecordingChange.State?
    package var recordsFromTheStart: Bool
    /// The layouts, which are the allow-list of what is watched.
    package var layouts: [String]
    package var shares: Int
    package var classes: Int
    /// Logins and `@groups`.
    package var administrators: [String]
    package var viewAs: Bool
    package var logNames: Bool
    package var kept: Kept
    package var rule: Rule
    /// Whether pages are published.
    package var pages: Bool
    /// Whether teachers may see who of their class is working at this moment.
    package var live: Bool
    /// Whether nothing is recorded outside of school hours.
    package var onlySchool: Bool

    package init(
        version: String, recording: RecordingChange.State?, recordsFromTheStart: Bool, layouts: [String], shares: Int, classes: Int,
        administrators: [String], viewAs: Bool, logNames: Bool, kept: Kept, rule: Rule, pages: Bool, live: Bool, onlySchool: Bool
    ) {
        self.version = version
        self.recording = recording
        self.recordsFromTheStart = recordsFromTheStart
        self.layouts = layouts
        self.shares = shares
        self.classes = classes
        self.administrators = administrators
        self.viewAs = viewAs
        self.logNames = logNames
        self.kept = kept
        self.rule = rule
        self.pages = pages
        self.live = live
        self.onlySchool = onlySchool
    }
}
