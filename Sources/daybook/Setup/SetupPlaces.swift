// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc

/// Where `setup` writes. In tests everything is below another root.
struct SetupPlaces: Sendable {
    var root = ""

    var folder: String { root + "/etc/daybook" }
    var configuration: String { folder + "/config.toml" }
    var facts: String { folder + "/facts.md" }
    var answers: String { folder + "/setup.answers" }
    /// Keeps the journal when the package is purged.
    var keepData: String { folder + "/keep-data" }
    var limits: String { root + "/etc/sysctl.d/31-daybook.conf" }
    var dropInFolder: String { root + "/etc/systemd/system/daybookd.service.d" }
    var dropIn: String { dropInFolder + "/fanotify.conf" }
    var exampleDropIn: String { root + "/usr/share/doc/daybook/fanotify.conf" }
    var stanza: String { root + "/usr/share/doc/daybook/samba/daybook.conf" }
    var state: String { root + "/var/lib/daybook" }
    var pages: String { root + "/var/lib/daybook-pages" }

    /// Replaces a file as a whole or not at all; readable for the group where there is one.
    static func write(_ text: String, to path: String, mode: mode_t, group: String? = nil) throws(CommandFailure) {
        let new = path + ".new"
        unlink(new)  // of an earlier run that was cut short
        let raw = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard raw >= 0 else { throw failed(path, errno) }
        let file = OwnedDescriptor(adopting: raw)
        do throws(SystemCallError) {
            let bytes = Array(text.utf8)
            let outcome = bytes.withUnsafeBytes { buffer -> Result<Void, SystemCallError> in
                do throws(SystemCallError) { return .success(try file.writeAll(buffer, at: 0)) } catch { return .failure(error) }
            }
            try outcome.get()
            if let group, case .found(let account) = Accounts.group(named: group) {
                try file.withRaw { raw throws(SystemCallError) in
                    _ = try systemCall("fchown") { Int(fchown(raw, uid_t.max, account.gid)) }
                }
            }
            try file.withRaw { raw throws(SystemCallError) in
                // The mask of whoever runs it may have taken bits away.
                _ = try systemCall("fchmod") { Int(fchmod(raw, mode)) }
                _ = try systemCall("fsync") { Int(fsync(raw)) }
            }
            _ = try systemCall("rename") { Int(rename(new, path)) }
        } catch {
            unlink(new)
            throw failed(path, error.code)
        }
    }

    /// Makes a folder where there is none.
    static func make(_ folder: String, mode: mode_t) throws(CommandFailure) {
        if mkdir(folder, mode) == 0 || errno == EEXIST { return }
        throw failed(folder, errno)
    }

    /// True where something was there to remove.
    @discardableResult
    static func remove(_ path: String) throws(CommandFailure) -> Bool {
        if unlink(path) == 0 { return true }
        if errno == ENOENT { return false }
        throw failed(path, errno)
    }

    private static func failed(_ path: String, _ code: Int32) -> CommandFailure {
        CommandFailure("\(path) cannot be written: \(errnoText(code))" + (code == EACCES ? "; run it as root" : ""))
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Nil where there is none, or it cannot be read.
    static func text(_ path: String, limit: Int = 1 << 20) -> String? {
        (try? SmallFile.read(path, limit: limit)).map { String(decoding: $0, as: UTF8.self) }  // absent is an answer
    }
}
