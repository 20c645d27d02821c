// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import CSeccomp
import Glibc

/// What a process that reads documents may still ask of the kernel: memory, the clock, and the descriptors it was given.
final class Sandbox {
    /// Where setting up stopped; a child ends with it as its exit status, so that its parent can say so.
    enum Step: Int32 { case limits = 70, landlock = 71, seccomp = 72, document = 73, memory = 74 }

    private static let allowed = [
        "read", "pread64", "write", "close", "fstat", "newfstatat", "lseek", "munmap", "mremap", "madvise", "brk", "futex",
        "rt_sigprocmask",
        "rt_sigaction", "rt_sigreturn", "sigaltstack", "exit", "exit_group", "clock_gettime", "gettimeofday", "getrandom", "sched_yield",
        "gettid", "getpid", "getrusage", "rseq", "set_robust_list", "restart_syscall",
    ]
    // F_SETOWN would send a signal to anybody; tgkill is missing above for the same reason, and abort() ends a process without it too.
    private static let descriptorCommands = [
        F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, 1030 /* F_DUPFD_CLOEXEC */, 1034 /* F_GET_SEALS */,
    ]

    /// Where the next document comes from, in a child that serves more than one.
    static let requests: Int32 = 3

    private let filter: scmp_filter_ctx

    /// Builds the filter once; each child loads it. Nil where libseccomp refuses, so that no document is ever read without it.
    init?() {
        // SCMP_ACT_ERRNO(EPERM): libraries that try to open a file get an error and go on without.
        guard let filter = seccomp_init(0x0005_0000 | UInt32(EPERM)) else { return nil }
        self.filter = filter
        for name in Self.allowed {
            let number = seccomp_syscall_resolve_name(name)
            // A name that this architecture does not have needs no permission.
            guard number >= 0 else { continue }
            guard seccomp_rule_add_array(filter, Self.allow, number, 0, nil) == 0 else { return nil }
        }
        for command in Self.descriptorCommands {
            var same = scmp_arg_cmp(arg: 1, op: SCMP_CMP_MASKED_EQ, datum_a: 0xffff_ffff, datum_b: UInt64(command))
            guard seccomp_rule_add_array(filter, Self.allow, seccomp_syscall_resolve_name("fcntl"), 1, &same) == 0 else { return nil }
        }
        // The next document, from its parent alone. What it could send is a reply, and that is what its pipe is for.
        var ofParent = scmp_arg_cmp(arg: 0, op: SCMP_CMP_MASKED_EQ, datum_a: 0xffff_ffff, datum_b: UInt64(Self.requests))
        guard seccomp_rule_add_array(filter, Self.allow, seccomp_syscall_resolve_name("recvmsg"), 1, &ofParent) == 0 else { return nil }
        // Memory, but never such that its content can run.
        for name in ["mmap", "mprotect"] {
            var noExecution = scmp_arg_cmp(arg: 2, op: SCMP_CMP_MASKED_EQ, datum_a: UInt64(PROT_EXEC), datum_b: 0)
            guard seccomp_rule_add_array(filter, Self.allow, seccomp_syscall_resolve_name(name), 1, &noExecution) == 0 else { return nil }
        }
    }

    deinit { seccomp_release(filter) }

    private static let allow: UInt32 = 0x7fff_0000

    /// For a forked child: gives everything up but `document`, which becomes descriptor 0, `reply`, which becomes 1, and `requests`, which
    /// becomes `Sandbox.requests` (-1: none). Ends the process where that cannot be done.
    func enter(document: Int32, reply: Int32, requests: Int32 = -1, limits: WorkerLimits) {
        guard daybook_confine(document, reply, requests, UInt64(limits.megabytes) << 20, UInt64(limits.seconds)) == 0 else {
            _exit(Step.limits.rawValue)
        }
        let code = daybook_deny_file_system()
        // A kernel without Landlock still has the filter below, which opens nothing.
        guard code == 0 || code == ENOSYS || code == EOPNOTSUPP else { _exit(Step.landlock.rawValue) }
        guard seccomp_load(filter) == 0 else { _exit(Step.seccomp.rawValue) }
    }
}
