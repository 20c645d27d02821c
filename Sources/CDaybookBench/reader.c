// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "daybook_bench.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

struct bench_reader {
    pthread_t thread;
    int inotify, stop, batch_milliseconds;
    int64_t events, wakeups, cpu;
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

static void read_all(struct bench_reader *reader) {
    ssize_t count;
    while ((count = read(reader->inotify, reader->buffer, sizeof reader->buffer)) > 0) {
        for (ssize_t offset = 0; offset < count;) {
            const struct inotify_event *event = (const void *)(reader->buffer + offset);
            reader->events++;
            offset += (ssize_t)(sizeof *event + event->len);
        }
        // More room left than one record takes: that was all.
        if (sizeof reader->buffer - (size_t)count > 1024) return;
    }
}

static void *run(void *context) {
    struct bench_reader *reader = context;
    int64_t before = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    struct pollfd wanted[2] = {{.fd = reader->inotify, .events = POLLIN}, {.fd = reader->stop, .events = POLLIN}};
    for (;;) {
        if (poll(wanted, 2, -1) < 0 && errno != EINTR) break;
        reader->wakeups++;
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
    if (reader->inotify != -1) close(reader->inotify);
    if (reader->stop != -1) close(reader->stop);
    free(reader);
}

struct bench_reader *bench_reader_start(const char *root, int folders, uint32_t mask, int batch_milliseconds) {
    struct bench_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->batch_milliseconds = batch_milliseconds;
    reader->inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    reader->stop = eventfd(0, EFD_CLOEXEC);
    int failed = reader->inotify == -1 || reader->stop == -1;
    for (int folder = 0; folder < folders && !failed; folder++) {
        char path[PATH_MAX];
        bench_folder_path(root, folder, path, sizeof path);
        failed = inotify_add_watch(reader->inotify, path, mask) == -1;
    }
    if (failed || (errno = pthread_create(&reader->thread, NULL, run, reader))) {
        int code = errno;
        discard(reader);
        errno = code;
        return NULL;
    }
    return reader;
}

int bench_reader_stop(struct bench_reader *reader, int64_t *events, int64_t *cpu, int64_t *wakeups) {
    uint64_t one = 1;
    if (write(reader->stop, &one, sizeof one) != sizeof one) return -1;
    pthread_join(reader->thread, NULL);
    *events = reader->events;
    *cpu = reader->cpu;
    *wakeups = reader->wakeups;
    discard(reader);
    return 0;
}
