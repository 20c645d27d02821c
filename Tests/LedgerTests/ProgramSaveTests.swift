// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Ledger
import Testing

@Suite("A program's save")
struct ProgramSaveTests {
    private static let program = ReportFacts.Program(app: quiz, executable: nil, isListed: false)
    private static let teacher = ProgramUser(uid: 900, login: "keller", person: keller, keepsContexts: true)
    private static let student = ProgramUser(uid: 2001, login: "alice", person: alice, keepsContexts: false)

    private func save(
        _ changes: [ProgramChange], by user: ProgramUser = teacher, decided: Ledger = Ledger(), known: Ledger = Ledger()
    ) -> ProgramSave {
        ProgramSave(changes, program: Self.program, by: user, decided: decided, known: known) { _ in .counts(in: [homework]) }
    }

    private func ledger(_ bodies: [EntryBody]) -> Ledger {
        var book = Book()
        book.add(.assignmentCreated(map()), 0)
        for body in bodies { book.add(body, 1) }
        return book.ledger
    }

    private func codes(_ save: ProgramSave) -> [ProgramRefusal.Code?] { save.outcomes.map { $0?.code } }

    private var attempt: Attempt { quizReport(alice).attempt }

    private func letters(_ count: Int) -> String { String(repeating: "é", count: count) }

    @Test("keeps good objects beside bad ones, and says of each what is wrong")
    func mixed() {
        var wrong = attempt
        wrong.id = "a b"
        let save = save([
            .context(quizContext(["a"])), .context(quizContext([])), .attempt(attempt, of: .context(["a"])),
            .attempt(wrong, of: .context(["a"])),
            .attempt(attempt, of: .document(nil, path: "/etc/passwd")), .mistake(ProgramRefusal(.invalidUpdate, "x")), .remove(["none"]),
        ])
        #expect(codes(save) == [nil, .invalidModification, nil, .invalidArgument, .invalidArgument, .invalidUpdate, nil])
        #expect(save.entries.map(kind) == ["context", "report"])
        #expect(save.outcomes[4]?.reason == "/etc/passwd is in no watched folder")
    }

    private func kind(_ body: EntryBody) -> String {
        switch body {
        case .contextSaved: "context"
        case .contextRemoved: "removal"
        case .reported: "report"
        default: "other"
        }
    }

    @Test("answers the same to everybody, and keeps contexts of those alone who may make them")
    func roles() {
        let changes: [ProgramChange] = [
            .context(quizContext(["a"])), .context(quizContext(["a"], minute: 9)), .context(quizContext([letters(257)])), .remove(["b"]),
        ]
        let there = ledger([.contextSaved(quizContext(["b"]))])
        let (teachers, students) = (
            save(changes, decided: there, known: there), save(changes, by: Self.student, decided: there, known: there)
        )
        #expect(teachers.outcomes == students.outcomes)
        #expect(codes(teachers) == [nil, .invalidCreate, .limits, nil])
        #expect(teachers.entries.map(kind) == ["context", "removal"])
        #expect(students.entries.isEmpty)
        #expect(students.drops.map(\.index) == [0, 3])
    }

    @Test("writes nothing that stands on the disk already, and all that was only decided")
    func repeated() {
        let changes: [ProgramChange] = [.context(quizContext(["a"])), .attempt(attempt, of: .context(["a"]))]
        let first = save(changes)
        #expect(first.entries.count == 2)
        let there = ledger(first.entries)
        #expect(save(changes, decided: there, known: there).entries.isEmpty)
        #expect(save(changes, decided: there, known: Ledger()).entries.count == 2)
        // Also where it was saved again as changed later, and by somebody else.
        var later = quizContext(["a"])
        later.modified = later.modified + minutes(5)
        #expect(save([.context(later)], decided: there, known: there).entries.isEmpty)
        later.title = "Other"
        #expect(save([.context(later)], decided: there, known: there).entries.count == 1)
        // Removed, but not yet on the disk: made anew.
        #expect(save([.context(quizContext(["a"]))], decided: Ledger(), known: there).entries.count == 1)
    }

