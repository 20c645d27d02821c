// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Testing

@Suite("Time on task")
struct TimeOnTaskTests {
    private let rule = Rule()

    /// Minutes on the boot clock.
    private func at(_ minutes: Double) -> BootTime { BootTime(seconds: minutes * 60) }

    private func session(
        _ presence: Presence, from: Double, to: Double?, saves: [Double] = [], typed: [ClosedRange<Double>] = [], locked: Bool = true,
        ending: SessionEnding = .companion, id: UInt64 = 1
    ) -> WorkSession {
        var session = WorkSession(
            SessionStart(
                id: ActivityID(id), document: DocumentRef(share: "/s", path: PathBytes("a/x\(id)")), attribution: .unknown,
                presence: presence, openedAt: at(from), notBefore: at(from)))
        if locked { session.apply(.evidence(ActivityID(id), Evidence(.lockAppeared, first: at(from)))) }
        for save in saves { session.apply(.evidence(ActivityID(id), Evidence(.saved, first: at(save)))) }
        for span in typed {
            session.apply(
                .evidence(
                    ActivityID(id),
                    Evidence(.typed, first: at(span.lowerBound), last: at(span.upperBound), count: 9, isContinuous: true)))
        }
        if let to {
            session.apply(
                .stopped(ActivityID(id), SessionEnd(ending: ending, closedAt: at(to), notAfter: at(to), confidence: .good)))
        }
        return session
    }

    private func minutes(_ span: Duration?) -> Double? { span.map { $0.seconds / 60 } }

    @Test("with a save every 12 minutes under a lock counts the whole lesson")
    func saveOnly() {
        let figures = TimeOnTask.figures(for: session(.companion, from: 0, to: 60, saves: [12, 24, 36, 48]), rule: rule, now: at(100))
        #expect(minutes(figures.open) == 60)
        #expect(minutes(figures.active) == 60)
        #expect(minutes(figures.atLeast) == 0)
        #expect(minutes(figures.atMost) == 60)
        #expect(figures.saves == 4)
    }

    @Test("left open over night is open, not active, and named as left open")
    func overNight() {
        let figures = TimeOnTask.figures(for: session(.companion, from: 0, to: 660, typed: [0...20]), rule: rule, now: at(700))
        #expect(minutes(figures.open) == 660)
        #expect(minutes(figures.active) == 20)
        #expect(minutes(figures.atMost) == 80)
        #expect(minutes(figures.leftOpen) == 580)
    }

    @Test("uses the short limit only where typing is seen", arguments: [(5.0, 25.0), (5.01, 20.0)])
    func idle(pause: Double, active: Double) {
        let worked = session(.companion, from: 0, to: 20 + pause, typed: [0...20])
        #expect(minutes(TimeOnTask.figures(for: worked, rule: rule, now: at(99)).active) == active)
        let savedOnly = session(.companion, from: 0, to: 15 + pause, saves: [15])
        #expect(minutes(TimeOnTask.figures(for: savedOnly, rule: rule, now: at(99)).active) == 15 + pause)
    }

    @Test("of a lone save is unknown, never 0")
    func loneSave() {
        let figures = TimeOnTask.figures(for: session(.points, from: 7, to: nil, saves: [7], locked: false), rule: rule, now: at(9))
        #expect(figures.open == nil)
        #expect(figures.active == nil)
        #expect(figures.atLeast == .zero)
        #expect(figures.saves == 1)
        #expect(figures.confidence == .none)
    }

    @Test("of two saves at once is at least as well known as that of one: more evidence takes nothing away", arguments: [0.02, 0.05, 0.08])
    func savedTwice(pause: Double) {
        let person = Attribution(person: PersonID(uid: 2001, login: "mia"), source: .event)
        for kind in [Evidence.Kind.saved, .broughtIn] {
            var worked = session(.points, from: 7, to: nil, locked: false)
            worked.apply(.attributed(ActivityID(1), person))
            worked.apply(.evidence(ActivityID(1), Evidence(kind, first: at(7))))
            #expect(TimeOnTask.confidence(of: worked) == .thin)
            worked.apply(.evidence(ActivityID(1), Evidence(.saved, first: at(7 + pause))))
            #expect(TimeOnTask.confidence(of: worked) == .thin)
            #expect(TimeOnTask.figures(for: worked, rule: rule, now: at(9)).saves == 2)
        }
    }

