// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "daybook_threads.h"

#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>

int daybook_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

void daybook_name_thread(const char *name) {
    // A longer name would be refused, not cut.
    char kept[16] = {0};
    strncpy(kept, name, sizeof kept - 1);
    pthread_setname_np(pthread_self(), kept);
}
