// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "daybook_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int folder_flags(int listing) {
    // O_NONBLOCK has no effect on folders, but should the name have become a FIFO meanwhile, O_DIRECTORY refuses it before it can block.
    return O_DIRECTORY | O_CLOEXEC | (listing ? O_RDONLY | O_NONBLOCK : O_PATH);
}

int daybook_open_folder(const char *path, int listing) { return open(path, folder_flags(listing)); }

int daybook_open_folder_at(int folder, const char *path, int listing) {
    struct open_how how;
    memset(&how, 0, sizeof how);
    how.flags = (uint64_t)(folder_flags(listing) | O_NOFOLLOW);
    how.resolve = RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_BENEATH;
    int opened = (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
    // systemd's RestrictSUIDSGID= answers ENOSYS, since a filter cannot look at this call's arguments.
    if (opened == -1 && errno == ENOSYS) return daybook_open_folder_by_steps(folder, path, listing);
    return opened;
}

static int mount_of(int folder, uint64_t *device, uint64_t *mount) {
    struct statx found;
    if (statx(folder, "", AT_EMPTY_PATH | AT_NO_AUTOMOUNT, STATX_MNT_ID, &found) == -1) return -1;
    *device = makedev(found.stx_dev_major, found.stx_dev_minor);
    *mount = found.stx_mask & STATX_MNT_ID ? found.stx_mnt_id : 0;
    return 0;
}

static int is_link(int folder, const char *name) {
    struct stat found;
    return fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(found.st_mode);
}

int daybook_open_folder_by_steps(int folder, const char *path, int listing) {
    uint64_t device, mount, device_here, mount_here;
    if (path[0] == '/') return errno = EXDEV, -1;
    if (path[0] == 0) return errno = ENOENT, -1;
    if (mount_of(folder, &device, &mount) == -1) return -1;
    int place = folder;
    for (;;) {
        char name[NAME_MAX + 1];
        size_t length = strcspn(path, "/");
        const char *rest = path + length + strspn(path + length, "/");
        int next = -1, code = 0;
        if (length > NAME_MAX) {
            code = ENAMETOOLONG;
        } else {
            memcpy(name, path, length);
            name[length] = 0;
            // Each step is checked while it is held, so a rename meanwhile cannot lead elsewhere.
            if (strcmp(name, "..") == 0) {
                code = EXDEV;
            } else if ((next = openat(place, name, folder_flags(listing && *rest == 0) | O_NOFOLLOW)) == -1) {
                code = errno == ENOTDIR && *rest != 0 && is_link(place, name) ? ELOOP : errno;
            } else if (mount_of(next, &device_here, &mount_here) == -1) {
                code = errno;
            } else if (device_here != device || mount_here != mount) {
                code = EXDEV;
            }
        }
        if (place != folder) close(place);
        if (code != 0) {
            if (next != -1) close(next);
            return errno = code, -1;
        }
        if (*rest == 0) return next;
        place = next;
        path = rest;
    }
}

static int64_t microseconds(struct statx_timestamp time) { return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000; }

int daybook_status_at(int folder, const char *name, struct daybook_status *status) {
    struct statx found;
    int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | (name[0] == 0 ? AT_EMPTY_PATH : 0);
    if (statx(folder, name, flags, STATX_BASIC_STATS | STATX_BTIME | STATX_MNT_ID, &found) == -1) return -1;
    status->device = makedev(found.stx_dev_major, found.stx_dev_minor);
    status->mount = found.stx_mask & STATX_MNT_ID ? found.stx_mnt_id : 0;
    status->inode = found.stx_ino;
    status->links = found.stx_nlink;
    status->size = (int64_t)found.stx_size;
    status->modified = microseconds(found.stx_mtime);
    status->changed = microseconds(found.stx_ctime);
    status->born = found.stx_mask & STATX_BTIME ? microseconds(found.stx_btime) : INT64_MIN;
    status->mode = found.stx_mode;
    status->owner = found.stx_uid;
    status->group = found.stx_gid;
    return 0;
}

long daybook_list_folder(int folder, void *buffer, size_t size) { return getdents64(folder, buffer, size); }

int daybook_inotify_open(void) { return inotify_init1(IN_NONBLOCK | IN_CLOEXEC); }

int daybook_inotify_watch(int inotify, int folder, uint32_t mask) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", folder);
    return inotify_add_watch(inotify, path, mask);
}

int daybook_inotify_watch_path(int inotify, const char *path, uint32_t mask) { return inotify_add_watch(inotify, path, mask); }

int daybook_inotify_forget(int inotify, int watch) { return inotify_rm_watch(inotify, watch); }

int daybook_make_file(int folder, const char *name) {
    int file = openat(folder, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    return file == -1 ? -1 : close(file);
}

int daybook_touch_file(int folder, const char *name) { return utimensat(folder, name, NULL, AT_SYMLINK_NOFOLLOW); }

int daybook_file_system(int folder, uint64_t *type) {
    struct statfs found;
    if (fstatfs(folder, &found) == -1) return -1;
    *type = (uint64_t)(uint32_t)found.f_type;
    return 0;
}

int daybook_watch_mounts(void) { return open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC); }
