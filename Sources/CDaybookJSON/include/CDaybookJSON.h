// SPDX-License-Identifier: Apache-2.0
// simdjson behind plain C: one call turns bytes into a flat list of nodes, depth first.
#ifndef CDAYBOOKJSON_H
#define CDAYBOOKJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum __attribute__((enum_extensibility(closed))) {
    daybook_json_null = 0,
    daybook_json_false = 1,
    daybook_json_true = 2,
    daybook_json_integer = 3,
    daybook_json_number = 4,
    daybook_json_string = 5,
    daybook_json_array = 6,
    daybook_json_object = 7,
} daybook_json_type;

typedef enum __attribute__((enum_extensibility(closed))) {
    daybook_json_good = 0,
    /// Not JSON, or not UTF-8. The caller looks for the place itself: simdjson does not tell it.
    daybook_json_malformed = 1,
    daybook_json_too_deep = 2,
    daybook_json_too_many = 3,
    daybook_json_duplicate_key = 4,
    daybook_json_no_memory = 5,
} daybook_json_status;

typedef struct {
    /// A string's UTF-8 without quotes and escapes, not ended by a zero byte; valid until the parser parses again or is freed.
    const char *bytes;
    union {
        int64_t integer;
        double number;
        /// A string's bytes; the elements of an array; the members of an object.
        uint64_t count;
    } value;
    /// The index after this node and all below it. In an object the members follow as key (a string), value, key, value …
    uint32_t next;
    uint8_t type;
} daybook_json_node;

typedef struct daybook_json_parser daybook_json_parser;

/// Null when there is no memory.
daybook_json_parser *daybook_json_parser_new(void);
void daybook_json_parser_free(daybook_json_parser *parser);

/// Parses one document. `depth` counts nested arrays and objects, `values` counts all values without the keys. Unsigned numbers above
/// INT64_MAX come as daybook_json_number. On success `*nodes` and `*count` describe the tree; they are valid until the next call.
daybook_json_status daybook_json_parse(
    daybook_json_parser *parser, const uint8_t *bytes, size_t length, size_t depth, size_t values, const daybook_json_node **nodes,
    size_t *count);

#ifdef __cplusplus
}
#endif
#endif
