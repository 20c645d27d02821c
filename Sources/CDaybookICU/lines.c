// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <string.h>

#include "CDaybookICU.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// The size of the line end at this place; 0 where there is none.
static size_t size_at(const uint8_t *text, size_t rest) {
    switch (text[0]) {
    case '\n':
    case '\f': return 1;
    case '\r': return rest > 1 && text[1] == '\n' ? 2 : 1;
    case 0xc2: return rest > 1 && text[1] == 0x85 ? 2 : 0;
    case 0xe2: return rest > 2 && text[1] == 0x80 && (text[2] == 0xa8 || text[2] == 0xa9) ? 3 : 0;
    default: return 0;
    }
}

size_t daybook_line_end(const uint8_t *text, size_t length, size_t *size) {
    size_t i = 0;
    while (i < length) {
#if defined(__SSE2__)
        // Most of a text is none of these.
        while (length - i >= 16) {
            __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(text + i));
            __m128i found = _mm_or_si128(
                _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('\n')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\r'))),
                _mm_or_si128(
                    _mm_cmpeq_epi8(v, _mm_set1_epi8('\f')),
                    _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8((char)0xc2)), _mm_cmpeq_epi8(v, _mm_set1_epi8((char)0xe2)))));
            int mask = _mm_movemask_epi8(found);
            if (mask == 0) {
                i += 16;
                continue;
            }
            i += (size_t)__builtin_ctz((unsigned)mask);
            break;
        }
        if (i == length) break;
#endif
        *size = size_at(text + i, length - i);
        if (*size > 0) return i;
        i++;
    }
    *size = 0;
    return length;
}

size_t daybook_find(const uint8_t *text, size_t length, const uint8_t *needle, size_t needle_length) {
    const uint8_t *found = memmem(text, length, needle, needle_length);
    return found == NULL ? length : (size_t)(found - text);
}
