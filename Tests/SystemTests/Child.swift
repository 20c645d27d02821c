// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A program that was started, in a process group of its own.
///
/// Foundation's `Process` knows the end of a program by a descriptor that the program inherits; what goes on in the background, as tmux's
/// server does, keeps it open, so that the end never comes.
final class Child {
    struct Failed: Error, CustomStringConvertible { var description: String }

    let pid: pid_t
    private var status: Int32?

    /// Starts a program by its name; what it prints is added to a file.
    init(_ words: [String], output path: String) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // What other tests of this process have open; a number that nothing has is no failure.
        for descriptor: Int32 in 3..<256 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The threads of tests block signals; nothing would end a child that inherits that.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, words[0], &actions, &attributes, arguments, environ)
        guard code == 0 else { throw Failed(description: "\(words[0]): \(String(cString: strerror(code)))") }
        self.pid = pid
    }

    /// Looks, and does not wait.
    var isRunning: Bool {
        if status != nil { return false }
        var information = siginfo_t()
        // Its status stays to be taken by `wait`.
        return waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) == 0 && information.si_signo == 0
    }

    /// Waits for its end. 128 and the signal where one ended it.
    @discardableResult
    func wait() -> Int32 {
        if let status { return status }
        var raw: Int32 = 0
        while waitpid(pid, &raw, 0) == -1, errno == EINTR {}
        let status = raw & 0x7f == 0 ? raw >> 8 & 0xff : 128 + raw & 0x7f
        self.status = status
        return status
    }

    /// Ends it, and waits for that.
    func end(_ signal: Int32) {
        if status == nil { kill(pid, signal) }
        wait()
    }

    /// Kills it and all that it started and that did not leave its group.
    func killGroup() {
        kill(-pid, SIGKILL)
        wait()
    }

    /// Runs a program to its end.
    static func run(_ words: [String]) throws -> Outcome {
        let file = FileManager.default.temporaryDirectory.appending(path: "daybook-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let status = try Child(words, output: file.path).wait()
        return Outcome(status: status, output: String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }
}
