// SPDX-License-Identifier: Apache-2.0
#ifndef DAYBOOK_FANOTIFY_H
#define DAYBOOK_FANOTIFY_H

#include <stddef.h>
#include <stdint.h>

/// The most bytes of daybook_folder_handle.
#define DAYBOOK_HANDLE_SIZE 144

/// A non-blocking close-on-exec group whose events name folder and name. EPERM where this process would not learn whose events they are:
/// the kernel lets everybody make a group, but hides other processes from it without CAP_SYS_ADMIN.
int daybook_fanotify_open(void);

/// Marks an open folder (`add` 1) or takes the mark away (0). The folder may be a mere place (O_PATH).
int daybook_fanotify_mark(int group, int folder, uint64_t mask, int add);

/// How a group's events name this folder: its file system, and length, type and bytes of its handle. The size or -1.
/// An empty name is the folder itself.
int daybook_folder_handle(int folder, const char *name, void *buffer);

/// Opens what a handle (as of daybook_folder_handle) names, as a place (O_PATH). `mount` is anything opened on the same file system.
int daybook_open_handle(int mount, const void *handle, size_t size);

/// Reads a small file of `/proc/PID` into `buffer`, by an open /proc; its size or -1.
long daybook_read_process(int proc, int32_t pid, const char *name, void *buffer, size_t size);

/// A descriptor of /proc to start from.
int daybook_open_proc(void);

/// Whether the process of this descriptor (pidfd_open) has ended: 1 or 0, -1 and errno.
int daybook_has_ended(int process);

#endif
