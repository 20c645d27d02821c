// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import DaybookLinux
import Glibc

/// Other programs: where they are, and what they say.
enum Programs {
    /// Where an installation keeps what is not called by hand, relative to the program's own folder.
    private static let libexec = ["", "/../libexec/daybook", "/../lib/daybook"]

    /// A program of Daybook: beside this one, then in the installation's libexec folder, then in PATH.
    static func findOwn(_ name: String, environment: (String) -> String?) -> String? {
        if let folder = ownFolder() {
            for place in libexec {
                let path = folder + place + "/" + name
                if isProgram(path) { return path }
            }
        }
        return find(name, environment: environment)
    }

    /// A program in PATH, and in the folders of the administrator's programs, which others' PATH lacks.
    static func find(_ name: String, environment: (String) -> String?) -> String? {
        let folders = (environment("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init)
        for folder in folders + ["/usr/local/sbin", "/usr/sbin", "/sbin"] where isProgram(folder + "/" + name) {
            return folder + "/" + name
        }
        return nil
    }

    /// Replaces this process; returns only where that failed.
    static func replace(with path: String, _ words: [[UInt8]]) -> SystemCallError {
        var pointers: [UnsafeMutablePointer<CChar>?] = [strdup(path)]
        for word in words {
            let text = word.map { CChar(bitPattern: $0) } + [0]
            pointers.append(text.withUnsafeBufferPointer { $0.baseAddress.flatMap { strdup($0) } })
        }
        pointers.append(nil)
        execv(path, pointers)
        let code = errno
        for pointer in pointers { free(pointer) }
        return SystemCallError(call: "execv", code: code)
    }

    struct Answer {
        /// As `wait` gives it: 0 is success.
        var status: Int32
        var output: [UInt8]
    }

    /// Starts a program that goes on beside this one, without input and with its words thrown away; nil where it cannot be started.
    static func start(_ path: String, _ words: [String]) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var pointers: [UnsafeMutablePointer<CChar>?] = ([path] + words).map { strdup($0) }
        pointers.append(nil)
        defer { for pointer in pointers { free(pointer) } }
        var child: pid_t = 0
        return posix_spawn(&child, path, &actions, nil, pointers, environ) == 0 ? child : nil
    }

    /// More than any program that we ask says.
    static let outputLimit = 4 << 20

    /// Runs a program without input and takes its standard output; nil where it cannot be run, or did not end in time.
    static func ask(_ path: String, _ words: [String], within limit: Duration) -> Answer? {
        var ends: (Int32, Int32) = (-1, -1)
        let made = withUnsafeMutableBytes(of: &ends) { pipe($0.baseAddress?.assumingMemoryBound(to: Int32.self)) }
        guard made == 0 else { return nil }
        let reading = OwnedDescriptor(adopting: ends.0)
        let writing = OwnedDescriptor(adopting: ends.1)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends.1, STDOUT_FILENO)
        posix_spawn_file_actions_addclose(&actions, ends.0)
        posix_spawn_file_actions_addclose(&actions, ends.1)
        var pointers: [UnsafeMutablePointer<CChar>?] = ([path] + words).map { strdup($0) }
        pointers.append(nil)
        defer { for pointer in pointers { free(pointer) } }
        var child: pid_t = 0
        guard posix_spawn(&child, path, &actions, nil, pointers, environ) == 0 else { return nil }
        _ = try? writing.close()  // the child holds its own
        let output = readAll(reading, until: Deadline(after: limit))
        if output == nil { kill(child, SIGKILL) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) == -1, errno == EINTR {}
        return output.map { Answer(status: status, output: $0) }
    }

    private static func readAll(_ descriptor: borrowing OwnedDescriptor, until deadline: Deadline) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < outputLimit {
            let count = descriptor.withRaw { raw -> Int in
                var entry = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
                guard poll(&entry, 1, deadline.remainingMilliseconds) > 0 else { return -1 }
                return read(raw, &buffer, buffer.count)
            }
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR, !deadline.hasPassed { continue }
                return nil
            }
            bytes.append(contentsOf: buffer.prefix(count))
        }
        return nil
    }

    private static func isProgram(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    /// The folder of this program's file, links followed.
    private static func ownFolder() -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        let path = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
}
