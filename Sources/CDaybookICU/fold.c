// SPDX-License-Identifier: Apache-2.0
#include "CDaybookICU.h"

#include <stdlib.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

ptrdiff_t daybook_icu_fold(const uint8_t *text, size_t length, uint8_t *folded, size_t capacity) {
    // A character folds to at most 18, of 3 bytes each.
    if (length > 1 << 20 || capacity > INT32_MAX) return -1;
    UErrorCode error = U_ZERO_ERROR;
    const UNormalizer2 *form = unorm2_getNFKCCasefoldInstance(&error);
    if (U_FAILURE(error)) return -1;
    int32_t units = (int32_t)length + 1, wide = 18 * units;
    UChar *source = malloc(sizeof(UChar) * (size_t)units), *result = malloc(sizeof(UChar) * (size_t)wide);
    ptrdiff_t needed = -1;
    if (source != NULL && result != NULL) {
        int32_t count = 0, size = 0;
        u_strFromUTF8WithSub(source, units, &count, (const char *)text, (int32_t)length, 0xfffd, NULL, &error);
        count = unorm2_normalize(form, source, count, result, wide, &error);
        u_strToUTF8((char *)folded, (int32_t)capacity, &size, result, count, &error);
        if (U_SUCCESS(error) || error == U_BUFFER_OVERFLOW_ERROR) needed = size;
    }
    free(source);
    free(result);
    return needed;
}