    @Test("of a file that was brought in has no upper bound")
    func broughtIn() {
        var session = session(.points, from: 7, to: nil, locked: false)
        session.apply(.evidence(ActivityID(1), Evidence(.broughtIn, first: at(7))))
        let figures = TimeOnTask.figures(for: session, rule: rule, now: at(9))
        #expect(figures.isBroughtIn)
        #expect(figures.atMost == nil)
        #expect(figures.saves == 1)
    }

    @Test("over two documents is their union")
    func union() {
        let sessions = [session(.companion, from: 0, to: 30, id: 1), session(.companion, from: 20, to: 40, id: 2)]
        let figures = TimeOnTask.figures(for: sessions, rule: rule, now: at(99))
        #expect(minutes(figures.open) == 40)
        let typed = [
            session(.companion, from: 0, to: 30, typed: [0...30], id: 1), session(.companion, from: 20, to: 40, typed: [20...40], id: 2),
        ]
        #expect(minutes(TimeOnTask.figures(for: typed, rule: rule, now: at(99)).active) == 40)
    }

    @Test("is split at a day's border without losing or doubling anything")
    func days() {
        let sessions = [
            session(.companion, from: 0, to: 47, saves: [3, 9, 20, 33]), session(.held, from: 40, to: 90, locked: false, id: 2),
        ]
        let whole = TimeOnTask.figures(for: sessions, rule: rule, now: at(99))
        for border in stride(from: 0.0, through: 100, by: 2.5) {
            let parts = [at(-100)..<at(border), at(border)..<at(200)].map {
                TimeOnTask.figures(for: sessions, rule: rule, now: at(99), within: $0)
            }
            #expect(parts.reduce(Duration.zero) { $0 + ($1.open ?? .zero) } == whole.open)
            #expect(parts.reduce(Duration.zero) { $0 + ($1.active ?? .zero) } == whole.active)
            #expect(parts.reduce(Duration.zero) { $0 + $1.atLeast } == whole.atLeast)
            #expect(parts.reduce(0) { $0 + $1.saves } == whole.saves)
        }
    }

    @Test("leaves out what is excluded, such as the machine's sleep")
    func excluded() {
        let figures = TimeOnTask.figures(
            for: session(.companion, from: 0, to: 10, saves: [1, 9]), rule: rule, now: at(20), excluding: IntervalSet([at(4)..<at(6)]))
        #expect(minutes(figures.open) == 8)
        #expect(minutes(figures.active) == 8)
    }

    @Test("skips what is excluded where time is counted on, forwards and backwards")
    func skipping() {
        let holes = IntervalSet([at(10)..<at(20), at(25)..<at(30), at(90)..<BootTime(microseconds: .max)])
        for (from, span, end, start) in [
            (0.0, 5.0, 5.0, -5.0), (0, 10, 10, -10), (0, 12, 22, -12), (0, 15, 25, -15), (0, 16, 31, -16), (15, 4, 24, 6), (22, 5, 32, 7),
            (40, 3, 43, 37), (40, 11, 51, 24), (40, 16, 56, 9), (80, 30, 110, 50),
        ] {
            #expect(holes.instant(after: .seconds(span * 60), from: at(from)) == at(end), "\(from) \(span)")
            #expect(holes.instant(before: .seconds(span * 60), from: at(from)) == at(start), "\(from) \(span)")
        }
    }

    @Test("does not prove the last seconds of a mere handle")
    func lateClose() {
        let player = session(.held, from: 0, to: 1, locked: false, ending: .closed)
        #expect(TimeOnTask.figures(for: player, rule: rule, now: at(9)).atLeast == .seconds(50))
        let office = session(.held, from: 0, to: 1, locked: true, ending: .companion)
        #expect(TimeOnTask.figures(for: office, rule: rule, now: at(9)).atLeast == .seconds(60))
    }

