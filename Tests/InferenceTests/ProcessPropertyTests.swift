// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Testing

@Suite("What holds for any recording with processes")
struct ProcessPropertyTests {
    private static let files = [
        "students/alice/essay.txt", "students/alice/prog.py", "students/bob/essay.txt", "students/bob/talk.pptx", "shared/group.txt",
        "shared/group-essay.odt", "students/alice/.essay.txt.swp", "students/alice/.~lock.essay.odt#", "media/lesson.mp3",
    ]

    /// Somebody reads everything: root's backup, a student's own `grep -r`, a program that nobody has heard of and that stays.
    private static let readers = [
        Actor(pid: 70_001, uid: 0, program: "unheard-of"), Actor(pid: 70_002, uid: 2001, program: "grep"),
        Actor(pid: 70_003, uid: 2002, program: "tracker-miner-f"), Actor(pid: 70_004, uid: nil, program: nil),
        Actor(pid: 70_005, uid: 34, program: "unheard-of"), Actor(pid: 70_006, uid: 2002, program: "unheard-of"),
    ]

    private func scan(at: BootTime, by reader: Actor, isMerged: Bool) -> [Change] {
        Self.files.flatMap { file in
            [Change.Kind.opened, .closedWithoutWriting].map { kind in
                Change(at: at, share: 0, path: PathBytes(file), isFolder: false, kind: kind, actor: reader, isMerged: isMerged)
            }
        }
    }

    @Test("a scan that only reads changes nothing, whoever makes it, wherever it comes", arguments: RecordedTrace.withProcesses)
    func scanned(trace: RecordedTrace) throws {
        var generator = SeededGenerator(seed: UInt64(trace.changes.count))
        for reader in Self.readers {
            for _ in 0..<8 {
                let place = Int.random(in: 0...trace.changes.count, using: &generator)
                let at = place < trace.changes.count ? trace.changes[place].at : trace.end
                var machine = try Machine(trace)
                machine.play(trace.changes[..<place])
                machine.play(scan(at: at, by: reader, isMerged: Bool.random(using: &generator)))
                machine.play(trace.changes[place...])
                machine.end()
                #expect(machine.gathered.lines == trace.expected, "\(reader) at \(at)")
            }
        }
    }

    @Test("documents that have nothing to do with each other do not matter to each other", arguments: 0..<12)
    func independent(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var traces = RecordedTrace.withProcesses.filter { !$0.expected.isEmpty }
        traces.shuffle(using: &generator)
        var parts: [[Change]] = []
        var mixed = RecordedTrace(name: "mixed", text: "")
        for (number, trace) in traces.prefix(4).enumerated() {
            let later = Duration.milliseconds(Int64.random(in: 0..<20_000, using: &generator))
            let moved = trace.moved(by: later, pids: Int32(number + 1) * 100_000, folder: "class\(number)")
            parts.append(moved.changes)
            mixed.exits.merge(moved.exits) { first, _ in first }
            mixed.holds += moved.holds
            mixed.expected += moved.expected.filter { !$0.contains(" censored\t") }
            mixed.end = max(mixed.end, moved.end)
        }
        mixed.changes = merged(parts, &generator)
        var machine = try Machine(mixed)
        machine.play(mixed.changes)
        machine.end()
        // What the end of the recording cut off goes on longer here.
        #expect(
            machine.gathered.lines.filter { !$0.contains(" censored\t") && !$0.contains(" idle\t") }.sorted() == mixed.expected.sorted())
        #expect(machine.gathered.outOfOrder.isEmpty)
    }

    /// In the order of the times; of one instant, in any order of the parts.
    private func merged(_ parts: [[Change]], _ generator: inout SeededGenerator) -> [Change] {
        var rest = parts.map { $0[...] }
        var all: [Change] = []
        while let first = rest.compactMap(\.first?.at).min() {
            let candidates = rest.indices.filter { rest[$0].first?.at == first }
            guard let index = candidates.randomElement(using: &generator), let change = rest[index].popFirst() else { break }
            all.append(change)
        }
        return all
    }

    @Test("any changes by any processes never break a promise, and end in nothing pending", arguments: 0..<60)
    func random(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var engine = try School.engine()
        var gathered = Gathered()
        var time: Int64 = 1_000_000_000
        for step in 0..<500 {
            let change = RandomChanges.change(&time, &generator)
            let now = BootTime(microseconds: time)
            gathered.add(engine.handle(.change(change)))
            switch step % 37 {
            case 5: gathered.add(engine.handle(.processEnded(pid: Int32.random(in: 1...6, using: &generator), at: now)))
            case 11, 23:
                let mode: Holder.Mode? = [nil, .reading, .writing].randomElement(using: &generator) ?? nil
                gathered.add(
                    engine.handle(
                        .handle(pid: Int32.random(in: 1...6, using: &generator), share: 0, path: change.path, mode: mode, at: now)))
            case 17: gathered.add(engine.handle(.gap(share: nil, from: now - .seconds(3), at: now)))
            case 29: gathered.add(engine.handle(.shutdown(at: now)))
            case 31:
                let open = gathered.inOrder.filter { $0.end == nil }
                engine = try School.engine(firstID: engine.nextID)
                gathered.add(engine.handle(.resume(open, at: now)))
                gathered.add(
                    engine.handle(.holders([Holder(pid: 3, uid: 2001, share: 0, path: change.path, mode: .writing)], at: now)))
            default: break
            }
            if let deadline = engine.deadline { #expect(deadline > now) }
        }
        for pid in Int32(1)...6 { gathered.add(engine.handle(.processEnded(pid: pid, at: BootTime(microseconds: time)))) }
        for _ in 0..<5000 {
            guard let deadline = engine.deadline else { break }
            gathered.add(engine.handle(.timer(deadline)))
        }
        #expect(engine.deadline == nil)
        let end = BootTime(microseconds: time + 100_000_000_000)
        gathered.add(engine.handle(.end(at: end)))
        #expect(gathered.outOfOrder.isEmpty)
        #expect(gathered.sessions.values.allSatisfy { $0.end != nil })
        for session in gathered.sessions.values { expectPromises(session, now: end) }
    }
}

