// SPDX-License-Identifier: Apache-2.0
// What Daybook needs of ICU, as batch functions over UTF-8. No ICU header is included here: its macros and types clash with Swift's own.
// All text is UTF-8 and may be any bytes: a malformed sequence reads as U+FFFD.
#ifndef CDAYBOOKICU_H
#define CDAYBOOKICU_H

#include <stddef.h>
#include <stdint.h>

/// What one character is, as far as counting cares.
enum daybook_class {
    DAYBOOK_CLASS_OTHER = 0,
    /// Unicode white space and the zero-width space.
    DAYBOOK_CLASS_SPACE = 1,
    /// En, em and longer dashes, the horizontal bar and the ellipsis: they part words.
    DAYBOOK_CLASS_DASH = 2,
    DAYBOOK_CLASS_UPPER = 3,
    DAYBOOK_CLASS_LOWER = 4,
    /// A letter without case.
    DAYBOOK_CLASS_LETTER = 5,
    DAYBOOK_CLASS_NUMBER = 6,
    /// Han.
    DAYBOOK_CLASS_IDEOGRAPH = 7,
    /// Hiragana and Katakana.
    DAYBOOK_CLASS_KANA = 8,
    /// A letter of a script that is written without spaces between words and is not Han or kana, e.g. Thai.
    DAYBOOK_CLASS_UNSPACED = 9,
    DAYBOOK_CLASS_MARK = 10,
    DAYBOOK_CLASS_HANGUL = 11,
    /// Quotation marks and brackets that open or close.
    DAYBOOK_CLASS_QUOTE = 12,
    /// A byte that continues the character before it.
    DAYBOOK_CLASS_CONTINUATION = 255
};

/// Writes one class for each byte.
void daybook_icu_classify(const uint8_t *text, size_t length, uint8_t *classes);

/// The class of one character straight from Unicode's tables.
uint8_t daybook_icu_class_by_unicode(uint32_t character);

/// Finds sentence boundaries; NULL where ICU has no data.
typedef struct daybook_breaker daybook_breaker;
daybook_breaker *daybook_icu_open_sentences(const char *locale);
void daybook_icu_close(daybook_breaker *breaker);

/// Writes the end of each sentence (a byte offset, ascending, the last is `length`) and returns how many there are; at most `capacity` are
/// written. -1 on failure.
ptrdiff_t daybook_icu_boundaries(daybook_breaker *breaker, const uint8_t *text, size_t length, size_t *ends, size_t capacity);

/// Turns bytes of a named character set into UTF-8. Returns the bytes needed, which may be more than `capacity`; -1 where the character
/// set is unknown or the bytes are too many.
ptrdiff_t daybook_icu_decode(const char *charset, const uint8_t *bytes, size_t length, uint8_t *utf8, size_t capacity);

#endif
