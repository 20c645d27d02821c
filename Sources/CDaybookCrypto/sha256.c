// SPDX-License-Identifier: Apache-2.0
// The direct calls, which OpenSSL 3 would rather see gone: for a line of 300 bytes the new ones spend more on finding their way than on
// hashing. Both end in the same code with the processor's own instructions.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "CDaybookCrypto.h"

#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>

struct daybook_sha256 {
    SHA256_CTX context;
    int running;
    int failed;
};

daybook_sha256 *daybook_sha256_new(void) { return calloc(1, sizeof(daybook_sha256)); }

void daybook_sha256_free(daybook_sha256 *hash) { free(hash); }

static void begin(daybook_sha256 *hash) {
    if (hash->running) return;
    hash->failed = !SHA256_Init(&hash->context);
    hash->running = 1;
}

void daybook_sha256_add(daybook_sha256 *hash, const void *bytes, size_t length) {
    begin(hash);
    if (!hash->failed && length) hash->failed = !SHA256_Update(&hash->context, bytes, length);
}

int daybook_sha256_finish(daybook_sha256 *hash, uint8_t result[32]) {
    begin(hash);
    hash->running = 0;
    if (!hash->failed && SHA256_Final(result, &hash->context)) return 1;
    memset(result, 0, 32);
    return 0;
}

int daybook_sha256_of(const void *bytes, size_t length, uint8_t result[32]) {
    SHA256_CTX context;
    if (SHA256_Init(&context) && (!length || SHA256_Update(&context, bytes, length)) && SHA256_Final(result, &context)) return 1;
    memset(result, 0, 32);
    return 0;
}

int daybook_sha256_pair(const uint8_t first[32], const uint8_t second[32], uint8_t result[32]) {
    uint8_t both[64];
    memcpy(both, first, 32);
    memcpy(both + 32, second, 32);
    return daybook_sha256_of(both, sizeof both, result);
}

void daybook_hex(const uint8_t *bytes, size_t count, uint8_t *digits) {
    static const char alphabet[16] = "0123456789abcdef";
    for (size_t place = 0; place < count; place++) {
        digits[2 * place] = (uint8_t)alphabet[bytes[place] >> 4];
        digits[2 * place + 1] = (uint8_t)alphabet[bytes[place] & 15];
    }
}

int daybook_seal_line(const void *line, size_t length, uint8_t chain[32], uint8_t digest[32], uint8_t seal[DAYBOOK_SEAL_LENGTH]) {
    if (!daybook_sha256_of(line, length, digest) || !daybook_sha256_pair(chain, digest, chain)) return 0;
    memcpy(seal, ",\"digest\":\"", 11);
    daybook_hex(digest, 32, seal + 11);
    memcpy(seal + 75, "\",\"chain\":\"", 11);
    daybook_hex(chain, 32, seal + 86);
    memcpy(seal + 150, "\"}", 2);
    return 1;
}

static int digit(unsigned char byte) {
    if (byte >= '0' && byte <= '9') return byte - '0';
    if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
    return -1;
}

int daybook_hex32(const char *digits, uint8_t result[32]) {
    int wrong = 0;
    for (int place = 0; place < 32; place++) {
        int high = digit((unsigned char)digits[2 * place]), low = digit((unsigned char)digits[2 * place + 1]);
        wrong |= high | low;
        result[place] = (uint8_t)((high & 15) << 4 | (low & 15));
    }
    return wrong >= 0;
}
