// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Glibc
import Inference

/// How many folders of a share would be watched, so how many watches it needs: counted where no server is there to ask.
struct FolderCount: Equatable {
    var folders = 0
    /// False where the time did not suffice, or a folder could not be read: it is at least that many.
    var isComplete = true

    /// A look at the folders must not take the night.
    static let limit = Duration.seconds(10)

    init(share: String, layouts: LayoutSet) {
        let deadline = Deadline(after: Self.limit)
        var top = stat()
        guard lstat(share, &top) == 0 else {
            isComplete = false
            return
        }
        var waiting: [PathBytes] = [.root]
        while let folder = waiting.popLast() {
            guard !deadline.hasPassed else {
                isComplete = false
                return
            }
            folders += 1
            guard let names = Self.folders(in: Self.join(share, folder), device: top.st_dev) else {
                isComplete = false
                continue
            }
            for name in names {
                let path = folder.appending(name)
                if layouts.canLead(folder: path) { waiting.append(path) }
            }
        }
    }

    /// The names of a folder's folders on the same device, links not followed; nil where it cannot be read.
    private static func folders(in path: [UInt8], device: dev_t) -> [[UInt8]]? {
        let raw = open(cText(path), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard raw >= 0 else { return nil }
        guard let listing = fdopendir(raw) else {
            close(raw)
            return nil
        }
        defer { closedir(listing) }
        var names: [[UInt8]] = []
        while let entry = readdir(listing) {
            let type = Int32(entry.pointee.d_type)
            guard type == 4 || type == 0 else { continue }  // DT_DIR and DT_UNKNOWN, which are macros of an enumeration
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name != [UInt8(ascii: ".")], name != [UInt8(ascii: "."), UInt8(ascii: ".")] else { continue }
            var facts = stat()
            let known = fstatat(raw, cText(name), &facts, AT_SYMLINK_NOFOLLOW) == 0
            guard known, facts.st_mode & S_IFMT == S_IFDIR, facts.st_dev == device else { continue }
            names.append(name)
        }
        return names
    }

    private static func cText(_ bytes: [UInt8]) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

    private static func join(_ share: String, _ folder: PathBytes) -> [UInt8] {
        folder.isRoot ? Array(share.utf8) : Array(share.utf8) + [PathBytes.slash] + folder.bytes
    }
}
