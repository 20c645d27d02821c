// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import EventLoop
import Glibc
import Testing

@Suite("The loop", .serialized)
struct EventLoopTests {
    private let loop: EventLoop

    init() throws { loop = try EventLoop() }

    // MARK: Descriptors

    @Test("calls for a descriptor as long as it is ready, and no more")
    func descriptor() throws {
        let pipe = try Pipe()
        var seen: [DescriptorSource.Readiness] = []
        let source = try DescriptorSource(loop, pipe.reader) {
            seen.append($0)
            pipe.take()
        }
        try loop.settle()
        #expect(seen == [])
        pipe.put()
        pipe.put()
        try loop.settle()
        #expect(seen == [.readable, .readable])
        withExtendedLifetime(source) {}
    }

    @Test("with no interest tells only a hang-up, and while paused nothing")
    func interest() throws {
        let pair = try StreamPair()
        var seen: [DescriptorSource.Readiness] = []
        let source = try DescriptorSource(loop, pair.first, [.readable, .writable]) { seen.append($0) }
        #expect(try loop.step(within: .zero))
        #expect(seen == [.writable])
        source.interest = []
        _ = pair.second.withRaw { write($0, "x", 1) }
        try loop.settle()
        #expect(seen == [.writable])
        source.isPaused = true
        _ = pair.second.withRaw { shutdown($0, Int32(SHUT_RDWR)) }
        _ = pair.first.withRaw { shutdown($0, Int32(SHUT_RDWR)) }
        try loop.settle()
        #expect(seen == [.writable])
        source.isPaused = false
        #expect(try loop.step(within: .seconds(5)))
        #expect(seen == [.writable, .hungUp])
    }

    @Test("forgets a source that its own handler cancels")
    func cancelsItself() throws {
        let pipe = try Pipe()
        let source = Box<DescriptorSource?>(nil)
        var calls = 0
        source.value = try DescriptorSource(loop, pipe.reader) { _ in
            calls += 1
            source.value?.cancel()
            source.value?.cancel()
        }
        pipe.put()
        try loop.settle()
        #expect(calls == 1)
        #expect(source.value?.isCancelled == true)
    }

    @Test("survives a handler that lets the last reference to its own source go")
    func releasesItself() throws {
        let pipe = try Pipe()
        let source = Box<DescriptorSource?>(nil)
        weak var watched: DescriptorSource?
        var calls = 0
        source.value = try DescriptorSource(loop, pipe.reader) { _ in
            source.value = nil
            calls += 1
        }
        watched = source.value
        #expect(watched != nil)
        pipe.put()
        try loop.settle()
        #expect(calls == 1)
        #expect(watched == nil)
    }

    @Test("does not call a source that an earlier handler of the same turn cancelled", arguments: [0, 1])
    func cancelsOther(first: Int) throws {
        let pipes = [try Pipe(), try Pipe()]
        let sources = Box<[DescriptorSource]>([])
        var called: [Int] = []
        for number in 0..<2 {
            sources.value.append(
                try DescriptorSource(loop, pipes[number].reader, priority: number == first ? .changes : .clients) { _ in
                    called.append(number)
                    for source in sources.value { source.cancel() }
                })
        }
        for pipe in pipes { pipe.put() }
        try loop.settle()
        #expect(called == [first])
    }

    @Test("forgets a source whose object is gone, so that its descriptor may be closed")
    func released() throws {
        let pipe = try Pipe()
        var calls = 0
        do {
            let source = try DescriptorSource(loop, pipe.reader) { _ in calls += 1 }
            withExtendedLifetime(source) {}
        }
        pipe.put()
        try loop.settle()
        #expect(calls == 0)
        // The same number can be watched again.
        let again = try DescriptorSource(loop, pipe.reader) { _ in
            calls += 1
            pipe.take()
        }
        try loop.settle()
        #expect(calls == 1)
        withExtendedLifetime(again) {}
    }

