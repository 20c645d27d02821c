// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import Glibc

/// Who may do what with a file beside its owner: a POSIX access list of people, in the kernel's own form.
///
/// Set through the open descriptor (libacl sets inherited lists by path only), so that no renamed folder can be hit instead.
package struct AccessList: Equatable, Sendable {
    /// Read, write, and for folders enter: bits as in a mode.
    package struct Entry: Hashable, Sendable {
        package var uid: UInt32
        package var rights: UInt16

        package init(uid: UInt32, rights: UInt16) {
            self.uid = uid
            self.rights = rights
        }
    }

    /// The owner's own rights.
    package var owner: UInt16
    package var people: [Entry]

    /// Nobody else: neither the group nor others.
    package init(owner: UInt16, people: [Entry]) {
        self.owner = owner
        self.people = Dictionary(people.map { ($0.uid, $0) }, uniquingKeysWith: { first, _ in first }).values.sorted { $0.uid < $1.uid }
    }

    /// For an open file or folder; `inherited` for what is made in a folder later. EOPNOTSUPP where the file system has no such lists.
    package func set(on file: borrowing OwnedDescriptor, inherited: Bool = false) throws(SystemCallError) {
        let bytes = encoded
        _ = try file.withRaw { raw throws(SystemCallError) in
            try systemCall("fsetxattr") { Int(daybook_set_access_list(raw, inherited ? 1 : 0, bytes, bytes.count)) }
        }
    }

    /// Version 2: per entry tag, rights and id, all little-endian, in the order that the kernel checks.
    private var encoded: [UInt8] {
        let mask = people.reduce(0) { $0 | $1.rights }
        var entries: [(tag: UInt16, rights: UInt16, id: UInt32)] = [(0x01, owner, .max)]
        entries += people.map { (0x02, $0.rights, $0.uid) }
        entries.append((0x04, 0, .max))
        if !people.isEmpty { entries.append((0x10, mask, .max)) }
        entries.append((0x20, 0, .max))
        var bytes: [UInt8] = [2, 0, 0, 0]
        for entry in entries {
            withUnsafeBytes(of: entry.tag.littleEndian) { bytes.append(contentsOf: $0) }
            withUnsafeBytes(of: entry.rights.littleEndian) { bytes.append(contentsOf: $0) }
            withUnsafeBytes(of: entry.id.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }
}

extension OwnedDescriptor {
    package borrowing func setOwner(_ uid: UInt32) throws(SystemCallError) {
        _ = try withRaw { raw throws(SystemCallError) in try systemCall("fchown") { Int(fchown(raw, uid, gid_t.max)) } }
    }

    /// In this folder; false where the new name is taken.
    package borrowing func renameIfFree(_ old: ArraySlice<UInt8>, to new: ArraySlice<UInt8>) throws(SystemCallError) -> Bool {
        do throws(SystemCallError) {
            try withRaw { raw throws(SystemCallError) in
                try withCString(old, call: "renameat2") { old throws(SystemCallError) in
                    try withCString(new, call: "renameat2") { new throws(SystemCallError) in
                        _ = try systemCall("renameat2") { Int(daybook_rename_to_free(raw, old, new)) }
                    }
                }
            }
            return true
        } catch {
            if error.code == EEXIST { return false }
            throw error
        }
    }

    /// Makes a folder of a name in this one; false where the name is taken.
    package borrowing func makeFolder(_ name: ArraySlice<UInt8>, mode: UInt32) throws(SystemCallError) -> Bool {
        do throws(SystemCallError) {
            try withRaw { raw throws(SystemCallError) in
                try withCString(name, call: "mkdirat") { name throws(SystemCallError) in
                    _ = try systemCall("mkdirat") { Int(mkdirat(raw, name, mode)) }
                }
            }
            return true
        } catch {
            if error.code == EEXIST { return false }
            throw error
        }
    }

    /// A new, empty file in this folder, for writing.
    package borrowing func makeNewFile(_ name: ArraySlice<UInt8>, mode: UInt32) throws(SystemCallError) -> OwnedDescriptor {
        let number = try withRaw { raw throws(SystemCallError) in
            try withCString(name, call: "openat") { name throws(SystemCallError) in
                try systemCall("openat") { Int(openat(raw, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)) }
            }
        }
        return OwnedDescriptor(adopting: Int32(number))
    }

    package borrowing func removeFile(_ name: ArraySlice<UInt8>) throws(SystemCallError) {
        try withRaw { raw throws(SystemCallError) in
            try withCString(name, call: "unlinkat") { name throws(SystemCallError) in
                _ = try systemCall("unlinkat") { Int(unlinkat(raw, name, 0)) }
            }
        }
    }
}

/// What asked the program to end while it was in the middle of something.
package enum Interrupts {
    /// From now on they are remembered instead of ending the program.
    package static func remember() { daybook_remember_interrupts() }

    package static var hasCome: Bool { daybook_interrupted() != 0 }
}
