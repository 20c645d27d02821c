// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// From changes to sessions: values in, values out. Knows no clock, no file and no log; the live daemon and `daybook replay` run this code.
///
/// Memory is kept only for documents with evidence, in bounded tables. A change costs a hash look-up by path, and nothing more for a name
/// that belongs to no document; only the rename of a folder walks the tables.
package struct InferenceEngine: Sendable {
    package init(
        shares: [ShareLayout], rule: Rule, limits: InferenceLimits = InferenceLimits(), firstID: ActivityID, directory: PeopleDirectory
    ) {
    }

    /// When a `.timer` input is wanted next; nil while nothing is pending.
    package var deadline: BootTime? { nil }

    package mutating func handle(_ input: InferenceInput) -> [InferenceEffect] { [] }
}
