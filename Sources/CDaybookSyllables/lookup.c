// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "CDaybookSyllables.h"

// Sorted words, each with its syllables as a digit after it: "aaron2abase2".
static const char table[] =
#include "table.inc"
    ;

static int is_digit(char c) { return c >= '0' && c <= '9'; }

int daybook_syllables(const uint8_t *word, size_t length) {
    size_t low = 0, high = sizeof table - 1;
    // Invariant: both are the start of a word or the end of the table.
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        while (middle > low && !is_digit(table[middle - 1])) middle--;
        size_t end = middle;
        while (!is_digit(table[end])) end++;
        size_t count = end - middle;
        int order = memcmp(word, table + middle, length < count ? length : count);
        if (order == 0 && length == count) return table[end] - '0';
        if (order < 0 || (order == 0 && length < count))
            high = middle;
        else
            low = end + 1;
    }
    return 0;
}