    @Test("keeps its promises for any evidence, in any order, under any rule")
    func anyEvidence() {
        var generator = SeededGenerator(seed: 42)
        let kinds: [Evidence.Kind] = [.saved, .typed, .read, .lockAppeared, .lockChanged, .opened, .closed, .broughtIn]
        let presences: [Presence] = [.held, .companion, .process, .points]
        for round in 0..<300 {
            func instant() -> BootTime { BootTime(microseconds: Int64.random(in: 0...8_000_000_000, using: &generator)) }
            let rule = Rule(
                idleContinuous: .seconds(Int64.random(in: 0...7200, using: &generator)),
                idleSavesOnly: .seconds(Int64.random(in: 0...7200, using: &generator)),
                atLeast: .seconds(Int64.random(in: 0...7200, using: &generator)),
                atMost: .seconds(Int64.random(in: 0...7200, using: &generator)))
            var sessions: [WorkSession] = []
            for id in 0..<UInt64(3) {
                let start = SessionStart(
                    id: ActivityID(id), document: DocumentRef(share: "/s", path: PathBytes("x")), attribution: .unknown,
                    presence: presences.randomElement(using: &generator) ?? .held, openedAt: instant(), notBefore: instant())
                let events = (0..<Int.random(in: 0..<8, using: &generator)).map { _ -> SessionEvent in
                    let first = instant()
                    return .evidence(
                        ActivityID(id),
                        Evidence(
                            kinds.randomElement(using: &generator) ?? .saved, first: first,
                            last: first + .seconds(Int64.random(in: -5...30, using: &generator)),
                            count: Int.random(in: -1...3, using: &generator),
                            isInferred: Bool.random(using: &generator), isContinuous: Bool.random(using: &generator)))
                }
                var session = WorkSession(start)
                var shuffled = WorkSession(start)
                for event in events { session.apply(event) }
                for event in events.shuffled(using: &generator) { shuffled.apply(event) }
                #expect(
                    TimeOnTask.stretches(of: session, rule: rule, now: at(140))
                        == TimeOnTask.stretches(of: shuffled, rule: rule, now: at(140)))
                if Bool.random(using: &generator) {
                    session.apply(
                        .stopped(ActivityID(id), SessionEnd(ending: .closed, closedAt: instant(), notAfter: instant(), confidence: .good)))
                }
                expectPromises(session, now: at(140), rule: rule)
                sessions.append(session)
            }
            let figures = TimeOnTask.figures(for: sessions, rule: rule, now: at(140))
            let singles = sessions.map { TimeOnTask.figures(for: $0, rule: rule, now: at(140)) }
            if let active = figures.active, let open = figures.open {
                #expect(figures.atLeast <= active, "round \(round)")
                #expect(active <= open, "round \(round)")
                if let atMost = figures.atMost { #expect(active <= atMost, "round \(round)") }
                #expect(open <= singles.reduce(Duration.zero) { $0 + ($1.open ?? .zero) } + .seconds(1))
            }
            // An hour holds at most an hour.
            for hour in 0..<3 {
                let window = at(Double(hour) * 60)..<at(Double(hour + 1) * 60)
                let inside = TimeOnTask.figures(for: sessions, rule: rule, now: at(140), within: window)
                #expect((inside.open ?? .zero) <= .seconds(3600))
                #expect((inside.atMost ?? .zero) <= .seconds(3600))
            }
        }
    }
}

@Suite("A session")
struct WorkSessionTests {
    private let start = SessionStart(
        id: ActivityID(4), document: DocumentRef(share: "/s", path: PathBytes("a")), attribution: .unknown, presence: .companion,
        openedAt: BootTime(seconds: 10), notBefore: BootTime(seconds: 8))

    @Test("is the sum of its events, and nothing changes it after its end")
    func fold() {
        var session = WorkSession(start)
        let alice = Attribution(person: PersonID(uid: 1, login: "alice"), source: .companion)
        let end = SessionEnd(ending: .companion, closedAt: BootTime(seconds: 30), notAfter: BootTime(seconds: 30), confidence: .good)
        for event: SessionEvent in [
            .attributed(ActivityID(4), alice), .evidence(ActivityID(4), Evidence(.saved, first: BootTime(seconds: 20))),
            .evidence(ActivityID(5), Evidence(.saved, first: BootTime(seconds: 21))), .paused(ActivityID(4), at: BootTime(seconds: 20)),
        ] { session.apply(event) }
        #expect(session.state == .paused(since: BootTime(seconds: 20)))
        session.apply(.resumed(ActivityID(4), at: BootTime(seconds: 25)))
        session.apply(.moved(ActivityID(4), DocumentRef(share: "/s", path: PathBytes("b"))))
        session.apply(.stopped(ActivityID(4), end))
        let ended = session
        session.apply(.evidence(ActivityID(4), Evidence(.saved, first: BootTime(seconds: 40))))
        session.apply(.paused(ActivityID(4), at: BootTime(seconds: 50)))
        #expect(session == ended)
        #expect(session.attribution == alice)
        #expect(session.document.path == PathBytes("b"))
        #expect(session.saves == 1)
        #expect(session.lastSign == BootTime(seconds: 20))
        #expect(session.end == end)
    }
}
