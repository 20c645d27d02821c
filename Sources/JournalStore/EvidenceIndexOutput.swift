// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc
package import JournalFormat

/// Index files that are being written, before a snapshot that names them. For one thread; thrown away unfinished, it leaves nothing that
/// the next one does not remove.
package final class EvidenceIndexOutput {
    private let journal: OwnedDescriptor
    private let folder: OwnedDescriptor
    private let disk: Disk
    private var number = 0

    /// Makes the folder in which they are written. From here on an erasure takes it away again, so what is written must be asked for after this.
    package init(stateDirectory: String, disk: Disk = Disk()) throws(JournalError) {
        do throws(SystemCallError) {
            let state = try OwnedDescriptor.openFolder(stateDirectory)
            journal = try OwnedDescriptor.open("journal", in: state, flags: O_RDONLY | O_DIRECTORY)
            try EvidenceIndexFile.removeUnfinished(in: journal, disk)
            let parent = journal.withRaw { $0 }
            try disk.perform(.makeFolder) { () throws(SystemCallError) in
                _ = try systemCall("mkdirat") { Int(mkdirat(parent, EvidenceIndexFile.temporaryFolder, 0o700)) }
            }
            folder = try OwnedDescriptor.open(EvidenceIndexFile.temporaryFolder, in: journal, flags: O_RDONLY | O_DIRECTORY)
        } catch {
            throw .storage(StorageTrouble(error))
        }
        self.disk = disk
    }

    deinit {
        _ = try? journal.removeFolder(EvidenceIndexFile.temporaryFolder)  // gone already, or the next one removes it with what is in it
    }

    /// Writes one, or finds the same one there. `seqs`: the entries that began its sessions, in order. Nil where an erasure has begun since this
    /// was opened.
    package func add(
        seqs: [UInt64], content: [UInt8], contentVersion: UInt32, position: JournalPosition
    ) throws(JournalError) -> StoredEvidenceIndex? {
        var rest: [UInt8] = []
        rest.reserveCapacity(seqs.count * 8 + content.count)
        for seq in seqs { withUnsafeBytes(of: seq.littleEndian) { rest.append(contentsOf: $0) } }
        rest += content
        let digest = EvidenceIndexFile.digest(seqs: seqs, content: content)
        let name = EvidenceIndexFile.name(first: seqs.first ?? 1, digest: digest)
        let head = EvidenceIndexFile.Head(
            position: position, contentVersion: contentVersion, seqs: seqs, contentSize: content.count, digest: digest)
        do throws(SystemCallError) {
            if let known = try? StoredEvidenceIndex(name, in: journal), known.head.digest == digest,  // else it is written anew
                known.head.contentVersion == contentVersion, known.head.position.seq <= position.seq
            {
                return known
            }
            number += 1
            let temporary = "\(number)"
            do throws(SystemCallError) {
                let file = try disk.perform(.openFile) { () throws(SystemCallError) in
                    try OwnedDescriptor.open(temporary, in: folder, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
                }
                try disk.write(head.bytes, to: file, at: 0)
                try disk.write(rest, to: file, at: EvidenceIndexFile.headSize)
                try disk.perform(.flush) { () throws(SystemCallError) in try file.sync() }
                try disk.perform(.rename) { () throws(SystemCallError) in try folder.rename(temporary, to: name, in: journal) }
            } catch {
                // Neither the folder nor what is in it is there any more.
                guard error.code == ENOENT else { throw error }
                return nil
            }
            return try StoredEvidenceIndex(name, in: journal)
        } catch {
            // It may have lost its name again already.
            if error.code == ENOENT { return nil }
            throw .storage(StorageTrouble(error))
        }
    }

    /// The names of all that were added are on the disk after this; before a snapshot names them.
    package func sync() throws(JournalError) {
        do throws(SystemCallError) { try disk.perform(.syncFolder) { () throws(SystemCallError) in try journal.sync() } } catch {
            throw .storage(StorageTrouble(error))
        }
    }

    /// After the snapshot that names these has taken its place: all others go. What stays by a failure is of no use, and goes the next time.
    package func finish(keeping names: Set<String>) {
        _ = try? EvidenceIndexFile.remove(except: names, in: journal, disk)
        _ = try? journal.removeFolder(EvidenceIndexFile.temporaryFolder)
    }
}
