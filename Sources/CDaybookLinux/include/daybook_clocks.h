// SPDX-License-Identifier: Apache-2.0
#ifndef DAYBOOK_CLOCKS_H
#define DAYBOOK_CLOCKS_H

/// A timerfd of CLOCK_REALTIME that never expires but is cancelled when the clock is set; -1 and errno on failure.
int daybook_clock_change_timer(void);

/// Reads the cancellation and arms the timer again.
void daybook_clock_change_rearm(int fd);

#endif
