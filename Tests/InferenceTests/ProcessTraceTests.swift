// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Testing

@Suite("What real editors did, with their processes named")
struct ProcessTraceTests {
    @Test("the recordings are there")
    func present() { #expect(RecordedTrace.withProcesses.count >= 40) }

    @Test("gives the sessions that the person had, with timers exactly when they are due", arguments: RecordedTrace.withProcesses)
    func sessions(trace: RecordedTrace) throws {
        var machine = try Machine(trace)
        machine.play(trace.changes)
        machine.end()
        #expect(machine.gathered.lines == trace.expected)
        #expect(machine.gathered.outOfOrder.isEmpty)
        #expect(machine.engine.deadline == nil)
        #expect(machine.watched.isEmpty, "nobody waits for a process any more")
        for session in machine.gathered.sessions.values { expectPromises(session, now: trace.end) }
    }

    @Test("does not look ahead: what comes later changes nothing that was said before", arguments: RecordedTrace.withProcesses)
    func noLookAhead(trace: RecordedTrace) throws {
        var whole = try Machine(trace)
        whole.play(trace.changes)
        for length in stride(from: 0, to: trace.changes.count, by: max(1, trace.changes.count / 12)) {
            var part = try Machine(trace)
            part.play(trace.changes.prefix(length))
            #expect(whole.gathered.events.starts(with: part.gathered.events))
            #expect(part.gathered.events.count <= whole.gathered.events.count)
        }
    }

    @Test(
        "loses no more than the time between, wherever it is stopped and started again", arguments: RecordedTrace.withProcesses,
        [0.0, 1.5, 6])
    func restarted(trace: RecordedTrace, pause: Double) throws {
        var whole = try Machine(trace)
        whole.play(trace.changes)
        whole.end()
        let times = Set(trace.changes.map(\.at)).sorted()
        let between = zip(times, times.dropFirst()).map { $0 + ($1 - $0) / 2 }
        let cuts = (times + between).sorted()
        for (number, cut) in cuts.enumerated().filter({ $0.offset % max(1, cuts.count / 24) == 0 }) {
            // After a crash, what was not journaled is lost too: what had not lasted 5 s.
            let isCrash = number % 3 == 2
            let start = cut + .microseconds(Int64(pause * 1_000_000) + 1)
            var machine = try Machine(trace)
            machine.play(trace.changes.prefix { $0.at <= cut })
            try machine.restart(from: cut, to: start, afterCrash: isCrash)
            machine.play(trace.changes.drop { $0.at <= start })
            machine.end()
            let sessions = machine.gathered.inOrder
            #expect(machine.gathered.outOfOrder.isEmpty)
            #expect(sessions.allSatisfy { $0.end != nil })
            for session in sessions { expectPromises(session, now: trace.end) }
            expectApart(sessions)
            for session in whole.gathered.inOrder
            where session.presence != .points && cut - session.openedAt > .seconds(isCrash ? 6 : 2) {
                let lost = unseen(session, in: sessions, but: cut..<start)
                #expect(lost <= .milliseconds(100), "\(trace.name): stopped at \(cut), \(lost) of \(session.document.path.text) lost")
            }
            if trace.expected.isEmpty { #expect(machine.gathered.lines.isEmpty, "stopped at \(cut)") }
        }
    }

    /// One person has a document open once at a time.
    private func expectApart(_ sessions: [WorkSession]) {
        for (index, one) in sessions.enumerated() {
            for other in sessions[(index + 1)...] where one.document == other.document && one.attribution.person == other.attribution.person
            {
                guard let end = one.end, let otherEnd = other.end else { continue }
                #expect(
                    end.closedAt <= other.openedAt || otherEnd.closedAt <= one.openedAt,
                    "two sessions at once: \(one.openedAt)…\(end.closedAt) and \(other.openedAt)…\(otherEnd.closedAt) \(one.attribution) \(other.attribution) \(other.evidence)"
                )
            }
        }
    }

    /// How much of a session is in none of the others, the time in which nobody watched aside.
    private func unseen(_ session: WorkSession, in sessions: [WorkSession], but gap: Range<BootTime>) -> Duration {
        let whole = IntervalSet([session.openedAt..<(session.end?.closedAt ?? session.openedAt)])
        let seen = sessions.filter { $0.attribution.person == session.attribution.person }
            .compactMap { seen in seen.end.map { seen.openedAt..<max(seen.openedAt, $0.notAfter) } }
        return whole.subtracting(IntervalSet(seen)).subtracting(IntervalSet([gap])).length
    }
}
