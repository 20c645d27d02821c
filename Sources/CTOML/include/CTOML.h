// SPDX-License-Identifier: Apache-2.0
// TOML 1.0 by toml++, as a flat tree in plain C.
#ifndef DAYBOOK_CTOML_H
#define DAYBOOK_CTOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    DAYBOOK_TOML_TABLE = 0,
    DAYBOOK_TOML_ARRAY,
    DAYBOOK_TOML_STRING,
    DAYBOOK_TOML_INTEGER,
    DAYBOOK_TOML_REAL,
    DAYBOOK_TOML_BOOLEAN,
    DAYBOOK_TOML_DATE_OR_TIME
} daybook_toml_kind;

/// One value. Its children follow it directly, each with its own children; `end` is the index after the last of them.
typedef struct {
    daybook_toml_kind kind;
    /// From 1; the column counts characters.
    uint32_t line, column;
    /// The key under which a table holds this value; NULL in an array and at the root. Not ended by a zero byte.
    const char *key;
    size_t key_length;
    uint32_t key_line, key_column;
    size_t end;
    const char *string;
    size_t string_length;
    int64_t integer;
    double real;
    bool boolean;
} daybook_toml_node;

typedef struct daybook_toml daybook_toml;

/// Parses `length` bytes. Never NULL but when memory ran out; ask `daybook_toml_error` first.
daybook_toml *daybook_toml_parse(const char *text, size_t length);

/// What is wrong with the text, NULL where nothing is. Lives as long as the document.
const char *daybook_toml_error(const daybook_toml *document, uint32_t *line, uint32_t *column);

/// The tree, root first; `*count` nodes. Keys and strings live as long as the document.
const daybook_toml_node *daybook_toml_nodes(const daybook_toml *document, size_t *count);

void daybook_toml_free(daybook_toml *document);

#ifdef __cplusplus
}
#endif

#endif
