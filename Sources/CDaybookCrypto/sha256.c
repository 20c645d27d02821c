// SPDX-License-Identifier: Apache-2.0
#include "CDaybookCrypto.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

struct daybook_sha256 {
    EVP_MD *algorithm;
    EVP_MD_CTX *context;
    int running;
    int failed;
};

daybook_sha256 *daybook_sha256_new(void) {
    daybook_sha256 *hash = calloc(1, sizeof *hash);
    if (!hash) return NULL;
    // Fetched once: finding the algorithm costs more than hashing a line.
    hash->algorithm = EVP_MD_fetch(NULL, "SHA256", NULL);
    hash->context = EVP_MD_CTX_new();
    if (!hash->algorithm || !hash->context) {
        daybook_sha256_free(hash);
        return NULL;
    }
    return hash;
}

void daybook_sha256_free(daybook_sha256 *hash) {
    if (!hash) return;
    EVP_MD_CTX_free(hash->context);
    EVP_MD_free(hash->algorithm);
    free(hash);
}

static void begin(daybook_sha256 *hash) {
    if (hash->running) return;
    hash->failed = !EVP_DigestInit_ex2(hash->context, hash->algorithm, NULL);
    hash->running = 1;
}

void daybook_sha256_add(daybook_sha256 *hash, const void *bytes, size_t length) {
    begin(hash);
    if (!hash->failed && length) hash->failed = !EVP_DigestUpdate(hash->context, bytes, length);
}

int daybook_sha256_finish(daybook_sha256 *hash, uint8_t result[32]) {
    unsigned int length = 0;
    begin(hash);
    hash->running = 0;
    if (!hash->failed && EVP_DigestFinal_ex(hash->context, result, &length) && length == 32) return 1;
    memset(result, 0, 32);
    return 0;
}