/// Changes without any sense.
enum RandomChanges {
    private static let names = [
        "a.txt", ".a.txt.swp", ".a.txt.swo", ".#a.txt", "#a.txt#", "a.txt~", ".a.txt.kate-swp", ".~lock.b.odt#", "b.odt", "lu1.tmp",
        "~$b.odt", "c.md", "d.md", "e.md", "m.mp3",
    ]

    static func change(_ time: inout Int64, _ generator: inout SeededGenerator) -> Change {
        time += [0, 0, 1, 5000, 300_000, 2_000_000, 20_000_000, 1_000_000_000].randomElement(using: &generator) ?? 0
        let folder = ["students/alice", "students/bob", "shared"].randomElement(using: &generator) ?? ""
        func place() -> PathBytes { PathBytes(folder + "/" + (names.randomElement(using: &generator) ?? "a.txt")) }
        let kinds: [Change.Kind] = [
            .created, .opened, .opened, .modified, .closedAfterWriting, .closedWithoutWriting, .deleted, .renamed(from: place()), .movedIn,
            .movedOut, .missing(since: nil),
        ]
        let pid = Int32.random(in: 1...6, using: &generator)
        let isGone = Int.random(in: 0..<8, using: &generator) == 0
        let programs = ["vim", "gedit", "smbd", "python3", "rsync", "soffice.bin"]
        let starts: [BootTime?] = [nil, BootTime(microseconds: 1), BootTime(microseconds: time / 2)]
        let actor = Actor(
            pid: pid, uid: isGone ? nil : [0, 33, 2001, 2002, 3000, 65534].randomElement(using: &generator),
            program: isGone ? nil : programs[Int(pid) - 1], startedAt: isGone ? nil : starts.randomElement(using: &generator) ?? nil)
        let isThere = Bool.random(using: &generator)
        return Change(
            at: BootTime(microseconds: time), share: 0, path: place(), isFolder: false,
            kind: kinds.randomElement(using: &generator) ?? .opened,
            facts: isThere ? FileFacts(type: .file, owner: 2001) : nil, actor: actor, isMerged: Bool.random(using: &generator))
    }
}

extension RecordedTrace {
    /// The same, later, by other processes, in another folder below the group's.
    fileprivate func moved(by later: Duration, pids: Int32, folder: String) -> RecordedTrace {
        var copy = self
        func place(_ path: PathBytes) -> PathBytes { PathBytes("shared/\(folder)/" + path.text) }
        copy.end = end + later
        copy.changes = changes.map { change in
            var change = change
            change.at = change.at + later
            change.path = place(change.path)
            if case .renamed(let from) = change.kind { change.kind = .renamed(from: place(from)) }
            change.actor?.pid += pids
            if let started = change.actor?.startedAt { change.actor?.startedAt = started + later }
            return change
        }
        copy.exits = Dictionary(uniqueKeysWithValues: exits.map { ($0.key + pids, $0.value + later) })
        copy.holds = holds.map {
            Hold(
                at: $0.at + later, pid: $0.pid + pids, descriptor: $0.descriptor, isDeleted: $0.isDeleted, mode: $0.mode,
                path: place($0.path))
        }
        copy.expected = expected.map { line in
            let parts = line.split(separator: "\t")
            var words = parts[0].split(separator: " ").map(String.init)
            for index in 1...2 {
                let at = BootTime(seconds: Double(words[index]) ?? 0) + later
                let thousandths = (at.microseconds + 500) / 1000
                let rest = String(thousandths % 1000)
                words[index] = "\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
            }
            return words.joined(separator: " ") + "\tshared/\(folder)/\(parts[1])"
        }
        return copy
    }
}
