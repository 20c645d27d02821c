// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc
import JournalFormat

/// A snapshot that is being written. For one thread; thrown away unfinished, it leaves nothing.
package final class SnapshotOutput {
    private let state: OwnedDescriptor
    private let file: OwnedDescriptor
    private let disk: Disk
    private var hash = SHA256()
    private var waiting: [UInt8] = []
    private var written = 0
    private var isFinished = false
    private var failure: SystemCallError?

    /// Takes the temporary name. From here on an erasure takes it away again, so what is written must be asked for after this.
    package init(stateDirectory: String, disk: Disk = Disk()) throws(JournalError) {
        do throws(SystemCallError) {
            state = try OwnedDescriptor.openFolder(stateDirectory)
            do throws(SystemCallError) { try state.unlink(SnapshotFile.temporaryName) } catch { if error.code != ENOENT { throw error } }
            let folder = state.withRaw { $0 }
            file = try disk.perform(.openFile) { () throws(SystemCallError) in
                OwnedDescriptor(
                    adopting: Int32(
                        try systemCall("openat") {
                            Int(
                                openat(
                                    folder, SnapshotFile.temporaryName, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600))
                        }))
            }
        } catch {
            throw .storage(StorageTrouble(error))
        }
        self.disk = disk
    }

    deinit {
        if !isFinished { _ = try? state.unlink(SnapshotFile.temporaryName) }  // gone already where an erasure was quicker
    }

    package func begin(_ stamp: SnapshotFile.Stamp) { stamp.head.withUnsafeBytes { add($0) } }

    /// A failure is kept for `finish`.
    package func add(_ bytes: UnsafeRawBufferPointer) {
        guard failure == nil else { return }
        hash.add(bytes)
        waiting.append(contentsOf: bytes)
        if waiting.count >= SegmentFile.bufferSize { flush() }
    }

    private func flush() {
        do throws(SystemCallError) { try disk.write(waiting, to: file, at: written) } catch { failure = error }
        written += waiting.count
        waiting.removeAll(keepingCapacity: true)
    }

    /// Puts it in the old one's place, durably. False where an erasure has begun since it was opened: then there is none.
    package func finish() throws(JournalError) -> Bool {
        let content = written + waiting.count - SnapshotFile.headSize
        withUnsafeBytes(of: UInt64(content).littleEndian) { add($0) }
        let digest = hash.finish()
        digest.withBytes { waiting.append(contentsOf: $0) }
        flush()
        do throws(SystemCallError) {
            if let failure { throw failure }
            try disk.perform(.flush) { () throws(SystemCallError) in try file.sync() }
            do throws(SystemCallError) {
                try disk.perform(.rename) { () throws(SystemCallError) in
                    try state.rename(SnapshotFile.temporaryName, to: SnapshotFile.name)
                }
            } catch {
                guard error.code == ENOENT else { throw error }
                return false
            }
            isFinished = true
            try disk.perform(.syncFolder) { () throws(SystemCallError) in try state.sync() }
            return true
        } catch {
            throw .storage(StorageTrouble(error))
        }
    }
}
