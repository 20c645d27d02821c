// SPDX-License-Identifier: Apache-2.0
import CDaybookJSON

/// Turns bytes into JSON values and keeps its buffers from call to call. For one thread.
///
/// Strict RFC 8259: UTF-8 only, no lone surrogates, one value, and no key twice in an object (an error, since readers differ in which one
/// they take). An integer beyond Int64 becomes a `number` while it fits in 64 bits without sign; anything larger is an error.
package struct JSONParser: ~Copyable {
    private let handle: OpaquePointer?
    private let limits: JSONLimits

    package init(limits: JSONLimits = .standard) {
        handle = daybook_json_parser_new()
        self.limits = limits
    }

    deinit { daybook_json_parser_free(handle) }

    /// The value that the bytes spell.
    package mutating func parse(_ bytes: some Collection<UInt8>) throws(JSONError) -> JSONValue {
        try tree(of: bytes).root.value
    }

    /// The tree of the bytes. It points into this parser: use it before the next call and not after the parser's end.
    package mutating func tree(of bytes: some Collection<UInt8>) throws(JSONError) -> JSONTree {
        guard bytes.count <= limits.bytes else { throw JSONError(.tooLong(limit: limits.bytes)) }
        let depth = max(0, min(limits.depth, JSONLimits.deepest))
        var nodes: UnsafePointer<daybook_json_node>?
        var count = 0
        let parse = { [handle, limits] (buffer: UnsafeBufferPointer<UInt8>) -> daybook_json_status in
            guard let handle else { return .no_memory }
            guard let base = buffer.baseAddress else { return .malformed }
            return daybook_json_parse(handle, base, buffer.count, depth, max(0, limits.members), &nodes, &count)
        }
        let status = bytes.withContiguousStorageIfAvailable(parse) ?? Array(bytes).withUnsafeBufferPointer(parse)
        switch status {
        case .good: return JSONTree(nodes: UnsafeBufferPointer(start: nodes, count: count))
        case .malformed: throw JSONScan.firstError(in: Array(bytes))
        case .too_deep: throw JSONError(.tooDeep(limit: depth))
        case .too_many: throw JSONError(.tooManyMembers(limit: limits.members))
        case .duplicate_key: throw JSONError(.duplicateKey)
        case .no_memory: throw JSONError(.noMemory)
        }
    }
}

extension JSONValue {
    /// Reads one JSON text; see `JSONParser` for what is accepted.
    package init(parsing bytes: some Collection<UInt8>, limits: JSONLimits = .standard) throws(JSONError) {
        var parser = JSONParser(limits: limits)
        self = try parser.parse(bytes)
    }

    /// The same from text.
    package init(parsing text: String, limits: JSONLimits = .standard) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), limits: limits)
    }
}
