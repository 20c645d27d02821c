// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Glibc
import Reports

/// The folder of an assignment, made by whoever sets it and with their rights; never through a link in it.
enum AssignmentFolder {
    /// Makes the folder where it is not there yet, and opens it. Its class's folder must be there.
    static func open(_ detail: AssignmentDetail) throws(CommandFailure) -> OwnedDescriptor {
        guard let text = detail.folder, let path = PathBytes(text: String(text.drop { $0 == "/" })) else {
            throw CommandFailure("'\(detail.title)' has no folder of its own, so nothing can be put there")
        }
        let parent = "/" + path.folder.text
        do throws(SystemCallError) {
            let root = try Folder.open(path: "/", for: .place)
            let folder: OwnedDescriptor
            do throws(SystemCallError) {
                folder = try Folder.open(path.folder.bytes[...], in: root, for: .place, bySteps: true)
            } catch {
                guard error.code == ENOENT || error.code == ELOOP || error.code == ENOTDIR || error.code == EXDEV else { throw error }
                // Shares may be configured by way of a link or be mounts of their own.
                folder = try Folder.open(path: parent, for: .place)
            }
            let made = try folder.makeFolder(path.name, mode: 0o755)
            let opened = try Folder.open(path.name, in: folder, for: .listing)
            if made {
                // Whatever the umask: students must be able to enter it.
                try opened.setMode(0o755)
                // Root makes it for somebody: whoever teaches the class is to put things there.
                if geteuid() == 0, let owner = detail.teachers.first { try opened.setOwner(owner.uid) }
            }
            return opened
        } catch {
            let hint =
                error.code == ENOENT
                ? "the class's folder \(parent) is not there; make it first, or ask whoever looks after the server"
                : error.code == EACCES || error.code == EPERM || error.code == EROFS
                    ? "you may not make a folder in \(parent); ask whoever looks after the server" : errnoText(error.code)
            throw CommandFailure("its folder \(text) cannot be made: \(hint)")
        }
    }

    /// Makes it, and says nothing else.
    static func make(_ detail: AssignmentDetail) throws(CommandFailure) {
        guard detail.folder != nil else { return }
        _ = try open(detail)
    }
}
