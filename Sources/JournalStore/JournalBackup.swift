// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Glibc

/// `daybook backup`: a copy of the journal, whole or not there at all, taken beside a running daemon.
package enum JournalBackup {
    package struct Result: Equatable, Sendable {
        package var segments: Int
        package var bytes: Int
        /// The check of the copy.
        package var check: JournalCheck.Result
    }

    package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// Something has the copy's name already.
        case exists(String)
        case journal(JournalError)
        case target(String, reason: String)
        /// Some entries are emptied already, and nobody answers for them yet.
        case erasing
        /// What was read back is not what was written.
        case differs(file: String)

        package var description: String {
            switch self {
            case .exists(let path): "\(path) is there already; a backup never writes into what is there, so give it a new name"
            case .journal(let error): error.description
            case .erasing:
                "entries of the journal are being emptied (daybook forget, or retention); try again when that is done; if no server runs, "
                    + "start it, and it finishes them"
            case .target(let path, let reason): "the copy in \(path) could not be made (\(reason)); there is no backup"
            case .differs(let file): "the copy of \(file) is not what was written: look at the disk it was written to; there is no backup"
            }
        }
    }

    /// Whether somebody writes the journal just now.
    package static func isWritten(_ state: String) -> Bool {
        guard let folder = try? OwnedDescriptor.openFolder(state),  // whoever may not look finds out when copying
            let lock = try? OwnedDescriptor.open("lock", in: folder, flags: O_RDONLY),
            let isFree = try? lock.lockExclusively()
        else { return false }
        if isFree { _ = try? lock.unlock() }  // closing does it as well
        return !isFree
    }

    /// Copies the journal below `state` up to the entry `last` (the last one that was acknowledged; nil where nobody writes) into the new
    /// folder `target`, which becomes a state directory. The key that signs stays where it is.
    package static func run(_ state: String, to target: String, through last: UInt64?, disk: Disk = Disk()) throws(Failure) -> Result {
        guard access(target, F_OK) != 0 else { throw .exists(target) }
        guard access("\(state)/\(ErasurePlan.name)", F_OK) != 0 else { throw .erasing }
        let source = try reading { () throws(JournalError) in try JournalFolder.open(state) }
        let segments = try reading { () throws(JournalError) in try source.segments() }
        let setAside = try reading { () throws(JournalError) in
            do throws(SystemCallError) { return try source.names().setAside } catch {
                throw JournalError.folderUnreadable(reason: errnoText(error.code))
            }
        }
        // Whatever goes wrong, nothing is ever found under the backup's own name but a whole one.
        let temporary = "\(target).unfinished-\(getpid())"
        do throws(Failure) {
            let copy = try BackupCopy(temporary, disk: disk)
            // What came since does not belong to it; the last segment that does may have grown, or even been compressed.
            let wanted = segments.filter { $0.first <= last ?? .max }
            for segment in wanted.dropLast() { try copy.add(segment, from: source) }
            if let newest = wanted.last { try copy.add(newest, from: source, through: last ?? .max) }
            for name in setAside { try copy.add(file: "journal/" + name, from: state) }
            if access("\(state)/\(CheckpointFiles.keysName)", F_OK) == 0 { try copy.add(file: CheckpointFiles.keysName, from: state) }
            if access("\(state)/\(Eraser.listName)", F_OK) == 0 { try copy.add(file: Eraser.listName, from: state) }
            for note in CheckpointFiles.lostNotes(in: state) { try copy.add(file: note.file, from: state) }
            for name in CheckpointFiles.unknownNotes(in: state) { try copy.add(file: name, from: state) }
            // The one beside the journal may be of entries that came since.
            if let note = try reading({ () throws(JournalError) in try lastNote(in: temporary) }) { try copy.add(note: note) }
            try copy.finish(newest: wanted.last?.first)
            let check = JournalCheck.run(temporary)
            try copy.rename(to: target)
            return Result(segments: wanted.count, bytes: copy.bytes, check: check)
        } catch {
            BackupCopy.remove(temporary)
            throw error
        }
    }

    /// The last checkpoint that stands in a journal.
    private static func lastNote(in state: String) throws(JournalError) -> String? {
        var last: String?
        try JournalReader(stateDirectory: state).replay { entry, _ in
            if case .checkpoint(let note) = entry.body { last = note }
            return true
        }
        return last
    }

    private static func reading<Result: ~Copyable>(_ body: () throws(JournalError) -> Result) throws(Failure) -> Result {
        do { return try body() } catch { throw .journal(error) }
    }
}
