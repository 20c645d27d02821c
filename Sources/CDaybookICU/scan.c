// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "classes.h"

struct daybook_scanner {
    /// The piece that is open holds a letter or a digit.
    unsigned holds;
    /// The last byte was a hyphen; so many full stops came last, at most two.
    unsigned hyphen;
    unsigned dots;
    /// The cluster of the last character, whether an emoji began it, and whether regional indicators before it are odd.
    unsigned last;
    unsigned emoji;
    unsigned odd;
    /// Letters of a script without spaces, until their run ends.
    size_t run_length;
    uint8_t run[4096];
    daybook_breaker *words;
};

static uint16_t ascii_facts[128];

__attribute__((constructor)) static void fill_ascii(void) {
    for (uint32_t c = 0; c < 128; c++) ascii_facts[c] = daybook_facts(c);
}

daybook_scanner *daybook_scanner_open(void) {
    daybook_scanner *scanner = calloc(1, sizeof *scanner);
    if (scanner == NULL) abort();
    scanner->last = CLUSTER_NEWLINE;
    return scanner;
}

void daybook_scanner_close(daybook_scanner *scanner) {
    if (scanner == NULL) return;
    daybook_icu_close(scanner->words);
    free(scanner);
}

static void end_run(daybook_scanner *scanner, struct daybook_tally *tally) {
    if (scanner->run_length == 0) return;
    if (scanner->words == NULL) scanner->words = daybook_icu_open_words();
    tally->words += daybook_icu_words(scanner->words, scanner->run, scanner->run_length);
    scanner->run_length = 0;
}

static void add_to_run(daybook_scanner *scanner, uint32_t c, const uint8_t *bytes, size_t count, struct daybook_tally *tally) {
    if (scanner->run_length + count > sizeof scanner->run) end_run(scanner, tally);
    memcpy(scanner->run + scanner->run_length, bytes, count);
    scanner->run_length += count;
    tally->unspaced++;
    UErrorCode error = U_ZERO_ERROR;
    switch (uscript_getScript((UChar32)c, &error)) {
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR: break;
    default: tally->undivided++; break;
    }
}

// Whether a character of this kind begins a new cluster after the last one (Unicode Standard Annex 29, GB3 to GB13).
static int begins_cluster(daybook_scanner *scanner, unsigned cluster) {
    unsigned last = scanner->last;
    int begins = 1;
    if (last == CLUSTER_NEWLINE || last == CLUSTER_CONTROL || cluster == CLUSTER_CONTROL || cluster == CLUSTER_NEWLINE) {
        begins = 1;
    } else if (cluster == CLUSTER_EXTEND || cluster == CLUSTER_JOINER || cluster == CLUSTER_SPACING || last == CLUSTER_PREPEND) {
        begins = 0;
    } else if (last == CLUSTER_L) {
        begins = cluster != CLUSTER_L && cluster != CLUSTER_V && cluster != CLUSTER_LV && cluster != CLUSTER_LVT;
    } else if (last == CLUSTER_LV || last == CLUSTER_V) {
        begins = cluster != CLUSTER_V && cluster != CLUSTER_T;
    } else if (last == CLUSTER_LVT || last == CLUSTER_T) {
        begins = cluster != CLUSTER_T;
    } else if (last == CLUSTER_JOINER && cluster == CLUSTER_EMOJI) {
        begins = !scanner->emoji;
    } else if (last == CLUSTER_REGIONAL && cluster == CLUSTER_REGIONAL) {
        begins = !scanner->odd;
    }
    scanner->odd = cluster == CLUSTER_REGIONAL && (last != CLUSTER_REGIONAL || !scanner->odd);
    if (cluster == CLUSTER_EMOJI)
        scanner->emoji = 1;
    else if (cluster != CLUSTER_EXTEND && cluster != CLUSTER_JOINER)
        scanner->emoji = 0;
    scanner->last = cluster;
    return begins;
}

static void end_word(daybook_scanner *scanner, struct daybook_tally *tally) {
    tally->words += scanner->holds;
    scanner->holds = 0;
}

