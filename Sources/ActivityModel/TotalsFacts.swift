// SPDX-License-Identifier: Apache-2.0

/// What is kept of a person's work in an assignment once its evidence ages out: of all of it, of one day, of one document, or of both.
package struct TotalsFacts: Equatable, Sendable {
    package var assignment: AssignmentID
    package var person: PersonID
    /// Nil: over all documents, as the union of their times.
    package var document: DocumentRef?
    /// A day of the school's zone, `YYYY-MM-DD`; nil: over all days.
    package var day: String?
    package var open: Duration?
    package var active: Duration?
    package var atLeast: Duration
    package var atMost: Duration?
    package var leftOpen: Duration
    package var saves: Int
    package var confidence: Confidence
    package var isBroughtIn: Bool
    /// How many sessions it is made of; saves may have been measured without any.
    package var sessions: Int
    /// How many saves were measured.
    package var measured: Int
    /// When something was last seen of the person in it.
    package var last: WallTime?
    /// The rule by which the figures were made, for good.
    package var rule: Rule

    package init(
        assignment: AssignmentID, person: PersonID, document: DocumentRef?, day: String?, open: Duration?, active: Duration?,
        atLeast: Duration, atMost: Duration?, leftOpen: Duration, saves: Int, confidence: Confidence, isBroughtIn: Bool, sessions: Int,
        measured: Int, last: WallTime?, rule: Rule
    ) {
        self.assignment = assignment
        self.person = person
        self.document = document
        self.day = day
        self.open = open
        self.active = active
        self.atLeast = atLeast
        self.atMost = atMost
        self.leftOpen = leftOpen
        self.saves = saves
        self.confidence = confidence
        self.isBroughtIn = isBroughtIn
        self.sessions = sessions
        self.measured = measured
        self.last = last
        self.rule = rule
    }
}
