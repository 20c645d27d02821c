// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import Glibc

/// A Unix stream socket that accepts connections: opened by us, or handed over by systemd.
package final class UnixListener: Sendable {
    package let descriptor: OwnedDescriptor
    /// The name in LISTEN_FDNAMES; empty for our own.
    package let name: String
    private let file: BoundFile?

    /// How many connections may wait to be accepted; the kernel cuts it to net.core.somaxconn.
    package static let backlog: Int32 = 512

    init(descriptor: consuming OwnedDescriptor, name: String, file: BoundFile?) {
        self.descriptor = descriptor
        self.name = name
        self.file = file
    }

    /// The next connection, nil where none waits. The stream does not block.
    package func accept() throws(SystemCallError) -> UnixStream? {
        while true {
            let raw = descriptor.withRaw { daybook_accept($0) }
            if raw != -1 { return UnixStream(adopting: OwnedDescriptor(adopting: raw)) }
            let code = errno
            switch code {
            case EINTR, ECONNABORTED: continue
            case EAGAIN: return nil
            default: throw SystemCallError(call: "accept4", code: code)
            }
        }
    }

    /// Removes the file that `listen` made, unless another one has taken its place. A handed-over socket's file is systemd's.
    package func removeFile() { file?.remove() }
}

/// The socket file a listener made, known by inode.
struct BoundFile: Sendable {
    let path: String
    let device: UInt64
    let inode: UInt64

    func remove() {
        var now = stat()
        guard lstat(path, &now) == 0, UInt64(now.st_dev) == device, UInt64(now.st_ino) == inode else { return }
        _ = unlink(path)  // gone meanwhile is fine
    }
}

extension UnixListener {
    /// Listens at `path`. A socket file that nobody serves any more is replaced; a served one, or any other kind of file, is an error and
    /// stays untouched. Permissions are `mode` whatever the umask is, and never wider in between.
    package static func listen(at path: String, mode: UInt32) throws(UnixSocketError) -> UnixListener {
        let checked = try SocketPath(path)
        // Held while we look and bind, so that of two servers starting at once one finds the other. Anybody who may read the folder
        // could hold it, so it is waited for only shortly; without it only that race is open.
        let folder = try openFolder(checked)
        _ = lockShortly(folder)
        try removeStale(checked)

        let raw = daybook_stream_socket(1)
        guard raw != -1 else { throw .refused(path: path, SystemCallError(call: "socket", code: errno)) }
        let descriptor = OwnedDescriptor(adopting: raw)
        // Before bind this is what the file will be made with (less the umask).
        guard fchmod(raw, mode) == 0 else { throw .refused(path: path, SystemCallError(call: "fchmod", code: errno)) }
        guard daybook_bind_path(raw, checked.bytes, checked.bytes.count) == 0 else {
            let code = errno
            if code == EADDRINUSE { throw .inUse(path: path) }
            throw .refused(path: path, SystemCallError(call: "bind", code: code))
        }
        let file = try setMode(mode, of: checked)
        guard Glibc.listen(raw, backlog) == 0 else {
            let code = errno
            file.remove()
            throw .refused(path: path, SystemCallError(call: "listen", code: code))
        }
        return UnixListener(descriptor: descriptor, name: "", file: file)
    }

    private static func openFolder(_ path: SocketPath) throws(UnixSocketError) -> OwnedDescriptor {
        let raw = open(path.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw != -1 else { throw .refused(path: path.text, SystemCallError(call: "open \(path.folder)", code: errno)) }
        return OwnedDescriptor(adopting: raw)
    }

    private static func lockShortly(_ folder: borrowing OwnedDescriptor) -> Bool {
        for _ in 0..<50 {
            if folder.withRaw({ flock($0, LOCK_EX | LOCK_NB) }) == 0 { return true }
            _ = poll(nil, 0, 10)
        }
        return false
    }

    private static func removeStale(_ path: SocketPath) throws(UnixSocketError) {
        var there = stat()
        guard lstat(path.text, &there) == 0 else {
            if errno == ENOENT { return }
            throw .refused(path: path.text, SystemCallError(call: "lstat", code: errno))
        }
        guard there.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path.text) }
        let raw = daybook_stream_socket(1)
        guard raw != -1 else { throw .refused(path: path.text, SystemCallError(call: "socket", code: errno)) }
        let probe = OwnedDescriptor(adopting: raw)
        let code = probe.withRaw { daybook_connect_path($0, path.bytes, path.bytes.count) == 0 ? 0 : errno }
        // Only this answer means that nobody listens. A full queue is EAGAIN, a datagram socket EPROTOTYPE: somebody's.
        guard code == ECONNREFUSED else { throw .inUse(path: path.text) }
        BoundFile(path: path.text, device: UInt64(there.st_dev), inode: UInt64(there.st_ino)).remove()
    }

    private static func setMode(_ mode: UInt32, of path: SocketPath) throws(UnixSocketError) -> BoundFile {
        // Through a handle of the file itself, so that a name that changes under us cannot redirect the chmod.
        let raw = open(path.text, daybook_open_path_flags())
        guard raw != -1 else { throw .refused(path: path.text, SystemCallError(call: "open", code: errno)) }
        let handle = OwnedDescriptor(adopting: raw)
        var made = stat()
        let code = handle.withRaw { raw -> Int32 in
            guard fstat(raw, &made) == 0 else { return errno }
            guard made.st_mode & S_IFMT == S_IFSOCK else { return ENOTSOCK }
            return chmod("/proc/self/fd/\(raw)", mode) == 0 ? 0 : errno
        }
        guard code == 0 else { throw .refused(path: path.text, SystemCallError(call: "chmod", code: code)) }
        return BoundFile(path: path.text, device: UInt64(made.st_dev), inode: UInt64(made.st_ino))
    }
}
