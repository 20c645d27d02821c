// SPDX-License-Identifier: Apache-2.0
#ifndef DAYBOOK_TERMINAL_H
#define DAYBOOK_TERMINAL_H

/// The columns of the terminal behind a descriptor; 0 where it is none or does not say.
int daybook_terminal_columns(int descriptor);

#endif