static void add_character(
    daybook_scanner *scanner, uint32_t c, uint16_t facts, const uint8_t *bytes, size_t count, struct daybook_tally *tally) {
    unsigned cluster = facts >> 8;
    unsigned class = facts & 0xff;
    if (begins_cluster(scanner, cluster) && cluster != CLUSTER_NEWLINE) tally->characters++;
    if (class != DAYBOOK_CLASS_SPACE) tally->visible++;
    if (scanner->run_length > 0 && class != DAYBOOK_CLASS_UNSPACED && class != DAYBOOK_CLASS_MARK) end_run(scanner, tally);
    unsigned hyphen = 0, dots = 0;
    switch (class) {
    case DAYBOOK_CLASS_SPACE:
    case DAYBOOK_CLASS_DASH: end_word(scanner, tally); break;
    case DAYBOOK_CLASS_IDEOGRAPH:
    case DAYBOOK_CLASS_KANA:
        end_word(scanner, tally);
        tally->words++;
        tally->letters++;
        break;
    case DAYBOOK_CLASS_UNSPACED:
        end_word(scanner, tally);
        tally->letters++;
        add_to_run(scanner, c, bytes, count, tally);
        break;
    case DAYBOOK_CLASS_MARK:
        if (scanner->run_length > 0 && scanner->run_length + count <= sizeof scanner->run) {
            memcpy(scanner->run + scanner->run_length, bytes, count);
            scanner->run_length += count;
        }
        break;
    case DAYBOOK_CLASS_NUMBER:
        tally->numbers++;
        scanner->holds = 1;
        break;
    case DAYBOOK_CLASS_UPPER:
    case DAYBOOK_CLASS_LOWER:
    case DAYBOOK_CLASS_LETTER:
    case DAYBOOK_CLASS_HANGUL:
        tally->letters++;
        scanner->holds = 1;
        break;
    default:
        // Two or more hyphens are a typed dash, three or more dots a typed ellipsis.
        if (c == '-') {
            if (scanner->hyphen) end_word(scanner, tally);
            hyphen = 1;
        } else if (c == '.') {
            if (scanner->dots == 2) end_word(scanner, tally);
            dots = scanner->dots < 2 ? scanner->dots + 1 : 2;
        }
        if (c < 0x20 && c != 0x1a && c != 0x1b) tally->controls++;
        if (c == 0x7f) tally->controls++;
        break;
    }
    scanner->hyphen = hyphen;
    scanner->dots = dots;
}

#if defined(__SSE2__)
// One bit for each of 64 bytes.
struct masks {
    uint64_t high, space, newline, letter, digit, hyphen, dot, control;
    // Of characters outside ASCII: other separators, and words of one character.
    uint64_t separator, single;
};

static inline __m128i between(__m128i v, char low, char high) {
    // Bytes from `low` to `high`; those above 0x7f never are, since both limits are positive and the comparison is signed.
    return _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8((char)(low - 1))), _mm_cmplt_epi8(v, _mm_set1_epi8((char)(high + 1))));
}

static inline void look(const uint8_t *text, struct masks *m) {
    memset(m, 0, sizeof *m);
    for (int i = 0; i < 4; i++) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(text + 16 * i));
        __m128i newline = between(v, 0x0a, 0x0d);
        __m128i space = _mm_or_si128(between(v, 0x09, 0x0d), _mm_cmpeq_epi8(v, _mm_set1_epi8(' ')));
        __m128i letter = between(_mm_or_si128(v, _mm_set1_epi8(0x20)), 'a', 'z');
        __m128i below = _mm_cmplt_epi8(v, _mm_set1_epi8(0x20));
        int shift = 16 * i;
        m->high |= (uint64_t)(uint32_t)_mm_movemask_epi8(v) << shift;
        m->newline |= (uint64_t)(uint32_t)_mm_movemask_epi8(newline) << shift;
        m->space |= (uint64_t)(uint32_t)_mm_movemask_epi8(space) << shift;
        m->letter |= (uint64_t)(uint32_t)_mm_movemask_epi8(letter) << shift;
        m->digit |= (uint64_t)(uint32_t)_mm_movemask_epi8(between(v, '0', '9')) << shift;
        m->hyphen |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('-'))) << shift;
        m->dot |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('.'))) << shift;
        m->control |= (uint64_t)(uint32_t)_mm_movemask_epi8(below) << shift;
    }
    m->control &= ~(m->space | m->high);
}

