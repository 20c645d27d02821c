// SPDX-License-Identifier: Apache-2.0
#ifndef DAYBOOK_RIGHTS_H
#define DAYBOOK_RIGHTS_H

#include <stddef.h>

/// Sets the access list of an open file or folder, or (`inherited` 1) the one that what is made in a folder gets; in the kernel's own form.
/// 0 or -1.
int daybook_set_access_list(int fd, int inherited, const void *list, size_t size);

/// Reads it; its size or -1.
long daybook_access_list(int fd, int inherited, void *list, size_t size);

/// Renames within one folder, and fails with EEXIST where the new name is taken.
int daybook_rename_to_free(int folder, const char *old_name, const char *new_name);

/// From now on SIGINT, SIGTERM and SIGHUP are remembered instead of ending the program.
void daybook_remember_interrupts(void);

/// The first of them that came; 0 where none did.
int daybook_interrupted(void);

#endif
