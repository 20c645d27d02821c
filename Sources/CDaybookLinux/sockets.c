// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "daybook_sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

static int flags(int nonblocking) { return SOCK_STREAM | SOCK_CLOEXEC | (nonblocking ? SOCK_NONBLOCK : 0); }

int daybook_stream_socket(int nonblocking) { return socket(AF_UNIX, flags(nonblocking), 0); }

int daybook_stream_pair(int nonblocking, int pair[2]) { return socketpair(AF_UNIX, flags(nonblocking), 0, pair); }

static int address(struct sockaddr_un *out, socklen_t *size, const uint8_t *path, size_t length) {
    if (length < 1 || length > DAYBOOK_SOCKET_PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memset(out, 0, sizeof *out);
    out->sun_family = AF_UNIX;
    memcpy(out->sun_path, path, length);
    *size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
    return 0;
}

int daybook_bind_path(int fd, const uint8_t *path, size_t length) {
    struct sockaddr_un to;
    socklen_t size;
    if (address(&to, &size, path, length) < 0) return -1;
    return bind(fd, (struct sockaddr *)&to, size);
}

int daybook_connect_path(int fd, const uint8_t *path, size_t length) {
    struct sockaddr_un to;
    socklen_t size;
    if (address(&to, &size, path, length) < 0) return -1;
    return connect(fd, (struct sockaddr *)&to, size);
}

int daybook_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int daybook_set_send_timeout(int fd, int64_t microseconds) {
    struct timeval limit = {.tv_sec = microseconds / 1000000, .tv_usec = microseconds % 1000000};
    return setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

static int option(int fd, int name) {
    int value = 0;
    socklen_t size = sizeof value;
    return getsockopt(fd, SOL_SOCKET, name, &value, &size) < 0 ? -1 : value;
}

int daybook_is_unix_listener(int fd) {
    int domain = option(fd, SO_DOMAIN);
    if (domain < 0) return -1;
    return domain == AF_UNIX && option(fd, SO_TYPE) == SOCK_STREAM && option(fd, SO_ACCEPTCONN) == 1;
}

int daybook_peer_credentials(int fd, int32_t *pid, uint32_t *uid, uint32_t *gid) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0) return -1;
    *pid = peer.pid;
    *uid = peer.uid;
    *gid = peer.gid;
    return 0;
}

int daybook_peer_groups(int fd, uint32_t *groups, size_t capacity, size_t *count) {
    socklen_t size = (socklen_t)(capacity * sizeof(gid_t));
    int result = getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size);
    int code = errno;
    *count = size / sizeof(gid_t);
    errno = code;
    return result;
}

ssize_t daybook_send(int fd, const void *bytes, size_t length) { return send(fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT); }

ssize_t daybook_receive(int fd, void *bytes, size_t length) { return recv(fd, bytes, length, MSG_DONTWAIT); }

union control {
    struct cmsghdr alignment;
    char bytes[CMSG_SPACE(sizeof(int) * DAYBOOK_DESCRIPTORS_MAX)];
};

ssize_t daybook_send_descriptors(int fd, const void *bytes, size_t length, const int *descriptors, size_t count) {
    if (count < 1 || count > DAYBOOK_DESCRIPTORS_MAX || length < 1) {
        errno = EINVAL;
        return -1;
    }
    union control control;
    memset(&control, 0, sizeof control);
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = CMSG_SPACE(sizeof(int) * count)};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * count);
    memcpy(CMSG_DATA(header), descriptors, sizeof(int) * count);
    return sendmsg(fd, &message, MSG_NOSIGNAL);
}

ssize_t daybook_receive_descriptors(int fd, void *bytes, size_t length, int descriptors[DAYBOOK_DESCRIPTORS_MAX], size_t *count) {
    union control control;
    struct iovec part = {.iov_base = bytes, .iov_len = length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    *count = 0;
    ssize_t result = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
    if (result < 0) return -1;
    for (struct cmsghdr *h = CMSG_FIRSTHDR(&message); h != NULL; h = CMSG_NXTHDR(&message, h)) {
        if (h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_RIGHTS) continue;
        size_t here = (h->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < here; i++) {
            int one;
            memcpy(&one, CMSG_DATA(h) + i * sizeof(int), sizeof one);
            if (*count < DAYBOOK_DESCRIPTORS_MAX)
                descriptors[(*count)++] = one;
            else
                close(one);
        }
    }
    if (message.msg_flags & MSG_CTRUNC) {
        for (size_t i = 0; i < *count; i++) close(descriptors[i]);
        *count = 0;
        errno = EMSGSIZE;
        return -1;
    }
    return result;
}

int daybook_open_path_flags(void) { return O_PATH | O_NOFOLLOW | O_CLOEXEC; }

int daybook_set_nonblocking(int fd, int nonblocking) {
    int now = fcntl(fd, F_GETFL);
    if (now < 0) return -1;
    return fcntl(fd, F_SETFL, nonblocking ? now | O_NONBLOCK : now & ~O_NONBLOCK);
}

int daybook_set_close_on_exec(int fd) { return fcntl(fd, F_SETFD, FD_CLOEXEC); }