// Reads the characters outside ASCII of a block into its masks. `skip` bytes at its start end a character of the block before, and are
// replaced by how many the last character here takes of the next one. False where something needs to be looked at one by one.
static inline int add_wide(struct masks *m, const uint8_t *text, size_t length, unsigned *skip, unsigned *last, uint64_t *continuations) {
    // Separators, letters, numbers, words of one character; all else is looked at one by one.
    enum { SEPARATOR = 1, LETTER = 2, NUMBER = 4, SINGLE = 8, SPACE = 16 };
    static const uint8_t actions[16] = {
        [DAYBOOK_CLASS_SPACE] = SEPARATOR | SPACE, [DAYBOOK_CLASS_DASH] = SEPARATOR,     [DAYBOOK_CLASS_UPPER] = LETTER,
        [DAYBOOK_CLASS_LOWER] = LETTER,            [DAYBOOK_CLASS_LETTER] = LETTER,      [DAYBOOK_CLASS_HANGUL] = LETTER,
        [DAYBOOK_CLASS_NUMBER] = NUMBER,           [DAYBOOK_CLASS_IDEOGRAPH] = SEPARATOR | SINGLE,
        [DAYBOOK_CLASS_KANA] = SEPARATOR | SINGLE,
    };
    uint64_t inside = *skip ? (1ULL << *skip) - 1 : 0;
    uint64_t left = m->high & ~inside;
    unsigned next_skip = 0, cluster = CLUSTER_OTHER;
    while (left) {
        unsigned at = (unsigned)__builtin_ctzll(left);
        const uint8_t *b = text + at;
        size_t rest = length - at;
        uint32_t c;
        unsigned size;
        if (b[0] >= 0xc2 && b[0] < 0xe0 && rest > 1 && (b[1] & 0xc0) == 0x80) {
            c = (uint32_t)(b[0] & 0x1f) << 6 | (b[1] & 0x3f);
            size = 2;
        } else if (b[0] > 0xe0 && b[0] < 0xed && rest > 2 && (b[1] & 0xc0) == 0x80 && (b[2] & 0xc0) == 0x80) {
            c = (uint32_t)(b[0] & 0x0f) << 12 | (uint32_t)(b[1] & 0x3f) << 6 | (b[2] & 0x3f);
            size = 3;
        } else {
            int malformed = 0;
            size_t used = 0;
            c = daybook_decode_one(b, rest, &used, &malformed);
            if (malformed) return 0;
            size = (unsigned)used;
        }
        uint16_t facts = daybook_facts(c);
        unsigned class = facts & 0xff;
        cluster = facts >> 8;
        if (class == DAYBOOK_CLASS_UNSPACED || class == DAYBOOK_CLASS_MARK
            || (cluster != CLUSTER_OTHER && cluster != CLUSTER_LV && cluster != CLUSTER_LVT && cluster != CLUSTER_EMOJI))
            return 0;
        uint8_t action = actions[class];
        uint64_t bit = 1ULL << at;
        m->separator |= action & SEPARATOR ? bit : 0;
        m->letter |= action & LETTER ? bit : 0;
        m->digit |= action & NUMBER ? bit : 0;
        m->single |= action & SINGLE ? bit : 0;
        m->space |= action & SPACE ? bit : 0;
        uint64_t all = size + at >= 64 ? ~0ULL << at : ((1ULL << size) - 1) << at;
        inside |= all & ~bit;
        left &= ~all;
        if (size + at > 64) next_skip = size + at - 64;
        if (size + at < 64) cluster = CLUSTER_OTHER;
    }
    *skip = next_skip;
    *last = cluster;
    *continuations = inside;
    return 1;
}

