// SPDX-License-Identifier: Apache-2.0
import AnalyzerClient
import DaybookJSON
import DaybookLinux
import Glibc
import JournalFormat

/// Quiz keys as they are kept: files that only the daemon can read, in a folder of the state directory that only the daemon can enter. A file's name is the
/// SHA-256 of its bytes; random bytes in it keep anybody who sees the hash in the journal from trying what the key may be.
struct KeyFolder: Sendable {
    static let name = "keys"
    private static let temporary = ".new"
    /// A key of `QuizKey.longestFile` whose every byte has to be escaped, and its name.
    private static let largest = 512 << 10

    let stateDirectory: String

    private func open(make: Bool) throws(SystemCallError) -> OwnedDescriptor {
        let state = try OwnedDescriptor.openFolder(stateDirectory)
        if make {
            do throws(SystemCallError) { try state.makeFolder(Self.name, mode: 0o700) } catch { if error.code != EEXIST { throw error } }
        }
        let folder = try OwnedDescriptor.open(Self.name, in: state, flags: O_RDONLY | O_DIRECTORY)
        // Whatever it was: nobody else may look.
        if make { try folder.setMode(0o700) }
        return folder
    }

    /// Keeps a key, whole or not at all, and gives the name of its file.
    func keep(_ key: AnswerKey) throws(SystemCallError) -> String {
        let folder = try open(make: true)
        var object = key.json
        var random = [UInt64](repeating: 0, count: 4)
        // Without it the hash would tell whoever guesses the key that they are right.
        guard RandomBytes.fill(&random) else { throw SystemCallError(call: "getrandom", code: EAGAIN) }
        object["salt"] = .string(random.map { String($0, radix: 16) }.joined(separator: "-"))
        var bytes: [UInt8] = []
        object.encode(into: &bytes)
        let name = SHA256.hash(bytes).hex
        do throws(SystemCallError) { try folder.unlink(Self.temporary) } catch { if error.code != ENOENT { throw error } }
        do throws(SystemCallError) {
            let file = try OwnedDescriptor.open(Self.temporary, in: folder, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            let outcome = bytes.withUnsafeBytes { buffer -> Result<Void, SystemCallError> in
                do throws(SystemCallError) { return .success(try file.writeAll(buffer, at: 0)) } catch { return .failure(error) }
            }
            try outcome.get()
            try file.sync()
            try folder.rename(Self.temporary, to: name)
            try folder.sync()
        } catch {
            _ = try? folder.unlink(Self.temporary)  // What stands in it is not the reason that is told.
            throw error
        }
        return name
    }

    /// The key of a file; nil where it is not there, or not as it was kept.
    func key(_ name: String) -> AnswerKey? {
        guard Self.isName(name),
            let bytes = try? SmallFile.read("\(stateDirectory)/\(Self.name)/\(name)", limit: Self.largest),  // gone: that is the answer
            SHA256.hash(bytes).hex == name, let json = try? JSONValue(parsing: bytes)  // the reason would quote the key
        else { return nil }
        return AnswerKey(json: json)
    }

    /// Removes all but these.
    func remove(allBut kept: Set<String>) {
        guard let folder = try? open(make: false), let names = try? folder.names() else { return }  // there are none
        for name in names where !kept.contains(name) { _ = try? folder.unlink(name) }  // the next time, then
    }

    private static func isName(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}
