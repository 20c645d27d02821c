// SPDX-License-Identifier: Apache-2.0
// Header only, so that a server needs no library of its own for this.
//
// The parser's assertions do not hold for every text (`[=` is enough), though each is followed by a check that finds the mistake. Left to
// NDEBUG they would become promises to the optimizer, and otherwise end the program: they must be nothing.
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
// With the limit of dots in a line (in Swift) this bounds the tree's depth, and with it the stack that taking it down needs.
#define TOML_MAX_NESTED_VALUES 8
#include "include/CTOML.h"
#include <toml++/toml.h>

#include <new>
#include <string>
#include <string_view>
#include <vector>

struct daybook_toml {
    toml::table root;
    std::vector<daybook_toml_node> nodes;
    std::string problem;
    uint32_t line = 0, column = 0;
    bool failed = false;
};

namespace {

void append(std::vector<daybook_toml_node> &nodes, const toml::node &value, const toml::key *key) {
    daybook_toml_node node{};
    node.line = value.source().begin.line;
    node.column = value.source().begin.column;
    if (key) {
        node.key = key->data();
        node.key_length = key->length();
        node.key_line = key->source().begin.line;
        node.key_column = key->source().begin.column;
    }
    const size_t index = nodes.size();
    switch (value.type()) {
    case toml::node_type::table: node.kind = DAYBOOK_TOML_TABLE; break;
    case toml::node_type::array: node.kind = DAYBOOK_TOML_ARRAY; break;
    case toml::node_type::string:
        node.kind = DAYBOOK_TOML_STRING;
        node.string = value.as_string()->get().data();
        node.string_length = value.as_string()->get().length();
        break;
    case toml::node_type::integer:
        node.kind = DAYBOOK_TOML_INTEGER;
        node.integer = value.as_integer()->get();
        break;
    case toml::node_type::floating_point:
        node.kind = DAYBOOK_TOML_REAL;
        node.real = value.as_floating_point()->get();
        break;
    case toml::node_type::boolean:
        node.kind = DAYBOOK_TOML_BOOLEAN;
        node.boolean = value.as_boolean()->get();
        break;
    default: node.kind = DAYBOOK_TOML_DATE_OR_TIME; break;
    }
    nodes.push_back(node);
    // Bounded as said above.
    if (const auto *table = value.as_table()) {
        for (const auto &[name, child] : *table) append(nodes, child, &name);
    } else if (const auto *array = value.as_array()) {
        for (const auto &child : *array) append(nodes, child, nullptr);
    }
    nodes[index].end = nodes.size();
}

} // namespace

extern "C" daybook_toml *daybook_toml_parse(const char *text, size_t length) {
    auto *document = new (std::nothrow) daybook_toml;
    if (!document) return nullptr;
    // No exception may leave for a caller that is not C++.
    try {
        document->root = toml::parse(std::string_view{text, length});
        append(document->nodes, document->root, nullptr);
    } catch (const toml::parse_error &error) {
        document->failed = true;
        document->problem = std::string{error.description()};
        document->line = error.source().begin.line;
        document->column = error.source().begin.column;
    } catch (...) {
        delete document;
        return nullptr;
    }
    return document;
}

extern "C" const char *daybook_toml_error(const daybook_toml *document, uint32_t *line, uint32_t *column) {
    *line = document->line;
    *column = document->column;
    return document->failed ? document->problem.c_str() : nullptr;
}

extern "C" const daybook_toml_node *daybook_toml_nodes(const daybook_toml *document, size_t *count) {
    *count = document->nodes.size();
    return document->nodes.data();
}

extern "C" void daybook_toml_free(daybook_toml *document) { delete document; }
