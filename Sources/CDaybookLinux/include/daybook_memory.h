// SPDX-License-Identifier: Apache-2.0
#ifndef DAYBOOK_MEMORY_H
#define DAYBOOK_MEMORY_H

#include <stddef.h>
#include <sys/types.h>

/// What the allocator keeps for later goes back to the kernel, whole pages in the middle included.
void daybook_give_memory_back(void);

/// An anonymous file that can be sealed and never executed; close-on-exec. -1 and errno on failure.
int daybook_memory_file(const char *name);

/// Forbids shrinking, growing, writing, and taking the seals off again. -1 and errno on failure.
int daybook_seal(int descriptor);

/// 1 where all those seals are on, 0 where one is missing or the descriptor is no such file.
int daybook_is_sealed(int descriptor);

/// `openat` without its variadic mode, close-on-exec, for reading.
int daybook_open_for_reading(int folder, const char *name, int more_flags);

#endif
