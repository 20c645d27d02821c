// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc
import Testing

@Suite("Who is at the other end")
struct PeerCredentialsTests {
    @Test("is this process itself, over a pair of its own")
    func own() throws {
        let pair = try StreamPair()
        let peer = try PeerCredentials.of(pair.first)
        #expect(peer == PeerCredentials(pid: getpid(), uid: geteuid(), gid: getegid()))
        let groups = try PeerCredentials.groups(of: pair.first)
        #expect(try groups == Credentials.current().groups)
    }

    @Test(
        "is known with every group, also when there are hundreds", .enabled(if: geteuid() == 0, "needs root, to become somebody else"),
        arguments: [0, 1, 64, 65, 700])
    func other(count: Int) async {
        // A process of its own: becoming another user concerns all threads.
        await #expect(processExitsWith: .success) { [count] in
            let folder = try TemporaryFolder()
            let listener = try UnixListener.listen(at: folder("s"), mode: 0o666)
            try #require(chmod(folder.path, 0o755) == 0)
            let wanted = (0..<count).map { UInt32(50_000 + $0) }
            try #require(setgroups(count, wanted) == 0 && setegid(54_322) == 0)
            try #require(seteuid(54_321) == 0)
            let client = try UnixStream.connect(to: folder("s"), within: .seconds(5))
            // Back to root, as the daemon is: what counts is who it was when it connected.
            try #require(seteuid(0) == 0)
            guard let server = try listener.accept() else { throw TestFailure("nobody connected") }
            let peer = try PeerCredentials.of(server.descriptor)
            let groups = try PeerCredentials.groups(of: server.descriptor)
            #expect(peer == PeerCredentials(pid: getpid(), uid: 54_321, gid: 54_322))
            #expect(groups == wanted)
            _ = client.descriptor.withRaw { $0 }
        }
    }

    @Test("cannot be asked of something that is no socket")
    func noSocket() throws {
        let wakeup = try Wakeup()
        #expect(throws: SystemCallError(call: "getsockopt SO_PEERCRED", code: ENOTSOCK)) { try PeerCredentials.of(wakeup.descriptor) }
        #expect(throws: SystemCallError(call: "getsockopt SO_PEERGROUPS", code: ENOTSOCK)) {
            try PeerCredentials.groups(of: wakeup.descriptor)
        }
    }
}
