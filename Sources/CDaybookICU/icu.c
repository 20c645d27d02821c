// SPDX-License-Identifier: Apache-2.0
#include "CDaybookICU.h"

#include <stdlib.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/ucnv.h>
#include <unicode/uscript.h>
#include <unicode/utext.h>
#include <unicode/utf8.h>

static uint8_t class_of_letter(UChar32 c, uint8_t otherwise) {
    if (c < 0x0e00) return otherwise;
    // Half-width voiced sound marks are letters to Unicode, but belong to the kana before them.
    if (c == 0xff9e || c == 0xff9f) return DAYBOOK_CLASS_MARK;
    UErrorCode error = U_ZERO_ERROR;
    switch (uscript_getScript(c, &error)) {
    case USCRIPT_HAN: return DAYBOOK_CLASS_IDEOGRAPH;
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_KATAKANA_OR_HIRAGANA: return DAYBOOK_CLASS_KANA;
    case USCRIPT_HANGUL: return DAYBOOK_CLASS_HANGUL;
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR:
    case USCRIPT_TAI_LE:
    case USCRIPT_NEW_TAI_LUE:
    case USCRIPT_LANNA:
    case USCRIPT_TAI_VIET:
    case USCRIPT_JAVANESE:
    case USCRIPT_BALINESE: return DAYBOOK_CLASS_UNSPACED;
    case USCRIPT_COMMON:
        // The prolonged sound mark is shared by both kana.
        return uscript_hasScript(c, USCRIPT_KATAKANA) ? DAYBOOK_CLASS_KANA : otherwise;
    default: return otherwise;
    }
}

static uint8_t looked_up(UChar32 c) {
    if (u_isUWhiteSpace(c) || c == 0x200b) return DAYBOOK_CLASS_SPACE;
    switch (c) {
    case 0x2013:
    case 0x2014:
    case 0x2015:
    case 0x2026:
    case 0x2e3a:
    case 0x2e3b: return DAYBOOK_CLASS_DASH;
    case '"':
    case '\'': return DAYBOOK_CLASS_QUOTE;
    default: break;
    }
    switch (u_charType(c)) {
    case U_UPPERCASE_LETTER:
    case U_TITLECASE_LETTER: return DAYBOOK_CLASS_UPPER;
    case U_LOWERCASE_LETTER: return DAYBOOK_CLASS_LOWER;
    case U_MODIFIER_LETTER:
    case U_OTHER_LETTER: return class_of_letter(c, DAYBOOK_CLASS_LETTER);
    case U_LETTER_NUMBER: return class_of_letter(c, DAYBOOK_CLASS_NUMBER);
    case U_DECIMAL_DIGIT_NUMBER:
    case U_OTHER_NUMBER: return DAYBOOK_CLASS_NUMBER;
    case U_NON_SPACING_MARK:
    case U_ENCLOSING_MARK:
    case U_COMBINING_SPACING_MARK: return DAYBOOK_CLASS_MARK;
    case U_START_PUNCTUATION:
    case U_END_PUNCTUATION:
    case U_INITIAL_PUNCTUATION:
    case U_FINAL_PUNCTUATION: return DAYBOOK_CLASS_QUOTE;
    default: return DAYBOOK_CLASS_OTHER;
    }
}

// ASCII is most of most texts, so it is not looked up: the same answers as `looked_up` gives, which a test compares.
static uint8_t class_of(UChar32 c) {
    if (c >= 0x80) return looked_up(c);
    if (c >= 'a' && c <= 'z') return DAYBOOK_CLASS_LOWER;
    if (c >= 'A' && c <= 'Z') return DAYBOOK_CLASS_UPPER;
    if (c == ' ' || (c >= 0x09 && c <= 0x0d)) return DAYBOOK_CLASS_SPACE;
    if (c >= '0' && c <= '9') return DAYBOOK_CLASS_NUMBER;
    switch (c) {
    case '"':
    case '\'':
    case '(':
    case ')':
    case '[':
    case ']':
    case '{':
    case '}': return DAYBOOK_CLASS_QUOTE;
    default: return DAYBOOK_CLASS_OTHER;
    }
}

uint8_t daybook_icu_class_by_unicode(uint32_t character) { return looked_up((UChar32)character); }

void daybook_icu_classify(const uint8_t *text, size_t length, uint8_t *classes) {
    size_t i = 0;
    while (i < length) {
        size_t start = i;
        if (text[i] < 0x80) {
            classes[i] = class_of(text[i]);
            i += 1;
            continue;
        }
        // The macro works on 32-bit offsets; four bytes are all it ever looks at.
        int32_t at = 0;
        int32_t rest = length - start < 4 ? (int32_t)(length - start) : 4;
        UChar32 c;
        U8_NEXT_OR_FFFD(text + start, at, rest, c);
        i = start + (size_t)at;
        classes[start] = class_of(c);
        for (size_t j = start + 1; j < i; j++) classes[j] = DAYBOOK_CLASS_CONTINUATION;
    }
}

struct daybook_breaker {
    UBreakIterator *iterator;
    UText *text;
};

daybook_breaker *daybook_icu_open_sentences(const char *locale) {
    daybook_breaker *breaker = calloc(1, sizeof *breaker);
    if (breaker == NULL) return NULL;
    UErrorCode error = U_ZERO_ERROR;
    breaker->iterator = ubrk_open(UBRK_SENTENCE, locale, NULL, 0, &error);
    if (U_FAILURE(error) || breaker->iterator == NULL) {
        daybook_icu_close(breaker);
        return NULL;
    }
    return breaker;
}

void daybook_icu_close(daybook_breaker *breaker) {
    if (breaker == NULL) return;
    if (breaker->iterator != NULL) ubrk_close(breaker->iterator);
    if (breaker->text != NULL) utext_close(breaker->text);
    free(breaker);
}

ptrdiff_t daybook_icu_boundaries(daybook_breaker *breaker, const uint8_t *text, size_t length, size_t *ends, size_t capacity) {
    // ICU's break iterator counts in 32 bits.
    if (length > INT32_MAX) return -1;
    if (length == 0) return 0;
    UErrorCode error = U_ZERO_ERROR;
    breaker->text = utext_openUTF8(breaker->text, (const char *)text, (int64_t)length, &error);
    if (U_FAILURE(error)) return -1;
    ubrk_setUText(breaker->iterator, breaker->text, &error);
    if (U_FAILURE(error)) return -1;
    ptrdiff_t count = 0;
    (void)ubrk_first(breaker->iterator);
    for (int32_t end = ubrk_next(breaker->iterator); end != UBRK_DONE; end = ubrk_next(breaker->iterator)) {
        if ((size_t)count < capacity) ends[count] = (size_t)end;
        count++;
    }
    return count;
}

ptrdiff_t daybook_icu_decode(const char *charset, const uint8_t *bytes, size_t length, uint8_t *utf8, size_t capacity) {
    if (length > INT32_MAX || capacity > INT32_MAX) return -1;
    UErrorCode error = U_ZERO_ERROR;
    int32_t needed = ucnv_convert("UTF-8", charset, (char *)utf8, (int32_t)capacity, (const char *)bytes, (int32_t)length, &error);
    if (U_FAILURE(error) && error != U_BUFFER_OVERFLOW_ERROR) return -1;
    return needed;
}
