// SPDX-License-Identifier: Apache-2.0
// Word boundaries of Unicode Standard Annex 29 (rules WB3 to WB16) as they stand there. ICU's own iterator uses dictionaries for scripts
// without spaces, so it gives other figures for them than programs that keep to the annex.
#include <unicode/uchar.h>

#include "classes.h"

static int property(uint32_t c) { return u_getIntPropertyValue((UChar32)c, UCHAR_WORD_BREAK); }

static int is_letter(int p) { return p == U_WB_ALETTER || p == U_WB_HEBREW_LETTER; }

static int is_line_end(int p) { return p == U_WB_NEWLINE || p == U_WB_CR || p == U_WB_LF; }

static int is_ignored(int p) { return p == U_WB_EXTEND || p == U_WB_FORMAT || p == U_WB_ZWJ; }

static int joins_letters(int p) { return p == U_WB_MIDLETTER || p == U_WB_MIDNUMLET || p == U_WB_SINGLE_QUOTE; }

static int joins_numbers(int p) { return p == U_WB_MIDNUM || p == U_WB_MIDNUMLET || p == U_WB_SINGLE_QUOTE; }

static int is_wordlike(int p) { return is_letter(p) || p == U_WB_NUMERIC || p == U_WB_KATAKANA || p == U_WB_EXTENDNUMLET; }

// The next character that is not ignored; -1 at the end. Looks no further than a word is ever continued.
static int next_property(const uint8_t *text, size_t length, size_t at) {
    for (int steps = 0; at < length && steps < 64; steps++) {
        int malformed = 0;
        int p = property(daybook_decode_one(text, length, &at, &malformed));
        if (!is_ignored(p)) return p;
    }
    return -1;
}

size_t daybook_uax29_words(const uint8_t *text, size_t length) {
    size_t words = 0, at = 0;
    int holds = 0;
    // The last character that is not ignored, the one before it, and the very last.
    int last = -1, before = -1, previous = -1;
    unsigned indicators = 0;
    while (at < length) {
        int malformed = 0;
        uint32_t c = daybook_decode_one(text, length, &at, &malformed);
        int p = property(c);
        unsigned class = daybook_facts(c) & 0xff;
        int is_word = (class >= DAYBOOK_CLASS_UPPER && class <= DAYBOOK_CLASS_UNSPACED) || class == DAYBOOK_CLASS_HANGUL;
        int joined;
        if (last == -1 || is_line_end(p) || is_line_end(previous)) {
            joined = previous == U_WB_CR && p == U_WB_LF;
        } else if (is_ignored(p)) {
            joined = 1;
        } else if (previous == U_WB_ZWJ && u_hasBinaryProperty((UChar32)c, UCHAR_EXTENDED_PICTOGRAPHIC)) {
            joined = 1;
        } else if (p == U_WB_WSEGSPACE) {
            joined = previous == U_WB_WSEGSPACE;
        } else if (is_letter(p)) {
            joined = is_letter(last) || last == U_WB_NUMERIC || last == U_WB_EXTENDNUMLET || (joins_letters(last) && is_letter(before))
                || (last == U_WB_DOUBLE_QUOTE && before == U_WB_HEBREW_LETTER && p == U_WB_HEBREW_LETTER);
        } else if (p == U_WB_NUMERIC) {
            joined = is_letter(last) || last == U_WB_NUMERIC || last == U_WB_EXTENDNUMLET
                || (joins_numbers(last) && before == U_WB_NUMERIC);
        } else if (p == U_WB_KATAKANA) {
            joined = last == U_WB_KATAKANA || last == U_WB_EXTENDNUMLET;
        } else if (p == U_WB_EXTENDNUMLET) {
            joined = is_wordlike(last);
        } else if (p == U_WB_REGIONAL_INDICATOR) {
            joined = last == U_WB_REGIONAL_INDICATOR && indicators % 2 == 1;
        } else {
            int next = joins_letters(p) || joins_numbers(p) || p == U_WB_DOUBLE_QUOTE ? next_property(text, length, at) : -1;
            joined = (is_letter(last) && joins_letters(p) && is_letter(next))
                || (last == U_WB_HEBREW_LETTER && p == U_WB_SINGLE_QUOTE)
                || (last == U_WB_HEBREW_LETTER && p == U_WB_DOUBLE_QUOTE && next == U_WB_HEBREW_LETTER)
                || (last == U_WB_NUMERIC && joins_numbers(p) && next == U_WB_NUMERIC);
        }
        if (!joined) {
            words += (size_t)holds;
            holds = 0;
        }
        holds |= is_word;
        indicators = p == U_WB_REGIONAL_INDICATOR ? indicators + 1 : is_ignored(p) ? indicators : 0;
        if (!is_ignored(p) || last == -1 || is_line_end(previous)) {
            // A letter may only follow a joining mark that was itself joined.
            before = joined ? last : -1;
            last = p;
        }
        previous = p;
    }
    return words + (size_t)holds;
}
