// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "daybook_processes.h"
#include "daybook_privileges.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// In the child of a process with threads: only calls that are safe in a signal handler.
static int become(const struct daybook_spawn *how, int *report) {
    // First out of the way of the numbers they are wanted at, the report pipe too.
    int count = (int)how->descriptor_count;
    int moved[16];
    int moved_report = fcntl(*report, F_DUPFD_CLOEXEC, count + 16);
    if (moved_report < 0) return -1;
    *report = moved_report;
    for (int i = 0; i < count; i++) {
        int from = how->descriptors[i];
        int opened = -1;
        if (from < 0) from = opened = open("/dev/null", O_RDWR | O_CLOEXEC);
        if (from < 0) return -1;
        moved[i] = fcntl(from, F_DUPFD_CLOEXEC, count + 16);
        if (moved[i] < 0) return -1;
        if (opened >= 0) close(opened);
    }
    for (int i = 0; i < count; i++) {
        if (dup2(moved[i], i) < 0) return -1;
    }
    // Everything else only at exec, so that the report pipe stays usable until then.
    if (syscall(SYS_close_range, (unsigned)count, ~0u, 4u /* CLOSE_RANGE_CLOEXEC */) < 0) return -1;

    struct sigaction plain = {.sa_handler = SIG_DFL};
    for (int number = 1; number < 65; number++) sigaction(number, &plain, NULL); // KILL and STOP refuse, which is right
    sigset_t none;
    sigemptyset(&none);
    if (sigprocmask(SIG_SETMASK, &none, NULL) < 0) return -1;

    // The raw calls: glibc's would wait for threads that are not there. The bounding set goes first, since that needs a capability which
    // goes with the uid.
    if (how->drops_capabilities && daybook_bounding_drop() < 0) return -1;
    if (how->changes_user) {
        if (syscall(SYS_setgroups, 0, NULL) < 0) return -1;
        if (syscall(SYS_setresgid, how->gid, how->gid, how->gid) < 0) return -1;
        if (syscall(SYS_setresuid, how->uid, how->uid, how->uid) < 0) return -1;
    }
    if (how->drops_capabilities && (daybook_capabilities_drop_all() < 0 || daybook_no_new_privileges() < 0)) return -1;
    execve(how->path, how->arguments, how->environment);
    return -1;
}

pid_t daybook_spawn(const struct daybook_spawn *how) {
    if (how->descriptor_count > 16) {
        errno = EINVAL;
        return -1;
    }
    int report[2];
    if (pipe2(report, O_CLOEXEC) < 0) return -1;
    // No handler of ours may run in the child before it has its own settings.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    if (child == 0) {
        int to = report[1];
        become(how, &to);
        int code = errno;
        ssize_t ignored = write(to, &code, sizeof code);
        (void)ignored;
        _exit(127);
    }
    int fork_error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(report[1]);
    int code = 0;
    if (child < 0) {
        code = fork_error;
    } else {
        ssize_t got;
        do got = read(report[0], &code, sizeof code);
        while (got < 0 && errno == EINTR);
        // Nothing came: exec closed the pipe.
        if (got != sizeof code) code = 0;
        if (code != 0) waitpid(child, NULL, 0);
    }
    close(report[0]);
    if (code != 0) {
        errno = code;
        return -1;
    }
    return child;
}

int daybook_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int daybook_reap(pid_t pid, int *status) {
    pid_t result = waitpid(pid, status, WNOHANG);
    return result < 0 ? -1 : result == pid;
}
