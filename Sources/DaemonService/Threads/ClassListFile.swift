// SPDX-License-Identifier: Apache-2.0
import ClassLists
import DaybookLinux
import Glibc
import JournalFormat

/// The imported class lists, as one file in the state directory: replaced as a whole or not at all.
struct ClassListFile: Sendable {
    static let name = "classes.jsonl"
    private static let temporary = ".classes.new"
    private static let largest = 256 << 20

    let stateDirectory: String

    enum Contents {
        case list(ClassList)
        case none
        case unreadable(String)
    }

    func read() -> Contents {
        do throws(SystemCallError) {
            let bytes = try SmallFile.read(stateDirectory + "/" + Self.name, limit: Self.largest)
            if let list = ClassList(fileText: bytes) { return .list(list) }
            return .unreadable("\(stateDirectory)/\(Self.name) is damaged, so the class lists must be imported again")
        } catch {
            return error.code == ENOENT ? .none : .unreadable(error.description)
        }
    }

    func write(_ list: ClassList) throws(SystemCallError) {
        let folder = try OwnedDescriptor.openFolder(stateDirectory)
        do throws(SystemCallError) { try folder.unlink(Self.temporary) } catch { if error.code != ENOENT { throw error } }
        do throws(SystemCallError) {
            let file = try OwnedDescriptor.open(Self.temporary, in: folder, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            let bytes = Array(list.fileText.utf8)
            let outcome = bytes.withUnsafeBytes { buffer -> Result<Void, SystemCallError> in
                do throws(SystemCallError) { return .success(try file.writeAll(buffer, at: 0)) } catch { return .failure(error) }
            }
            try outcome.get()
            try file.sync()
            try folder.rename(Self.temporary, to: Self.name)
            try folder.sync()
        } catch {
            _ = try? folder.unlink(Self.temporary)  // What stands in it is not the reason that is told.
            throw error
        }
    }

    /// Of a list as it is kept.
    static func digest(_ list: ClassList) -> String { SHA256.hash(list.fileText.utf8).hex }
}
