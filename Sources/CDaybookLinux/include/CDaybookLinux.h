// SPDX-License-Identifier: Apache-2.0
// What Swift's own Glibc module cannot reach: variadic calls, macros, and structures newer than its headers.
#ifndef CDAYBOOKLINUX_H
#define CDAYBOOKLINUX_H

#include <sys/types.h>

#endif
