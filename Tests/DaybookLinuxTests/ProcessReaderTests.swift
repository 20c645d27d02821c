// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc
import Testing

@Suite("What /proc says of one process")
struct ProcessReaderTests {
    private func identity(_ text: String) -> ProcessIdentity? {
        Array(text.utf8).withUnsafeBytes { ProcessIdentity(parsing: $0) }
    }

    private func start(_ text: String) -> Int64? { Array(text.utf8).withUnsafeBytes { ProcessStart.microseconds(parsing: $0) } }

    @Test("is its name, the uid of its file accesses, and whether it works for one person only")
    func status() {
        func text(_ uids: String) -> String {
            "Name:\tsm bd\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t5\nUid:\t\(uids)\nGid:\t0\t0\t0\t0\n"
        }
        #expect(identity(text("1\t1\t1\t1")) == ProcessIdentity(command: "sm bd", fileUID: 1, isSteady: true))
        #expect(identity(text("0\t0\t0\t2001")) == ProcessIdentity(command: "sm bd", fileUID: 2001, isSteady: false))
        #expect(identity(text("2001\t2001\t0\t2001"))?.isSteady == false)
        #expect(identity(text("0\t0\t0\t0")) == ProcessIdentity(command: "sm bd", fileUID: 0, isSteady: false))
        // A name cannot bring its own uid: the kernel escapes line breaks, and the first such line counts.
        #expect(identity("Name:\ta\\nUid:\t9\t9\t9\t9\nUid:\t1\t1\t1\t1\n")?.fileUID == 1)
        for bad in ["", "Name:\ta\n", "Uid:\t1\t1\t1\t1\n", text("1\t1\t1"), text("1\t1\t1\tx"), text("1\t1\t1\t99999999999999999999")] {
            #expect(identity(bad) == nil, "\(bad)")
        }
        let whole = "Name:\ta\nUid:\t1\t1\t1\t12"
        #expect(identity(whole) == nil, "a number that may be cut")
    }

    @Test("is its start, whatever it calls itself")
    func start() {
        let numbers = (4...21).map(String.init).joined(separator: " ")
        #expect(start("5 (a) S \(numbers) 4711 99") == 47_110_000)
        #expect(start("5 (a) R 1 2 ) (b) S \(numbers) 4711 99") == 47_110_000)
        for bad in ["", "5 (a", "5 (a) S", "5 (a) S \(numbers)", "5 (a) S \(numbers) x", "5 (a) S \(numbers) 999999999999999999999 1"] {
            #expect(start(bad) == nil, "\(bad)")
        }
    }

    @Test("is read of the running kernel: of ourselves, of a child of ours, and of nobody")
    func real() throws {
        let reader = try ProcessReader()
        let own = try #require(reader.identity(of: getpid()))
        #expect(own.fileUID == geteuid() && own.isSteady == (getuid() != 0))
        let before = Clocks.bootMicroseconds()
        #expect(try #require(reader.start(of: getpid())) < before)
        let child = try ChildProcess.start(
            "/bin/sleep", arguments: ["60"], environment: [], descriptors: [nil, nil, nil], privileges: .unchanged)
        #expect(reader.identity(of: child.pid)?.command == "sleep")
        let started = try #require(reader.start(of: child.pid))
        #expect(started > before - 20_000 && started <= Clocks.bootMicroseconds())
        let process = try #require(try ForeignProcess.open(child.pid))
        #expect(!process.hasEnded)
        try child.signal(SIGKILL)
        var waiting = process.descriptor.withRaw { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        #expect(poll(&waiting, 1, 10_000) == 1)
        #expect(process.hasEnded)
        while try child.reap() == nil { usleep(1000) }
        #expect(reader.identity(of: child.pid) == nil && reader.start(of: child.pid) == nil)
        #expect(try ForeignProcess.open(child.pid) == nil)
    }
}
