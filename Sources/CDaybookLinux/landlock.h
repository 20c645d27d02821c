// SPDX-License-Identifier: Apache-2.0
#ifndef DAYBOOK_LANDLOCK_H
#define DAYBOOK_LANDLOCK_H

// Inside this target only: every rule set of Landlock begins here, so that a right which a later kernel knows is handled in all of them.

/// Of the kernel's Landlock, from 1; -1 and errno where there is none.
int daybook_landlock_version(void);

/// A descriptor of a rule set that handles every right this kernel knows and so far allows none. -1 and errno on failure.
int daybook_landlock_all(void);

/// Puts the calling thread under the rule set, for good, and closes it. 0 or an errno. Needs no_new_privs.
int daybook_landlock_enter(int ruleset);

#endif