    @Test("takes each limit, and refuses one more")
    func limits() {
        func context(_ change: (inout ContextFacts) -> Void) -> [ProgramRefusal.Code?] {
            var facts = quizContext(["a"])
            change(&facts)
            return codes(save([.context(facts)]))
        }
        for (limit, set) in [
            (ProgramLimits.identifier, { $0.ref.path = [$1] }), (ProgramLimits.title, { $0.title = $1 }),
            (ProgramLimits.topic, { $0.topic = $1 }),
            (ProgramLimits.summary, { $0.summary = $1 }), (ProgramLimits.title, { $0.customKind = $1 }),
        ] as [(Int, (inout ContextFacts, String) -> Void)] {
            #expect(context { set(&$0, letters(limit)) } == [nil])
            #expect(context { set(&$0, letters(limit + 1)) } == [.limits])
        }
        #expect(context { $0.ref.path = Array(repeating: "a", count: 8) } == [nil])
        #expect(context { $0.ref.path = Array(repeating: "a", count: 9) } == [.limits])
        #expect(context { $0.ref.path = ["a", ""] } == [.invalidArgument])
        #expect(context { $0.navigation = Array(repeating: ["a"], count: 100) } == [nil])
        #expect(context { $0.navigation = Array(repeating: ["a"], count: 101) } == [.limits])
        #expect(context { $0.universalLink = "no link" } == [.invalidArgument])
        #expect(context { $0.suggestedAge = .init(from: 9, to: 8) } == [.invalidArgument])
        #expect(context { $0.capabilities = [.init(kind: .score, details: nil), .init(kind: .score, details: "x")] } == [.invalidArgument])
        // One visible character can be made of many parts.
        #expect(context { $0.title = "e" + String(repeating: "\u{301}", count: 5_000) } == [.limits])
        let full = (0..<ProgramLimits.contexts).map { EntryBody.contextSaved(quizContext(["\($0)"])) }
        let there = ledger(full)
        #expect(
            codes(save([.context(quizContext(["7"])), .context(quizContext(["new"]))], decided: there, known: there)) == [nil, .limits])
    }

    @Test("leaves room for other programs: contexts and their bytes are counted, of one program and of all; less is never refused")
    func room() {
        func bodies(_ app: String, _ count: Int, bytes: Int = 0) -> [EntryBody] {
            (0..<count).map { number in
                var facts = quizContext(["\(number)"])
                facts.ref.app = app
                facts.summary = String(repeating: "x", count: bytes)
                return .contextSaved(facts)
            }
        }
        func code(_ there: Ledger, _ name: String = "new", summary: Int = 0) -> ProgramRefusal.Code? {
            var facts = quizContext([name])
            facts.summary = String(repeating: "x", count: summary)
            return codes(save([.context(facts)], decided: there, known: there))[0]
        }
        let apps = (1...10).flatMap { bodies("app \($0)", ProgramLimits.contexts) }
        #expect(code(ledger(Array(apps.dropLast()))) == nil)
        #expect(code(ledger(apps)) == .limits)
        // To the byte.
        var tree = ContextTree()
        let many = bodies(quiz, 1_900, bytes: 4_000)
        for case .contextSaved(let facts) in many { tree.put(facts) }
        let left = ProgramLimits.treeBytes - tree.size - quizContext(["new"]).size
        var last = quizContext(["last"])
        last.summary = String(repeating: "x", count: left - last.size)
        let large = ledger(many + [.contextSaved(last)])
        let rest = ProgramLimits.treeBytes - (large.contextTree(of: quiz)?.size ?? 0) - quizContext(["new"]).size
        #expect((code(large, summary: rest), code(large, summary: rest + 1)) == (nil, .limits))
        #expect(code(large, "7", summary: 10) == nil, "smaller than it was")
        let full = ledger((1...9).flatMap { bodies("app \($0)", 1_800, bytes: 4_000) })
        #expect(code(full) == .limits)
    }

    @Test("takes each limit of an activity, and refuses what cannot be")
    func attempts() {
        func code(_ change: (inout Attempt) -> Void) -> ProgramRefusal.Code? {
            var attempt = attempt
            change(&attempt)
            return codes(save([.attempt(attempt, of: .context(["a"]))]))[0]
        }
        func item(_ number: Int) -> Item { Item(identifier: "\(number)", title: "", value: .quantity(1), method: .declared) }
        func score(_ value: Double, _ max: Double) -> Item {
            Item(identifier: "s", title: "", value: .score(value, max: max), method: .declared)
        }
        func range(_ from: Double, _ to: Double) -> (inout Attempt) -> Void { { $0.ranges = [ProgressRange(from: from, to: to)] } }
        #expect(code { $0.id = String(repeating: "a", count: 64) } == nil)
        #expect(code { $0.id = String(repeating: "a", count: 65) } == .invalidArgument)
        #expect(code { $0.id = "" } == .invalidArgument)
        #expect(code { $0.duration = ProgramLimits.duration } == nil)
        #expect(code { $0.duration = ProgramLimits.duration + .microseconds(1) } == .invalidArgument)
        #expect(code { $0.duration = .microseconds(-1) } == .invalidArgument)
        #expect(code { $0.additional = (0..<100).map(item) } == nil)
        #expect(code { $0.additional = (0..<101).map(item) } == .limits)
        #expect(code { $0.additional = [item(1), item(1)] } == .invalidArgument)
        #expect(code { $0.ranges = Array(repeating: ProgressRange(from: 0, to: 1), count: 1000) } == nil)
        #expect(code { $0.ranges = Array(repeating: ProgressRange(from: 0, to: 1), count: 1001) } == .limits)
        for (from, to) in [(-0.1, 0.5), (0, 1.1), (0.5, 0.5), (0.6, 0.5), (.nan, 1), (0, .nan)] {
            #expect(code(range(from, to)) == .invalidArgument)
        }
        for (value, max) in [(4.0, 3.0), (-1, 3), (0, 0), (.nan, 1), (1, .infinity)] {
            #expect(code { $0.primary = score(value, max) } == .invalidArgument)
        }
        #expect(code { $0.primary = score(0, 3) } == nil)
        #expect(code { $0.primary?.identifier = "" } == .invalidArgument)
        #expect(code { $0.primary?.title = letters(257) } == .limits)
        let many = ledger((0..<ProgramLimits.attempts).map { .reported(quizReport(alice, attempt: "\($0)")) })
        func one(_ id: String, _ context: String = "a") -> ProgramRefusal.Code? {
            var attempt = attempt
            attempt.id = id
            return codes(save([.attempt(attempt, of: .context([context]))], by: Self.student, decided: many, known: many))[0]
        }
        #expect((one("7"), one("new"), one("new", "b")) == (nil, .limits, nil))
    }

    @Test("merges ranges before they are written, and keeps the union")
    func merged() throws {
        var attempt = attempt
        attempt.ranges = [(0.2, 0.5), (0, 0.3)].map { ProgressRange(from: $0.0, to: $0.1) }
        let report = try #require(save([.attempt(attempt, of: .context(["a"]))]).reports.first)
        #expect(report.attempt.ranges == [ProgressRange(from: 0, to: 0.5)])
    }
}
