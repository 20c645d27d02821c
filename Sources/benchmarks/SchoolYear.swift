// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// Entries of a school at work, in order and always the same ones: 1,000 students in classes of 25, two lessons a day of 45 minutes in which
/// all of them write at the same time, a new assignment for each class every ten lessons, none of which ends.
///
/// Of 100 entries 88 are signs of typing, each for 30 seconds of one student; 5 more evidence of saves, 5 measured saves with 14 items each;
/// a session begins and ends, and in every fifth one the timer stands for two minutes.
struct SchoolYear {
    static let students = 1000
    static let classSize = 25
    static let boot = BootID(text: "0f2d6f0c9a1b4c7f8e5d3a2b1c0d9e8f")
    private static let signs = 88
    private static let lessonsPerAssignment = 10
    private static let share = "/srv/classes"

    private var waiting: [Entry] = []
    private var next = 0
    private var seq: UInt64 = 0
    private var lesson = -1
    private var tick = signs + 1
    private var started: Int64 = 0

    static func person(_ number: Int) -> PersonID { PersonID(uid: UInt32(20_000 + number), login: "student\(1000 + number)") }

    static func assignment(ofClass number: Int, lesson: Int) -> AssignmentID {
        AssignmentID(text: "class\(number)/task \(lesson / lessonsPerAssignment + 1)")
    }

    /// The last instant that an entry was made for.
    private(set) var now = BootTime(microseconds: 600_000_000)

    mutating func entry() -> Entry {
        while next == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            next = 0
            fill()
        }
        next += 1
        return waiting[next - 1]
    }

    /// So many in one go.
    mutating func entries(_ count: Int) -> [Entry] { (0..<count).map { _ in entry() } }

    private mutating func add(_ body: EntryBody) {
        seq += 1
        waiting.append(
            Entry(
                seq: seq, at: WallTime(microseconds: 1_772_000_000_000_000 + now.microseconds), boot: Self.boot, mono: now, body: body))
    }

    private func session(_ student: Int) -> ActivityID { ActivityID(UInt64(lesson * Self.students + student + 1)) }

    private func document(_ student: Int) -> DocumentRef {
        let assignment = Self.assignment(ofClass: student / Self.classSize, lesson: lesson)
        return DocumentRef(share: Self.share, path: PathBytes("\(assignment.text)/\(Self.person(student).login)/essay.odt"))
    }

    private mutating func fill() {
        if lesson < 0 { begin() }
        tick += 1
        switch tick {
        case (Self.signs + 2)...: startLesson()
        case Self.signs + 1: endLesson()
        default: work()
        }
    }

    private mutating func begin() {
        add(.started(version: "benchmark"))
        add(.settings(SettingsFacts(rule: Rule(), shares: [Self.share], classes: [])))
        add(.recording(RecordingChange(state: .on)))
        for student in 0..<Self.students {
            add(
                .person(
                    PersonFacts(
                        person: Self.person(student), displayName: "Student Number \(student)", role: .student,
                        classes: ["class\(student / Self.classSize)"])))
        }
    }

    private mutating func startLesson() {
        lesson += 1
        tick = 0
        // Ten minutes after the start of the machine, and then every half of a day.
        started = 600_000_000 + Int64(lesson) * 43_200_000_000
        now = BootTime(microseconds: started)
        if lesson % Self.lessonsPerAssignment == 0 {
            for number in 0..<(Self.students / Self.classSize) {
                let id = Self.assignment(ofClass: number, lesson: lesson)
                add(
                    .assignmentCreated(
                        AssignmentFacts(
                            id: id, title: "Task", className: "class\(number)", share: Self.share, folder: PathBytes(id.text), due: nil,
                            by: 900, rule: Rule(),
                            students: (number * Self.classSize..<(number + 1) * Self.classSize).map(Self.person))))
            }
        }
        for student in 0..<Self.students {
            add(
                .session(
                    .started(
                        SessionStart(
                            id: session(student), document: document(student),
                            attribution: Attribution(person: Self.person(student), source: .companion), presence: .companion,
                            openedAt: now, notBefore: now)),
                    assignment: Self.assignment(ofClass: student / Self.classSize, lesson: lesson)))
        }
    }

    private mutating func work() {
        for student in 0..<Self.students {
            // No two at the same instant.
            now = BootTime(microseconds: started + Int64(tick) * 30_000_000 + Int64(student) * 20_000)
            let id = session(student)
            if (student + lesson) % 5 == 0, tick == 40 { add(.session(.paused(id, at: now - .seconds(30)), assignment: nil)) }
            if (student + lesson) % 5 == 0, tick == 44 { add(.session(.resumed(id, at: now), assignment: nil)) }
            if (student + lesson) % 5 != 0 || !(40..<44).contains(tick) {
                add(
                    .session(
                        .evidence(id, Evidence(.typed, first: now - .seconds(25), last: now, count: 9, isContinuous: true)), assignment: nil
                    ))
            }
            guard (tick + student) % 18 == 9 else { continue }
            add(.session(.evidence(id, Evidence(.saved, first: now)), assignment: nil))
            measured(student)
        }
    }

    private mutating func endLesson() {
        for student in 0..<Self.students {
            now = BootTime(microseconds: started + Int64(tick) * 30_000_000 + Int64(student) * 20_000)
            let end = SessionEnd(ending: .companion, closedAt: now, notAfter: now, confidence: .good)
            add(.session(.stopped(session(student), end), assignment: nil))
        }
    }

    private mutating func measured(_ student: Int) {
        let words = Double(20 + (lesson % Self.lessonsPerAssignment) * 90 + tick)
        func item(_ identifier: String, _ title: String, _ value: Double) -> Item {
            Item(identifier: identifier, title: title, value: .quantity((value * 100).rounded() / 100), method: .counted)
        }
        add(
            .metrics(
                MetricsFacts(
                    document: document(student), assignment: Self.assignment(ofClass: student / Self.classSize, lesson: lesson),
                    attribution: Attribution(person: Self.person(student), source: .save), savedAt: now, size: 9000 + Int64(words) * 3,
                    format: "odt", language: "en",
                    items: [
                        item("total_word_count", "Word Count", words), item("character_count", "Characters", words * 6),
                        item("sentence_count", "Sentences", (words / 14).rounded()),
                        item("paragraph_count", "Paragraphs", (words / 60).rounded()),
                        item("syllable_count", "Syllables", (words * 1.5).rounded()),
                        item("readability_grade_level", "Grade Level", 4 + words / 230), item("flesch_reading_ease", "Reading Ease", 81.27),
                        item("gunning_fog", "Gunning Fog", 5.12 + words / 400), item("smog_index", "SMOG", 7.9),
                        item("automated_readability_index", "ARI", 6.03), item("coleman_liau_index", "Coleman-Liau", 8.44),
                        item("dale_chall", "Dale-Chall", 7.01), item("lix", "LIX", 33.3),
                        item("footnote_word_count", "Words in Footnotes", 0),
                    ], notes: [MissingItem(identifier: "page_count", reason: "the file does not say how many pages it has")])))
    }
}
