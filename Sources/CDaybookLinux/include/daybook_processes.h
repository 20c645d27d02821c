// SPDX-License-Identifier: Apache-2.0
#ifndef DAYBOOK_PROCESSES_H
#define DAYBOOK_PROCESSES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// How to start a program.
struct daybook_spawn {
    const char *path;
    char *const *arguments;
    char *const *environment;
    /// The child's descriptors 0, 1, 2, …; -1 for /dev/null. All others are closed in it.
    const int *descriptors;
    size_t descriptor_count;
    /// Where not 0, every capability is taken from it, and it cannot gain any.
    int drops_capabilities;
    /// Where `changes_user` is not 0: become this user and group, without supplementary groups.
    int changes_user;
    uint32_t uid, gid;
};

/// The new process's pid; -1 and errno where it could not be started, also where the program itself could not be executed.
pid_t daybook_spawn(const struct daybook_spawn *how);

/// A close-on-exec descriptor that becomes readable when the process ends.
int daybook_pidfd_open(pid_t pid);

/// 1 with how it ended (as wait(2)), 0 while it still runs, -1 and errno.
int daybook_reap(pid_t pid, int *status);

#endif
