// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "daybook_programs.h"
#include "daybook_privileges.h"
#include "landlock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

// Debian's nobody and nogroup.
static const uid_t nobody = 65534;

// Never above what we may have ourselves, which cannot be raised.
static int limit(__rlimit_resource_t what, uint64_t value) {
    struct rlimit ours;
    if (getrlimit(what, &ours) == 0 && value > ours.rlim_max) value = ours.rlim_max;
    struct rlimit both = {.rlim_cur = value, .rlim_max = value};
    return setrlimit(what, &both) == -1 ? errno : 0;
}

// Processes and threads of a user, as far as they can be seen.
static uint64_t tasks_of(uid_t user) {
    DIR *all = opendir("/proc");
    if (all == NULL) return 0;
    uint64_t tasks = 0;
    struct dirent *entry;
    while ((entry = readdir(all)) != NULL) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
        char path[300];
        snprintf(path, sizeof path, "/proc/%s/task", entry->d_name);
        struct stat status;
        // A folder has two links and one more for each folder in it.
        if (stat(path, &status) == 0 && status.st_uid == user && status.st_nlink > 2) tasks += status.st_nlink - 2;
    }
    closedir(all);
    return tasks;
}

static int set_limits(const struct daybook_program_limits *limits) {
    int code = 0;
    if ((code = limit(RLIMIT_CORE, 0)) != 0) return code;
    if ((code = limit(RLIMIT_AS, limits->memory)) != 0) return code;
    struct rlimit seconds = {.rlim_cur = limits->cpu_seconds, .rlim_max = limits->cpu_seconds + 1};
    if (setrlimit(RLIMIT_CPU, &seconds) == -1) return errno;
    if ((code = limit(RLIMIT_FSIZE, limits->output)) != 0) return code;
    if ((code = limit(RLIMIT_NOFILE, 64)) != 0) return code;
    if ((code = limit(RLIMIT_MSGQUEUE, 0)) != 0) return code;
    return limit(RLIMIT_MEMLOCK, 0);
}

// A rule of the system's own folders and files, where they are there.
static int allow(int ruleset, const char *path, uint64_t access) {
    int place = open(path, O_PATH | O_CLOEXEC);
    if (place == -1) return errno == ENOENT || errno == EACCES ? 0 : errno;
    struct stat status;
    if (fstat(place, &status) == 0 && !S_ISDIR(status.st_mode))
        access &= LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = place};
    int code = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == -1 ? errno : 0;
    close(place);
    return code;
}

static int restrict_files(const char *program) {
    if (daybook_landlock_version() < 2) return EOPNOTSUPP;
    int ruleset = daybook_landlock_all();
    if (ruleset == -1) return errno;
    static const char *const places[] = {"/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/alternatives"};
    const uint64_t reading = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    int code = 0;
    for (size_t i = 0; code == 0 && i < sizeof places / sizeof *places; i++) code = allow(ruleset, places[i], reading);
    if (code == 0) code = allow(ruleset, program, reading);
    if (code == 0) code = allow(ruleset, "/dev/null", LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE);
    if (code == 0) code = allow(ruleset, "/dev/urandom", LANDLOCK_ACCESS_FS_READ_FILE);
    if (code == 0) return daybook_landlock_enter(ruleset);
    close(ruleset);
    return code;
}

// Root's own right to read everything is no program's business. Without the right to change the user it stays root without capabilities.
static int leave_root(void) {
    if (geteuid() != 0) return 0;
    if (syscall(SYS_setgroups, 0, NULL) == -1 && errno != EPERM) return errno;
    if (syscall(SYS_setresgid, nobody, nobody, nobody) == -1 && errno != EPERM && errno != EINVAL) return errno;
    if (syscall(SYS_setresuid, nobody, nobody, nobody) == -1 && errno != EPERM && errno != EINVAL) return errno;
    return 0;
}

int daybook_confine_program(
    int request, int reply, int messages, int document, const char *program, const struct daybook_program_limits *limits) {
    if (setpgid(0, 0) == -1) return errno;
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);

    // The document anew: who shares a description also shares the place up to which it is read.
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", document);
    int anew = open(path, O_RDONLY | O_CLOEXEC);
    int wanted[4] = {request, reply, messages, anew != -1 ? anew : document};
    for (int i = 0; i < 4; i++) {
        int from = wanted[i] != -1 ? wanted[i] : open("/dev/null", O_RDWR | O_CLOEXEC);
        if (from == -1 || (wanted[i] = fcntl(from, F_DUPFD, 10)) == -1) return errno;
    }
    for (int i = 0; i < 4; i++) {
        if (dup2(wanted[i], i) == -1) return errno;
    }
    if (syscall(SYS_close_range, 4, ~0U, 0U) == -1) return errno;
    if (anew == -1) lseek(3, 0, SEEK_SET);

    uint64_t tasks = tasks_of(geteuid() == 0 ? nobody : geteuid());
    if (chdir("/") == -1) return errno;
    umask(077);
    if (daybook_bounding_drop() == -1) return errno;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1) return errno;
    int code = leave_root();
    // A service that has none may be forbidden to set them.
    struct daybook_capabilities have;
    int has_none = daybook_capabilities_get(&have) == 0 && (have.effective | have.permitted | have.inheritable | have.ambient) == 0;
    if (code == 0 && !has_none && daybook_capabilities_drop_all() == -1) code = errno;
    // A change of the user takes this back, so it comes after.
    if (code == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == -1) code = errno;
    if (code == 0) code = restrict_files(program);
    if (code == 0) code = set_limits(limits);
    // Counted by the user, of whose other processes four may not be seen.
    if (code == 0) code = limit(RLIMIT_NPROC, tasks + limits->processes + 4);
    return code;
}

void daybook_start_clock(const struct daybook_program_limits *limits) {
    struct itimerval time = {.it_value = {.tv_sec = limits->wall_seconds}};
    setitimer(ITIMER_REAL, &time, NULL);
}

void daybook_end_group(int process) { kill(-process, SIGKILL); }

int daybook_make_group(int process) {
    if (setpgid(process, process) == 0) return 0;
    // It has executed its program, or ended: then it had made the group itself.
    return errno == EACCES || errno == ESRCH ? 0 : errno;
}

int daybook_signal_thread(int process, int number) { return (int)syscall(SYS_tgkill, process, process, number); }
