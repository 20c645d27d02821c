// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc

extension Settings {
    /// What a caller may allow beyond the rules of a server.
    package struct Options: Sendable {
        /// Shares relative to wherever the caller takes them from, for recorded traces and tests.
        package var allowRelativeShares: Bool

        package init(allowRelativeShares: Bool = false) { self.allowRelativeShares = allowRelativeShares }
    }

    /// Where a server's configuration is.
    package static let defaultPath = "/etc/daybook/config.toml"

    /// A longer file is not a configuration.
    package static let textSizeLimit = 1 << 20

    /// Reads and checks a file; every mistake at once.
    package static func load(_ path: String, options: Options = Options()) throws(SettingsProblems) -> Settings {
        let bytes: [UInt8]
        do {
            bytes = try readText(path)
        } catch {
            let message =
                switch error.code {
                case EFBIG: "larger than \(textSizeLimit) bytes, so this is no configuration"
                case ESPIPE: "is a pipe or a device, not a file; write the configuration to a file first"
                case ENOENT: "cannot be read: \(errnoText(error.code)); begin with a copy of config.example.toml"
                default: "cannot be read: \(errnoText(error.code))"
                }
            throw SettingsProblems(file: path, problems: [.init(line: nil, column: nil, message: message)])
        }
        do {
            return try parse(bytes, options: options)
        } catch {
            throw SettingsProblems(file: path, problems: error.problems)
        }
    }

    /// Checks a text; every mistake at once.
    package static func parse(text: String, options: Options = Options()) throws(SettingsProblems) -> Settings {
        try parse(Array(text.utf8), options: options)
    }
}

private func readText(_ path: String) throws(SystemCallError) -> [UInt8] {
    // O_NONBLOCK: a FIFO in its place must not hang whoever starts.
    let raw = try systemCall("open") { Int(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) }
    let file = OwnedDescriptor(adopting: Int32(raw))
    var facts = stat()
    let described = file.withRaw { fstat($0, &facts) }
    guard described == 0 else { throw SystemCallError(call: "fstat", code: errno) }
    guard facts.st_mode & S_IFMT != S_IFDIR else { throw SystemCallError(call: "read", code: EISDIR) }
    // Without a writer a pipe reads as an empty file, which would pass for a configuration that watches nothing.
    guard facts.st_mode & S_IFMT == S_IFREG else { throw SystemCallError(call: "read", code: ESPIPE) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= Settings.textSizeLimit {
        let count = try file.withRaw { (raw) throws(SystemCallError) in
            try systemCall("read") { read(raw, &buffer, buffer.count) }
        }
        if count == 0 { return bytes }
        bytes.append(contentsOf: buffer.prefix(count))
    }
    throw SystemCallError(call: "read", code: EFBIG)
}
