// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Foundation
import Inference
import Ledger
import Testing

/// Reproducible numbers (SplitMix64).
private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    mutating func minutes(_ range: ClosedRange<Double>) -> Double {
        // Whole microseconds, and often the same instant twice.
        (Double.random(in: range, using: &self) * 4).rounded() / 4
    }
}

/// A zone of the machine's own database.
private func zone(_ name: String) throws -> LocalClock {
    let zone = try #require(TimeZone(identifier: name), "\(name)")
    return LocalClock { instant in
        let seconds = Double(instant.microseconds) / 1_000_000
        return civilTime(of: instant, offset: .seconds(zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds.rounded(.down)))))
    }
}

@Suite("Whatever happened")
struct RandomDaysTests {
    /// Days of a student around an instant: sessions of all kinds on three documents, over midnights and over two runs of the machine,
    /// with suspends, steps of the clock, pauses of recording and measured saves between them.
    private func journal(_ seed: UInt64, around: String) -> (book: Book, end: Double) {
        var random = Numbers(state: seed)
        var book = Book()
        book.start = wall(around) - minutes(2 * 24 * 60)
        var id: UInt64 = 0
        var end = 0.0
        for run in 1...2 {
            book.boot = BootID(text: "b\(run)")
            var events: [(minute: Double, body: EntryBody)] = [(0, .recording(RecordingChange(state: .on)))]
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                id += 1
                var document = "\(Int.random(in: 1...3, using: &random)).odt"
                var next = add(session: id, document, from: random.minutes(100...2800), to: &events, &random)
                // What ended because nothing was heard often goes on after a while.
                while let from = next {
                    id += 1
                    if Bool.random(using: &random) { document = "1.odt" }
                    next = add(session: id, document, from: from + random.minutes(1...50), to: &events, &random)
                }
            }
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let minute = random.minutes(1...3000)
                switch Int.random(in: 0...3, using: &random) {
                case 0:
                    events.append((minute, .clock(ClockFacts(cause: .suspended, by: minutes(random.minutes(0...90)).microseconds))))
                case 1: events.append((minute, .recording(RecordingChange(state: .paused))))
                case 2: events.append((minute, .recording(RecordingChange(state: .on))))
                default: events.append((minute, .recording(RecordingChange(state: .off, person: alice))))
                }
            }
            events.sort { $0.minute < $1.minute }
            end = 0
            for (minute, body) in events {
                // Now and then somebody sets the clock.
                if Int.random(in: 0..<40, using: &random) == 0 { book.start = book.start + minutes(random.minutes(-90...90)) }
                book.add(body, minute)
                end = max(end, minute)
            }
            if run == 1 { book.start = book.start + minutes(end + random.minutes(0...600)) }
        }
        return (book, end + random.minutes(0...300))
    }

    /// When it ended, where it ended because nothing was heard.
    private func add(
        session id: UInt64, _ name: String, from: Double, to events: inout [(minute: Double, body: EntryBody)], _ random: inout Numbers
    ) -> Double? {
        let presence = [Presence.held, .companion, .process, .points].randomElement(using: &random) ?? .points
        let document = place(name)
        let start = SessionStart(
            id: ActivityID(id), document: document, attribution: Attribution(person: alice, source: .event), presence: presence,
            openedAt: instant(from), notBefore: instant(from - random.minutes(0...20)))
        events.append((from, .session(.started(start), assignment: homework)))
        var now = from
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            now += random.minutes(0...25)
            let kind = [Evidence.Kind.saved, .typed, .lockChanged, .read].randomElement(using: &random) ?? .saved
            let first = max(from, now - random.minutes(0...1))
            let sign = Evidence(
                kind, first: instant(first), last: instant(now), isInferred: Int.random(in: 0..<9, using: &random) == 0,
                isContinuous: kind == .typed)
            events.append((now, .session(.evidence(ActivityID(id), sign), assignment: nil)))
            guard kind == .saved else { continue }
            let words = Item(identifier: "total_word_count", title: "Words", value: .quantity(7), method: .counted)
            events.append(
                (
                    now,
                    .metrics(
                        MetricsFacts(
                            document: document, assignment: homework, attribution: Attribution(person: alice, source: .save),
                            savedAt: instant(now), size: 1, items: [words]))
                ))
        }
        guard Int.random(in: 0..<5, using: &random) > 0 else { return nil }
        let ending = [SessionEnding.closed, .companion, .idle, .censored, .process].randomElement(using: &random) ?? .closed
        let closed = ending == .idle ? now : now + random.minutes(0...900)
        let facts = SessionEnd(
            ending: ending, closedAt: instant(closed), notAfter: instant(closed + random.minutes(0...20)),
            confidence: [.thin, .fair, .good].randomElement(using: &random) ?? .good)
        events.append((closed, .session(.stopped(ActivityID(id), facts), assignment: nil)))
        return ending == .idle ? closed : nil
    }

    private func rule(_ random: inout Numbers) -> Rule {
        let idle = (random.minutes(1...30), random.minutes(1...60))
        return Rule(
            name: "any", idleContinuous: minutes(idle.0), idleSavesOnly: minutes(idle.1),
            atLeast: minutes(random.minutes(0...min(idle.0, idle.1))), atMost: minutes(max(idle.0, idle.1) + random.minutes(0...60)))
    }

    @Test(
        "the figures keep their bounds, and the days of any zone add up to the whole",
        arguments: [
            // 25 hours, 23 hours, no midnight, midnight twice, a whole day left out, half an hour, a minute past midnight.
            ("Europe/Berlin", "2025-10-26T01:00:00Z"), ("Europe/Berlin", "2025-03-30T01:00:00Z"),
            ("America/Sao_Paulo", "2018-11-04T03:00:00Z"), ("America/Sao_Paulo", "2018-02-18T02:00:00Z"),
            ("Africa/Cairo", "2024-04-26T00:00:00Z"), ("Pacific/Apia", "2011-12-30T10:00:00Z"),
            ("Australia/Lord_Howe", "2025-04-05T15:00:00Z"), ("America/St_Johns", "2006-10-29T02:31:00Z"),
            ("Etc/UTC", "2025-06-30T00:00:00Z"),
        ])
    func promises(name: String, around: String) throws {
        let clock = try zone(name)
        var random = Numbers(state: 11)
        for seed in UInt64(0)..<25 {
            let (book, end) = journal(seed, around: around)
            let ledger = book.ledger
            let rule = rule(&random)
            let now = book.moment(end)
            let sessions = ledger.sessions(SessionFilter(person: alice))
            let whole = ledger.figures(for: sessions, of: alice, rule: rule, now: now)
            let days = ledger.figuresByDay(for: sessions, of: alice, rule: rule, now: now, clock: clock)
            for figures in days.map(\.figures) + [whole] {
                let (open, active, most) = (figures.open ?? .zero, figures.active ?? .zero, figures.atMost ?? .zero)
                #expect(.zero <= figures.atLeast && figures.atLeast <= active, "\(seed)")
                #expect(active <= open, "\(seed)")
                #expect(active <= most, "\(seed)")
                #expect(figures.leftOpen <= open, "\(seed)")
            }
            for key in [\TimeFigures.open, \.active, \.atMost] {
                let sum = days.reduce(Duration.zero) { $0 + ($1.figures[keyPath: key] ?? .zero) }
                #expect(sum == whole[keyPath: key] ?? .zero, "\(seed) \(key)")
            }
            #expect(days.reduce(Duration.zero) { $0 + $1.figures.atLeast } == whole.atLeast, "\(seed)")
            #expect(days.reduce(Duration.zero) { $0 + $1.figures.leftOpen } == whole.leftOpen, "\(seed)")
            #expect(days.reduce(0) { $0 + $1.figures.saves } == whole.saves, "\(seed)")
            #expect(days.map(\.date) == days.map(\.date).sorted() && Set(days.map(\.date)).count == days.count)
            let left = ledger.leftOpen(in: sessions, of: alice, rule: rule, now: now)
            #expect(left.reduce(Duration.zero) { $0 + ($1.to - $1.from) } >= .zero)
        }
    }

    @Test("each hour holds at most 60 minutes, and in it, too, at least is within worked, and that within open and at most")
    func hours() {
        var random = Numbers(state: 12)
        for seed in UInt64(100)..<130 {
            let (book, end) = journal(seed, around: "2025-06-30T00:00:00Z")
            let ledger = book.ledger
            let rule = rule(&random)
            // Hours of the boot clock, one run of the machine after the other.
            for boot in ["b1", "b2"].map(BootID.init(text:)) {
                let works = ledger.sessions(SessionFilter(person: alice)).filter { $0.boot == boot }.map(\.work)
                let left = TimeOnTask.leftOpen(in: works, rule: rule, now: instant(end))
                #expect(left.length == TimeOnTask.figures(for: works, rule: rule, now: instant(end)).leftOpen, "\(seed)")
                for hour in stride(from: 0.0, to: 4200, by: 60) {
                    let window = instant(hour)..<instant(hour + 60)
                    let figures = TimeOnTask.figures(for: works, rule: rule, now: instant(end), within: window, boundsBroughtIn: true)
                    for span in [figures.open, figures.active, figures.atLeast, figures.atMost] {
                        #expect((span ?? .zero) <= minutes(60), "\(seed)")
                    }
                    let active = figures.active ?? .zero
                    #expect(figures.atLeast <= active, "\(seed) \(hour)")
                    #expect(active <= figures.open ?? .zero, "\(seed) \(hour)")
                    #expect(active <= figures.atMost ?? .zero, "\(seed) \(hour)")
                }
            }
        }
    }

    @Test("totals over documents are the union: no more than their sum, no less than the longest")
    func union() {
        for seed in UInt64(200)..<240 {
            let (book, end) = journal(seed, around: "2025-06-30T00:00:00Z")
            let ledger = book.ledger
            let now = book.moment(end)
            let sessions = ledger.sessions(SessionFilter(person: alice))
            let whole = ledger.figures(for: sessions, of: alice, rule: Rule(), now: now)
            let single = Dictionary(grouping: sessions, by: \.work.document).values.map {
                ledger.figures(for: $0, of: alice, rule: Rule(), now: now)
            }
            for key in [\TimeFigures.open, \.active, \.atMost] {
                let spans = single.map { $0[keyPath: key] ?? .zero }
                let total = whole[keyPath: key] ?? .zero
                #expect(total <= spans.reduce(.zero, +), "\(seed)")
                #expect(total >= spans.max() ?? .zero, "\(seed)")
            }
            #expect(whole.saves == single.reduce(0) { $0 + $1.saves })
        }
    }

    @Test("entries of one instant may come in any order, and an equal rule changes nothing")
    func order() {
        var random = Numbers(state: 5)
        for seed in UInt64(300)..<330 {
            let (book, end) = journal(seed, around: "2025-06-30T00:00:00Z")
            func figures(_ entries: [Entry], _ rule: Rule) -> [TimeFigures] {
                let ledger = entries.reduce(into: Ledger()) { $0.apply($1) }
                let sessions = ledger.sessions(SessionFilter(person: alice))
                return [ledger.figures(for: sessions, of: alice, rule: rule, now: book.moment(end))]
                    + ledger.figuresByDay(for: sessions, of: alice, rule: rule, now: book.moment(end), clock: .utc).map(\.figures)
            }
            // Evidence and measurements: a session cannot be seen before it began, nor after it ended.
            func mayMove(_ entry: Entry) -> Bool {
                switch entry.body {
                case .session(.evidence, _), .metrics: true
                default: false
                }
            }
            var entries = book.entries
            for index in entries.indices.dropLast()
            where entries[index].mono == entries[index + 1].mono && entries[index].boot == entries[index + 1].boot
                && mayMove(entries[index]) && mayMove(entries[index + 1]) && Bool.random(using: &random)
            {
                entries.swapAt(index, index + 1)
            }
            let before = figures(book.entries, Rule())
            #expect(before == figures(entries, Rule()), "\(seed)")
            #expect(before == figures(book.entries, Rule(name: "the same under another name")), "\(seed)")
            var facts = map()
            facts.ruleChange = RuleChange(before: Rule(), by: 900, byLogin: "keller")
            var recomputed = book
            recomputed.add(.assignmentChanged(facts), end)
            #expect(before == figures(recomputed.entries, Rule()), "\(seed)")
        }
    }

    @Test("totals say the same as the evidence that they stand for, over all, by day and by document", arguments: 0..<150 as Range<UInt64>)
    func totals(seed: UInt64) throws {
        let (random, end) = journal(seed, around: "2025-03-30T01:00:00Z")
        let clock = try zone("Europe/Berlin")
        var entries = [
            Entry(seq: 1, at: random.entries[0].at, boot: random.entries[0].boot, mono: instant(0), body: .assignmentCreated(map()))
        ]
        for var entry in random.entries {
            entry.seq += 1
            entries.append(entry)
        }
        var before = entries.reduce(into: Ledger()) { $0.apply($1) }
        let now = random.moment(end)
        for session in before.sessions(SessionFilter()) where session.isOpen {
            let last = session.work.lastSign
            let stop = SessionEnd(ending: .censored, closedAt: last, notAfter: last, confidence: .thin)
            entries.append(
                Entry(
                    seq: UInt64(entries.count + 1), at: now.wall, boot: session.boot, mono: last,
                    body: .session(.stopped(session.id, stop), assignment: nil)))
            before.apply(entries[entries.count - 1])
        }
        let sessions = before.sessions(SessionFilter(person: alice, assignment: homework))
        let whole = before.figures(for: sessions, of: alice, rule: Rule(), now: now)
        let days = before.figuresByDay(for: sessions, of: alice, rule: Rule(), now: now, clock: clock)
        var after = before
        for facts in before.totals(of: homework, now: now, clock: clock) {
            after.apply(
                Entry(seq: after.lastSeq + 1, at: now.wall, boot: now.boot, mono: now.mono, body: .totals(facts)))
        }
        #expect(after.sessions(SessionFilter()).isEmpty)
        let totals = after.totals(of: alice, in: homework)
        let over = totals.filter { $0.facts.document == nil && $0.facts.day == nil }
        #expect(over.map(\.figures) == [whole])
        let byDay = totals.filter { $0.facts.document == nil && $0.facts.day != nil }
        #expect(byDay.map(\.facts.day) == days.map(\.date.text))
        #expect(byDay.map(\.figures) == days.map(\.figures))
        for document in Set(sessions.map(\.work.document)) {
            let own = sessions.filter { $0.work.document == document }
            let expected = before.figures(for: own, of: alice, rule: Rule(), now: now)
            let found = totals.filter { $0.facts.document == document && $0.facts.day == nil }.map(\.figures)
            // Mere touches are nobody's.
            #expect(found == [expected] || (found.isEmpty && expected == .nothing), "\(document.path.text)")
        }
        // Once more there is nothing to say.
        #expect(after.totals(of: homework, now: now, clock: clock).isEmpty)
    }
}
