// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import DaybookLinux
import Glibc

/// A file of a trace, read whole.
struct TraceFile {
    /// A longer one is no trace that people record by hand.
    static let limit = 256 << 20

    let path: String
    private let bytes: [UInt8]

    init(_ path: String) throws {
        self.path = path
        guard let bytes = try Self.read(path) else { throw CommandFailure("\(path) cannot be read: \(errnoText(ENOENT))") }
        self.bytes = bytes
    }

    /// Nil where there is no such file.
    init?(ifThere path: String) throws {
        self.path = path
        guard let bytes = try Self.read(path) else { return nil }
        self.bytes = bytes
    }

    /// The whole file as one JSON value.
    func value() throws -> JSONValue {
        do {
            return try JSONValue(parsing: bytes)
        } catch {
            throw CommandFailure("\(path): \(error)")
        }
    }

    /// One JSON value a line.
    func forEachLine(_ body: (JSONValue) throws -> Void) throws {
        var parser = JSONParser()
        var number = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x0d || $0 == 0x09 }) { continue }
            let value: JSONValue
            do {
                value = try parser.parse(line)
            } catch {
                throw CommandFailure("\(path), line \(number): \(error)")
            }
            try body(value)
        }
    }

    private static func read(_ path: String) throws -> [UInt8]? {
        let raw: Int
        do {
            // O_NONBLOCK: a FIFO in its place must not hang us.
            raw = try systemCall("open") { Int(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) }
        } catch {
            if error.code == ENOENT { return nil }
            throw CommandFailure("\(path): \(errnoText(error.code))")
        }
        let file = OwnedDescriptor(adopting: Int32(raw))
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count: Int
            do {
                count = try file.withRaw { (raw) throws(SystemCallError) in
                    try systemCall("read") { Glibc.read(raw, &buffer, buffer.count) }
                }
            } catch {
                throw CommandFailure("\(path): \(errnoText(error.code))")
            }
            if count == 0 { return bytes }
            bytes.append(contentsOf: buffer.prefix(count))
            guard bytes.count <= limit else { throw CommandFailure("\(path) is longer than \(limit) bytes, so this is no trace") }
        }
    }
}
