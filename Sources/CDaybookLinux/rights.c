// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "daybook_rights.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/xattr.h>

static const char *list_name(int inherited) {
    return inherited ? "system.posix_acl_default" : "system.posix_acl_access";
}

int daybook_set_access_list(int fd, int inherited, const void *list, size_t size) {
    return fsetxattr(fd, list_name(inherited), list, size, 0);
}

long daybook_access_list(int fd, int inherited, void *list, size_t size) {
    return fgetxattr(fd, list_name(inherited), list, size);
}

int daybook_rename_to_free(int folder, const char *old_name, const char *new_name) {
    return renameat2(folder, old_name, folder, new_name, RENAME_NOREPLACE);
}

static volatile sig_atomic_t interrupted;

static void remember(int number) {
    if (interrupted == 0) interrupted = number;
}

void daybook_remember_interrupts(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = remember;
    // No SA_RESTART: a write that waits is to return.
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

int daybook_interrupted(void) { return interrupted; }
