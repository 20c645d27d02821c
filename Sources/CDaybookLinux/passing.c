// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "daybook_passing.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

ssize_t daybook_send_passing(int socket, const void *bytes, size_t length, int descriptor) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    if (descriptor != -1) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.room;
        message.msg_controllen = sizeof control.room;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t daybook_receive_passed(int socket, void *bytes, size_t length, int *descriptors, int capacity, int *count) {
    *count = 0;
    struct iovec part = {.iov_base = bytes, .iov_len = length};
    // Room for more than one, so that a surplus is seen and closed instead of silently cut.
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int) * 16)];
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
    ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (received == -1) return -1;
    int surplus = (message.msg_flags & MSG_CTRUNC) != 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t passed = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < passed; i++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof descriptor);
            if (*count < capacity) {
                descriptors[(*count)++] = descriptor;
            } else {
                surplus = 1;
                close(descriptor);
            }
        }
    }
    if (!surplus) return received;
    for (int i = 0; i < *count; i++) close(descriptors[i]);
    *count = 0;
    errno = EMSGSIZE;
    return -1;
}

int daybook_connect_stream(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, path, length + 1);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor == -1) return -1;
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == -1) {
        int code = errno;
        close(descriptor);
        errno = code;
        return -1;
    }
    return descriptor;
}

int daybook_is_listening(int descriptor) {
    int listening = 0;
    socklen_t size = sizeof listening;
    return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) == 0 && listening;
}
