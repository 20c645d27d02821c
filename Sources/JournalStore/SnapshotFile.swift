// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc
package import JournalFormat

/// The file beside the journal that spares a start reading all of it: what the entries up to one add up to, as bytes that are the reader's
/// own business. A cache, never truth.
///
/// Little-endian: magic (8 bytes), form of the file (4), version of the content (4), number of the last entry (8), its chain (32), bytes of
/// the journal up to it (8), name of the program's version (64, filled up with zeros); the content; its length (8); SHA-256 of everything
/// before (32). It is written under another name, flushed and renamed. Whoever erases entries removes both names first: a writer that is
/// still at work then finds its file's name gone, and its bytes reach no name any more.
package enum SnapshotFile {
    package static let name = "ledger.snapshot"
    package static let temporaryName = ".ledger.snapshot.new"

    static let magic = Array("DAYBOOK\u{1}".utf8)
    static let form: UInt32 = 1
    static let headSize = 128
    static let tailSize = 40
    static let versionSize = 64
    /// Larger than any ledger that fits in memory; a damaged length must not become a request for memory.
    static let largest = 64 << 30

    /// What a snapshot is of.
    package struct Stamp: Equatable, Sendable {
        package var position: JournalPosition
        /// For `status`.
        package var journalBytes: UInt64
        /// Of what the content means.
        package var contentVersion: UInt32
        /// Of the program: another one might add the same entries up otherwise.
        package var program: String

        package init(position: JournalPosition, journalBytes: UInt64, contentVersion: UInt32, program: String) {
            self.position = position
            self.journalBytes = journalBytes
            self.contentVersion = contentVersion
            self.program = program
        }

        var head: [UInt8] {
            var head = SnapshotFile.magic
            func add(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.littleEndian) { head.append(contentsOf: $0) } }
            add(SnapshotFile.form)
            add(contentVersion)
            add(position.seq)
            position.chain.withBytes { head.append(contentsOf: $0) }
            add(journalBytes)
            head += program.utf8.prefix(SnapshotFile.versionSize)
            return head + [UInt8](repeating: 0, count: SnapshotFile.headSize - head.count)
        }
    }

    /// Why a start reads the whole journal; for one line to the operator, without names.
    package enum Refusal: Error, Equatable, Sendable, CustomStringConvertible {
        case absent
        case unreadable(String)
        case damaged
        case otherVersion
        /// The journal has no entry of that number, or another one.
        case otherJournal
        case erasing
        /// It was made before entries in it were emptied, and has come back.
        case emptied
        /// An index file that it relies on is not there, is damaged, or is another one.
        case withoutIndex

        package var description: String {
            switch self {
            case .absent: "there is none yet"
            case .unreadable(let reason): "it cannot be read (\(reason))"
            case .damaged: "it is damaged"
            case .otherVersion: "another version of Daybook wrote it"
            case .otherJournal: "it belongs to another journal, or to one that had more entries"
            case .erasing: "entries are being emptied"
            case .emptied: "entries in it were emptied since it was written"
            case .withoutIndex: "an index of an ended assignment beside the journal is missing or damaged"
            }
        }
    }

    /// Removes it, and what a writer has begun; both are gone from the disk after this.
    static func remove(in state: borrowing OwnedDescriptor, _ disk: Disk) throws(SystemCallError) {
        var removed = false
        for name in [temporaryName, name] {
            do throws(SystemCallError) {
                try disk.perform(.unlink) { () throws(SystemCallError) in try state.unlink(name) }
                removed = true
            } catch {
                if error.code != ENOENT { throw error }
            }
        }
        if removed { try disk.perform(.syncFolder) { () throws(SystemCallError) in try state.sync() } }
    }

    /// The same by its path, for a snapshot that is of no use, with the index files that it alone names; a failure is no reason to stop.
    package static func discard(in state: String) {
        guard let folder = try? OwnedDescriptor.openFolder(state) else { return }  // nothing to remove, then
        _ = try? remove(in: folder, Disk())
        if let journal = try? OwnedDescriptor.open("journal", in: folder, flags: O_RDONLY | O_DIRECTORY) {
            _ = try? EvidenceIndexFile.remove(except: [], in: journal, Disk())
        }
    }

    /// The numbers of entries that an earlier daemon had begun to empty; nil where it had begun nothing. Ask before the writer is opened, which
    /// goes on with it: what is read meanwhile may still have them.
    package static func pendingErasure(_ state: String) -> [ClosedRange<UInt64>]? {
        guard access("\(state)/\(ErasurePlan.name)", F_OK) == 0 else { return nil }
        return (try? ErasurePlan.stored(in: state))?.ranges ?? []  // the writer says what is wrong with it
    }
}
