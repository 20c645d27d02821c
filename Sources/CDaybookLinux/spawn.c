// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "daybook_spawn.h"
#include "landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int close_from(unsigned first) { return (int)syscall(SYS_close_range, first, ~0U, 0U); }

// Runs between fork and exec of a program with threads: system calls only.
static void drop_capabilities(void) {
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    // Without CAP_SETPCAP the bounding set stays; then nothing is left that could be gained through it, since no_new_privs is on.
    for (unsigned long capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
        prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct none[2];
    memset(none, 0, sizeof none);
    syscall(SYS_capset, &header, none);
}

static void reset_signals(void) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

int daybook_spawn_unprivileged(
    const char *program, char *const arguments[], char *const environment[], int passed, pid_t *process) {
    int report[2];
    if (pipe2(report, O_CLOEXEC) == -1) return errno;
    pid_t child = fork();
    if (child == -1) {
        int code = errno;
        close(report[0]);
        close(report[1]);
        return code;
    }
    if (child == 0) {
        int code = 0;
        reset_signals();
        // No PR_SET_PDEATHSIG here: it fires when the calling thread ends, not its process. The program ends with its socket.
        // The report pipe moves out of the way of 3, then 3 is the socket, 4 the pipe, and nothing else is open.
        int pipe_end = fcntl(report[1], F_DUPFD_CLOEXEC, 10);
        int socket_end = fcntl(passed, F_DUPFD_CLOEXEC, 10);
        if (pipe_end == -1 || socket_end == -1 || dup2(socket_end, 3) == -1 || dup3(pipe_end, 4, O_CLOEXEC) == -1) code = errno;
        if (code == 0 && close_from(5) == -1) code = errno;
        if (code == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1) code = errno;
        if (code == 0) {
            // As in the unit: what waits for nobody's entry must not take the processor from whoever writes entries. Where it is refused, so be it.
            setpriority(PRIO_PROCESS, 0, 10);
            drop_capabilities();
            execve(program, arguments, environment);
            code = errno;
        }
        ssize_t ignored = write(pipe_end == -1 ? report[1] : 4, &code, sizeof code);
        (void)ignored;
        _exit(127);
    }
    close(report[1]);
    int code = 0;
    ssize_t got;
    do { got = read(report[0], &code, sizeof code); } while (got == -1 && errno == EINTR);
    close(report[0]);
    if (got == 0) {
        *process = child;
        return 0;
    }
    while (waitpid(child, NULL, 0) == -1 && errno == EINTR) {}
    return got == sizeof code && code != 0 ? code : EIO;
}

pid_t daybook_fork(void) { return fork(); }

int daybook_process_descriptor(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

static int limit(__rlimit_resource_t what, uint64_t value) {
    struct rlimit both = {.rlim_cur = value, .rlim_max = value};
    return setrlimit(what, &both) == -1 ? errno : 0;
}

int daybook_confine(int document, int reply, int requests, uint64_t memory, uint64_t cpu_seconds) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == -1) return errno;
    reset_signals();
    int high_document = fcntl(document, F_DUPFD, 10);
    int high_reply = fcntl(reply, F_DUPFD, 10);
    int high_requests = requests == -1 ? -1 : fcntl(requests, F_DUPFD, 10);
    if (high_document == -1 || high_reply == -1 || (requests != -1 && high_requests == -1)) return errno;
    if (dup2(high_document, 0) == -1 || dup2(high_reply, 1) == -1) return errno;
    // Messages of the run-time about a crash may quote the document: they go nowhere.
    close(2);
    if (requests == -1) close(3);
    if (requests != -1 && dup2(high_requests, 3) == -1) return errno;
    if (close_from(4) == -1) return errno;
    int code = 0;
    if ((code = limit(RLIMIT_CORE, 0)) != 0) return code;
    if ((code = limit(RLIMIT_AS, memory)) != 0) return code;
    // One second more as the hard limit: the soft one says SIGXCPU, which tells a time-out from other deaths.
    struct rlimit seconds = {.rlim_cur = cpu_seconds, .rlim_max = cpu_seconds + 1};
    if (setrlimit(RLIMIT_CPU, &seconds) == -1) return errno;
    if ((code = limit(RLIMIT_FSIZE, 0)) != 0) return code;
    // The one between is for the rule set of Landlock while it is made.
    if ((code = limit(RLIMIT_NOFILE, requests == -1 ? 3 : 4)) != 0) return code;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == -1) return errno;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1) return errno;
    return 0;
}

int daybook_deny_file_system(void) {
    int ruleset = daybook_landlock_all();
    return ruleset == -1 ? errno : daybook_landlock_enter(ruleset);
}
