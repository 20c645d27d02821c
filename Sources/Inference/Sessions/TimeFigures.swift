// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// What evidence says of a person's time: at least ≤ active ≤ at most, and active ≤ open.
package struct TimeFigures: Equatable, Sendable {
    /// Present: the document was open. Nil: nothing lasting was seen (a lone save), so that it is unknown, which is not 0.
    package var open: Duration?
    /// Best estimate of the work, the table's "Worked". Nil: unknown.
    package var active: Duration?
    /// The least that the evidence proves; zero where it proves nothing.
    package var atLeast: Duration
    /// The most that it leaves room for; nil: no bound is known (a file that was brought in).
    package var atMost: Duration?
    package var confidence: Confidence
    package var saves: Int
    /// True where all there is came whole in one save.
    package var isBroughtIn: Bool
    /// Open without any sign for so long that nobody is believed to be there; in `open`, in no other figure.
    package var leftOpen: Duration

    package static let nothing = TimeFigures(
        open: nil, active: nil, atLeast: .zero, atMost: nil, confidence: .none, saves: 0, isBroughtIn: false, leftOpen: .zero)

    package init(
        open: Duration?, active: Duration?, atLeast: Duration, atMost: Duration?, confidence: Confidence, saves: Int = 0,
        isBroughtIn: Bool = false, leftOpen: Duration = .zero
    ) {
        self.open = open
        self.active = active
        self.atLeast = atLeast
        self.atMost = atMost
        self.confidence = confidence
        self.saves = saves
        self.isBroughtIn = isBroughtIn
        self.leftOpen = leftOpen
    }
}
