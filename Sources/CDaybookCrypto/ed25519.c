// SPDX-License-Identifier: Apache-2.0
#include "CDaybookCrypto.h"

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <string.h>

static EVP_PKEY *secret_key(const uint8_t secret[32]) { return EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, secret, 32); }

static int raw_secret(EVP_PKEY *key, uint8_t secret[32]) {
    size_t length = 32;
    return key && EVP_PKEY_id(key) == EVP_PKEY_ED25519 && EVP_PKEY_get_raw_private_key(key, secret, &length) == 1 && length == 32;
}

int daybook_ed25519_make(uint8_t secret[32]) {
    EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    int good = raw_secret(key, secret);
    EVP_PKEY_free(key);
    return good;
}

int daybook_ed25519_public(const uint8_t secret[32], uint8_t public[32]) {
    size_t length = 32;
    EVP_PKEY *key = secret_key(secret);
    int good = key && EVP_PKEY_get_raw_public_key(key, public, &length) == 1 && length == 32;
    EVP_PKEY_free(key);
    return good;
}

int daybook_ed25519_sign(const uint8_t secret[32], const void *text, size_t length, uint8_t signature[64]) {
    size_t size = 64;
    EVP_PKEY *key = secret_key(secret);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int good = key && context && EVP_DigestSignInit(context, NULL, NULL, NULL, key) == 1 &&
        EVP_DigestSign(context, signature, &size, text, length) == 1 && size == 64;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return good;
}

int daybook_ed25519_verify(const uint8_t public[32], const void *text, size_t length, const uint8_t signature[64]) {
    EVP_PKEY *key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, public, 32);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int good = key && context && EVP_DigestVerifyInit(context, NULL, NULL, NULL, key) == 1 &&
        EVP_DigestVerify(context, signature, 64, text, length) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return good;
}

// Nobody is there who could be asked for one.
static int no_pass_phrase(char *buffer, int size, int writing, void *context) {
    (void)buffer, (void)size, (void)writing, (void)context;
    return -1;
}

int daybook_ed25519_read_pem(const void *pem, size_t length, uint8_t secret[32]) {
    if (length > 65536) return 0;
    BIO *text = BIO_new_mem_buf(pem, (int)length);
    EVP_PKEY *key = text ? PEM_read_bio_PrivateKey(text, NULL, no_pass_phrase, NULL) : NULL;
    int good = raw_secret(key, secret);
    EVP_PKEY_free(key);
    BIO_free(text);
    return good;
}

size_t daybook_ed25519_write_pem(const uint8_t secret[32], char *pem, size_t room) {
    size_t written = 0;
    EVP_PKEY *key = secret_key(secret);
    BIO *text = BIO_new(BIO_s_secmem());
    if (!text) text = BIO_new(BIO_s_mem());
    if (key && text && PEM_write_bio_PKCS8PrivateKey(text, key, NULL, NULL, 0, NULL, NULL) == 1) {
        char *start;
        long length = BIO_get_mem_data(text, &start);
        if (length > 0 && (size_t)length <= room) {
            memcpy(pem, start, (size_t)length);
            written = (size_t)length;
        }
    }
    BIO_free(text);
    EVP_PKEY_free(key);
    return written;
}

size_t daybook_base64_encode(const void *bytes, size_t length, char *text) {
    return (size_t)EVP_EncodeBlock((unsigned char *)text, bytes, (int)length);
}

ptrdiff_t daybook_base64_decode(const char *text, size_t length, uint8_t *bytes) {
    if (length % 4 || length > 65536) return -1;
    if (length == 0) return 0;
    int count = EVP_DecodeBlock(bytes, (const unsigned char *)text, (int)length);
    if (count < 0) return -1;
    // It counts the filling as bytes, and takes white space around the text: what does not come out the same is refused.
    for (size_t place = length; place > length - 2 && text[place - 1] == '='; place--) count--;
    char again[65536 + 8];
    return daybook_base64_encode(bytes, (size_t)count, again) == length && memcmp(again, text, length) == 0 ? count : -1;
}
