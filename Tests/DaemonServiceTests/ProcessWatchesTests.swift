// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import EventLoop
import Glibc
import Testing

@testable import DaemonService

@Suite("Waiting for the end of foreign processes")
struct ProcessWatchesTests {
    /// A loop whose markers are passed when the test says so.
    private final class Rig {
        let loop: EventLoop
        var watches: ProcessWatches?
        var marks: [UInt64] = []
        var refusals = 0
        var ended: [Int32] = []

        init(capacity: Int = 4) throws {
            loop = try EventLoop()
            watches = try ProcessWatches(
                loop, capacity: capacity,
                mark: { [unowned self] in
                    if refusals > 0 {
                        refusals -= 1
                        return false
                    }
                    marks.append($0)
                    return true
                },
                ended: { [unowned self] pid, _ in ended.append(pid) })
        }

        /// Turns the loop until the condition holds.
        func turn(until isTrue: () -> Bool) throws {
            let end = Clocks.bootMicroseconds() + 10_000_000
            while !isTrue(), Clocks.bootMicroseconds() < end { _ = try loop.step(within: .milliseconds(20)) }
            #expect(isTrue())
        }
    }

    private func sleeper() throws -> ChildProcess {
        try ChildProcess.start("/bin/sleep", arguments: ["60"], environment: [], descriptors: [nil, nil, nil], privileges: .unchanged)
    }

    private func end(_ child: borrowing ChildProcess) throws {
        try child.signal(SIGKILL)
        while try child.reap() == nil { usleep(1000) }
    }

    private func start(_ pid: Int32) throws -> BootTime {
        BootTime(microseconds: try #require(try ProcessReader().start(of: pid)))
    }

    @Test("tells of it once, and only when all that it did before has been told")
    func order() throws {
        let rig = try Rig()
        let child = try sleeper()
        let pid = child.pid
        #expect(rig.watches?.watch(pid, startedAt: try start(pid)) == true)
        #expect(rig.watches?.watch(pid, startedAt: nil) == true && rig.watches?.count == 1)
        rig.refusals = 2
        try end(child)
        try rig.turn { rig.marks == [1] }
        #expect(rig.ended == [] && rig.watches?.count == 0)
        rig.watches?.passed(mark: 9)
        #expect(rig.ended == [])
        rig.watches?.passed(mark: 1)
        rig.watches?.passed(mark: 1)
        #expect(rig.ended == [pid])
    }

    @Test("tells of one that has gone already, and of one whose number another process has now")
    func gone() throws {
        let rig = try Rig()
        let child = try sleeper()
        let pid = child.pid
        let started = try start(pid)
        #expect(rig.watches?.watch(pid, startedAt: started + .seconds(1)) == true)
        #expect(rig.marks == [1])
        rig.watches?.passed(mark: 1)
        #expect(rig.ended == [pid])
        try end(child)
        #expect(rig.watches?.watch(pid, startedAt: started) == true)
        rig.watches?.passed(mark: 2)
        #expect(rig.ended == [pid, pid] && rig.watches?.count == 0)
    }

    @Test("does not tell of one that was forgotten")
    func forgotten() throws {
        let rig = try Rig()
        let first = try sleeper()
        let second = try sleeper()
        let pids = (first.pid, second.pid)
        #expect(rig.watches?.watch(pids.0, startedAt: nil) == true && rig.watches?.watch(pids.1, startedAt: nil) == true)
        rig.watches?.forget(pids.0)
        #expect(rig.watches?.count == 1)
        try end(first)
        try end(second)
        try rig.turn { rig.marks == [1] }
        rig.watches?.passed(mark: 1)
        #expect(rig.ended == [pids.1])
    }

    @Test("refuses one more than the limit, and says so once")
    func limit() throws {
        let rig = try Rig(capacity: 1)
        let first = try sleeper()
        let second = try sleeper()
        let pids = (first.pid, second.pid)
        #expect(rig.watches?.watch(pids.0, startedAt: nil) == true)
        #expect(rig.watches?.watch(pids.1, startedAt: nil) == false)
        #expect(rig.watches?.watch(pids.1, startedAt: nil) == true, "told once")
        #expect(rig.watches?.count == 1)
        rig.watches?.forget(pids.0)
        #expect(rig.watches?.watch(pids.1, startedAt: nil) == true && rig.watches?.count == 1)
        try end(first)
        try end(second)
    }
}
