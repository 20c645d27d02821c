// SPDX-License-Identifier: Apache-2.0
// The distribution's library is built with this switch (its pkg-config says so); the class layouts must agree.
#define SIMDJSON_THREADS_ENABLED 1
#include "CDaybookJSON.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

namespace dom = simdjson::dom;

struct daybook_json_parser {
    dom::parser parser;
    std::vector<daybook_json_node> nodes;
    std::vector<std::string_view> keys;
    size_t depth = 0;
    size_t values = 0;
};

namespace {

/// A tree walk whose recursion is bounded by the depth limit, which the Swift side keeps below 1024.
daybook_json_status add(daybook_json_parser &self, dom::element element, size_t depth);

daybook_json_status addString(daybook_json_parser &self, std::string_view text) {
    daybook_json_node node{};
    node.type = daybook_json_string;
    node.bytes = text.data();
    node.value.count = text.size();
    node.next = static_cast<uint32_t>(self.nodes.size() + 1);
    self.nodes.push_back(node);
    return daybook_json_good;
}

/// Small objects are compared pair by pair, large ones sorted, so that a hostile one costs n log n.
bool hasDuplicate(std::vector<std::string_view> &keys, size_t from) {
    auto begin = keys.begin() + static_cast<std::ptrdiff_t>(from);
    size_t count = keys.size() - from;
    if (count <= 24) {
        for (size_t i = 0; i < count; i++)
            for (size_t j = i + 1; j < count; j++)
                if (begin[static_cast<std::ptrdiff_t>(i)] == begin[static_cast<std::ptrdiff_t>(j)]) return true;
        return false;
    }
    std::sort(begin, keys.end());
    return std::adjacent_find(begin, keys.end()) != keys.end();
}

daybook_json_status add(daybook_json_parser &self, dom::element element, size_t depth) {
    if (self.values == 0) return daybook_json_too_many;
    self.values--;
    daybook_json_node node{};
    node.next = static_cast<uint32_t>(self.nodes.size() + 1);
    switch (element.type()) {
    case dom::element_type::NULL_VALUE: node.type = daybook_json_null; break;
    case dom::element_type::BOOL: node.type = element.get_bool().value_unsafe() ? daybook_json_true : daybook_json_false; break;
    case dom::element_type::INT64:
        node.type = daybook_json_integer;
        node.value.integer = element.get_int64().value_unsafe();
        break;
    case dom::element_type::UINT64:
        node.type = daybook_json_number;
        node.value.number = static_cast<double>(element.get_uint64().value_unsafe());
        break;
    case dom::element_type::DOUBLE:
        node.type = daybook_json_number;
        node.value.number = element.get_double().value_unsafe();
        break;
    case dom::element_type::STRING: return addString(self, element.get_string().value_unsafe());
    case dom::element_type::ARRAY: {
        if (depth == 0) return daybook_json_too_deep;
        size_t index = self.nodes.size();
        node.type = daybook_json_array;
        self.nodes.push_back(node);
        uint64_t count = 0;
        for (dom::element child : element.get_array().value_unsafe()) {
            if (auto status = add(self, child, depth - 1); status != daybook_json_good) return status;
            count++;
        }
        self.nodes[index].value.count = count;
        self.nodes[index].next = static_cast<uint32_t>(self.nodes.size());
        return daybook_json_good;
    }
    case dom::element_type::OBJECT: {
        if (depth == 0) return daybook_json_too_deep;
        size_t index = self.nodes.size();
        node.type = daybook_json_object;
        self.nodes.push_back(node);
        size_t firstKey = self.keys.size();
        for (dom::key_value_pair member : element.get_object().value_unsafe()) {
            // Keys of the objects in between are taken away again when those end.
            self.keys.push_back(member.key);
            addString(self, member.key);
            if (auto status = add(self, member.value, depth - 1); status != daybook_json_good) return status;
        }
        if (hasDuplicate(self.keys, firstKey)) return daybook_json_duplicate_key;
        self.nodes[index].value.count = self.keys.size() - firstKey;
        self.nodes[index].next = static_cast<uint32_t>(self.nodes.size());
        self.keys.resize(firstKey);
        return daybook_json_good;
    }
    }
    self.nodes.push_back(node);
    return daybook_json_good;
}

int hex4(const uint8_t *p) {
    int value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = p[i] <= '9' ? p[i] - '0' : (p[i] | 0x20) - 'a' + 10;
        value = value << 4 | digit;
    }
    return value;
}

/// simdjson lets some surrogate escapes without their partner through. Called on what it accepted, so every escape is whole.
bool hasLoneSurrogate(const uint8_t *bytes, size_t length) {
    const uint8_t *p = bytes;
    const uint8_t *end = bytes + length;
    while (p < end && (p = static_cast<const uint8_t *>(std::memchr(p, '\\', static_cast<size_t>(end - p))))) {
        if (end - p < 6 || p[1] != 'u') {
            p += 2;
            continue;
        }
        int unit = hex4(p + 2);
        p += 6;
        if (unit < 0xd800 || unit > 0xdfff) continue;
        if (unit >= 0xdc00 || end - p < 6 || p[0] != '\\' || p[1] != 'u') return true;
        int second = hex4(p + 2);
        if (second < 0xdc00 || second > 0xdfff) return true;
        p += 6;
    }
    return false;
}

} // namespace

extern "C" daybook_json_parser *daybook_json_parser_new(void) { return new (std::nothrow) daybook_json_parser; }

extern "C" void daybook_json_parser_free(daybook_json_parser *parser) { delete parser; }

extern "C" daybook_json_status daybook_json_parse(
    daybook_json_parser *self, const uint8_t *bytes, size_t length, size_t depth, size_t values, const daybook_json_node **nodes,
    size_t *count) {
    *nodes = nullptr;
    *count = 0;
    try {
        size_t wanted = 1024;
        while (wanted < length) wanted *= 2;
        if (self->parser.capacity() < wanted || self->parser.max_depth() != depth + 2) {
            // simdjson counts the document itself and stops one earlier; the exact limit is kept in `add`.
            if (self->parser.allocate(wanted, depth + 2)) return daybook_json_no_memory;
        }
        dom::element root;
        switch (self->parser.parse(bytes, length, true).get(root)) {
        case simdjson::SUCCESS: break;
        case simdjson::DEPTH_ERROR: return daybook_json_too_deep;
        case simdjson::MEMALLOC: return daybook_json_no_memory;
        default: return daybook_json_malformed;
        }
        if (hasLoneSurrogate(bytes, length)) return daybook_json_malformed;
        self->nodes.clear();
        self->keys.clear();
        self->values = values;
        auto status = add(*self, root, depth);
        if (status != daybook_json_good) return status;
        *nodes = self->nodes.data();
        *count = self->nodes.size();
        return daybook_json_good;
    } catch (...) {
        return daybook_json_no_memory;
    }
}
