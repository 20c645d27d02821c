// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import Glibc

/// The sockets that systemd opened for us (`sd_listen_fds(3)`), read without libsystemd so that every program may use it.
package struct ListenDescriptors: Sendable {
    package var pid: String?
    package var count: String?
    package var names: String?

    /// More than any unit of ours has.
    package static let limit = 64

    package init(pid: String?, count: String?, names: String?) {
        self.pid = pid
        self.count = count
        self.names = names
    }

    /// As the environment has it.
    package static func ofProcess() -> ListenDescriptors {
        func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        return ListenDescriptors(pid: value("LISTEN_PID"), count: value("LISTEN_FDS"), names: value("LISTEN_FDNAMES"))
    }

    /// Takes them over, in order; empty where the variables are absent or meant for another process. Call once: each becomes an owner.
    package func adopt(firstDescriptor: Int32 = 3) throws(UnixSocketError) -> [UnixListener] {
        guard let pid, let count else { return [] }
        guard let forPID = Int32(pid) else { throw .badEnvironment(variable: "LISTEN_PID", value: pid) }
        guard forPID == getpid() else { return [] }
        guard let number = Int32(count), number >= 0, number <= Self.limit else {
            throw .badEnvironment(variable: "LISTEN_FDS", value: count)
        }
        let names = (names ?? "").split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        // All are looked at before the first is owned, so that an error leaves them as they were.
        for offset in 0..<number where daybook_is_unix_listener(firstDescriptor + offset) != 1 {
            throw .notAListener(descriptor: firstDescriptor + offset)
        }
        var listeners: [UnixListener] = []
        for offset in 0..<number {
            let raw = firstDescriptor + offset
            _ = daybook_set_close_on_exec(raw)
            _ = daybook_set_nonblocking(raw, 1)
            let name = Int(offset) < names.count ? names[Int(offset)] : ""
            listeners.append(UnixListener(descriptor: OwnedDescriptor(adopting: raw), name: name, file: nil))
        }
        return listeners
    }
}
