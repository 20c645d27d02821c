// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "daybook_bench.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

struct bench_reader {
    pthread_t thread;
    enum bench_interface interface;
    int queue, stop, batch_milliseconds;
    int64_t events, overflows, cpu;
    char buffer[128 * 1024] __attribute__((aligned(8)));
};

static int64_t nanoseconds(clockid_t clock) {
    struct timespec now;
    return clock_gettime(clock, &now) ? -1 : now.tv_sec * 1000000000L + now.tv_nsec;
}

int64_t bench_read_clock(int32_t clock) { return nanoseconds(clock); }
int64_t bench_monotonic(void) { return nanoseconds(CLOCK_MONOTONIC); }

int bench_own_thread_clock(int32_t *clock) { return (errno = pthread_getcpuclockid(pthread_self(), clock)) ? -1 : 0; }
int bench_process_clock(pid_t pid, int32_t *clock) { return (errno = clock_getcpuclockid(pid, clock)) ? -1 : 0; }

static void count_inotify(struct bench_reader *reader, ssize_t count) {
    for (ssize_t offset = 0; offset < count;) {
        const struct inotify_event *event = (const void *)(reader->buffer + offset);
        reader->events++;
        if (event->mask & IN_Q_OVERFLOW) reader->overflows++;
        offset += (ssize_t)(sizeof *event + event->len);
    }
}

static void count_fanotify(struct bench_reader *reader, ssize_t count) {
    const struct fanotify_event_metadata *event = (const void *)reader->buffer;
    for (; FAN_EVENT_OK(event, count); event = FAN_EVENT_NEXT(event, count)) {
        reader->events++;
        if (event->mask & FAN_Q_OVERFLOW) reader->overflows++;
        if (reader->interface != BENCH_FANOTIFY_PIDFD) continue;
        const char *part = (const char *)event + event->metadata_len, *end = (const char *)event + event->event_len;
        while (part < end) {
            const struct fanotify_event_info_header *header = (const void *)part;
            if (header->info_type == FAN_EVENT_INFO_TYPE_PIDFD) {
                int process = ((const struct fanotify_event_info_pidfd *)header)->pidfd;
                if (process >= 0) close(process);
            }
            part += header->len;
        }
    }
}

static void read_all(struct bench_reader *reader) {
    ssize_t count;
    while ((count = read(reader->queue, reader->buffer, sizeof reader->buffer)) > 0) {
        if (reader->interface == BENCH_INOTIFY)
            count_inotify(reader, count);
        else
            count_fanotify(reader, count);
        // More room left than one record takes: that was all.
        if (sizeof reader->buffer - (size_t)count > 1024) return;
    }
}

static void *run(void *context) {
    struct bench_reader *reader = context;
    int64_t before = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    struct pollfd wanted[2] = {{.fd = reader->queue, .events = POLLIN}, {.fd = reader->stop, .events = POLLIN}};
    for (;;) {
        if (poll(wanted, 2, -1) < 0 && errno != EINTR) break;
        // Again a wait that the stop can end, as the real watcher does it.
        if (reader->batch_milliseconds > 0 && wanted[1].revents == 0) poll(wanted + 1, 1, reader->batch_milliseconds);
        read_all(reader);
        if (wanted[1].revents) {
            read_all(reader);
            break;
        }
    }
    reader->cpu = nanoseconds(CLOCK_THREAD_CPUTIME_ID) - before;
    return NULL;
}

static void discard(struct bench_reader *reader) {
    if (reader->queue != -1) close(reader->queue);
    if (reader->stop != -1) close(reader->stop);
    free(reader);
}

struct bench_reader *bench_reader_start(
    enum bench_interface interface, const char *root, int folders, uint64_t mask, int batch_milliseconds) {
    struct bench_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->interface = interface;
    reader->batch_milliseconds = batch_milliseconds;
    if (interface == BENCH_INOTIFY) {
        reader->queue = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    } else {
        unsigned flags = FAN_CLASS_NOTIF | FAN_REPORT_DFID_NAME | FAN_NONBLOCK | FAN_CLOEXEC;
        reader->queue = fanotify_init(flags | (interface == BENCH_FANOTIFY_PIDFD ? FAN_REPORT_PIDFD : 0), O_RDONLY);
    }
    reader->stop = eventfd(0, EFD_CLOEXEC);
    int failed = reader->queue == -1 || reader->stop == -1;
    for (int folder = -1; folder < folders && !failed; folder++) {
        char path[PATH_MAX];
        bench_folder_path(root, folder, path, sizeof path);
        failed = interface == BENCH_INOTIFY ? inotify_add_watch(reader->queue, path, (uint32_t)mask) == -1
                                            : fanotify_mark(reader->queue, FAN_MARK_ADD, mask, AT_FDCWD, path) == -1;
    }
    if (failed || (errno = pthread_create(&reader->thread, NULL, run, reader))) {
        int code = errno;
        discard(reader);
        errno = code;
        return NULL;
    }
    return reader;
}

int bench_reader_stop(struct bench_reader *reader, int64_t *events, int64_t *cpu, int64_t *overflows) {
    uint64_t one = 1;
    if (write(reader->stop, &one, sizeof one) != sizeof one) return -1;
    pthread_join(reader->thread, NULL);
    *events = reader->events;
    *cpu = reader->cpu;
    if (overflows) *overflows = reader->overflows;
    discard(reader);
    return 0;
}
