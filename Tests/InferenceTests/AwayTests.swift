// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Testing

@Suite("A session whose share goes away")
struct AwayTests {
    private let essay = "students/alice/essay.txt"
    private let lock = "students/alice/.essay.txt.swp"

    private func change(_ seconds: Double, _ kind: Change.Kind, _ path: String, by actor: Actor? = nil, owner: UInt32? = 2001)
        -> InferenceInput
    {
        .change(
            Change(
                at: BootTime(seconds: seconds), share: 0, path: PathBytes(path), isFolder: false, kind: kind,
                facts: owner.map { FileFacts(type: .file, owner: $0) }, actor: actor))
    }

    /// nano with its lock since second 10, its save at second 30, and its share gone at second 60.
    private func away() throws -> Script {
        var script = try Script()
        script.give(change(10, .opened, essay))
        script.give(change(10, .closedWithoutWriting, essay))
        script.give(change(10.1, .created, lock))
        script.give(change(10.1, .modified, lock))
        script.give(change(10.1, .closedAfterWriting, lock))
        script.give(change(30, .opened, essay))
        script.give(change(30, .modified, essay))
        script.give(change(30, .closedAfterWriting, essay))
        script.timer(50)
        script.give(.unavailable(share: 0, at: BootTime(seconds: 60)))
        return script
    }

    @Test("ended when it went, unless it is back in time")
    func gone() throws {
        var script = try away()
        script.timer(1000)
        let ends = script.gathered.inOrder.map(\.end)
        #expect(ends.map { $0?.ending } == [.censored])
        #expect(ends.map { $0?.closedAt } == [BootTime(seconds: 60)])
        #expect(ends.map { $0?.notAfter } == [BootTime(seconds: 60)])
        #expect(script.engine.deadline == nil)
        #expect(script.gathered.outOfOrder.isEmpty)
    }

    @Test("goes on once the lock is seen again, and ends with it")
    func back() throws {
        var script = try away()
        script.give(.gap(share: 0, from: BootTime(seconds: 60), at: BootTime(seconds: 70)))
        #expect(script.gathered.inspected.last == PathBytes(lock), "the lock is looked for")
        script.give(
            .companion(
                share: 0, path: PathBytes(lock), facts: FileFacts(type: .file, owner: 2001), bytes: [], at: BootTime(seconds: 71)))
        script.give(.holders([], at: BootTime(seconds: 72)))
        script.timer(600)
        #expect(script.gathered.inOrder.map(\.end) == [nil])
        script.give(change(610, .deleted, lock, owner: nil))
        script.timer(700)
        #expect(script.gathered.inOrder.map { $0.end?.closedAt } == [BootTime(seconds: 610)])
        #expect(script.gathered.outOfOrder.isEmpty)
    }

    @Test("ended when it went where it comes back without the lock")
    func replaced() throws {
        var script = try away()
        script.give(.gap(share: 0, from: BootTime(seconds: 60), at: BootTime(seconds: 70)))
        script.give(.companion(share: 0, path: PathBytes(lock), facts: nil, bytes: [], at: BootTime(seconds: 71)))
        script.give(.holders([], at: BootTime(seconds: 72)))
        script.timer(1000)
        #expect(script.gathered.inOrder.map { $0.end?.closedAt } == [BootTime(seconds: 60)])
        #expect(script.gathered.inOrder.map { $0.end?.notAfter } == [BootTime(seconds: 60)])
    }

    @Test("of a program that lives on goes on when the share is back in time, and not without it", arguments: [true, false])
    func program(isBack: Bool) throws {
        var script = try Script()
        let gedit = Actor(pid: 10, uid: 2001, program: "gedit", startedAt: BootTime(seconds: 9.5))
        script.give(change(10, .opened, essay, by: gedit))
        script.give(change(10, .closedWithoutWriting, essay, by: gedit))
        script.timer(30)
        #expect(script.gathered.inOrder.count == 1)
        script.give(.unavailable(share: 0, at: BootTime(seconds: 60)))
        if isBack { script.give(.gap(share: 0, from: BootTime(seconds: 60), at: BootTime(seconds: 70))) }
        script.timer(400)
        script.give(.processEnded(pid: 10, at: BootTime(seconds: 500)))
        script.timer(600)
        #expect(script.gathered.inOrder.map { $0.end?.closedAt } == [BootTime(seconds: isBack ? 500 : 60)])
        #expect(script.gathered.outOfOrder.isEmpty)
    }

    @Test("is another share's business no more than before")
    func other() throws {
        var script = try Script()
        script.give(change(10, .created, lock))
        script.timer(20)
        script.give(.unavailable(share: 7, at: BootTime(seconds: 60)))
        script.timer(300)
        #expect(script.gathered.inOrder.map(\.end) == [nil])
    }

    @Test("whose lock a rescan misses ended since the gap began, and no later than it was looked for")
    func missing() throws {
        var script = try Script()
        script.give(change(10, .created, lock))
        script.give(change(10, .modified, lock))
        script.timer(20)
        script.give(.gap(share: nil, from: BootTime(seconds: 60), at: BootTime(seconds: 90)))
        #expect(script.engine.lockFiles.map(\.path) == [PathBytes(lock)])
        script.give(change(91, .missing(since: BootTime(seconds: 60)), lock, owner: nil))
        script.timer(300)
        let ends = script.gathered.inOrder.map(\.end)
        #expect(ends.map { $0?.closedAt } == [BootTime(seconds: 60)])
        #expect(ends.map { $0?.notAfter } == [BootTime(seconds: 91)])
        #expect(script.gathered.outOfOrder.isEmpty)
    }
}
