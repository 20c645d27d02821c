// SPDX-License-Identifier: Apache-2.0
// SHA-256 from libcrypto behind plain C.
#ifndef CDAYBOOKCRYPTO_H
#define CDAYBOOKCRYPTO_H

#include <stddef.h>
#include <stdint.h>

/// A hash under way. For one thread.
typedef struct daybook_sha256 daybook_sha256;

/// Null when there is no memory or libcrypto has no SHA-256.
daybook_sha256 *daybook_sha256_new(void);
void daybook_sha256_free(daybook_sha256 *hash);

/// Adds bytes; the first call after a finish begins a new hash.
void daybook_sha256_add(daybook_sha256 *hash, const void *bytes, size_t length);

/// Writes the 32 bytes and begins anew. 1 when all went well, else 0 and the bytes are zero.
int daybook_sha256_finish(daybook_sha256 *hash, uint8_t result[32]);

#endif
