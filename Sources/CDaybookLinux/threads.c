// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "daybook_threads.h"

#include <pthread.h>
#include <sys/eventfd.h>

int daybook_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

void daybook_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }
