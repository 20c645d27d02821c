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

/// What the characters of some text add up to.
struct daybook_tally {
    /// By the rule of `WordScanner`; those in scripts without spaces by ICU's dictionaries.
    uint64_t words;
    /// What a reader sees as one character (extended grapheme clusters), without line ends.
    uint64_t characters;
    /// Characters that are no white space.
    uint64_t visible;
    uint64_t letters;
    uint64_t numbers;
    /// Letters of scripts without spaces between words, and those of them for which ICU has no dictionary.
    uint64_t unspaced;
    uint64_t undivided;
    /// Sequences of bytes that are no UTF-8.
    uint64_t malformed;
    /// Control characters that no text has, zeros included.
    uint64_t controls;
};

/// Goes through a text once, in pieces of any size.
typedef struct daybook_scanner daybook_scanner;
daybook_scanner *daybook_scanner_open(void);
void daybook_scanner_close(daybook_scanner *scanner);

/// Adds a piece, and returns how many bytes it took: fewer than `length` only where the last character is not whole yet.
size_t daybook_scanner_add(daybook_scanner *scanner, const uint8_t *text, size_t length, struct daybook_tally *tally);

/// The text ends here, and the next piece begins another.
void daybook_scanner_end(daybook_scanner *scanner, struct daybook_tally *tally);

/// The offset of the next line end (LF, CR, CR LF, form feed, NEL, line or paragraph separator) with its size; `length` and 0 where there is
/// none. A CR that comes last has a size of 1.
size_t daybook_line_end(const uint8_t *text, size_t length, size_t *size);

/// The offset of the first place where `needle` stands; `length` where there is none.
size_t daybook_find(const uint8_t *text, size_t length, const uint8_t *needle, size_t needle_length);

/// How many segments of Unicode Standard Annex 29 hold a letter or a digit, without dictionaries.
size_t daybook_uax29_words(const uint8_t *text, size_t length);

/// Finds sentence boundaries; NULL where ICU has no data.
typedef struct daybook_breaker daybook_breaker;
daybook_breaker *daybook_icu_open_sentences(const char *locale);
daybook_breaker *daybook_icu_open_words(void);
void daybook_icu_close(daybook_breaker *breaker);

/// Writes the end of each sentence (a byte offset, ascending, the last is `length`) and returns how many there are; at most `capacity` are
/// written. -1 on failure.
ptrdiff_t daybook_icu_boundaries(daybook_breaker *breaker, const uint8_t *text, size_t length, size_t *ends, size_t capacity);

/// How many words ICU's rules and dictionaries find.
size_t daybook_icu_words(daybook_breaker *breaker, const uint8_t *text, size_t length);

/// Makes capitals and compatibility forms one (NFKC with case folding), so that texts can be compared. Returns the bytes needed, which may be
/// more than `capacity`; -1 for a text of more than a megabyte or where ICU has no data.
ptrdiff_t daybook_icu_fold(const uint8_t *text, size_t length, uint8_t *folded, size_t capacity);

/// Turns bytes of a named character set into UTF-8. Returns the bytes needed, which may be more than `capacity`; -1 where the character
/// set is unknown or the bytes are too many.
ptrdiff_t daybook_icu_decode(const char *charset, const uint8_t *bytes, size_t length, uint8_t *utf8, size_t capacity);

#endif
