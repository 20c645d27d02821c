// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import Glibc

/// A program started by us. Dropping the object neither ends nor reaps it.
package struct ChildProcess: ~Copyable, Sendable {
    package let pid: Int32
    /// Readable once it has ended: for the loop's poll set.
    package let ended: OwnedDescriptor

    /// How it ended.
    package enum Ending: Equatable, Sendable {
        case exited(code: Int32)
        case killed(signal: Int32)
    }

    package enum Privileges: Equatable, Sendable {
        case unchanged
        /// No capability, and no way to gain one.
        case none
        /// The same, as another user without supplementary groups; needs root.
        case noneAs(uid: UInt32, gid: UInt32)
    }

    /// Starts `path` with `descriptors` as its 0, 1, 2, … (nil: `/dev/null`) and no other of ours, with default signals and exactly this
    /// environment (`NAME=value`). The error tells also why the program itself could not be executed. The numbers are lent for the call.
    package static func start(
        _ path: String, arguments: [String], environment: [String], descriptors: [Int32?], privileges: Privileges
    ) throws(SystemCallError) -> ChildProcess {
        let numbers = descriptors.map { $0 ?? -1 }
        var how = daybook_spawn()
        how.descriptor_count = numbers.count
        switch privileges {
        case .unchanged: break
        case .none: how.drops_capabilities = 1
        case .noneAs(let uid, let gid):
            how.drops_capabilities = 1
            how.changes_user = 1
            how.uid = uid
            how.gid = gid
        }
        var code: Int32 = 0
        let pid = withCStrings([path] + arguments) { arguments in
            withCStrings(environment) { environment in
                numbers.withUnsafeBufferPointer { numbers -> pid_t in
                    how.path = arguments[0].map { UnsafePointer($0) }
                    how.arguments = arguments.baseAddress.map { UnsafePointer($0) }
                    how.environment = environment.baseAddress.map { UnsafePointer($0) }
                    how.descriptors = numbers.baseAddress
                    let pid = daybook_spawn(&how)
                    code = errno
                    return pid
                }
            }
        }
        guard pid != -1 else { throw SystemCallError(call: "start \(path)", code: code) }
        // Nobody else reaps our children, so the number is still theirs.
        let raw = daybook_pidfd_open(pid)
        guard raw != -1 else {
            let code = errno
            _ = Glibc.kill(pid, SIGKILL)
            _ = waitpid(pid, nil, 0)
            throw SystemCallError(call: "pidfd_open", code: code)
        }
        return ChildProcess(pid: pid, ended: OwnedDescriptor(adopting: raw))
    }

    /// How it ended, nil while it runs. After an answer do not ask or signal again: the number may be somebody else's.
    package borrowing func reap() throws(SystemCallError) -> Ending? {
        var status: Int32 = 0
        let hasEnded = try systemCall("waitpid") { Int(daybook_reap(pid, &status)) }
        guard hasEnded == 1 else { return nil }
        let signal = status & 0x7f
        return signal == 0 ? .exited(code: (status >> 8) & 0xff) : .killed(signal: signal)
    }

    /// Only before `reap` has answered.
    package borrowing func signal(_ number: Int32) throws(SystemCallError) {
        _ = try systemCall("kill") { Int(Glibc.kill(pid, number)) }
    }
}

/// A foreign process, for noticing its end.
package enum ProcessHandle {
    /// Readable once the process has ended; nil where there is none with this number.
    package static func open(_ pid: Int32) throws(SystemCallError) -> OwnedDescriptor? {
        let raw = daybook_pidfd_open(pid)
        if raw != -1 { return OwnedDescriptor(adopting: raw) }
        let code = errno
        if code == ESRCH { return nil }
        throw SystemCallError(call: "pidfd_open", code: code)
    }
}

/// A C array of C strings, ended by nil.
private func withCStrings<R>(_ strings: [String], _ body: (UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>) -> R) -> R {
    var pointers = strings.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeMutableBufferPointer { body($0) }
}
