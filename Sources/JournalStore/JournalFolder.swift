// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc

/// One segment of the journal.
package struct JournalSegment: Hashable, Sendable {
    /// The number of its first entry, from its name.
    package var first: UInt64
    /// The name of the file.
    package var name: String
    /// Compressed, and for good.
    package var isPacked: Bool

    static let packedEnding = ".zst"

    /// `00000000000000000001.jsonl`: twenty digits, so that names sort as numbers do.
    package static func name(first: UInt64) -> String {
        let digits = String(first)
        return String(repeating: "0", count: max(0, 20 - digits.count)) + digits + ".jsonl"
    }

    /// Nil for every other file in the folder.
    init?(name: String) {
        isPacked = name.hasSuffix(".jsonl" + Self.packedEnding)
        guard isPacked || name.hasSuffix(".jsonl") else { return nil }
        let digits = name.dropLast(isPacked ? 10 : 6)
        guard !digits.isEmpty, digits.count <= 20, digits.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }), let first = UInt64(digits), first > 0,
            first < 1_000_000_000_000_000_000
        else { return nil }
        self.first = first
        self.name = name
    }

    /// The same segment's name in the other form.
    var otherName: String { isPacked ? String(name.dropLast(Self.packedEnding.count)) : name + Self.packedEnding }
}

/// The journal's folder, open.
struct JournalFolder: ~Copyable {
    let descriptor: OwnedDescriptor

    /// `path` is a state directory or the `journal` in it.
    static func open(_ path: String) throws(JournalError) -> JournalFolder {
        do throws(SystemCallError) {
            let state = try OwnedDescriptor.openFolder(path)
            do throws(SystemCallError) {
                return JournalFolder(descriptor: try OwnedDescriptor.open("journal", in: state, flags: O_RDONLY | O_DIRECTORY))
            } catch {
                guard error.code == ENOENT else { throw error }
            }
            let folder = JournalFolder(descriptor: state)
            guard try !folder.names().segments.isEmpty else { throw SystemCallError(call: "openat", code: ENOENT) }
            return folder
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { throw .absent(state: path) }
            throw .folderUnreadable(reason: errnoText(error.code))
        }
    }

    /// The segments by number, and what recovery once set aside. Where a segment is there in both forms, since nobody had the time to
    /// remove the plain one, that is the one.
    borrowing func names() throws(SystemCallError) -> (segments: [JournalSegment], setAside: [String]) {
        let names = try descriptor.names()
        let all = Set(names)
        let segments = names.compactMap { JournalSegment(name: $0) }.filter { !$0.isPacked || !all.contains($0.otherName) }
        return (segments.sorted { ($0.first, $0.name) < ($1.first, $1.name) }, names.filter { $0.contains(".jsonl.torn-") }.sorted())
    }

    borrowing func segments() throws(JournalError) -> [JournalSegment] {
        do {
            let segments = try names().segments
            for (one, other) in zip(segments, segments.dropFirst()) where one.first == other.first {
                throw JournalError.unreadable(
                    segment: other.name, reason: "\(one.name) has the same number; only one of them can belong here")
            }
            return segments
        } catch let error as JournalError {
            throw error
        } catch {
            throw .folderUnreadable(reason: "\(error)")
        }
    }

    /// The bytes of a segment. It may have been compressed since it was listed, or written anew as a plain one.
    borrowing func bytes(of segment: JournalSegment, keepsLast: Bool = false) throws(JournalError) -> any SegmentBytes {
        do {
            return try bytes(named: segment.name, isPacked: segment.isPacked, keepsLast: keepsLast)
        } catch {
            guard case .vanished = error else { throw error }
            return try bytes(named: segment.otherName, isPacked: !segment.isPacked, keepsLast: keepsLast)
        }
    }

    private borrowing func bytes(named name: String, isPacked: Bool, keepsLast: Bool) throws(JournalError) -> any SegmentBytes {
        let file = try openForReading(name)
        return isPacked ? try PackedSegment(name, file: file, keepsLast: keepsLast) : PlainSegment(name, file: file)
    }

    /// Opens a file of the journal for reading. Whatever lies there under its name, this neither hangs nor follows a link.
    borrowing func openForReading(_ name: String) throws(JournalError) -> OwnedDescriptor {
        do throws(SystemCallError) {
            let file = try OwnedDescriptor.open(name, in: descriptor, flags: O_RDONLY | O_NONBLOCK)
            guard try file.status().isFile else { throw SystemCallError(call: "openat", code: EINVAL) }
            return file
        } catch {
            if error.code == ENOENT { throw .vanished(segment: name) }
            throw .unreadable(
                segment: name, reason: error.code == ELOOP || error.code == EINVAL ? "it is no plain file" : errnoText(error.code))
        }
    }
}
