// SPDX-License-Identifier: Apache-2.0
#ifndef DAYBOOK_PROGRAMS_H
#define DAYBOOK_PROGRAMS_H

#include <stdint.h>

/// What a program may cost that reads a hostile document.
struct daybook_program_limits {
    /// Bytes of address space of each of its processes, and of what it may write into a file in memory.
    uint64_t memory, output;
    /// Of the processor's time, of each process; by the clock, before the program is ended by an alarm it cannot take back.
    uint32_t cpu_seconds, wall_seconds;
    /// Processes and threads.
    uint32_t processes;
};

/// For a forked child that will execute such a program: `request` becomes descriptor 0, `reply` 1, `messages` 2 (-1: nowhere), `document` 3,
/// and no other stays open. It leads a process group of its own, dies with its parent, is nobody where it was root, and finds files by
/// Landlock only below /usr and beside it what programs need, `program` itself, and nothing it could write to. Call
/// `daybook_start_clock` last. 0 or an errno; EOPNOTSUPP: the kernel's Landlock is older than its second version, or there is none.
int daybook_confine_program(
    int request, int reply, int messages, int document, const char *program, const struct daybook_program_limits *limits);

/// Starts the wall clock of the limits: directly before the program is executed.
void daybook_start_clock(const struct daybook_program_limits *limits);

/// Ends every process of the group that `daybook_confine_program` made in this child, and its children's children.
void daybook_end_group(int process);

/// The group made, for a parent that must not signal another one in the moment before the child made it itself. 0 or an errno.
int daybook_make_group(int process);

/// Signals the first thread of a process. -1 and errno on failure.
int daybook_signal_thread(int process, int number);

#endif
