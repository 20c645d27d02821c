// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "daybook_privileges.h"

#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// glibc has no wrappers; libcap would be one more library for two calls.
static int get(struct __user_cap_data_struct data[2]) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    return (int)syscall(SYS_capget, &header, data);
}

int daybook_capabilities_get(struct daybook_capabilities *out) {
    struct __user_cap_data_struct data[2];
    memset(out, 0, sizeof *out);
    if (get(data) < 0) return -1;
    out->effective = data[0].effective | (uint64_t)data[1].effective << 32;
    out->permitted = data[0].permitted | (uint64_t)data[1].permitted << 32;
    out->inheritable = data[0].inheritable | (uint64_t)data[1].inheritable << 32;
    for (unsigned long cap = 0; cap < 64; cap++) {
        int in_bounding = prctl(PR_CAPBSET_READ, cap, 0, 0, 0);
        if (in_bounding < 0) break; // The kernel's last one was the one before.
        if (in_bounding) out->bounding |= UINT64_C(1) << cap;
        if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, cap, 0, 0) == 1) out->ambient |= UINT64_C(1) << cap;
    }
    return 0;
}

int daybook_bounding_drop(void) {
    struct __user_cap_data_struct data[2];
    if (get(data) < 0) return -1;
    // Without CAP_SETPCAP the set stays; it gives nothing to a process without capabilities and with no_new_privs.
    if (!(data[0].effective & 1u << CAP_SETPCAP)) return 0;
    for (unsigned long cap = 0; cap < 64; cap++) {
        if (prctl(PR_CAPBSET_READ, cap, 0, 0, 0) < 0) break;
        if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) < 0) return -1;
    }
    return 0;
}

int daybook_capabilities_drop_all(void) {
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0) return -1;
    if (daybook_bounding_drop() < 0) return -1;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct none[2];
    memset(none, 0, sizeof none);
    return (int)syscall(SYS_capset, &header, none);
}

int daybook_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }
