// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import DaybookLinux
import Glibc

/// Tries in a confined child what a reader of documents must not be able to do.
enum SandboxCheck {
    private static let trials: [(what: String, attempt: @Sendable () -> Bool)] = [
        ("open a file", { daybook_open_for_reading(AT_FDCWD, "/etc/passwd", 0) >= 0 }),
        ("list the root folder", { opendir("/") != nil }),
        ("make a file", { creat("/var/tmp/daybook-analyze-check", 0o600) >= 0 }),
        ("make a socket", { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0 }),
        ("start a process", { daybook_fork() >= 0 }),
        ("signal another process", { kill(getppid(), 0) == 0 }),
        ("signal a thread of another process", { daybook_signal_thread(getppid(), 0) == 0 }),
        ("map memory that can run", { mmap(nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED }),
        ("see its parent's environment", { daybook_open_for_reading(AT_FDCWD, "/proc/self/environ", 0) >= 0 }),
        ("map two gigabytes", { mmap(nil, 2 << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED }),
    ]

    /// The exit status: 0 where everything was refused.
    static func run(sandbox: Sandbox, limits: WorkerLimits) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return 1 }
        let child = daybook_fork()
        guard child >= 0 else { return 1 }
        if child == 0 {
            sandbox.enter(document: ends[0], reply: ends[1], limits: limits)
            var results: [UInt8] = []
            for trial in trials { results.append(trial.attempt() ? 1 : 0) }
            // A child of ours that should not be must not answer too.
            _ = results.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
            _exit(0)
        }
        close(ends[1])
        var results = [UInt8](repeating: 2, count: trials.count + 1)
        let got = results.withUnsafeMutableBytes { read(ends[0], $0.baseAddress, $0.count) }
        while waitpid(child, nil, 0) == -1, errno == EINTR {}
        guard got == trials.count else {
            print("the reader could not be locked in")
            return 1
        }
        for (trial, result) in zip(trials, results) { print("\(result == 0 ? "refused" : "ALLOWED")  \(trial.what)") }
        return results.prefix(trials.count).allSatisfy { $0 == 0 } ? 0 : 1
    }
}
