// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "daybook_fanotify.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef FAN_REPORT_PIDFD
#define FAN_REPORT_PIDFD 0x80
#endif

int daybook_fanotify_open(void) {
    // Not FAN_UNLIMITED_QUEUE: a reader that hangs must not fill the kernel's memory, and an overflow is told and mended by a rescan.
    // Not FAN_UNLIMITED_MARKS: each mark holds an inode in memory, and how many may be is for the administrator to say.
    const unsigned flags = FAN_CLASS_NOTIF | FAN_REPORT_DFID_NAME | FAN_NONBLOCK | FAN_CLOEXEC;
    // Only a group that is told whose events they are may have this flag. It is not used itself: a descriptor for each event costs more
    // than one for each process.
    int probe = fanotify_init(flags | FAN_REPORT_PIDFD, O_RDONLY);
    if (probe == -1) return -1;
    close(probe);
    return fanotify_init(flags, O_RDONLY);
}

int daybook_fanotify_mark(int group, int folder, uint64_t mask, int add) {
    // The name is for places, which the kernel does not take by their descriptor alone.
    return fanotify_mark(group, (add ? FAN_MARK_ADD : FAN_MARK_REMOVE) | FAN_MARK_ONLYDIR, mask, folder, ".");
}

int daybook_folder_handle(int folder, const char *name, void *buffer) {
    struct {
        struct file_handle head;
        unsigned char bytes[MAX_HANDLE_SZ];
    } handle;
    struct statfs system;
    int mount;
    handle.head.handle_bytes = MAX_HANDLE_SZ;
    if (name_to_handle_at(folder, name, &handle.head, &mount, name[0] == 0 ? AT_EMPTY_PATH : 0) == -1) return -1;
    // Of the folder, also where the name is in it: a folder on another file system is not ours.
    if (fstatfs(folder, &system) == -1) return -1;
    unsigned char *place = buffer;
    memcpy(place, &system.f_fsid, 8);
    memcpy(place + 8, &handle.head.handle_bytes, 4);
    memcpy(place + 12, &handle.head.handle_type, 4);
    memcpy(place + 16, handle.head.f_handle, handle.head.handle_bytes);
    return 16 + (int)handle.head.handle_bytes;
}

int daybook_open_handle(int mount, const void *bytes, size_t size) {
    struct {
        struct file_handle head;
        unsigned char bytes[MAX_HANDLE_SZ];
    } handle;
    struct statfs system;
    const unsigned char *place = bytes;
    if (size < 16 || size > 16 + MAX_HANDLE_SZ) return errno = EINVAL, -1;
    if (fstatfs(mount, &system) == -1) return -1;
    if (memcmp(place, &system.f_fsid, 8) != 0) return errno = EXDEV, -1;
    handle.head.handle_bytes = (unsigned)(size - 16);
    memcpy(&handle.head.handle_type, place + 12, 4);
    memcpy(handle.head.f_handle, place + 16, size - 16);
    return open_by_handle_at(mount, &handle.head, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

long daybook_read_process(int proc, int32_t pid, const char *name, void *buffer, size_t size) {
    char path[40];
    snprintf(path, sizeof path, "%d/%s", (int)pid, name);
    int file = openat(proc, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file == -1) return -1;
    // One read: the kernel makes the whole text at once, and what we look for is at its beginning.
    long count;
    do count = read(file, buffer, size);
    while (count == -1 && errno == EINTR);
    int code = errno;
    close(file);
    errno = code;
    return count;
}

int daybook_open_proc(void) { return open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC); }

int daybook_has_ended(int process) {
    struct pollfd wanted = {.fd = process, .events = POLLIN};
    return poll(&wanted, 1, 0);
}
