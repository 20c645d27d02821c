// SPDX-License-Identifier: Apache-2.0
#ifndef DAYBOOK_PRIVILEGES_H
#define DAYBOOK_PRIVILEGES_H

#include <stdint.h>
#include <sys/types.h>

/// The calling thread's capability sets; bit N is capability N.
struct daybook_capabilities {
    uint64_t effective, permitted, inheritable, bounding, ambient;
};

int daybook_capabilities_get(struct daybook_capabilities *out);

/// Takes every capability from the calling thread for good: ambient, bounding (as far as CAP_SETPCAP allows), inheritable, permitted,
/// effective. Safe between fork and exec. -1 and errno where some could not be taken.
int daybook_capabilities_drop_all(void);

/// Empties the bounding set alone: what is executed later cannot have more.
int daybook_bounding_drop(void);

/// No program that is executed from here on gains privileges.
int daybook_no_new_privileges(void);

#endif
