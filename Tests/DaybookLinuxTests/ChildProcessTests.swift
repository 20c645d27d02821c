// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc
import Testing

@Suite("A program started by us", .serialized)
struct ChildProcessTests {
    /// What a shell script prints on its standard output, and how it ended.
    private func run(_ script: String, _ privileges: ChildProcess.Privileges, environment: [String] = []) throws -> (
        String, ChildProcess.Ending?
    ) {
        let pair = try StreamPair()
        let child = try ChildProcess.start(
            "/bin/sh", arguments: ["-c", script, "name"], environment: environment, descriptors: [nil, pair.second.withRaw { $0 }, nil],
            privileges: privileges)
        child.ended.withRaw { raw in
            var entry = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
            _ = poll(&entry, 1, 10_000)
        }
        let ending = try child.reap()
        var output = [UInt8](repeating: 0, count: 65_536)
        let count = pair.first.withRaw { read($0, &output, output.count) }
        return (String(decoding: output.prefix(max(0, count)), as: UTF8.self), ending)
    }

    @Test("has its arguments, its environment, and no descriptor of ours")
    func clean() throws {
        let extra = dup(2)  // open, and not closed on exec
        defer { close(extra) }
        let (output, ending) = try run(
            "echo $0 $WORD $(ls /proc/$$/fd | tr '\\n' ' ')", .unchanged, environment: ["WORD=hello", "PATH=/usr/bin:/bin"])
        // The shell may hold one of its own above 9 while it runs the inner command.
        #expect(output.hasPrefix("name hello 0 1 2"))
        #expect(!output.contains(" \(extra) "))
        #expect(ending == .exited(code: 0))
    }

    @Test("has no capability where it shall have none, not even in its bounding set", .enabled(if: geteuid() == 0, "needs root"))
    func none() throws {
        let (output, _) = try run("while read a b; do case $a in Cap*|NoNewPrivs*) echo $b;; esac; done < /proc/self/status", .none)
        #expect(output.split(separator: "\n") == Array(repeating: "0000000000000000", count: 5) + ["1"])
        let (kept, _) = try run("while read a b; do case $a in CapBnd*) echo $b;; esac; done < /proc/self/status", .unchanged)
        #expect(kept != "0000000000000000\n")
    }

    @Test("is another user, in no other group, where it shall be", .enabled(if: geteuid() == 0, "needs root"))
    func otherUser() throws {
        let (output, _) = try run(
            "while read a b; do case $a in Uid:|Gid:|Groups:|CapEff:|CapPrm:|CapBnd:) echo $b;; esac; done < /proc/self/status",
            .noneAs(uid: 54_321, gid: 54_322))
        let zero: Substring = "0000000000000000"
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false).map { $0.replacing("\t", with: " ") }
        #expect(lines == ["54321 54321 54321 54321", "54322 54322 54322 54322", "", zero, zero, zero, ""] as [Substring])
    }

    @Test("takes signals, whatever its starter blocks or ignores")
    func signals() throws {
        let (output, ending) = try run("kill -TERM $$; echo survived", .unchanged)
        #expect(output == "")
        #expect(ending == .killed(signal: SIGTERM))
    }

    @Test("that cannot be executed is an error that says why")
    func missing() {
        #expect(throws: SystemCallError(call: "start /no/such/program", code: ENOENT)) {
            _ = try ChildProcess.start("/no/such/program", arguments: [], environment: [], descriptors: [], privileges: .unchanged)
        }
        #expect(throws: SystemCallError(call: "start /etc/passwd", code: EACCES)) {
            _ = try ChildProcess.start("/etc/passwd", arguments: [], environment: [], descriptors: [], privileges: .unchanged)
        }
    }

    @Test("gets descriptors in any order, also those that stand in each other's place")
    func shuffled() throws {
        let first = try StreamPair()
        let second = try StreamPair()
        let child = try ChildProcess.start(
            "/bin/sh", arguments: ["-c", "echo three >&3; echo four >&4"], environment: [],
            descriptors: [nil, nil, nil, second.second.withRaw { $0 }, first.second.withRaw { $0 }], privileges: .unchanged)
        child.ended.withRaw { raw in
            var entry = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
            _ = poll(&entry, 1, 10_000)
        }
        #expect(try child.reap() == .exited(code: 0))
        func text(_ end: borrowing OwnedDescriptor) -> String {
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = end.withRaw { read($0, &bytes, 100) }
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
        let (three, four) = (text(second.first), text(first.first))
        #expect(three == "three\n")
        #expect(four == "four\n")
    }

    @Test("is told from a process that is not there")
    func handles() throws {
        func isThere(_ pid: Int32) throws -> Bool {
            if let handle = try ProcessHandle.open(pid) { return handle.withRaw { $0 >= 0 } }
            return false
        }
        #expect(try !isThere(0x3fff_fff0))
        #expect(try isThere(getpid()))
    }
}

@Suite("Capabilities")
struct CapabilitiesTests {
    @Test("of one thread are dropped for good, and the others keep theirs", .enabled(if: geteuid() == 0, "needs root, to have some"))
    func drop() throws {
        let before = try Capabilities.current()
        #expect(before.effective.contains(.readEverything))
        let results = HandOver<Capabilities>(capacity: 1, wake: nil)
        let thread = try WorkerThread(name: "dropper") {
            do {
                try Capabilities.dropAll()
                _ = results.put(try Capabilities.current())
            } catch {
                Issue.record(error)
            }
        }
        thread.join()
        #expect(results.takeAll() == [.none])
        #expect(try Capabilities.current() == before)
    }
}

@Suite("A worker thread")
struct WorkerThreadTests {
    @Test("keeps 15 bytes of its name, also where that cuts a letter")
    func name() throws {
        let names = HandOver<[UInt8]>(capacity: 1, wake: nil)
        let thread = try WorkerThread(name: "ääääääääää") {
            _ = names.put((try? SmallFile.read("/proc/thread-self/comm")) ?? [])
        }
        thread.join()
        #expect(names.takeAll() == [Array("ääääääääää".utf8.prefix(15)) + [0x0a]])
    }

    @Test("leaves signals to the loop, but not those of its own mistakes")
    func signals() throws {
        let blocked = HandOver<[Bool]>(capacity: 1, wake: nil)
        let thread = try WorkerThread(name: "worker") {
            _ = blocked.put([SIGTERM, SIGCHLD, SIGHUP, SIGSEGV, SIGILL, SIGTRAP].map(Signals.isBlocked))
        }
        thread.join()
        thread.join()  // once more does no harm
        #expect(blocked.takeAll() == [[true, true, true, false, false, false]])
    }

    @Test("a wake-up waits for the signals it had, once for all of them")
    func wakeup() throws {
        let wakeup = try Wakeup()
        func isSignalled() -> Bool {
            wakeup.descriptor.withRaw { raw in
                var entry = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
                return poll(&entry, 1, 0) == 1
            }
        }
        let queue = HandOver<Int>(capacity: 10, wake: wakeup)
        #expect(!isSignalled())
        _ = queue.put(1)
        _ = queue.put(2)
        #expect(isSignalled())
        wakeup.reset()
        #expect(!isSignalled())
        #expect(queue.takeAll() == [1, 2])
        _ = queue.put(3)
        #expect(isSignalled(), "the queue was empty, so its owner has to be told again")
        wakeup.reset()
        queue.close()
        #expect(isSignalled())
    }

    @Test("an error number has words, also a number that nobody knows")
    func errors() {
        #expect(SystemCallError(call: "open", code: ENOSPC).description == "open: No space left on device")
        #expect(errnoText(9999).contains("9999"))
    }
}
