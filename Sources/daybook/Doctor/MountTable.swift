// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// What is mounted where, from `/proc/self/mountinfo`.
struct MountTable: Equatable, Sendable {
    struct Mount: Equatable, Sendable {
        var point: [UInt8]
        var type: String
        var source: String
        /// Of this mount and of its file system, e.g. `ro`.
        var options: Set<String>
    }

    /// Later mounts cover earlier ones.
    var mounts: [Mount]

    init(parsing bytes: [UInt8]) {
        mounts = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let fields = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            // Optional fields end with a dash of their own; behind it are type, source and the file system's options.
            guard fields.count >= 10, let dash = fields[6...].firstIndex(where: { $0.elementsEqual([UInt8(ascii: "-")]) }),
                fields.count > dash + 3
            else { return nil }
            let options = [fields[5], fields[dash + 3]].flatMap { $0.split(separator: UInt8(ascii: ",")) }
            return Mount(
                point: Self.unescaped(fields[4]), type: String(decoding: fields[dash + 1], as: UTF8.self),
                source: escapedText(Self.unescaped(fields[dash + 2])), options: Set(options.map { String(decoding: $0, as: UTF8.self) }))
        }
    }

    /// The mount that a path lies on.
    func mount(of path: String) -> Mount? {
        let bytes = Array(path.utf8)
        var best: Mount?
        for mount in mounts where Self.isAtOrBelow(bytes, mount.point) {
            if mount.point.count >= best?.point.count ?? 0 { best = mount }
        }
        return best
    }

    /// Mounts below a path, which a watch of it does not reach into.
    func mounts(below path: String) -> [Mount] {
        let bytes = Array(path.utf8)
        return mounts.filter { $0.point != bytes && Self.isAtOrBelow($0.point, bytes) }
    }

    private static func isAtOrBelow(_ path: [UInt8], _ folder: [UInt8]) -> Bool {
        if folder == [PathBytes.slash] { return path.first == PathBytes.slash }
        guard path.starts(with: folder) else { return false }
        return path.count == folder.count || path[folder.count] == PathBytes.slash
    }

    /// The kernel writes space, tab, newline and backslash as three octal digits.
    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ (48...55).contains($0) }) {
                result.append(digits.reduce(0) { $0 &* 8 &+ ($1 - 48) })
                rest = rest.dropFirst(3)
            } else {
                result.append(byte)
            }
        }
        return result
    }
}

/// What a kind of file system means for watching.
enum FileSystemFitness: Equatable {
    case good
    /// Changes by other machines make no event here.
    case remote
    /// Changes behind it make no event here.
    case layered
    /// Lost with the power.
    case volatile

    init(type: String) {
        switch type {
        case "nfs", "nfs4", "cifs", "smb3", "ceph", "9p", "virtiofs", "afs", "gfs2", "ocfs2", "lustre", "beegfs", "fuse.sshfs",
            "fuse.glusterfs", "fuse.ceph":
            self = .remote
        case "overlay", "ecryptfs", "fuse.mergerfs", "aufs": self = .layered
        case "tmpfs", "ramfs": self = .volatile
        default: self = .good
        }
    }
}
