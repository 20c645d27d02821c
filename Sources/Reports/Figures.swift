// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import DaybookJSON
import Inference

/// Time on task as reports carry it. A time that is not known is nil, never 0.
package struct Figures: Equatable, Sendable {
    package var open: Duration?
    /// Best estimate, the table's "Worked".
    package var active: Duration?
    package var atLeast: Duration
    /// Presence on this server.
    package var atMost: Duration
    /// Open for so long without a sign that nobody is believed to have been there.
    package var leftOpen: Duration
    package var saves: Int
    package var confidence: Confidence

    package init(
        open: Duration?, active: Duration?, atLeast: Duration, atMost: Duration, leftOpen: Duration = .zero, saves: Int,
        confidence: Confidence
    ) {
        self.open = open
        self.active = active
        self.atLeast = atLeast
        self.atMost = atMost
        self.leftOpen = leftOpen
        self.saves = saves
        self.confidence = confidence
    }

    init(_ figures: TimeFigures) {
        self.init(
            open: figures.open, active: figures.active, atLeast: figures.atLeast, atMost: figures.atMost ?? .zero,
            leftOpen: figures.leftOpen, saves: figures.saves, confidence: figures.confidence)
    }

    /// Enough evidence to stand in a median.
    package var countsInClass: Bool { active != nil && confidence >= .fair }

    func write(to object: inout JSONObject) {
        object["openSeconds"] = orNull(open, \.json)
        object["activeSeconds"] = orNull(active, \.json)
        object["atLeastSeconds"] = atLeast.json
        object["atMostSeconds"] = atMost.json
        object["leftOpenSeconds"] = leftOpen.json
        object["saves"] = .integer(Int64(saves))
        object["confidence"] = .string(confidence.rawValue)
    }

    init(_ members: Members) throws(MalformedReport) {
        self.init(
            open: try members.optional(members.span, "openSeconds"), active: try members.optional(members.span, "activeSeconds"),
            atLeast: try members.span("atLeastSeconds"), atMost: try members.span("atMostSeconds"),
            leftOpen: try members.span("leftOpenSeconds"), saves: try members.int("saves"),
            confidence: try members.choice("confidence", Confidence.self))
    }

    /// The table's two cells: `55 min` and `40–75 min`, or `?` and `up to 45`.
    func cells(dash: String) -> (worked: String, range: String) {
        if let active { return (SpanText.best(active), SpanText.range(from: atLeast, to: atMost, best: active, dash: dash)) }
        return ("?", atMost > .zero ? SpanText.upTo(atMost) : "")
    }
}
