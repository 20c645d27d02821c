// SPDX-License-Identifier: Apache-2.0
#ifndef DAYBOOK_FOLDER_H
#define DAYBOOK_FOLDER_H

#include <stddef.h>
#include <stdint.h>

/// What statx says of a file. Times are microseconds since 1970.
struct daybook_status {
    uint64_t device;
    uint64_t mount; // 0 where the kernel does not tell
    uint64_t inode;
    uint64_t links;
    int64_t size;
    int64_t modified;
    int64_t changed;
    int64_t born; // INT64_MIN where the file system does not know
    uint32_t mode;
    uint32_t owner;
    uint32_t group;
};

/// Opens a folder by its absolute path, following links: for places that the administrator configured. `listing` 0: O_PATH only.
int daybook_open_folder(const char *path, int listing);

/// Opens a folder below `folder`, never through a link and never into another mount (EXDEV).
int daybook_open_folder_at(int folder, const char *path, int listing);

/// The same, name by name, for where openat2 is forbidden.
int daybook_open_folder_by_steps(int folder, const char *path, int listing);

/// Never follows a link. An empty name is the descriptor itself.
int daybook_status_at(int folder, const char *name, struct daybook_status *status);

/// One getdents64.
long daybook_list_folder(int folder, void *buffer, size_t size);

/// A non-blocking close-on-exec inotify instance.
int daybook_inotify_open(void);

/// Watches the folder behind an open descriptor (through /proc/self/fd, as inotify has no call of that kind); the watch or -1.
int daybook_inotify_watch(int inotify, int folder, uint32_t mask);

/// Watches a path, following links.
int daybook_inotify_watch_path(int inotify, const char *path, uint32_t mask);

int daybook_inotify_forget(int inotify, int watch);

/// Makes an empty file of mode 0600 where there is none; 0 or -1.
int daybook_make_file(int folder, const char *name);

/// Sets both times to now, which inotify reports as ATTRIB.
int daybook_touch_file(int folder, const char *name);

/// The magic number of the file system.
int daybook_file_system(int folder, uint64_t *type);

/// A descriptor that polls POLLPRI when a mount of this process's namespace changes.
int daybook_watch_mounts(void);

#endif
