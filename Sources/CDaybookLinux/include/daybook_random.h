// SPDX-License-Identifier: Apache-2.0
#ifndef DAYBOOK_RANDOM_H
#define DAYBOOK_RANDOM_H

#include <stddef.h>

/// Random bytes from the kernel, as many as asked for in one call (`getentropy` gives 256 at most). 1, or 0 where it gives none.
int daybook_random(void *bytes, size_t count);

#endif
