// SPDX-License-Identifier: Apache-2.0
// The plain things that Daybook is measured beside, and what both sides are fed with.
#ifndef DAYBOOK_BENCH_H
#define DAYBOOK_BENCH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Times are nanoseconds. Functions give -1 and errno on failure where nothing else is said.

/// What a thread has used of the processor, user and system; `clock` is for asking from another thread.
int bench_own_thread_clock(int32_t *clock);

/// How nice the calling thread and what it starts are from here on; less than before needs CAP_SYS_NICE. 0, or -1 with errno.
int bench_set_nice(int nice);
/// The same for a whole process.
int bench_process_clock(pid_t pid, int32_t *clock);
int64_t bench_read_clock(int32_t clock);
int64_t bench_monotonic(void);

/// Makes `root` and below it one class, one assignment and `folders` folders of students.
int bench_make_folders(const char *root, int folders);
/// The path of one of them; of the assignment's own folder for -1.
void bench_folder_path(const char *root, int folder, char *path, size_t size);

/// Documents of one student.
#define BENCH_DOCUMENTS 4

/// Saves `saves` times as programs do: makes a temporary file, writes, closes, renames it over the document. Each is six events.
/// Saves go around the folders; between two the pause, in microseconds, counted from the start so that delays do not add up.
/// With no folders, all go to the assignment's own, where nothing counts.
int bench_saves(const char *root, int folders, int saves, int pause);
/// The same in a process of its own, as another user, who is given the folders.
int bench_saves_as(uid_t uid, const char *root, int folders, int saves, int pause);

/// So many files of names that never come again, each made, written, closed and deleted; as another user, in a process of its own for each
/// of the writers. `pause` is in microseconds, for each writer.
int bench_files_as(uid_t uid, const char *root, int folders, int writers, int files, int pause);
/// Makes a thousand folders of students and deletes them, as often as there are rounds, as another user.
int bench_churn_as(uid_t uid, const char *root, int rounds);

enum bench_interface { BENCH_INOTIFY, BENCH_FANOTIFY, BENCH_FANOTIFY_PIDFD };

/// Reads the kernel's records of these folders and the assignment's own in a thread of its own and does nothing but count them.
struct bench_reader;
struct bench_reader *bench_reader_start(
    enum bench_interface interface, const char *root, int folders, uint64_t mask, int batch_milliseconds);
/// Lets it read what is left, and ends it. `overflows` may be null.
int bench_reader_stop(struct bench_reader *reader, int64_t *events, int64_t *cpu, int64_t *overflows);

/// Starts a program with its output to /dev/null; `errors` is a pipe from its standard error, or null for /dev/null.
pid_t bench_start(char *const *arguments, int *errors);
/// Waits for it; `cpu` is its own time and that of the children it waited for.
int bench_wait(pid_t pid, int *status, int64_t *cpu);

/// Writes `bytes` so many times at the end of a new file, each with fdatasync; the time it took.
int64_t bench_write_and_sync(const char *path, const void *bytes, size_t size, int times);

/// Reads a file from end to end and counts its lines.
int64_t bench_count_lines(const char *path);

/// A tree of classes, assignments of 30 students each, and empty documents; for measurements of size.
int bench_make_tree(const char *root, long folders, long files);

#endif
