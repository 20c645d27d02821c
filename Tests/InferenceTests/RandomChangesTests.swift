// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Testing

@Suite("Any changes at all")
struct RandomChangesTests {
    private static let names = [
        "a.txt", ".a.txt.swp", ".a.txt.swo", ".#a.txt", "#a.txt#", "a.txt~", ".a.txt.kate-swp", ".~lock.b.odt#", "b.odt", "lu1.tmp",
        "~$b.odt",
        "long-name.docx", "~$ng-name.docx", "~WRD1.tmp", "4913", "m.mp3", "A4B21000", ".DS_Store",
    ]

    private static func change(_ time: inout Int64, _ generator: inout SeededGenerator) -> Change {
        time += [0, 0, 1, 5000, 300_000, 2_000_000, 20_000_000, 1_000_000_000].randomElement(using: &generator) ?? 0
        let folder =
            ["students/alice", "students/bob", "shared", "students/alice/deep", "elsewhere"].randomElement(using: &generator) ?? ""
        func place() -> PathBytes { PathBytes(folder + "/" + (names.randomElement(using: &generator) ?? "a.txt")) }
        let isFolder = Int.random(in: 0..<40, using: &generator) == 0
        let kinds: [Change.Kind] = [
            .created, .opened, .modified, .closedAfterWriting, .closedWithoutWriting, .attributesChanged, .deleted,
            .renamed(from: isFolder ? PathBytes("students/alice/deep") : place()), .movedIn, .movedOut, .found(since: nil),
            .found(since: BootTime(microseconds: time - 5_000_000)), .missing(since: nil),
        ]
        let owners: [UInt32?] = [nil, nil, 0, 2001, 2002, 3000]
        let owner = owners.randomElement(using: &generator) ?? nil
        return Change(
            at: BootTime(microseconds: time), share: Int.random(in: 0..<30, using: &generator) == 0 ? 9 : 0,
            path: isFolder ? PathBytes(folder) : place(), isFolder: isFolder, kind: kinds.randomElement(using: &generator) ?? .opened,
            facts: owner.map { FileFacts(type: .file, owner: $0) })
    }

    @Test("never stop inference, never break the order of events, and end in nothing pending", arguments: 0..<60)
    func random(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var engine = try School.engine()
        var gathered = Gathered()
        var time: Int64 = 1_000_000_000
        for step in 0..<400 {
            gathered.add(engine.handle(.change(Self.change(&time, &generator))))
            let now = BootTime(microseconds: time)
            switch step % 97 {
            case 13: gathered.add(engine.handle(.timer(now)))
            case 29: gathered.add(engine.handle(.gap(share: nil, from: now - .seconds(3), at: now)))
            case 41:
                gathered.add(
                    engine.handle(.holders([Holder(pid: 1, uid: 2001, share: 0, path: PathBytes("shared/b.odt"), mode: .writing)], at: now))
                )
            case 53: gathered.add(engine.handle(.shutdown(at: now)))
            case 67:
                gathered.add(
                    engine.handle(
                        .companion(
                            share: 0, path: PathBytes("shared/.a.txt.swp"), facts: FileFacts(type: .file, owner: 2002), bytes: [], at: now))
                )
            case 89: gathered.add(engine.handle(.rule(Rule(idleSavesOnly: .seconds(Int64(seed))), at: now)))
            default: break
            }
            // What is due has been done.
            if let deadline = engine.deadline { #expect(deadline > now) }
        }
        // Timers alone come to rest, but for what is held.
        for _ in 0..<5000 {
            guard let deadline = engine.deadline else { break }
            gathered.add(engine.handle(.timer(deadline)))
        }
        #expect(engine.deadline == nil)
        let end = BootTime(microseconds: time + 100_000_000_000)
        gathered.add(engine.handle(.end(at: end)))
        #expect(gathered.outOfOrder.isEmpty)
        #expect(gathered.sessions.values.allSatisfy { $0.end != nil })
        for session in gathered.sessions.values {
            expectPromises(session, now: end)
            #expect(session.document.path.components.first != Array("elsewhere".utf8)[...])
        }
    }

    @Test("give the same sessions again", arguments: 0..<10)
    func deterministic(seed: Int) throws {
        func run() throws -> [InferenceEffect] {
            var generator = SeededGenerator(seed: UInt64(seed))
            var engine = try School.engine()
            var effects: [InferenceEffect] = []
            var time: Int64 = 1_000_000_000
            for _ in 0..<400 { effects += engine.handle(.change(Self.change(&time, &generator))) }
            return effects + engine.handle(.end(at: BootTime(microseconds: time)))
        }
        #expect(try run() == run())
    }
}