// 64 bytes at once. A word ends where a letter or digit came since the last separator: the sum of (letters and digits) and (all that is no
// separator) carries out of a run of the latter exactly if it holds one of the former, and the carry comes to stand on the separator.
static inline void add_block(daybook_scanner *scanner, const struct masks *m, uint64_t continuations, struct daybook_tally *tally) {
    uint64_t dots_before = scanner->dots == 2 ? 3 : scanner->dots == 1 ? 2 : 0;
    uint64_t separator = m->space | m->separator | (m->hyphen & (m->hyphen << 1 | scanner->hyphen))
        | (m->dot & (m->dot << 1 | dots_before >> 1) & (m->dot << 2 | dots_before));
    uint64_t sum;
    unsigned over = (unsigned)__builtin_add_overflow(m->letter | m->digit, ~separator, &sum);
    over |= (unsigned)__builtin_add_overflow(sum, (uint64_t)scanner->holds, &sum);
    uint64_t singles = (uint64_t)__builtin_popcountll(m->single);
    tally->words += (uint64_t)__builtin_popcountll(sum & separator) + singles;
    scanner->holds = over;
    scanner->hyphen = (unsigned)(m->hyphen >> 63);
    unsigned last_dots = (unsigned)(m->dot >> 62);
    scanner->dots = last_dots == 3 ? 2 : last_dots == 2 ? 1 : 0;
    tally->letters += (uint64_t)__builtin_popcountll(m->letter) + singles;
    tally->numbers += (uint64_t)__builtin_popcountll(m->digit);
    tally->characters += 64 - (uint64_t)__builtin_popcountll(m->newline | continuations);
    tally->visible += 64 - (uint64_t)__builtin_popcountll(m->space | continuations);
}
#endif

size_t daybook_scanner_add(daybook_scanner *scanner, const uint8_t *text, size_t length, struct daybook_tally *tally) {
    size_t i = 0;
    while (i < length) {
#if defined(__SSE2__)
        unsigned skip = 0;
        while (length - i >= 64) {
            struct masks m;
            look(text + i, &m);
            uint64_t continuations = 0;
            unsigned last = CLUSTER_OTHER;
            // Rare things are looked at one by one below.
            if (m.control || scanner->run_length || scanner->last == CLUSTER_PREPEND || scanner->last == CLUSTER_JOINER) break;
            if ((m.high | skip) && !add_wide(&m, text + i, length - i, &skip, &last, &continuations)) break;
            add_block(scanner, &m, continuations, tally);
            scanner->last = m.newline >> 63 ? CLUSTER_NEWLINE : last;
            scanner->emoji = last == CLUSTER_EMOJI;
            scanner->odd = 0;
            i += 64;
        }
        i += skip;
#endif
        // At most as many bytes as a block has, then blocks are tried again.
        size_t stop = length - i > 64 ? i + 64 : length;
        while (i < stop) {
            uint8_t byte = text[i];
            if (byte < 0x80) {
                add_character(scanner, byte, ascii_facts[byte], text + i, 1, tally);
                i += 1;
                continue;
            }
            size_t start = i;
            int malformed = 0;
            uint32_t c = daybook_decode_one(text, length, &i, &malformed);
            if (malformed) {
                // The end of this piece may only cut the character.
                if (length - start < 4 && i == length && byte >= 0xc2 && byte < 0xf5) return start;
                tally->malformed++;
            }
            add_character(scanner, c, daybook_facts(c), text + start, i - start, tally);
        }
    }
    return i;
}

void daybook_scanner_end(daybook_scanner *scanner, struct daybook_tally *tally) {
    end_run(scanner, tally);
    end_word(scanner, tally);
    scanner->hyphen = 0;
    scanner->dots = 0;
    scanner->last = CLUSTER_NEWLINE;
    scanner->emoji = 0;
    scanner->odd = 0;
}
