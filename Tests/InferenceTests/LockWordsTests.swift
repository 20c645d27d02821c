// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Testing

@Suite("What lock files say")
struct LockWordsTests {
    private static let jonas = "jberg"

    /// The first bytes of locks that real programs made, under the account `jberg` on the machine `pc-12`.
    private static let real: [(file: String, lock: String, document: String, words: LockWords?)] = [
        ("vim.lock", ".essay.txt.swp", "essay.txt", LockWords(program: "vim", login: jonas, name: nil, host: "pc-12")),
        ("nano.lock", ".essay.txt.swp", "essay.txt", LockWords(program: "nano", login: jonas, name: nil, host: "pc-12")),
        (
            "writer.lock", ".~lock.letter.odt#", "letter.odt",
            LockWords(program: "libreoffice", login: jonas, name: "Jonas, Lukas Berg", host: "pc-12")
        ),
    ]

    /// A person's program makes a lock, and it is read when it is asked for.
    private func session(_ document: String, _ lock: String, bytes: [UInt8], times: Int = 1) throws -> Gathered {
        var script = try Script(InferenceLimits())
        script.at(10, .opened, "students/alice/" + document)
        script.at(10.1, .created, "students/alice/" + lock, owner: 2001)
        script.timer(20)
        #expect(script.gathered.inspected == [PathBytes("students/alice/" + lock)])
        for _ in 0..<times {
            script.give(
                .companion(
                    share: 0, path: PathBytes("students/alice/" + lock), facts: FileFacts(type: .file, owner: 2001), bytes: bytes,
                    at: BootTime(seconds: 21)))
        }
        script.at(60, .deleted, "students/alice/" + lock)
        script.timer(100)
        script.give(.end(at: BootTime(seconds: 100)))
        #expect(script.gathered.outOfOrder.isEmpty)
        return script.gathered
    }

    @Test("comes from real programs' bytes, and is said once", arguments: real.indices)
    func programs(index: Int) throws {
        let (file, lock, document, words) = Self.real[index]
        let gathered = try session(document, lock, bytes: RecordedTrace.bytes("LockFiles/" + file), times: 3)
        #expect(gathered.inOrder.map(\.lockWords) == [[words].compactMap(\.self)])
        #expect(gathered.events.count { if case .lockSays = $0 { true } else { false } } == 1)
    }

    @Test("changes neither who it was nor any figure", arguments: real.indices)
    func identity(index: Int) throws {
        let (file, lock, document, _) = Self.real[index]
        let told = try session(document, lock, bytes: RecordedTrace.bytes("LockFiles/" + file))
        let mute = try session(document, lock, bytes: [])
        #expect(told.lines == mute.lines)
        #expect(told.inOrder.map(\.attribution.person?.login) == ["alice"])
        #expect(told.inOrder.map { $0.evidence } == mute.inOrder.map { $0.evidence })
        #expect(told.inOrder.map { TimeOnTask.confidence(of: $0) } == mute.inOrder.map { TimeOnTask.confidence(of: $0) })
    }

    @Test("is bounded, and harmless wherever it is shown")
    func hostile() throws {
        let nasty = "\u{1b}[2J\u{202e}gnoH\u{2066}\n\u{07}e\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{2028}\u{9b}31m"
        #expect(LockWords.harmless(nasty) == "[2JgnoHe\u{300}\u{301}\u{302}\u{303}31m")
        #expect(LockWords.harmless("\u{202e}\t\u{00a0} \u{2029}") == nil)
        #expect(LockWords.harmless(String(repeating: "x", count: 121))?.count == LockWords.longestText)
        let once = LockWords.harmless(nasty)
        #expect(once.flatMap(LockWords.harmless) == once)
        #expect(LockWords(program: "vim", login: "\u{1b}", name: "", host: nil) == nil)

        let forged = Array("\(nasty),\(String(repeating: "y", count: 4000))".utf8) + Array(",pc\u{202e}7,x,y;".utf8)
        let said = try session("letter.odt", ".~lock.letter.odt#", bytes: forged).inOrder.flatMap(\.lockWords)
        #expect(said.map(\.name) == ["[2JgnoHe\u{300}\u{301}\u{302}\u{303}31m"])
        #expect(said.map { $0.login?.count } == [LockWords.longestText])
        #expect(said.map(\.host) == ["pc7"])
        for bytes in [[], [0], [0xff, 0xfe, 0x2c, 0x2c, 0x2c, 0x3b], Array(repeating: UInt8(0xff), count: 5000)] as [[UInt8]] {
            let gathered = try session("letter.odt", ".~lock.letter.odt#", bytes: bytes)
            #expect(gathered.inOrder.map(\.attribution.person?.login) == ["alice"])
        }
    }

    @Test("is kept of as many locks as the limit says, and no more")
    func limit() throws {
        var script = try Script(InferenceLimits())
        let lock = PathBytes("students/alice/.~lock.letter.odt#")
        script.at(10, .opened, "students/alice/letter.odt")
        script.at(10.1, .created, lock.text, owner: 2001)
        script.timer(20)
        for number in 0...LockWords.limitOfSession {
            script.give(
                .companion(
                    share: 0, path: lock, facts: FileFacts(type: .file, owner: 2001), bytes: Array("B,b\(number),pc7,now,x;".utf8),
                    at: BootTime(seconds: 21)))
        }
        #expect(script.gathered.inOrder.map { $0.lockWords.map(\.login) } == [["b0", "b1", "b2", "b3"]])
    }

    @Test("is read a moment after the lock came where the session had begun before")
    func later() throws {
        var script = try Script(InferenceLimits())
        let lock = PathBytes("students/alice/.~lock.letter.odt#")
        // Brought in by one save, and opened then.
        script.at(10, .created, "students/alice/letter.odt", owner: 2001)
        script.at(10, .modified, "students/alice/letter.odt")
        script.at(10.1, .closedAfterWriting, "students/alice/letter.odt")
        script.timer(15)
        #expect(script.gathered.inOrder.count == 1)
        script.at(30, .created, lock.text, owner: 2001)
        #expect(script.gathered.inspected == [])
        script.timer(32)
        #expect(script.gathered.inspected == [lock])
        script.timer(50)
        #expect(script.gathered.inspected == [lock])
    }
}
