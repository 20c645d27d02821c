// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc

/// The program as it was built beside these tests.
let analyzerProgram: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path[..<(path.lastIndex(of: "/") ?? path.startIndex)] + "/daybook-analyze"
}()

/// A folder of its own for one test; gone with it.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/var/tmp/daybook-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemCallError(call: "mkdtemp", code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in names { unlink("\(path)/\(name)") }
        for name in names { rmdir("\(path)/\(name)") }
        rmdir(path)
    }

    private var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var found: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name != ".", name != ".." { found.append(name) }
        }
        return found
    }

    func file(_ name: String, _ content: String = "") throws -> String {
        let path = "\(self.path)/\(name)"
        let raw = creat(path, 0o600)
        guard raw >= 0 else { throw SystemCallError(call: "creat", code: errno) }
        defer { close(raw) }
        var rest = Array(content.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(raw, $0.baseAddress, $0.count) }
            guard written > 0 else { throw SystemCallError(call: "write", code: errno) }
            rest = rest.dropFirst(written)
        }
        return path
    }

    func descriptor() throws -> OwnedDescriptor {
        let raw = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw >= 0 else { throw SystemCallError(call: "open", code: errno) }
        return OwnedDescriptor(adopting: raw)
    }
}

/// What the program printed and how it ended. `prefix`: a command that starts it.
func run(_ arguments: [String], by prefix: [String] = []) throws -> (output: String, status: Int32) {
    let folder = try TemporaryFolder()
    let output = try folder.file("output")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var pointers: [UnsafeMutablePointer<CChar>?] = (prefix + [analyzerProgram] + arguments).map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    var process = pid_t()
    let code = posix_spawnp(&process, prefix.first ?? analyzerProgram, &actions, nil, pointers, environ)
    guard code == 0 else { throw SystemCallError(call: "posix_spawn", code: code) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    return (try text(of: output), status & 0x7f == 0 ? (status >> 8) & 0xff : -(status & 0x7f))
}

func text(of path: String) throws -> String {
    let raw = open(path, O_RDONLY | O_CLOEXEC)
    guard raw >= 0 else { throw SystemCallError(call: "open", code: errno) }
    defer { close(raw) }
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
        let got = read(raw, &buffer, buffer.count)
        guard got > 0 else { return String(decoding: all, as: UTF8.self) }
        all.append(contentsOf: buffer[..<got])
    }
}

/// Repeats until it gives something, or until the deadline.
func eventually<R>(seconds: Int64 = 20, _ attempt: () throws -> R?) rethrows -> R? {
    let deadline = Clocks.bootMicroseconds() + seconds * 1_000_000
    while Clocks.bootMicroseconds() < deadline {
        if let result = try attempt() { return result }
        sched_yield()
    }
    return nil
}
