// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import CSeccomp
import DaybookLinux
import Glibc

/// What a program that reads a document may ask of the kernel: to read what is installed, to compute, and to write to the descriptors it was
/// given. No network, no file to write to, no signal to others, no process group but the one it is ended with.
struct ProgramSandbox {
    /// Where setting up stopped, as the child's exit status; beyond what programs use themselves.
    enum Step: Int32, CaseIterable { case limits = 201, landlock = 202, seccomp = 203, program = 204 }

    /// What one program may cost.
    struct Limits {
        var seconds: Int
        var megabytes: Int
        /// One: it starts no other, and no thread is counted.
        var processes: Int
        /// Bytes of what it may write into a file; nothing for what answers through a pipe.
        var output = 0
        /// By the clock.
        var wallSeconds: Int { seconds * 2 }
    }

    private static let allowed = [
        // reading and writing what is open
        "read", "readv", "pread64", "preadv", "write", "writev", "close", "close_range", "lseek", "dup", "dup2", "dup3", "pipe", "pipe2",
        "poll", "ppoll", "select", "pselect6", "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait", "eventfd2", "fadvise64",
        "copy_file_range", "sendfile",
        // looking at files; Landlock says which may be opened
        "fstat", "stat", "lstat", "newfstatat", "statx", "statfs", "fstatfs", "access", "faccessat", "faccessat2", "readlink",
        "readlinkat", "getdents64", "getcwd", "chdir", "fchdir", "umask",
        // memory
        "mmap", "mprotect", "munmap", "mremap", "madvise", "brk",
        // time, signals to itself, and who it is
        "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigsuspend", "rt_sigpending", "rt_sigtimedwait", "sigaltstack", "pause",
        "nanosleep", "clock_nanosleep", "clock_gettime", "clock_getres", "gettimeofday", "time", "times", "getrusage", "sysinfo", "uname",
        "getpid", "getppid", "gettid", "getuid", "geteuid", "getgid", "getegid", "getresuid", "getresgid", "getgroups", "getpgrp",
        "getpgid",
        "getsid", "getrlimit", "prlimit64", "getrandom", "sched_yield", "sched_getaffinity", "restart_syscall",
        // threads, and other programs of its own
        "futex", "set_robust_list", "get_robust_list", "set_tid_address", "rseq", "membarrier", "arch_prctl", "execve", "exit",
        "exit_group",
        "wait4", "waitid",
    ]
    // The kernel's numbers of fcntl and ioctl that change nothing but descriptors. F_SETOWN would send a signal to anybody.
    private static let descriptorCommands = [
        F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, 1030 /* F_DUPFD_CLOEXEC */, 1034 /* F_GET_SEALS */,
    ]
    private static let deviceCommands: [UInt64] = [0x5401 /* TCGETS */, 0x5413 /* TIOCGWINSZ */, 0x541b, 0x5421, 0x5450, 0x5451]
    private static let newNamespaces: UInt64 = 0x7e02_0080

    private static let allow: UInt32 = 0x7fff_0000
    private static func refuse(_ code: Int32) -> UInt32 { 0x0005_0000 | UInt32(code) }

    private static func filter(forks: Bool) -> scmp_filter_ctx? {
        guard let filter = seccomp_init(refuse(EPERM)) else { return nil }
        var isGood = true
        func rule(_ action: UInt32, _ name: String, _ comparisons: [scmp_arg_cmp] = []) {
            let number = seccomp_syscall_resolve_name(name)
            // A name that this architecture does not have needs no permission.
            guard number >= 0 else { return }
            if seccomp_rule_add_array(filter, action, number, UInt32(comparisons.count), comparisons) != 0 { isGood = false }
        }
        func argument(_ index: UInt32, _ mask: UInt64, is value: UInt64) -> scmp_arg_cmp {
            scmp_arg_cmp(arg: index, op: SCMP_CMP_MASKED_EQ, datum_a: mask, datum_b: value)
        }
        for name in allowed { rule(allow, name) }
        for command in descriptorCommands { rule(allow, "fcntl", [argument(1, 0xffff_ffff, is: UInt64(command))]) }
        for command in deviceCommands { rule(allow, "ioctl", [argument(1, 0xffff_ffff, is: command)]) }
        // The thread's name.
        rule(allow, "prctl", [argument(0, 0xffff_ffff, is: 15)])
        // An older Landlock lets a file be emptied that is opened for reading; what opens for writing it sees.
        for (name, flags) in [("open", UInt32(1)), ("openat", 2)] {
            rule(allow, name, [argument(flags, UInt64(O_TRUNC), is: 0)])
            for mode in [O_WRONLY, O_RDWR] { rule(allow, name, [argument(flags, UInt64(O_ACCMODE), is: UInt64(mode))]) }
        }
        let thread: UInt64 = 0x0001_0000
        rule(allow, "clone", forks ? [argument(0, newNamespaces, is: 0)] : [argument(0, newNamespaces | thread, is: thread)])
        if forks { for name in ["fork", "vfork"] { rule(allow, name) } }
        // Its arguments are in memory, where no filter sees them; the C library then takes the older call.
        rule(refuse(ENOSYS), "clone3")
        guard isGood else {
            seccomp_release(filter)
            return nil
        }
        return filter
    }

    /// For a forked child: becomes the program, with the document as its descriptor 3. Never returns.
    func execute(
        _ command: [String], request: Int32 = -1, reply: Int32, messages: Int32 = -1, document: Int32, limits: Limits
    ) -> Never {
        // Made here and not at the start, since few documents need it; without it no program is started.
        guard let filter = Self.filter(forks: limits.processes > 1) else { _exit(Step.seccomp.rawValue) }
        var cost = daybook_program_limits(
            memory: UInt64(limits.megabytes) << 20, output: UInt64(limits.output), cpu_seconds: UInt32(limits.seconds),
            wall_seconds: UInt32(limits.wallSeconds), processes: UInt32(limits.processes))
        let program = command.first ?? ""
        let code = daybook_confine_program(request, reply, messages, document, program, &cost)
        guard code == 0 else { _exit((code == EOPNOTSUPP ? Step.landlock : .limits).rawValue) }
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
        arguments.append(nil)
        // A fixed environment: nothing of ours is a program's business.
        let variables = ["LANG=C.UTF-8", "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/nonexistent", "PYTHONDONTWRITEBYTECODE=1"]
        var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) }
        environment.append(nil)
        // The filter then allows nothing that would take it back.
        daybook_start_clock(&cost)
        guard seccomp_load(filter) == 0 else { _exit(Step.seccomp.rawValue) }
        execve(program, arguments, environment)
        _exit(Step.program.rawValue)
    }
}
