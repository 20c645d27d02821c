// SPDX-License-Identifier: Apache-2.0
import CAcl
package import DaybookLinux
import Glibc

/// Who may read a file beside its owner, as a POSIX access control list. The owner may do this to their own files without any privilege.
package struct Readers: Hashable, Sendable {
    /// By number, in order, so that equal readers are equal.
    package var users: [UInt32]
    package var groups: [UInt32]

    package init(users: some Sequence<UInt32> = [], groups: some Sequence<UInt32> = []) {
        self.users = Set(users).sorted()
        self.groups = Set(groups).sorted()
    }

    package var count: Int { users.count + groups.count }

    /// A list has to fit into one block of the file system: on ext4 about 500 entries of 8 bytes in 4 KiB. Half of that leaves room for others.
    package static let atMost = 250
}

package enum PageRights {
    /// Replaces whatever rights a file or folder had: its owner has all, these readers may read (a folder: list and enter), its own group
    /// and all others may do nothing. `passing` lets everybody enter a folder without listing it.
    ///
    /// ENOTSUP where the file system keeps no such lists.
    package static func set(
        on file: borrowing OwnedDescriptor, _ readers: Readers, isFolder: Bool, passing: Bool = false
    ) throws(SystemCallError) {
        guard readers.count <= Readers.atMost else { throw SystemCallError(call: "acl_set_fd", code: E2BIG) }
        // SystemCallError is made right where errno was set.
        var list = acl_init(Int32(readers.count) + 5)
        guard list != nil else { throw SystemCallError(call: "acl_init", code: errno) }
        defer { acl_free(UnsafeMutableRawPointer(list)) }
        let look: [Int32] = isFolder ? [ACL_READ, ACL_EXECUTE] : [ACL_READ]
        try add(&list, ACL_USER_OBJ, nil, look + [ACL_WRITE])
        for uid in readers.users { try add(&list, ACL_USER, uid, look) }
        // Whoever is in the folder's own group is not among the others.
        try add(&list, ACL_GROUP_OBJ, nil, passing ? [ACL_EXECUTE] : [])
        for gid in readers.groups { try add(&list, ACL_GROUP, gid, look) }
        // The most that any of the named entries may have.
        if readers.count > 0 { try add(&list, ACL_MASK, nil, look) }
        try add(&list, ACL_OTHER, nil, passing ? [ACL_EXECUTE] : [])
        let done = file.withRaw { acl_set_fd($0, list) }
        guard done == 0 else { throw SystemCallError(call: "acl_set_fd", code: errno) }
    }

    /// The list as `getfacl --omit-header --numeric` prints it, entries with commas between.
    package static func text(of file: borrowing OwnedDescriptor) throws(SystemCallError) -> String {
        let list = file.withRaw { acl_get_fd($0) }
        guard let list else { throw SystemCallError(call: "acl_get_fd", code: errno) }
        defer { acl_free(UnsafeMutableRawPointer(list)) }
        guard let text = acl_to_any_text(list, nil, CChar(UInt8(ascii: ",")), TEXT_NUMERIC_IDS) else {
            throw SystemCallError(call: "acl_to_any_text", code: errno)
        }
        defer { acl_free(text) }
        return String(cString: text)
    }

    private static func add(
        _ list: inout acl_t?, _ tag: acl_tag_t, _ id: UInt32?, _ permissions: [Int32]
    ) throws(SystemCallError) {
        var entry: acl_entry_t?
        var set: acl_permset_t?
        var number = id ?? 0
        guard acl_create_entry(&list, &entry) == 0, acl_set_tag_type(entry, tag) == 0,
            id == nil || acl_set_qualifier(entry, &number) == 0, acl_get_permset(entry, &set) == 0, acl_clear_perms(set) == 0
        else { throw SystemCallError(call: "acl_create_entry", code: errno) }
        for permission in permissions where acl_add_perm(set, acl_perm_t(permission)) != 0 {
            throw SystemCallError(call: "acl_add_perm", code: errno)
        }
    }
}