    @Test("serves what matters more first")
    func priorities() throws {
        let all: [Priority] = [.last, .clients, .normal, .changes, .signals]
        var order: [Priority] = []
        let sources = try all.map { priority in try DeferredSource(loop, priority: priority) { order.append(priority) } }
        for source in sources { source.schedule() }
        try loop.settle()
        #expect(order == all.reversed())
        #expect(order == order.sorted())
    }

    // MARK: Timers

    @Test("timers fire each once, and not before their times")
    func timers() throws {
        var fired: [(Int, Int64)] = []
        let start = Clocks.bootMicroseconds()
        let timers = try [30, 10, 20].map { delay in
            let timer = try TimerSource(loop) { fired.append((delay, Clocks.bootMicroseconds() - start)) }
            timer.arm(at: start + Int64(delay) * 1000, accuracy: .microseconds(1))
            return timer
        }
        #expect(try loop.turn { fired.count == 3 })
        #expect(fired.map(\.0).sorted() == [10, 20, 30])
        for (delay, passed) in fired { #expect(passed >= Int64(delay) * 1000) }
        #expect(try !loop.step(within: .milliseconds(50)), "none is left")
        #expect(timers.allSatisfy { $0.armedFor == nil })
    }

    @Test("a timer can be armed anew from its own handler, moved, and disarmed")
    func rearming() throws {
        let timer = Box<TimerSource?>(nil)
        var calls = 0
        timer.value = try TimerSource(loop) {
            calls += 1
            if calls < 5 { timer.value?.arm(after: .milliseconds(1), accuracy: .microseconds(1)) }
        }
        timer.value?.arm(after: .seconds(3600))
        timer.value?.arm(after: .milliseconds(1), accuracy: .microseconds(1))
        #expect(try loop.turn { calls == 5 })
        timer.value?.arm(after: .milliseconds(1), accuracy: .microseconds(1))
        timer.value?.disarm()
        #expect(try !loop.step(within: .milliseconds(30)))
        #expect(calls == 5)
        timer.value?.arm(at: 0)
        #expect(try loop.step(within: .seconds(5)), "an instant long past fires at once")
        #expect(calls == 6)
        timer.value?.arm(at: -5)
        #expect(try loop.step(within: .seconds(5)))
        timer.value?.arm(after: .seconds(Int64.max))
        #expect(timer.value?.armedFor.map { $0 > 1_000_000_000_000_000 } == true)
        timer.value?.cancel()
        timer.value?.arm(after: .zero)
        #expect(try !loop.step(within: .milliseconds(10)), "cancelled for good")
    }

    @Test("timers that allow it share one wake-up")
    func coalescing() throws {
        var fired: [Int64] = []
        let start = Clocks.bootMicroseconds()
        let timers = try (0..<5).map { number in
            let timer = try TimerSource(loop) { fired.append(Clocks.bootMicroseconds()) }
            timer.arm(at: start + Int64(number) * 10_000, accuracy: .milliseconds(400))
            return timer
        }
        let before = try voluntarySwitches()
        while fired.count < 5, Clocks.bootMicroseconds() - start < 10_000_000 { _ = try loop.step(within: .seconds(5)) }
        #expect(fired.count == 5)
        #expect(try voluntarySwitches() - before <= 4)
        withExtendedLifetime(timers) {}
    }

    // MARK: Hand-over, deferral, exit

    @Test("a hand-over from another thread wakes it, and loses nothing")
    func handOver() throws {
        let wakeup = try Wakeup()
        let queue = HandOver<Int>(capacity: 64, wake: wakeup)
        var taken: [Int] = []
        let source = try WakeupSource(loop, wakeup) { taken += queue.takeAll() }
        let thread = try WorkerThread(name: "producer") {
            for number in 0..<20_000 { _ = queue.putWaiting(number) }
        }
        #expect(try loop.turn(within: .seconds(60)) { taken.count == 20_000 })
        thread.join()
        #expect(taken == Array(0..<20_000))
        source.cancel()
        _ = queue.put(1)
        try loop.settle()
        #expect(taken.count == 20_000)
    }

    @Test("deferred work runs once for a turn in which it was scheduled twice, and again when it schedules itself")
    func deferred() throws {
        let source = Box<DeferredSource?>(nil)
        var calls = 0
        source.value = try DeferredSource(loop) {
            calls += 1
            if calls == 1 { source.value?.schedule() }
        }
        try loop.settle()
        #expect(calls == 0)
        source.value?.schedule()
        source.value?.schedule()
        try loop.settle()
        #expect(calls == 2)
    }

    @Test("ends with its code after the exit handlers, and then serves nothing")
    func exit() throws {
        var order: [String] = []
        let first = try ExitSource(loop, priority: .changes) { order.append("first") }
        let second = try ExitSource(loop, priority: .last) { order.append("second") }
        let stop = try DeferredSource(loop) {
            order.append("stop")
            loop.exit(code: 7)
        }
        stop.schedule()
        #expect(try loop.run() == 7)
        #expect(order == ["stop", "first", "second"])
        stop.schedule()
        #expect(try !loop.step(within: .zero))
        withExtendedLifetime((first, second)) {}
    }

    // MARK: Signals

    @Test("takes a signal that its thread blocks, with who sent it")
    func signal() throws {
        // A thread of its own: what is sent to it alone reaches nobody else in this process.
        let results = HandOver<[SignalSource.Arrival]>(capacity: 1, wake: nil)
        let thread = try WorkerThread(name: "loop") {
            do {
                let loop = try EventLoop()
                var arrivals: [SignalSource.Arrival] = []
                let sources = try [SIGHUP, SIGUSR1].map { number in
                    try SignalSource(loop, number) { arrivals.append($0) }
                }
                pthread_kill(pthread_self(), SIGHUP)
                pthread_kill(pthread_self(), SIGUSR1)
                _ = try loop.turn { arrivals.count == 2 }
                for source in sources { source.cancel() }
                _ = results.put(arrivals.sorted { $0.number < $1.number })
            } catch {
                Issue.record(error)
            }
        }
        thread.join()
        let expected = [SIGHUP, SIGUSR1].map { SignalSource.Arrival(number: $0, pid: getpid(), uid: getuid()) }
        #expect(results.takeAll() == [expected])
    }

    @Test("learns of a child's end through its descriptor")
    func child() throws {
        let child = try ChildProcess.start(
            "/bin/sh", arguments: ["-c", "exit 3"], environment: [], descriptors: [nil, nil, nil], privileges: .unchanged)
        var ended = false
        let source = try DescriptorSource(loop, child.ended) { _ in ended = true }
        #expect(try loop.turn { ended })
        source.cancel()
        #expect(try child.reap() == .exited(code: 3))
    }

    // MARK: Idle

    @Test("sleeps without a single wake-up while there is nothing to do")
    func idle() throws {
        let folder = try TemporaryFolder()
        let delegate = RecordingDelegate()
        let server = try ClientServer(loop: loop, listeners: [UnixListener.listen(at: folder("s"), mode: 0o600)], delegate: delegate)
        let client = try UnixStream.connect(to: folder("s"), within: .seconds(5))
        _ = try client.write([65, 0])
        #expect(try loop.turn { !delegate.received.isEmpty })
        let wakeup = try WakeupSource(loop, Wakeup()) {}
        let timer = try TimerSource(loop) {}
        try loop.settle()
        let before = try voluntarySwitches()
        #expect(try !loop.step(within: .milliseconds(600)))
        // Falling asleep is one.
        #expect(try voluntarySwitches() - before <= 2)
        withExtendedLifetime((server, wakeup, timer)) {}
    }

    /// How often this thread went to sleep.
    private func voluntarySwitches() throws -> Int {
        for line in String(decoding: try SmallFile.read("/proc/thread-self/status"), as: UTF8.self).split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == ":" || $0 == "\t" })
            if words.first == "voluntary_ctxt_switches", words.count == 2, let count = Int(words[1]) { return count }
        }
        throw TestFailure("no count of switches")
    }
}
