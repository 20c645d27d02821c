// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import EventLoop
import Glibc
import Testing

/// The socket that systemd would listen at.
private struct NotifySocket {
    let folder: TemporaryFolder
    let raw: Int32

    init() throws {
        folder = try TemporaryFolder()
        raw = try datagramSocket(at: folder("notify"))
    }

    /// The next message's assignments.
    func next() throws -> [String] {
        var entry = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 10_000) == 1 else { throw TestFailure("no notification") }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(raw, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

func datagramSocket(at path: String) throws -> Int32 {
    let raw = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let result = withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    guard result == 0 else { throw TestFailure("bind: errno \(errno)") }
    return raw
}

@Suite("The service manager")
struct NotifyTests {
    // Each in a process of its own, since libsystemd takes its address from the environment.

    @Test("hears of readiness, reloads and the end, each line as it is meant")
    func states() async {
        await #expect(processExitsWith: .success) {
            let socket = try NotifySocket()
            setenv("NOTIFY_SOCKET", socket.folder("notify"), 1)
            Notify.ready(status: "crawl 62 %")
            #expect(try socket.next() == ["READY=1", "STATUS=crawl 62 %"])
            Notify.status("two\nMAINPID=1\u{7f}")
            #expect(try socket.next() == ["STATUS=two MAINPID=1 "])
            let before = Clocks.monotonicMicroseconds()
            Notify.reloading()
            let reloading = try socket.next()
            #expect(reloading.first == "RELOADING=1" && reloading.count == 2)
            let stamp = try #require(reloading.last.flatMap { $0.hasPrefix("MONOTONIC_USEC=") ? Int64($0.dropFirst(15)) : nil })
            #expect(stamp >= before && stamp <= Clocks.monotonicMicroseconds())
            Notify.alive()
            #expect(try socket.next() == ["WATCHDOG=1"])
            Notify.extendTimeout(by: .seconds(2))
            #expect(try socket.next() == ["EXTEND_TIMEOUT_USEC=2000000"])
            Notify.stopping(status: "writing")
            #expect(try socket.next() == ["STOPPING=1", "STATUS=writing"])
        }
    }

    @Test("hears that the loop turns, for as long as it does")
    func watchdog() async {
        await #expect(processExitsWith: .success) {
            let socket = try NotifySocket()
            setenv("NOTIFY_SOCKET", socket.folder("notify"), 1)
            setenv("WATCHDOG_PID", String(getpid()), 1)
            setenv("WATCHDOG_USEC", "200000", 1)
            let loop = try EventLoop()
            #expect(try loop.startWatchdog())
            let start = Clocks.bootMicroseconds()
            var signs = 0
            while signs < 4, Clocks.bootMicroseconds() - start < 10_000_000 {
                _ = try loop.step(within: .seconds(5))
                var entry = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
                while poll(&entry, 1, 0) == 1 {
                    #expect(try socket.next() == ["WATCHDOG=1"])
                    signs += 1
                }
            }
            let took = Clocks.bootMicroseconds() - start
            // The first comes at once; an idle loop wakes for each of the others between half and three quarters of the limit later.
            #expect(signs == 4)
            #expect(took >= 3 * 90_000 && took < 5_000_000)
        }
    }

    @Test("is not told anything where there is none")
    func absent() async {
        await #expect(processExitsWith: .success) {
            unsetenv("NOTIFY_SOCKET")
            unsetenv("WATCHDOG_USEC")
            Notify.ready(status: "")
            let loop = try EventLoop()
            #expect(try !loop.startWatchdog())
        }
    }
}
