// SPDX-License-Identifier: Apache-2.0
#ifndef DAYBOOK_MAPPING_H
#define DAYBOOK_MAPPING_H

#include <stddef.h>

/// Maps a file for reading, and sees to it that a page which cannot be had any more (the file was made shorter, the disk does not give it)
/// reads as zeros and is remembered, instead of ending the process with SIGBUS. Gives the number of the mapping and its bytes; -1 and errno
/// on failure (ENOMEM also where there are too many).
int daybook_map(int descriptor, size_t size, void **bytes);

/// 1 once a page of it could not be had.
int daybook_map_is_torn(int number);

/// Nobody may look at its bytes any more.
void daybook_unmap(int number);

#endif
