// SPDX-License-Identifier: Apache-2.0

/// The limits by which evidence becomes time. Fixed for an assignment when it starts; a report prints it.
package struct Rule: Hashable, Sendable {
    /// A name for people, e.g. `2026-1`.
    package var name: String
    /// A pause longer than this is not work, where the evidence shows typing.
    package var idleContinuous: Duration
    /// The same where only saves are seen.
    package var idleSavesOnly: Duration
    /// A sign of work proves at least the time around it up to this pause.
    package var atLeast: Duration
    /// Without any sign for this long, presence is not believed any more.
    package var atMost: Duration

    package init(
        name: String = "2026-1", idleContinuous: Duration = .seconds(300), idleSavesOnly: Duration = .seconds(900),
        atLeast: Duration = .seconds(120), atMost: Duration = .seconds(3600)
    ) {
        self.name = name
        self.idleContinuous = idleContinuous
        self.idleSavesOnly = idleSavesOnly
        self.atLeast = atLeast
        self.atMost = atMost
    }
}
