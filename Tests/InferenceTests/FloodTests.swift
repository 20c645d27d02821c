// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Testing

/// One person who does very much at once, and everybody else.
@Suite("Inference, of a flood")
struct FloodTests {
    private func save(_ script: inout Script, at time: Double, _ path: String, owner: UInt32) {
        script.at(time, .created, path, owner: owner)
        script.at(time, .opened, path)
        script.at(time, .modified, path)
        script.at(time, .closedAfterWriting, path)
    }

    @Test("another person's sweep of writes takes no save away")
    func sweepOfAnother() throws {
        var script = try Script()
        for number in 0..<40 { save(&script, at: 10 + Double(number) / 40, "students/bob/copy\(number).txt", owner: 2002) }
        save(&script, at: 10.5, "students/alice/essay.txt", owner: 2001)
        script.timer(20)
        #expect(script.gathered.inOrder.map { $0.document.path.text } == ["students/alice/essay.txt"])
        #expect(script.gathered.inOrder.map(\.saves) == [1])
    }

    @Test("a table full of one person's new files has room for another person's document")
    func fullTable() throws {
        var limits = InferenceLimits()
        limits.documents = 64
        var script = try Script(limits)
        for number in 0..<64 { save(&script, at: 10 + Double(number) / 100, "students/bob/copy\(number).txt", owner: 2002) }
        #expect(script.engine.documentCount == 64)
        save(&script, at: 12, "students/alice/essay.txt", owner: 2001)
        #expect(script.engine.documentCount < 64)
        script.timer(20)
        #expect(script.gathered.inOrder.map { $0.document.path.text } == ["students/alice/essay.txt"])
        #expect(script.gathered.others.isEmpty)
    }

    @Test("a folder that is renamed again and again is told of once it rests, and its documents stay known")
    func renamedFolder() throws {
        var script = try Script()
        save(&script, at: 10, "students/alice/a0/essay.txt", owner: 2001)
        script.timer(13)
        for number in 0..<1000 {
            script.give(
                .change(
                    Change(
                        at: BootTime(seconds: 20 + Double(number) / 1000), share: 0, path: PathBytes("students/alice/a\(number + 1)"),
                        isFolder: true, kind: .renamed(from: PathBytes("students/alice/a\(number)")))))
        }
        #expect(script.gathered.moves == 0)
        script.timer(30)
        #expect(script.gathered.moves == 1)
        #expect(script.gathered.inOrder.map { $0.document.path.text } == ["students/alice/a1000/essay.txt"])
        save(&script, at: 40, "students/alice/a1000/essay.txt", owner: 2001)
        script.timer(50)
        #expect(script.gathered.inOrder.map(\.saves) == [2])
    }

    @Test("the rename of a folder finds what is below it, and nothing beside it")
    func below() throws {
        var script = try Script()
        let paths = ["a", "a/b.txt", "a/c/d.txt", "a-b.txt", "a.txt", "ab/x.txt", "A/x.txt"].map { "students/alice/" + $0 }
        for (number, path) in paths.enumerated() { save(&script, at: 10 + Double(number) * 10, path, owner: 2001) }
        script.timer(100)
        let folder = Change(
            at: BootTime(seconds: 110), share: 0, path: PathBytes("students/alice/z"), isFolder: true,
            kind: .renamed(from: PathBytes("students/alice/a")))
        script.give(.change(folder))
        script.timer(120)
        let now = Set(script.gathered.inOrder.map { $0.document.path.text })
        let expected = ["z", "z/b.txt", "z/c/d.txt", "a-b.txt", "a.txt", "ab/x.txt", "A/x.txt"].map { "students/alice/" + $0 }
        #expect(now == Set(expected))
    }
}
