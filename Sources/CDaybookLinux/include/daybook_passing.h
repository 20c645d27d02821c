// SPDX-License-Identifier: Apache-2.0
#ifndef DAYBOOK_PASSING_H
#define DAYBOOK_PASSING_H

#include <stddef.h>
#include <sys/types.h>

/// Sends bytes and, where `descriptor` is not -1, one descriptor with the first of them. No SIGPIPE. -1 and errno on failure.
ssize_t daybook_send_passing(int socket, const void *bytes, size_t length, int descriptor);

/// Receives bytes and up to `capacity` descriptors, close-on-exec; `*count` says how many. Descriptors beyond that are closed and make it
/// fail with EMSGSIZE. 0 at the end, -1 and errno on failure.
ssize_t daybook_receive_passed(int socket, void *bytes, size_t length, int *descriptors, int capacity, int *count);

/// A connected stream socket, close-on-exec; -1 and errno on failure.
int daybook_connect_stream(const char *path);

/// 1 where the descriptor is a socket that listens.
int daybook_is_listening(int descriptor);

#endif
