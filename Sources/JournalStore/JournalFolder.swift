// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc

/// One file of the journal.
package struct JournalSegment: Hashable, Sendable {
    /// The number of its first entry, from its name.
    package var first: UInt64
    package var name: String

    /// `00000000000000000001.jsonl`: twenty digits, so that names sort as numbers do.
    package static func name(first: UInt64) -> String {
        let digits = String(first)
        return String(repeating: "0", count: max(0, 20 - digits.count)) + digits + ".jsonl"
    }

    /// Nil for every other file in the folder.
    init?(name: String) {
        guard name.hasSuffix(".jsonl") else { return nil }
        let digits = name.dropLast(6)
        guard !digits.isEmpty, digits.count <= 20, digits.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }), let first = UInt64(digits), first > 0,
            first < 1_000_000_000_000_000_000
        else { return nil }
        self.first = first
        self.name = name
    }
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

    /// The segments by number, and what recovery once set aside.
    borrowing func names() throws(SystemCallError) -> (segments: [JournalSegment], setAside: [String]) {
        let names = try descriptor.names()
        let segments = names.compactMap { JournalSegment(name: $0) }.sorted { ($0.first, $0.name) < ($1.first, $1.name) }
        return (segments, names.filter { $0.contains(".jsonl.torn-") }.sorted())
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

    /// Opens a segment for reading. Whatever lies there under its name, this neither hangs nor follows a link.
    borrowing func openForReading(_ name: String) throws(JournalError) -> OwnedDescriptor {
        do throws(SystemCallError) {
            let file = try OwnedDescriptor.open(name, in: descriptor, flags: O_RDONLY | O_NONBLOCK)
            guard try file.status().isFile else { throw SystemCallError(call: "openat", code: EINVAL) }
            return file
        } catch {
            throw .unreadable(
                segment: name, reason: error.code == ELOOP || error.code == EINVAL ? "it is no plain file" : errnoText(error.code))
        }
    }
}
