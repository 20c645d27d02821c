// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "daybook_clocks.h"

#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int arm(int fd) {
    // As late as the kernel takes: only the cancellation is of interest.
    struct itimerspec never = {.it_value = {.tv_sec = INT64_MAX / 1000000000 - 1}};
    return timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
}

int daybook_clock_change_timer(void) {
    int fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (fd != -1 && arm(fd) == -1) {
        close(fd);
        return -1;
    }
    return fd;
}

void daybook_clock_change_rearm(int fd) {
    uint64_t count;
    if (read(fd, &count, sizeof count) == -1) { /* ECANCELED is the signal itself */
    }
    arm(fd);
}
