// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import JournalFormat

/// One body of every kind and of every form that a kind takes.
enum Samples {
    static let mia = PersonID(uid: 2001, login: "mia")
    static let essay = DocumentRef(share: "/srv/classes", path: PathBytes("8b/2026-03-14 Hamlet/mia/essay.odt"))
    static let strange = DocumentRef(
        share: "/srv/\"quoted\"",
        path: PathBytes(bytes: Array("8b/ö\\n\u{1f600}\u{85}/".utf8) + [0xff, 0x0a, 0x22, 0x00, 0xed, 0xa0, 0x80]))
    static let hamlet = AssignmentID(text: "8b/2026-03-14 Hamlet")
    static let rule = Rule(
        name: "slow", idleContinuous: .microseconds(1), idleSavesOnly: .milliseconds(900_500), atLeast: .seconds(0), atMost: .seconds(3600))
    static let known = Attribution(person: mia, source: .companion)
    static let id = ActivityID(77)
    static func boot(_ seconds: Int64) -> BootTime { BootTime(microseconds: seconds * 1_000_000 + 7) }
    static func wall(_ seconds: Int64) -> WallTime { WallTime(microseconds: 1_773_529_140_000_000 + seconds * 1_000_001) }

    static func delivered(_ position: Int64, of size: Int64) -> EntryBody {
        Delivery(position: position, size: size).map { .session(.delivered(id, $0, at: boot(9)), assignment: nil) }
            ?? .unknown(kind: "nothing was read")
    }

    static func lockSays(_ program: String, _ login: String?, _ name: String?, _ host: String?) -> EntryBody {
        LockWords(program: program, login: login, name: name, host: host)
            .map { .session(.lockSays(id, $0, at: boot(9)), assignment: nil) } ?? .unknown(kind: "no words")
    }

    static let bodies: [EntryBody] = [
        .started(version: "0.1"), .stopped(reason: "asked to stop"),
        .settings(SettingsFacts(rule: rule, shares: ["/srv/classes", "/srv/ü"], classes: [])),
        .recording(RecordingChange(state: .on)), .recording(RecordingChange(state: .paused, person: mia, by: 0)),
        .watching(WatchingFacts(share: "/srv/classes", state: .complete, source: "inotify", folders: 12)),
        .watching(WatchingFacts(share: "/srv/classes", state: .partial, source: "fanotify", folders: 0, reason: "watch limit")),
        .gap(GapFacts(cause: .switchedOff, share: "/srv/classes", from: wall(0), to: wall(9), lost: 3)),
        .gap(GapFacts(cause: .storage, from: wall(0), to: wall(0))),
        .clock(ClockFacts(cause: .stepped, by: -3_600_000_000)), .clock(ClockFacts(cause: .suspended, by: 5)),
        .person(PersonFacts(person: mia, displayName: "Jansson, Mia \u{1f469}\u{200d}\u{1f4bb}", role: .student, classes: ["8b", "wahl"])),
        .session(
            .started(
                SessionStart(
                    id: id, document: essay, attribution: known, presence: .companion, openedAt: boot(5), notBefore: boot(-3))),
            assignment: hamlet),
        .session(
            .started(
                SessionStart(
                    id: id, document: strange, attribution: .unknown, presence: .process, openedAt: boot(5), notBefore: boot(5),
                    process: ProcessID(pid: 4711, startedAt: boot(4)), isOpeningProved: false)),
            assignment: nil),
        .session(.evidence(id, Evidence(.saved, first: boot(6))), assignment: nil),
        .session(.evidence(id, Evidence(.typed, first: boot(6), last: boot(30), count: 12, isContinuous: true)), assignment: nil),
        .session(.evidence(id, Evidence(.read, first: boot(6), count: 2)), assignment: nil),
        .session(.evidence(id, Evidence(.broughtIn, first: boot(1), last: boot(9), isInferred: true)), assignment: nil),
        .session(.evidence(id, Evidence(.lockChanged, first: boot(9), last: boot(9), count: 4, isInferred: true)), assignment: nil),
        lockSays("libreoffice", "jberg", "Berg, Jonas \"\u{1f600}\"", "PC-12"), lockSays("vim", "mia", nil, nil),
        lockSays("word", nil, "Mia", nil), lockSays("of a later version", nil, nil, "pc"),
        delivered(1, of: 48_000), delivered(.max, of: .max),
        .session(.attributed(id, Attribution(person: mia, source: .assumed)), assignment: nil),
        .session(.moved(id, strange), assignment: nil), .session(.paused(id, at: boot(40)), assignment: nil),
        .session(.resumed(id, at: boot(50)), assignment: nil),
        .session(.stopped(id, SessionEnd(ending: .idle, closedAt: boot(60), notAfter: boot(61), confidence: .none)), assignment: nil),
        .metrics(
            MetricsFacts(
                document: essay, assignment: hamlet, attribution: known, savedAt: boot(6), size: 12_345, format: "odt", language: "en",
                items: [
                    Item(identifier: "total_word_count", title: "Word Count", value: .quantity(558), method: .counted),
                    Item(identifier: "readability_grade_level", title: "Level", value: .quantity(8.4), method: .estimated),
                    Item(identifier: "question_1", title: "One", value: .binary(true, type: .correctIncorrect), method: .declared),
                    Item(identifier: "quiz_score", title: "Score", value: .score(7.5, max: 10), method: .counted),
                ], notes: [MissingItem(identifier: "page_count", reason: "no layout")])),
        .metrics(
            MetricsFacts(document: strange, assignment: nil, attribution: .unknown, savedAt: boot(6), size: 0, error: "out of time")),
        // Of a save before the machine started.
        .metrics(
            MetricsFacts(document: essay, assignment: hamlet, attribution: known, savedAt: boot(-6), size: 1, format: "txt", again: 7)),
        .assignmentCreated(
            AssignmentFacts(
                id: hamlet, title: "Hamlet", className: "8b", share: "/srv/classes", folder: PathBytes("8b/2026-03-14 Hamlet"),
                due: wall(86_400), by: 1500, rule: rule, students: [mia, PersonID(uid: 4_294_967_294, login: "o'hara")])),
        .assignmentChanged(
            AssignmentFacts(
                id: AssignmentID(text: "/srv/x"), title: "", className: "", share: "/srv/x", folder: nil, due: nil, by: nil, rule: Rule(),
                students: [])),
        .assignmentChanged(
            AssignmentFacts(
                id: hamlet, title: "Hamlet", className: "8b", share: "/srv/classes", folder: PathBytes("8b/Hamlet"), due: nil, by: 1500,
                rule: Rule(), students: [mia], ruleChange: RuleChange(before: rule, by: 1501, byLogin: "o'hara"))),
        .assignmentChanged(
            AssignmentFacts(
                id: hamlet, title: "Hamlet", className: "8b", share: "/srv/classes", folder: PathBytes("8b/Hamlet"), due: nil, by: 1500,
                rule: Rule(), students: [], asOf: WallTime(microseconds: 1_773_000_000_000_001))),
        .assignmentChanged(planned), .assignmentEnded(hamlet, reason: "the folder was removed"),
        .done(DoneFacts(assignment: hamlet, person: mia, state: .done)),
        .done(
            DoneFacts(
                assignment: hamlet, person: mia, state: .handedIn, document: essay,
                file: HandedInFile(size: 12_345, sha256: Digest.zero.hex))),
        .done(DoneFacts(assignment: hamlet, person: mia, state: .tryAgain, by: 1500, text: "more of \"it\"\nplease")),
        .note(NoteFacts(activity: id, text: "was at the dentist's", excludes: true, by: 1500, byLogin: "teach")),
        .note(NoteFacts(activity: id, text: "ü", excludes: nil, by: 2001, byLogin: "mia")),
        .bookmarkCreated(BookmarkFacts(number: 3, by: 1500, byLogin: "teach", title: "Act 1", material: .document(strange))),
        .bookmarkCreated(BookmarkFacts(number: 4, by: 1500, byLogin: "teach", title: "Act 2", material: .context(["play", "act 2"]))),
        .bookmarkRemoved(number: 3, by: 1500),
        .imported(ImportFacts(source: "OneRoster 1.1", classes: 12, people: 300, sha256: Digest.zero.hex, by: 0, byLogin: "root")),
        .contextSaved(context), .contextSaved(fullContext),
        .contextRemoved(ContextRef(app: "org.example.Quiz", path: ["chapter 1"]), by: 1500), .reported(report), .reported(fullReport),
        .totals(
            TotalsFacts(
                assignment: hamlet, person: mia, document: nil, day: "2026-03-14", open: .microseconds(3_600_000_001), active: nil,
                atLeast: .zero, atMost: .seconds(7200), leftOpen: .milliseconds(1), saves: 3, confidence: .fair, isBroughtIn: false,
                sessions: 2, measured: 3, last: WallTime(microseconds: 1_773_000_000_000_000), rule: rule)),
        .totals(
            TotalsFacts(
                assignment: hamlet, person: mia, document: DocumentRef(share: "/srv/classes", path: PathBytes("8b/Hamlet/mia/a.odt")),
                day: nil, open: nil, active: nil, atLeast: .zero, atMost: nil, leftOpen: .zero, saves: 1, confidence: .thin,
                isBroughtIn: true, sessions: 0, measured: 1, last: nil, rule: Rule())),
        .viewed(ViewedFacts(by: 1500, byLogin: "teach", person: mia, assignment: hamlet, what: "Report")),
        .viewed(ViewedFacts(by: 0, byLogin: "root", person: nil, assignment: nil, what: "Follow")),
        .repaired(
            RepairFacts(
                lastGoodSeq: 12, lastGoodChain: Digest.zero.hex, setAside: "x.torn-13", bytes: 99, reason: "the last entry was not finished"
            )),
        .repaired(RepairFacts(lastGoodSeq: 0, lastGoodChain: Digest.zero.hex, setAside: nil, bytes: 0, reason: "none")),
        // In a journal, `lines` puts the note there that fits.
        .checkpoint(note: ""), .unknown(kind: "of.tomorrow"),
    ]

