// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc

/// A state directory, locked for one writer, with its journal folder.
final class JournalPlaceOnDisk: Sendable {
    let path: String
    let state: OwnedDescriptor
    let journal: JournalFolder
    /// Held as long as this lives.
    private let lock: OwnedDescriptor

    static let folderMode: UInt32 = 0o750
    static let fileMode: UInt32 = 0o640

    private init(path: String, state: consuming OwnedDescriptor, journal: consuming JournalFolder, lock: consuming OwnedDescriptor) {
        self.path = path
        self.state = state
        self.journal = journal
        self.lock = lock
    }

    deinit {
        _ = try? lock.unlock()  // closing does it as well, only later
    }

    static func open(_ path: String, disk: Disk) throws(JournalError) -> JournalPlaceOnDisk {
        do throws(SystemCallError) {
            let state = try openState(path, disk: disk)
            let lock = try OwnedDescriptor.open("lock", in: state, flags: O_RDWR | O_CREAT, mode: fileMode)
            guard try lock.lockExclusively() else { throw SystemCallError(call: "flock", code: EWOULDBLOCK) }
            do throws(SystemCallError) {
                try disk.perform(.makeFolder) { () throws(SystemCallError) in try state.makeFolder("journal", mode: folderMode) }
                try disk.perform(.syncFolder) { () throws(SystemCallError) in try state.sync() }
            } catch {
                guard error.code == EEXIST else { throw error }
            }
            let folder = try OwnedDescriptor.open("journal", in: state, flags: O_RDONLY | O_DIRECTORY)
            return JournalPlaceOnDisk(path: path, state: state, journal: JournalFolder(descriptor: folder), lock: lock)
        } catch {
            if error.code == EWOULDBLOCK { throw .inUse(state: path) }
            throw .storage(StorageTrouble(error))
        }
    }

    private static func openState(_ path: String, disk: Disk) throws(SystemCallError) -> OwnedDescriptor {
        do {
            return try OwnedDescriptor.openFolder(path)
        } catch {
            guard error.code == ENOENT else { throw error }
        }
        try disk.perform(.makeFolder) { () throws(SystemCallError) in
            _ = try systemCall("mkdir") { Int(mkdir(path, folderMode)) }
        }
        return try OwnedDescriptor.openFolder(path)
    }

    /// Makes `<state>/current.jsonl` name a segment: whoever follows it sees the old one or the new one, never none.
    func pointCurrent(at segment: String, disk: Disk) throws(SystemCallError) {
        let temporary = ".current.jsonl.new"
        try disk.perform(.link) { () throws(SystemCallError) in
            do throws(SystemCallError) {
                try state.makeLink(temporary, to: "journal/\(segment)")
            } catch {
                guard error.code == EEXIST else { throw error }
                // Left by a crash between these two calls; it is no data.
                try state.unlink(temporary)
                try state.makeLink(temporary, to: "journal/\(segment)")
            }
        }
        try disk.perform(.rename) { () throws(SystemCallError) in try state.rename(temporary, to: "current.jsonl") }
        try disk.perform(.syncFolder) { () throws(SystemCallError) in try state.sync() }
    }
}
