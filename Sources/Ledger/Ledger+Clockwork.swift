// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference

extension Ledger {
    /// So many pauses of one length, with nothing new in any save, are a program's autosave.
    package static let clockworkPauses = 3
    /// How far pauses of an autosave may differ: a timer is late where the disk is slow.
    package static let clockworkTolerance = Duration.seconds(2)

    /// The session with the saves marked that a program made by itself. A person's saves change something, or come when they like; one that
    /// was not measured is a person's.
    func withClockwork(_ session: SessionRecord) -> WorkSession {
        var work = session.work
        guard work.saves > Self.clockworkPauses else { return work }
        let points = measured(during: session)
        var found: [Range<BootTime>] = []
        var first = 0
        // A run goes from the save at `first`, which is a person's, over unchanged ones at equal distances.
        for index in points.indices.dropFirst() {
            if self.work.changesNothing(points[index], after: points[index - 1]),
                first == index - 1 || Self.isEqual(Self.pause(points, first + 1), Self.pause(points, index))
            {
                continue
            }
            note(first..<index, of: points, in: &found)
            first = self.work.changesNothing(points[index], after: points[index - 1]) ? index - 1 : index
        }
        if !points.isEmpty { note(first..<points.count, of: points, in: &found) }
        work.clockwork = IntervalSet(found)
        return work
    }

    /// A save is measured again and again until it rests, but hardly longer than this.
    private static let measuredWithin = Duration.seconds(3600)

    /// The saves of a session that were measured, in the order of their times. Costs what it returns, however many there are of the document.
    private func measured(during session: SessionRecord) -> [MeasuredSave] {
        let last = session.work.lastSign
        return work.measured(
            session.work.document, from: session.seq, boot: session.boot, through: last, latest: last + Self.measuredWithin,
            by: session.work.attribution.person
        ).sorted { ($0.savedAt, $0.seq) < ($1.savedAt, $1.seq) }
    }

    private func note(_ run: Range<Int>, of points: [MeasuredSave], in found: inout [Range<BootTime>]) {
        guard run.count > Self.clockworkPauses, let last = run.last else { return }
        let (from, to) = (points[run.lowerBound].savedAt, points[last].savedAt)
        found.append((from + .microseconds(1))..<(to + .microseconds(1)))
    }

    private static func pause(_ points: [MeasuredSave], _ index: Int) -> Duration {
        points[index].savedAt - points[index - 1].savedAt
    }

    private static func isEqual(_ left: Duration, _ right: Duration) -> Bool {
        abs((left - right).microseconds) <= clockworkTolerance.microseconds
    }
}
