// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "landlock.h"

#include <errno.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

int daybook_landlock_version(void) {
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

int daybook_landlock_all(void) {
    int version = daybook_landlock_version();
    if (version == -1) return -1;
    // The kernel refuses a right or field that it does not know, so the request grows with its version. By number: the headers that this is
    // built with may be older than the kernel it runs on.
    struct {
        uint64_t file_system;
        uint64_t network;
        uint64_t scoped;
    } all = {.file_system = (1ULL << 13) - 1};
    if (version >= 2) all.file_system |= 1ULL << 13;  // refer
    if (version >= 3) all.file_system |= 1ULL << 14;  // truncate
    if (version >= 5) all.file_system |= 1ULL << 15;  // ioctl on devices
    size_t size = sizeof all.file_system;
    if (version >= 4) {
        all.network = 3;  // bind and connect
        size += sizeof all.network;
    }
    if (version >= 6) {
        all.scoped = 3;  // abstract sockets and signals
        size += sizeof all.scoped;
    }
    return (int)syscall(SYS_landlock_create_ruleset, &all, size, 0);
}

int daybook_landlock_enter(int ruleset) {
    int code = syscall(SYS_landlock_restrict_self, ruleset, 0) == -1 ? errno : 0;
    close(ruleset);
    return code;
}
