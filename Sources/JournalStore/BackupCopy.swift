// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc
import JournalFormat

/// A state directory that is being made from another one, under a temporary name.
final class BackupCopy {
    private let path: String
    private let state: OwnedDescriptor
    private let journal: OwnedDescriptor
    private let disk: Disk
    private(set) var bytes = 0

    init(_ path: String, disk: Disk) throws(JournalBackup.Failure) {
        self.path = path
        self.disk = disk
        do throws(SystemCallError) {
            try disk.perform(.makeFolder) { () throws(SystemCallError) in
                _ = try systemCall("mkdir") { Int(mkdir(path, JournalPlaceOnDisk.folderMode)) }
            }
            try disk.perform(.makeFolder) { () throws(SystemCallError) in
                _ = try systemCall("mkdir") { Int(mkdir(path + "/journal", JournalPlaceOnDisk.folderMode)) }
            }
            state = try OwnedDescriptor.openFolder(path)
            journal = try OwnedDescriptor.openFolder(path + "/journal")
        } catch {
            throw .target(path, reason: "\(error)")
        }
    }

    /// Copies a segment as it is on the disk.
    func add(_ segment: JournalSegment, from source: borrowing JournalFolder) throws(JournalBackup.Failure) {
        var name = segment.name
        let file = try Self.open(segment, in: source, &name)
        let mode = Self.mode(of: file)
        try copy(to: journal, name, mode: mode, Reader(file).read)
    }

