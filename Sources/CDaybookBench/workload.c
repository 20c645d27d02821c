// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "daybook_bench.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void bench_folder_path(const char *root, int folder, char *path, size_t size) {
    if (folder < 0)
        snprintf(path, size, "%s/7b/2026-03-14 Hamlet", root);
    else
        snprintf(path, size, "%s/7b/2026-03-14 Hamlet/student%03d", root, folder);
}

static int make_folder(const char *path) { return mkdir(path, 0755) == 0 || errno == EEXIST ? 0 : -1; }

int bench_make_folders(const char *root, int folders) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/7b", root);
    if (make_folder(root) || make_folder(path)) return -1;
    snprintf(path, sizeof path, "%s/7b/2026-03-14 Hamlet", root);
    if (make_folder(path)) return -1;
    for (int folder = 0; folder < folders; folder++) {
        bench_folder_path(root, folder, path, sizeof path);
        if (make_folder(path)) return -1;
    }
    return 0;
}

int bench_saves(const char *root, int folders, int saves, int pause) {
    static const char text[4096] = "To be, or not to be";
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (int save = 0; save < saves; save++) {
        char folder[PATH_MAX - 64], from[PATH_MAX], to[PATH_MAX];
        bench_folder_path(root, folders ? save % folders : -1, folder, sizeof folder);
        snprintf(from, sizeof from, "%s/essay%d.tmp", folder, folders ? save / folders % BENCH_DOCUMENTS : save % 120);
        snprintf(to, sizeof to, "%s/essay%d.docx", folder, folders ? save / folders % BENCH_DOCUMENTS : save % 120);
        int file = open(from, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
        if (file == -1) return -1;
        int failed = write(file, text, sizeof text) != sizeof text;
        close(file);
        if (failed || rename(from, to)) return -1;
        if (pause == 0) continue;
        next.tv_nsec += pause * 1000L;
        while (next.tv_nsec >= 1000000000L) {
            next.tv_nsec -= 1000000000L;
            next.tv_sec++;
        }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    }
    return 0;
}

static int give(uid_t uid, const char *root, int folders) {
    char path[PATH_MAX];
    for (int folder = -1; folder < folders; folder++) {
        bench_folder_path(root, folder, path, sizeof path);
        struct stat facts;
        // What is theirs already is left alone: all these changes at once would fill a short queue by themselves.
        if (stat(path, &facts) == 0 && facts.st_uid == uid) continue;
        if (chown(path, uid, (gid_t)-1)) return -1;
    }
    return 0;
}

/// In the child: only calls of the kernel's, since this process has other threads.
static int become(uid_t uid) { return (int)syscall(SYS_setresuid, uid, uid, uid); }

static int wait_for(pid_t child) {
    int status;
    if (child == -1) return -1;
    while (waitpid(child, &status, 0) == -1) {
        if (errno != EINTR) return -1;
    }
    if (status == 0) return 0;
    errno = EIO;
    return -1;
}

int bench_saves_as(uid_t uid, const char *root, int folders, int saves, int pause) {
    if (give(uid, root, folders)) return -1;
    pid_t child = fork();
    if (child == 0) _exit(become(uid) || bench_saves(root, folders, saves, pause) ? 1 : 0);
    return wait_for(child);
}

static int make_files(const char *root, int folders, int writer, int files, int pause) {
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (int number = 0; number < files; number++) {
        char folder[PATH_MAX - 64], path[PATH_MAX];
        bench_folder_path(root, number % folders, folder, sizeof folder);
        snprintf(path, sizeof path, "%s/note%d-%d.txt", folder, writer, number);
        int file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
        if (file == -1) return -1;
        int failed = write(file, path, 64) != 64;
        close(file);
        if (failed || unlink(path)) return -1;
        if (pause == 0) continue;
        next.tv_nsec += pause * 1000L;
        while (next.tv_nsec >= 1000000000L) {
            next.tv_nsec -= 1000000000L;
            next.tv_sec++;
        }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    }
    return 0;
}

// The kernel's niceness is a thread's.
int bench_set_nice(int nice) { return setpriority(PRIO_PROCESS, 0, nice); }

int bench_files_as(uid_t uid, const char *root, int folders, int writers, int files, int pause) {
    pid_t children[16];
    if (writers < 1 || writers > 16) return errno = EINVAL, -1;
    if (give(uid, root, folders)) return -1;
    for (int writer = 0; writer < writers; writer++) {
        children[writer] = fork();
        if (children[writer] == 0) _exit(bench_set_nice(0) || become(uid) || make_files(root, folders, writer, files, pause) ? 1 : 0);
    }
    int failed = 0;
    for (int writer = 0; writer < writers; writer++) failed |= wait_for(children[writer]);
    return failed ? -1 : 0;
}

static int churn(const char *root, int rounds) {
    char folder[PATH_MAX - 64], path[PATH_MAX];
    bench_folder_path(root, -1, folder, sizeof folder);
    for (int round = 0; round < rounds; round++) {
        for (int pass = 0; pass < 2; pass++) {
            for (int number = 0; number < 1000; number++) {
                snprintf(path, sizeof path, "%s/new%d-%d", folder, round, number);
                if (pass == 0 ? mkdir(path, 0755) : rmdir(path)) return -1;
            }
            // So that what is made is also watched.
            struct timespec rest = {.tv_nsec = 100000000};
            nanosleep(&rest, NULL);
        }
    }
    return 0;
}

int bench_churn_as(uid_t uid, const char *root, int rounds) {
    if (give(uid, root, 0)) return -1;
    pid_t child = fork();
    if (child == 0) _exit(become(uid) || churn(root, rounds) ? 1 : 0);
    return wait_for(child);
}

int bench_make_tree(const char *root, long folders, long files) {
    char path[PATH_MAX];
    long made = 0, filled = 0;
    if (make_folder(root)) return -1;
    for (int class = 0; made < folders; class++) {
        snprintf(path, sizeof path, "%s/class%03d", root, class);
        if (make_folder(path)) return -1;
        made++;
        for (int assignment = 0; assignment < 20 && made < folders; assignment++) {
            snprintf(path, sizeof path, "%s/class%03d/2026-03-%02d Essay", root, class, assignment + 1);
            if (make_folder(path)) return -1;
            made++;
            for (int student = 0; student < 30 && made < folders; student++) {
                snprintf(path, sizeof path, "%s/class%03d/2026-03-%02d Essay/student%02d", root, class, assignment + 1, student);
                if (make_folder(path)) return -1;
                made++;
                int folder = open(path, O_DIRECTORY | O_RDONLY | O_CLOEXEC);
                if (folder == -1) return -1;
                // In proportion, so that the last folder gets the last file.
                for (long due = (long)((double)files * (double)made / (double)folders); filled < due; filled++) {
                    char name[64];
                    snprintf(name, sizeof name, "document-%ld.docx", filled);
                    int file = openat(folder, name, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
                    if (file == -1) {
                        close(folder);
                        return -1;
                    }
                    close(file);
                }
                close(folder);
            }
        }
    }
    return 0;
}
