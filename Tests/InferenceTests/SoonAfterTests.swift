// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Testing

@Suite("Inference, of what comes soon after something else")
struct SoonAfterTests {
    private let essay = "students/alice/essay.txt"

    @Test("does not let a second person begin with the first one's opening")
    func openedOneAfterTheOther() throws {
        var script = try Script()
        for (start, lock, owner) in [(10.0, "students/alice/.essay.txt.swp", UInt32(2001)), (11.5, "students/alice/.essay.txt.swo", 2002)] {
            script.at(start, .opened, essay)
            script.at(start, .closedWithoutWriting, essay)
            script.at(start, .created, lock, owner: owner)
            script.at(start, .opened, lock, owner: owner)
        }
        script.timer(20)
        #expect(script.gathered.inOrder.map(\.attribution.person?.login) == ["alice", "bob"])
        #expect(script.gathered.inOrder.map(\.openedAt) == [BootTime(seconds: 10), BootTime(seconds: 11.5)])
    }

    @Test("does not take the close of a program that holds the document for the end of its save")
    func closedSoonAfterSave() throws {
        var script = try Script()
        let letter = "students/alice/letter.odt"
        let lock = "students/alice/.~lock.letter.odt#"
        script.at(10, .opened, letter)
        script.at(10.1, .created, lock, owner: 2001)
        script.at(20, .closedAfterWriting, letter)
        script.at(20, .deleted, lock)
        script.at(20, .created, "students/alice/lu1234.tmp", owner: 2001)
        script.at(20, .modified, "students/alice/lu1234.tmp", owner: 2001)
        script.at(20, .created, lock, owner: 2001)
        script.at(20, .renamed(from: PathBytes("students/alice/lu1234.tmp")), letter, owner: 2001)
        script.at(20.1, .opened, letter)
        script.at(21.5, .closedAfterWriting, letter)
        script.at(21.5, .deleted, lock)
        script.timer(40)
        #expect(script.gathered.saved.map(\.at) == [BootTime(seconds: 20)])
        #expect(script.gathered.lines == ["session 10.000 21.500 alice 1 good companion\t\(letter)"])
    }

    @Test("says of a save that only a listing found since when it may have been")
    func foundLate() throws {
        var script = try Script()
        script.at(12, .found(since: BootTime(seconds: 5)), essay, owner: 2001)
        script.timer(20)
        script.at(32, .modified, essay, owner: 2001)
        script.at(32, .closedAfterWriting, essay, owner: 2001)
        script.timer(40)
        #expect(script.gathered.since == [BootTime(seconds: 5), BootTime(seconds: 32)])
        #expect(script.gathered.saved.map(\.at) == [BootTime(seconds: 12), BootTime(seconds: 32)])
    }

    @Test("takes a save that is seen a moment after a listing found the document for what it is, and what is one write with it for found")
    func seenAfterFound() throws {
        for (second, since) in [(12.05, 5.0), (13.5, 13.5)] {
            var script = try Script()
            script.at(12, .found(since: BootTime(seconds: 5)), essay, owner: 2001)
            script.at(second, .modified, essay, owner: 2001)
            script.at(second, .closedAfterWriting, essay, owner: 2001)
            script.timer(20)
            #expect(script.gathered.since == [BootTime(seconds: since)])
            #expect(script.gathered.saved.map(\.at) == [BootTime(seconds: second)])
        }
    }

    @Test("says of a new document that was made under another name whose it is, and that it was saved under its own")
    func madeUnderAnotherName() throws {
        var script = try Script()
        let talk = "shared/talk.odp"
        // It was renamed before anybody could look whose it is.
        script.at(10, .created, talk + ".new")
        script.at(10, .modified, talk + ".new")
        script.at(10.01, .closedAfterWriting, talk + ".new")
        script.at(10.01, .renamed(from: PathBytes(talk + ".new")), talk, owner: 2001)
        script.timer(20)
        #expect(script.gathered.saved.map(\.document.path.text) == [talk])
        #expect(script.gathered.saved.map(\.attribution.person?.login) == ["alice"])
        #expect(script.gathered.saved.map(\.at) == [BootTime(seconds: 10.01)])
    }
}
