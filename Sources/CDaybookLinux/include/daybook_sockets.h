// SPDX-License-Identifier: Apache-2.0
#ifndef DAYBOOK_SOCKETS_H
#define DAYBOOK_SOCKETS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The longest path a Unix socket's address holds, without its closing zero.
#define DAYBOOK_SOCKET_PATH_MAX 107

/// A close-on-exec Unix stream socket; -1 and errno on failure.
int daybook_stream_socket(int nonblocking);

/// Two connected close-on-exec stream sockets.
int daybook_stream_pair(int nonblocking, int pair[2]);

/// `length` must be 1 to DAYBOOK_SOCKET_PATH_MAX; -1 and ENAMETOOLONG otherwise.
int daybook_bind_path(int fd, const uint8_t *path, size_t length);
int daybook_connect_path(int fd, const uint8_t *path, size_t length);

/// accept4 with non-blocking and close-on-exec.
int daybook_accept(int fd);

/// How long a blocking connect or send may wait for the other side.
int daybook_set_send_timeout(int fd, int64_t microseconds);

/// 1 for a listening Unix stream socket, 0 for anything else, -1 and errno where it is no socket.
int daybook_is_unix_listener(int fd);

int daybook_peer_credentials(int fd, int32_t *pid, uint32_t *uid, uint32_t *gid);

/// Fills `groups` and `count`; -1 and ERANGE with the needed `count` where `capacity` is too small.
int daybook_peer_groups(int fd, uint32_t *groups, size_t capacity, size_t *count);

/// Never raises SIGPIPE, never waits.
ssize_t daybook_send(int fd, const void *bytes, size_t length);
ssize_t daybook_receive(int fd, void *bytes, size_t length);

/// Descriptors that one message may carry here.
#define DAYBOOK_DESCRIPTORS_MAX 16

/// Sends bytes together with descriptors.
ssize_t daybook_send_descriptors(int fd, const void *bytes, size_t length, const int *descriptors, size_t count);

/// Receives bytes and at most DAYBOOK_DESCRIPTORS_MAX descriptors, all close-on-exec. Where the kernel had to drop some, the others are
/// closed and the result is -1 and EMSGSIZE.
ssize_t daybook_receive_descriptors(int fd, void *bytes, size_t length, int descriptors[DAYBOOK_DESCRIPTORS_MAX], size_t *count);

/// O_PATH, not following a link: a handle that opens sockets too.
int daybook_open_path_flags(void);

int daybook_set_nonblocking(int fd, int nonblocking);
int daybook_set_close_on_exec(int fd);

#endif
