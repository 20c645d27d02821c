// SPDX-License-Identifier: Apache-2.0
// SHA-256, Ed25519 and base 64 from libcrypto behind plain C.
#ifndef CDAYBOOKCRYPTO_H
#define CDAYBOOKCRYPTO_H

#include <stddef.h>
#include <stdint.h>

/// A hash under way. For one thread.
typedef struct daybook_sha256 daybook_sha256;

/// Null when there is no memory.
daybook_sha256 *daybook_sha256_new(void);
void daybook_sha256_free(daybook_sha256 *hash);

/// Adds bytes; the first call after a finish begins a new hash.
void daybook_sha256_add(daybook_sha256 *hash, const void *bytes, size_t length);

/// Writes the 32 bytes and begins anew. 1 when all went well, else 0 and the bytes are zero.
int daybook_sha256_finish(daybook_sha256 *hash, uint8_t result[32]);

/// The hash of bytes that are all there; nothing is allocated. 1, or 0 and zeros.
int daybook_sha256_of(const void *bytes, size_t length, uint8_t result[32]);

/// The hash of two hashes one after the other.
int daybook_sha256_pair(const uint8_t first[32], const uint8_t second[32], uint8_t result[32]);

/// Writes two hexadecimal digits in lower case for each byte.
void daybook_hex(const uint8_t *bytes, size_t count, uint8_t *digits);

/// Seals a line of the journal, of which `length` bytes are there: its digest, the chain after it, and the 152 bytes that follow it
/// (`,"digest":"…","chain":"…"}`). `chain` comes with the chain before the line. 1, or 0 and nothing that can be used.
#define DAYBOOK_SEAL_LENGTH 152
int daybook_seal_line(const void *line, size_t length, uint8_t chain[32], uint8_t digest[32], uint8_t seal[DAYBOOK_SEAL_LENGTH]);

/// Reads 64 hexadecimal digits in lower case. 0 where one of them is something else.
int daybook_hex32(const char *digits, uint8_t result[32]);

// Ed25519 (RFC 8032). A secret is the 32 bytes that all else is made from. All give 1, or 0 where it failed or does not fit.

/// A new secret, from libcrypto's random numbers.
int daybook_ed25519_make(uint8_t secret[32]);
int daybook_ed25519_public(const uint8_t secret[32], uint8_t key[32]);
int daybook_ed25519_sign(const uint8_t secret[32], const void *text, size_t length, uint8_t signature[64]);
int daybook_ed25519_verify(const uint8_t key[32], const void *text, size_t length, const uint8_t signature[64]);

/// The secret in a PEM file (PKCS 8, without a pass phrase).
int daybook_ed25519_read_pem(const void *pem, size_t length, uint8_t secret[32]);
/// Writes such a file; the result is its length, at most `room`, or 0.
size_t daybook_ed25519_write_pem(const uint8_t secret[32], char *pem, size_t room);

/// Base 64 (RFC 4648, section 4). `text` has room for 4 * ((length + 2) / 3) + 1 bytes; the result is the length without the zero byte.
size_t daybook_base64_encode(const void *bytes, size_t length, char *text);
/// The number of bytes, of which `bytes` has room for length / 4 * 3; -1 where the text is not exactly what encoding gives.
ptrdiff_t daybook_base64_decode(const char *text, size_t length, uint8_t *bytes);

#endif
