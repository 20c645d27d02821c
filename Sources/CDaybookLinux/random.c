// SPDX-License-Identifier: Apache-2.0
#include "daybook_random.h"

#include <errno.h>
#include <sys/random.h>

int daybook_random(void *bytes, size_t count) {
    char *place = bytes;
    while (count > 0) {
        ssize_t got = getrandom(place, count, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return 0;
        place += got;
        count -= (size_t)got;
    }
    return 1;
}
