// SPDX-License-Identifier: Apache-2.0
#ifndef DAYBOOK_THREADS_H
#define DAYBOOK_THREADS_H

/// A non-blocking close-on-exec eventfd; -1 and errno on failure.
int daybook_eventfd(void);

/// Names the calling thread; the kernel keeps 15 bytes.
void daybook_name_thread(const char *name);

#endif
