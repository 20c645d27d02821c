// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "daybook_terminal.h"

#include <sys/ioctl.h>

int daybook_terminal_columns(int descriptor) {
    struct winsize size;
    // ioctl is variadic, which Swift cannot call.
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return 0;
    return size.ws_col;
}
