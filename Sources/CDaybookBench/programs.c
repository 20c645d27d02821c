// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "daybook_bench.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

pid_t bench_start(char *const *arguments, int *errors) {
    int pipes[2] = {-1, -1};
    if (errors && pipe2(pipes, O_CLOEXEC)) return -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (errors)
        posix_spawn_file_actions_adddup2(&actions, pipes[1], 2);
    else
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    pid_t pid = -1;
    int code = posix_spawnp(&pid, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (errors) {
        close(pipes[1]);
        if (code)
            close(pipes[0]);
        else
            *errors = pipes[0];
    }
    errno = code;
    return code ? -1 : pid;
}

int bench_wait(pid_t pid, int *status, int64_t *cpu) {
    struct rusage used;
    while (wait4(pid, status, 0, &used) == -1) {
        if (errno != EINTR) return -1;
    }
    *cpu = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000L + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000L;
    return 0;
}

int64_t bench_write_and_sync(const char *path, const void *bytes, size_t size, int times) {
    int file = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    if (file == -1) return -1;
    int64_t before = bench_monotonic();
    for (int time = 0; time < times; time++) {
        if (write(file, bytes, size) != (ssize_t)size || fdatasync(file)) {
            close(file);
            return -1;
        }
    }
    int64_t taken = bench_monotonic() - before;
    close(file);
    return taken;
}

int64_t bench_count_lines(const char *path) {
    static char buffer[256 * 1024];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file == -1) return -1;
    int64_t lines = 0;
    ssize_t count;
    while ((count = read(file, buffer, sizeof buffer)) > 0) {
        const char *place = buffer, *end = buffer + count;
        while ((place = memchr(place, '\n', (size_t)(end - place)))) {
            lines++;
            place++;
        }
    }
    close(file);
    return count < 0 ? -1 : lines;
}