    /// With everything that a teacher can say.
    static let planned: AssignmentFacts = {
        var facts = AssignmentFacts(
            id: hamlet, title: "Hamlet", className: "8b", share: "/srv/classes", folder: PathBytes("8b/Hamlet"), due: wall(86_400),
            by: 1500,
            rule: Rule(), students: [mia], excused: [mia], target: Target(identifier: "total_word_count", value: 500))
        facts.plan.stage = .scheduled
        facts.plan.opens = wall(3600)
        facts.plan.instructions = "Read.\nWrite \"it\"."
        facts.plan.chosen = [mia]
        facts.plan.deadlines = [Deadline(person: mia, due: wall(90_000), reason: "ill")]
        facts.plan.materials = [.document(strange), .context(["book", "chapter 1"])]
        facts.plan.key = KeyFacts(sha256: String(repeating: "0f", count: 32), form: "gift", questions: 10, points: 12.5)
        facts.plan.analyzers = ["docx", "own-words"]
        facts.plan.edition = 3
        facts.plan.editor = AssignmentPlan.Editor(uid: 1501, login: "o'hara")
        return facts
    }()

    static let bootID = BootID(text: "0f2d6f0c9a1b4c7f8e5d3a2b1c0d9e8f")

    static func entry(_ seq: UInt64, _ body: EntryBody) -> Entry {
        Entry(seq: seq, at: wall(Int64(seq)), boot: bootID, mono: boot(Int64(seq)), body: body)
    }

    static func salt(_ seq: UInt64) -> Salt { Salt(high: seq &* 0x9e37_79b9_7f4a_7c15, low: seq &* 0xbf58_476d_1ce4_e5b9) }

    /// One line at the start of a journal.
    static func line(_ entry: Entry) -> SealedLine? {
        var encoder = EntryEncoder()
        return encoder.line(for: entry, salt: salt(9), after: .start)
    }

    static func read(_ line: [UInt8]) throws(EntryError) -> Entry {
        var decoder = EntryDecoder()
        return try decoder.entry(from: line)
    }

    /// The key of the first test in RFC 8032.
    static let signer = CheckpointSigner(
        pem: Array(
            """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
            -----END PRIVATE KEY-----

            """.utf8))

    /// The lines of a journal of these bodies.
    static func lines(_ bodies: [EntryBody], from first: UInt64 = 1, after start: JournalPosition = .start) -> [SealedLine] {
        var encoder = EntryEncoder()
        var position = start
        var lines: [SealedLine] = []
        for (index, body) in bodies.enumerated() {
            let seq = first + UInt64(index)
            var body = body
            if body == .checkpoint(note: ""), let note = signer?.note(of: position) { body = .checkpoint(note: note.whole) }
            guard let line = encoder.line(for: entry(seq, body), salt: salt(seq), after: position) else { continue }
            lines.append(line)
            position = line.position
        }
        return lines
    }

    static func text(_ lines: [SealedLine]) -> [UInt8] { lines.flatMap { $0.bytes + [0x0a] } }

    /// What a check of segments says, each given by its first number and its bytes.
    static func verify(_ segments: [(first: UInt64, bytes: [UInt8])]) -> JournalFindings {
        var verifier = JournalVerifier()
        for (index, segment) in segments.enumerated() {
            verifier.begin(
                segment: "\(segment.first)", first: segment.first, next: index + 1 < segments.count ? segments[index + 1].first : nil)
            var splitter = LineSplitter()
            segment.bytes.withUnsafeBytes { bytes in
                splitter.feed(bytes) { piece in
                    switch piece {
                    case .line(let line): verifier.check(line)
                    case .tooLong(let count): verifier.check(tooLong: count)
                    }
                }
            }
            verifier.end(unfinished: splitter.pendingBytes, zeros: splitter.pendingZeros)
        }
        return verifier.finish()
    }
}
