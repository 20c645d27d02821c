// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc
import Testing

@Suite("Handing a descriptor over")
struct DescriptorPassingTests {
    private func isOpen(_ raw: Int32) -> Bool { fcntl(raw, F_GETFD) != -1 }

    @Test("gives the receiver the same open file, closed on exec")
    func passes() throws {
        let folder = try TemporaryFolder()
        try folder.write("essay", "words")
        let pair = try StreamPair()
        let file = OwnedDescriptor(adopting: open(folder("essay"), O_RDONLY | O_CLOEXEC))
        let sent = try DescriptorPassing.send(Array("job".utf8), with: file, over: pair.second)
        #expect(sent == 3)
        guard case .message(let bytes, let descriptors) = try DescriptorPassing.receive(upTo: 100, from: pair.first) else {
            throw TestFailure("no message")
        }
        #expect(bytes == Array("job".utf8))
        #expect(descriptors.count == 1)
        guard let received = descriptors.take() else { throw TestFailure("no descriptor") }
        #expect(descriptors.count == 0)
        let (there, here, flags) = received.withRaw { raw in
            file.withRaw { mine in
                var first = stat()
                var second = stat()
                _ = fstat(raw, &first)
                _ = fstat(mine, &second)
                return (first.st_ino, second.st_ino, fcntl(raw, F_GETFD))
            }
        }
        #expect(there == here)
        #expect(flags & FD_CLOEXEC != 0)
    }

    @Test("closes what the receiver does not take")
    func untaken() throws {
        let pair = try StreamPair()
        // A pipe's reader learns by its end that every copy of the writer is closed.
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let reader = OwnedDescriptor(adopting: ends[0])
        do {
            let writer = OwnedDescriptor(adopting: ends[1])
            _ = try DescriptorPassing.send([1], with: writer, over: pair.second)
        }
        do {
            guard case .message(_, let descriptors) = try DescriptorPassing.receive(upTo: 1, from: pair.first) else {
                throw TestFailure("no message")
            }
            #expect(descriptors.count == 1)
        }
        let atEnd = reader.withRaw { raw -> Bool in
            var entry = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
            return poll(&entry, 1, 5000) == 1 && entry.revents & Int16(POLLHUP) != 0
        }
        #expect(atEnd)
    }

    @Test("takes as many as allowed in one message, and of one more none at all")
    func limit() throws {
        let pair = try StreamPair()
        let wakeup = try Wakeup()
        let number = wakeup.descriptor.withRaw { $0 }
        for count in [DescriptorPassing.limit, DescriptorPassing.limit + 1] {
            // A control message by hand: length, level, type, then the numbers.
            var control = [UInt8]()
            withUnsafeBytes(of: 16 + count * 4) { control += $0 }
            for word in [SOL_SOCKET, Int32(SCM_RIGHTS)] + Array(repeating: number, count: count) {
                withUnsafeBytes(of: word) { control += $0 }
            }
            while control.count % 8 != 0 { control.append(0) }
            var byte: UInt8 = 7
            let sent = withUnsafeMutableBytes(of: &byte) { bytes in
                control.withUnsafeMutableBytes { control in
                    var part = iovec(iov_base: bytes.baseAddress, iov_len: 1)
                    return withUnsafeMutablePointer(to: &part) { part in
                        var message = msghdr()
                        message.msg_iov = part
                        message.msg_iovlen = 1
                        message.msg_control = control.baseAddress
                        message.msg_controllen = control.count
                        return pair.second.withRaw { sendmsg($0, &message, 0) }
                    }
                }
            }
            try #require(sent == 1)
        }
        guard case .message(_, let descriptors) = try DescriptorPassing.receive(upTo: 1, from: pair.first) else {
            throw TestFailure("no message")
        }
        #expect(descriptors.count == DescriptorPassing.limit)
        #expect(throws: SystemCallError(call: "recvmsg", code: EMSGSIZE)) {
            _ = try DescriptorPassing.receive(upTo: 1, from: pair.first)
        }
    }

    @Test("of nothing is nothing yet, and then the end")
    func ends() throws {
        let pair = try StreamPair()
        let before = try DescriptorPassing.receive(upTo: 10, from: pair.first)
        guard case .nothingYet = before else { throw TestFailure("\(before)") }
        _ = pair.second.withRaw { shutdown($0, Int32(SHUT_WR)) }
        let after = try DescriptorPassing.receive(upTo: 10, from: pair.first)
        guard case .ended = after else { throw TestFailure("\(after)") }
    }
}

@Suite("Sockets from systemd")
struct ListenDescriptorsTests {
    private func environment(pid: String? = String(getpid()), count: String?, names: String? = nil) -> ListenDescriptors {
        ListenDescriptors(pid: pid, count: count, names: names)
    }

    @Test("are taken over with their names, without blocking and closed on exec")
    func adopts() async {
        // In a process of its own, where low numbers are free to arrange.
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let first = try UnixListener.listen(at: folder("a"), mode: 0o600)
            let second = try UnixListener.listen(at: folder("b"), mode: 0o600)
            _ = first.descriptor.withRaw { dup2($0, 200) }
            _ = second.descriptor.withRaw { dup2($0, 201) }
            let adopted = try ListenDescriptors(pid: String(getpid()), count: "2", names: "reports:").adopt(firstDescriptor: 200)
            #expect(adopted.map(\.name) == ["reports", ""])
            let client = try UnixStream.connect(to: folder("b"), within: .seconds(5))
            guard let stream = try adopted[1].accept() else { throw TestFailure("nobody connected") }
            _ = stream.descriptor.withRaw { $0 }
            let flags = adopted[0].descriptor.withRaw { (fcntl($0, F_GETFD) & FD_CLOEXEC, fcntl($0, F_GETFL) & O_NONBLOCK) }
            #expect(flags == (FD_CLOEXEC, O_NONBLOCK))
            adopted[1].removeFile()
            #expect(access(folder("b"), F_OK) == 0, "systemd's file stays")
            _ = client.descriptor.withRaw { $0 }
        }
    }

    @Test("are none where the variables are absent or another process's")
    func none() throws {
        #expect(try environment(pid: nil, count: nil).adopt().isEmpty)
        #expect(try environment(pid: "1", count: "1").adopt().isEmpty)
        #expect(try environment(count: "0").adopt().isEmpty)
    }

    @Test("must be what the variables promise")
    func wrong() throws {
        for count in ["-1", "65", "x", "", "99999999999"] {
            #expect(throws: UnixSocketError.badEnvironment(variable: "LISTEN_FDS", value: count)) { try environment(count: count).adopt() }
        }
        #expect(throws: UnixSocketError.badEnvironment(variable: "LISTEN_PID", value: "x")) {
            try environment(pid: "x", count: "1").adopt()
        }
        let pair = try StreamPair()
        let number = pair.first.withRaw { $0 }
        #expect(throws: UnixSocketError.notAListener(descriptor: number)) { try environment(count: "1").adopt(firstDescriptor: number) }
        let wakeup = try Wakeup()
        let other = wakeup.descriptor.withRaw { $0 }
        #expect(throws: UnixSocketError.notAListener(descriptor: other)) { try environment(count: "1").adopt(firstDescriptor: other) }
    }
}
