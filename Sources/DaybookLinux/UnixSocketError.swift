// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux

/// Why a Unix socket could not be opened, in words its owner can act on.
package enum UnixSocketError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kernel's address has room for `limit` bytes.
    case pathTooLong(path: String, length: Int, limit: Int)
    case badPath(path: String)
    /// Another program accepts connections there.
    case inUse(path: String)
    /// A file that is no socket lies in the way; it was left alone.
    case notASocket(path: String)
    case timedOut(path: String)
    /// A descriptor that systemd handed over cannot be used.
    case notAListener(descriptor: Int32)
    case badEnvironment(variable: String, value: String)
    case refused(path: String, SystemCallError)

    /// Bytes that fit into a socket's address.
    package static let pathLimit = Int(DAYBOOK_SOCKET_PATH_MAX)

    package var description: String {
        switch self {
        case .pathTooLong(let path, let length, let limit):
            "the socket path \(path) has \(length) bytes, but Linux allows \(limit); choose a shorter one"
        case .badPath(let path): "\"\(path)\" cannot be the path of a socket: it is empty, ends in a slash or holds a zero byte"
        case .inUse(let path): "another program already serves \(path); stop it, or choose another socket"
        case .notASocket(let path): "\(path) exists and is no socket; remove it, or choose another path"
        case .timedOut(let path): "nobody answered at \(path) in time; the server may be busy, try again"
        case .notAListener(let descriptor):
            "descriptor \(descriptor) from socket activation is no listening Unix stream socket; check the .socket unit (ListenStream=)"
        case .badEnvironment(let variable, let value): "\(variable)=\(value) in the environment is not what socket activation sets"
        case .refused(let path, let error): "cannot use the socket \(path): \(error)"
        }
    }
}

/// A socket's path, checked once.
struct SocketPath {
    let text: String
    let bytes: [UInt8]

    init(_ text: String) throws(UnixSocketError) {
        bytes = Array(text.utf8)
        self.text = text
        guard !bytes.isEmpty, !bytes.contains(0), bytes.last != UInt8(ascii: "/") else { throw .badPath(path: text) }
        guard bytes.count <= UnixSocketError.pathLimit else {
            throw .pathTooLong(path: text, length: bytes.count, limit: UnixSocketError.pathLimit)
        }
    }

    /// Where to look the folder up, and the name in it.
    var folder: String {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
    }

    var name: String {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return text }
        return String(decoding: bytes[(slash + 1)...], as: UTF8.self)
    }
}
