// SPDX-License-Identifier: Apache-2.0
#ifndef DAYBOOK_SPAWN_H
#define DAYBOOK_SPAWN_H

#include <stdint.h>
#include <sys/types.h>

/// Starts a program that has no capability and can gain none: ambient, inheritable and bounding sets are cleared. It gets `passed` as its
/// descriptor 3, no other descriptor above 2, no signal blocked or ignored, and a nice value of 10. Safe in a program with several threads.
/// 0, or the errno of what failed (also of `execve`).
int daybook_spawn_unprivileged(
    const char *program, char *const arguments[], char *const environment[], int passed, pid_t *process);

/// `fork`, which Swift hides. Only for a program with one thread.
pid_t daybook_fork(void);

/// A descriptor that polls readable once the process has ended; -1 and errno on failure.
int daybook_process_descriptor(pid_t process);

/// For a forked child that opens hostile documents: keeps only the descriptors `document` (becomes 0), `reply` (becomes 1) and `requests`
/// (becomes 3; -1 for none), which are then the only ones left; limits memory, processor time, files and dumps; dies with its parent. 0 or
/// an errno.
int daybook_confine(int document, int reply, int requests, uint64_t memory, uint64_t cpu_seconds);

/// No file system, no network, no signals to others, by Landlock and as much as the kernel knows of it. 0 or an errno: ENOSYS and
/// EOPNOTSUPP mean that the kernel has no Landlock.
int daybook_deny_file_system(void);

#endif
