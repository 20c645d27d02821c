// SPDX-License-Identifier: Apache-2.0
#include "CDaybookICU.h"

#include <stdlib.h>
#include <unicode/ubrk.h>
#include <unicode/ucnv.h>
#include <unicode/utext.h>

struct daybook_breaker {
    UBreakIterator *iterator;
    UText *text;
};

static daybook_breaker *open_breaker(UBreakIteratorType kind, const char *locale) {
    daybook_breaker *breaker = calloc(1, sizeof *breaker);
    if (breaker == NULL) return NULL;
    UErrorCode error = U_ZERO_ERROR;
    breaker->iterator = ubrk_open(kind, locale, NULL, 0, &error);
    if (U_FAILURE(error) || breaker->iterator == NULL) {
        daybook_icu_close(breaker);
        return NULL;
    }
    return breaker;
}

daybook_breaker *daybook_icu_open_sentences(const char *locale) { return open_breaker(UBRK_SENTENCE, locale); }

daybook_breaker *daybook_icu_open_words(void) { return open_breaker(UBRK_WORD, "en"); }

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

size_t daybook_icu_words(daybook_breaker *breaker, const uint8_t *text, size_t length) {
    if (length == 0) return 0;
    UErrorCode error = U_ZERO_ERROR;
    if (breaker == NULL || length > INT32_MAX) return 1;
    breaker->text = utext_openUTF8(breaker->text, (const char *)text, (int64_t)length, &error);
    if (U_FAILURE(error)) return 1;
    ubrk_setUText(breaker->iterator, breaker->text, &error);
    if (U_FAILURE(error)) return 1;
    size_t words = 0;
    (void)ubrk_first(breaker->iterator);
    while (ubrk_next(breaker->iterator) != UBRK_DONE) {
        if (ubrk_getRuleStatus(breaker->iterator) >= UBRK_WORD_NONE_LIMIT) words++;
    }
    return words;
}
