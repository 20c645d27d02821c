// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A folder of a test's own, removed with everything in it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/var/tmp/daybook-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestFailure("mkdtemp: errno \(errno)") }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    deinit {
        _ = try? FileManager.default.removeItem(atPath: path)  // left behind at worst
    }

    func callAsFunction(_ name: String) -> String { path + "/" + name }

    func write(_ name: String, _ text: String) throws {
        guard let file = fopen(self(name), "w") else { throw TestFailure("fopen: errno \(errno)") }
        fputs(text, file)
        fclose(file)
    }
}

struct TestFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Gives the calling thread mounts of its own, which end with it. Swift's Glibc module has no `unshare`.
func unshareMounts() throws {
    typealias Unshare = @convention(c) (Int32) -> Int32
    let newNamespace: Int32 = 0x0002_0000
    guard let symbol = dlsym(nil, "unshare"), unsafeBitCast(symbol, to: Unshare.self)(newNamespace) == 0,
        mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0
    else { throw TestFailure("no mounts of its own: errno \(errno)") }
}
