// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "daybook_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

static const int all_seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL;

int daybook_memory_file(const char *name) {
    int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
    // Kernels before 6.3 do not know the last flag.
    if (descriptor == -1 && errno == EINVAL) descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    return descriptor;
}

void daybook_give_memory_back(void) { malloc_trim(0); }

int daybook_seal(int descriptor) { return fcntl(descriptor, F_ADD_SEALS, all_seals); }

int daybook_is_sealed(int descriptor) {
    int seals = fcntl(descriptor, F_GET_SEALS);
    return seals != -1 && (seals & all_seals) == all_seals;
}

int daybook_open_for_reading(int folder, const char *name, int more_flags) {
    return openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | more_flags);
}