    /// Copies the whole lines of a segment up to the entry `last`, as a plain one.
    func add(_ segment: JournalSegment, from source: borrowing JournalFolder, through last: UInt64) throws(JournalBackup.Failure) {
        let lines: SegmentFile
        do { lines = SegmentFile(segment, try source.bytes(of: segment)) } catch { throw .journal(error) }
        // Read ahead by a line, which may be larger than what is wanted.
        var rest: ArraySlice<UInt8> = []
        var isAtEnd = false
        var failure: JournalError?
        let name = segment.isPacked ? segment.otherName : segment.name
        try copy(to: journal, name, mode: JournalPlaceOnDisk.fileMode) { buffer, _ in
            while rest.isEmpty, !isAtEnd {
                do throws(JournalError) {
                    guard let line = try lines.next() else {
                        isAtEnd = true
                        break
                    }
                    guard case .line(let bytes) = line else { continue }
                    if let seq = LineParts.seq(of: bytes), seq > last { isAtEnd = true } else { rest = Array(bytes) + [0x0a] }
                } catch {
                    failure = error
                    isAtEnd = true
                }
            }
            let part = rest.prefix(buffer.count)
            buffer.copyBytes(from: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
        if let failure { throw .journal(failure) }
    }

    private static func open(
        _ segment: JournalSegment, in source: borrowing JournalFolder, _ name: inout String
    ) throws(JournalBackup.Failure) -> OwnedDescriptor {
        do throws(JournalError) {
            do throws(JournalError) { return try source.openForReading(name) } catch {
                // It was compressed since it was listed.
                guard case .vanished = error, !segment.isPacked else { throw error }
                name = segment.otherName
                return try source.openForReading(name)
            }
        } catch {
            throw .journal(error)
        }
    }

    /// Copies another file of the state directory.
    func add(file name: String, from source: String) throws(JournalBackup.Failure) {
        let file: OwnedDescriptor
        do {
            let raw = try systemCall("open") { Int(Glibc.open("\(source)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) }
            file = OwnedDescriptor(adopting: Int32(raw))
        } catch {
            throw .journal(.unreadable(segment: name, reason: errnoText(error.code)))
        }
        let mode = Self.mode(of: file)
        let read = Reader(file)
        if name.hasPrefix("journal/") {
            try copy(to: journal, String(name.dropFirst("journal/".count)), mode: mode, read.read)
        } else {
            try copy(to: state, name, mode: mode, read.read)
        }
    }

    /// An open file whose bytes are asked for by their place.
    private final class Reader {
        private let file: OwnedDescriptor
        init(_ file: consuming OwnedDescriptor) { self.file = file }
        func read(_ buffer: UnsafeMutableRawBufferPointer, _ offset: Int) throws(SystemCallError) -> Int {
            try file.read(into: buffer, at: offset)
        }
    }

    /// Writes what `read` gives until it gives nothing, flushes it, and compares what is read back.
    private func copy(
        to folder: borrowing OwnedDescriptor, _ name: String, mode: UInt32,
        _ read: (UnsafeMutableRawBufferPointer, Int) throws(SystemCallError) -> Int
    ) throws(JournalBackup.Failure) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: SegmentFile.bufferSize, alignment: 16)
        defer { buffer.deallocate() }
        var hash = SHA256()
        var done = 0
        let isWanted: Bool
        do throws(SystemCallError) {
            let target = try disk.perform(.openFile) { () throws(SystemCallError) in
                try OwnedDescriptor.open(name, in: folder, flags: O_RDWR | O_CREAT | O_EXCL, mode: JournalPlaceOnDisk.fileMode)
            }
            while true {
                let count = try read(buffer, done)
                if count == 0 { break }
                let part = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                hash.add(part)
                try disk.write(Array(part), to: target, at: done)
                done += count
            }
            // Read-only is how a damaged segment is known.
            try disk.perform(.setMode) { () throws(SystemCallError) in try target.setMode(mode & 0o640) }
            try disk.perform(.flush) { () throws(SystemCallError) in try target.sync() }
            target.forgetCache()
            isWanted = try Self.has(target, hash.finish(), count: done, buffer)
        } catch {
            throw .target(path, reason: "\(error)")
        }
        guard isWanted else { throw .differs(file: name) }
        bytes += done
    }

    private static func mode(of file: borrowing OwnedDescriptor) -> UInt32 {
        (try? file.status().mode) ?? JournalPlaceOnDisk.fileMode  // an open file has a status
    }

    private static func has(
        _ file: borrowing OwnedDescriptor, _ wanted: Digest, count: Int, _ buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemCallError) -> Bool {
        var hash = SHA256()
        var done = 0
        while true {
            let got = try file.read(into: buffer, at: done)
            if got == 0 { break }
            hash.add(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
            done += got
        }
        return hash.finish() == wanted && done == count
    }

    /// Writes the newest checkpoint.
    func add(note: String) throws(JournalBackup.Failure) {
        do throws(SystemCallError) {
            let file = try disk.perform(.openFile) { () throws(SystemCallError) in
                try OwnedDescriptor.open(
                    CheckpointFiles.noteName, in: state, flags: O_WRONLY | O_CREAT | O_EXCL, mode: JournalPlaceOnDisk.fileMode)
            }
            try disk.write(Array(note.utf8), to: file, at: 0)
            try disk.perform(.flush) { () throws(SystemCallError) in try file.sync() }
        } catch {
            throw .target(path, reason: "\(error)")
        }
    }

    /// Everything is on the disk after this.
    func finish(newest: UInt64?) throws(JournalBackup.Failure) {
        do throws(SystemCallError) {
            let names = try journal.names().compactMap { JournalSegment(name: $0) }
            if let newest, let name = names.first(where: { $0.first == newest })?.name {
                try disk.perform(.link) { () throws(SystemCallError) in try state.makeLink("current.jsonl", to: "journal/\(name)") }
            }
            try disk.perform(.syncFolder) { () throws(SystemCallError) in try journal.sync() }
            try disk.perform(.syncFolder) { () throws(SystemCallError) in try state.sync() }
        } catch {
            throw .target(path, reason: "\(error)")
        }
    }

    func rename(to target: String) throws(JournalBackup.Failure) {
        do throws(SystemCallError) {
            try disk.perform(.rename) { () throws(SystemCallError) in
                // Fails where somebody else has put something there meanwhile, but for an empty folder.
                _ = try systemCall("rename") { Int(Glibc.rename(path, target)) }
            }
            let parent = target.split(separator: "/").dropLast().joined(separator: "/")
            let folder = target.hasPrefix("/") ? "/" + parent : parent.isEmpty ? "." : parent
            try disk.perform(.syncFolder) { () throws(SystemCallError) in try OwnedDescriptor.openFolder(folder).sync() }
        } catch {
            throw error.code == EEXIST || error.code == ENOTEMPTY ? .exists(target) : .target(target, reason: "\(error)")
        }
    }

    /// Takes away what was begun; a backup is a copy, so nothing is lost by that.
    static func remove(_ path: String) {
        guard let state = try? OwnedDescriptor.openFolder(path) else { return }  // it was not even made
        if let journal = try? OwnedDescriptor.open("journal", in: state, flags: O_RDONLY | O_DIRECTORY) {
            for name in (try? journal.names()) ?? [] { _ = try? journal.unlink(name) }
        }
        for name in (try? state.names()) ?? [] where name != "journal" { _ = try? state.unlink(name) }
        _ = rmdir(path + "/journal")
        _ = rmdir(path)
    }
}
