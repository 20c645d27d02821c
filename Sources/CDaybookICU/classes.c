// SPDX-License-Identifier: Apache-2.0
#include "classes.h"

#include <stdlib.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
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

static uint8_t cluster_of(UChar32 c) {
    if ((c >= 0x0a && c <= 0x0d) || c == 0x85 || c == 0x2028 || c == 0x2029) return CLUSTER_NEWLINE;
    switch (u_getIntPropertyValue(c, UCHAR_GRAPHEME_CLUSTER_BREAK)) {
    case U_GCB_CONTROL: return CLUSTER_CONTROL;
    case U_GCB_EXTEND: return CLUSTER_EXTEND;
    case U_GCB_ZWJ: return CLUSTER_JOINER;
    case U_GCB_REGIONAL_INDICATOR: return CLUSTER_REGIONAL;
    case U_GCB_PREPEND: return CLUSTER_PREPEND;
    case U_GCB_SPACING_MARK: return CLUSTER_SPACING;
    case U_GCB_L: return CLUSTER_L;
    case U_GCB_V: return CLUSTER_V;
    case U_GCB_T: return CLUSTER_T;
    case U_GCB_LV: return CLUSTER_LV;
    case U_GCB_LVT: return CLUSTER_LVT;
    default: return u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC) ? CLUSTER_EMOJI : CLUSTER_OTHER;
    }
}

// Asking Unicode's tables for several properties of each character is slow, so a page of 256 characters is asked for when one of them is
// first met. Threads may meet one at the same time: the first to finish a page puts it in place.
static uint16_t *pages[0x1100];

static const uint16_t *page_of(uint32_t number) {
    uint16_t *page = __atomic_load_n(&pages[number], __ATOMIC_ACQUIRE);
    if (page != NULL) return page;
    page = malloc(256 * sizeof *page);
    if (page == NULL) abort();
    for (uint32_t i = 0; i < 256; i++) {
        UChar32 c = (UChar32)(number << 8 | i);
        page[i] = (uint16_t)(looked_up(c) | cluster_of(c) << 8);
    }
    uint16_t *before = NULL;
    if (__atomic_compare_exchange_n(&pages[number], &before, page, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return page;
    free(page);
    return before;
}

uint16_t daybook_facts(uint32_t character) {
    if (character > 0x10ffff) character = 0xfffd;
    return page_of(character >> 8)[character & 0xff];
}

uint32_t daybook_decode_one(const uint8_t *text, size_t length, size_t *at, int *malformed) {
    // The macro works on 32-bit offsets; four bytes are all it ever looks at.
    const uint8_t *start = text + *at;
    int32_t used = 0;
    int32_t rest = length - *at < 4 ? (int32_t)(length - *at) : 4;
    UChar32 c;
    U8_NEXT(start, used, rest, c);
    *at += (size_t)used;
    if (c >= 0) return (uint32_t)c;
    *malformed = 1;
    return 0xfffd;
}

void daybook_icu_classify(const uint8_t *text, size_t length, uint8_t *classes) {
    const uint16_t *ascii = page_of(0);
    size_t i = 0;
    while (i < length) {
        if (text[i] < 0x80) {
            classes[i] = (uint8_t)ascii[text[i]];
            i += 1;
            continue;
        }
        size_t start = i;
        int malformed = 0;
        classes[start] = (uint8_t)daybook_facts(daybook_decode_one(text, length, &i, &malformed));
        for (size_t j = start + 1; j < i; j++) classes[j] = DAYBOOK_CLASS_CONTINUATION;
    }
}
