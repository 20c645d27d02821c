// SPDX-License-Identifier: Apache-2.0
// What Swift's own Glibc module cannot reach: variadic calls, macros, GNU extensions, and structures newer than its headers.
// One header a subject; this one includes them all.
#ifndef CDAYBOOKLINUX_H
#define CDAYBOOKLINUX_H

#include "daybook_privileges.h"
#include "daybook_processes.h"
#include "daybook_random.h"
#include "daybook_sockets.h"
#include "daybook_fanotify.h"
#include "daybook_folder.h"
#include "daybook_terminal.h"
#include "daybook_memory.h"
#include "daybook_passing.h"
#include "daybook_spawn.h"
#include "daybook_programs.h"
#include "daybook_clocks.h"
#include "daybook_threads.h"
#include "daybook_rights.h"
#include "daybook_mapping.h"

#endif
