// SPDX-License-Identifier: Apache-2.0
import CDaybookJSON

/// A parsed text as the parser left it: no value is made before somebody asks. Points into the parser that made it.
package struct JSONTree {
    fileprivate let nodes: UnsafeBufferPointer<daybook_json_node>

    init(nodes: UnsafeBufferPointer<daybook_json_node>) { self.nodes = nodes }

    package var root: JSONNode { JSONNode(nodes: nodes, index: 0) }
}

/// One value in a tree.
package struct JSONNode {
    fileprivate let nodes: UnsafeBufferPointer<daybook_json_node>
    fileprivate let index: Int

    private var node: daybook_json_node { nodes[index] }

    private var type: daybook_json_type { daybook_json_type(rawValue: UInt32(node.type)) ?? .null }

    package var integerValue: Int64? { type == .integer ? node.value.integer : nil }

    package var doubleValue: Double? {
        switch type {
        case .integer: Double(node.value.integer)
        case .number: node.value.number
        default: nil
        }
    }

    package var boolValue: Bool? {
        switch type {
        case .true: true
        case .false: false
        default: nil
        }
    }

    package var isNull: Bool { type == .null }
    package var isObject: Bool { type == .object }
    package var isArray: Bool { type == .array }

    /// A string's UTF-8, without escapes.
    package var stringBytes: UnsafeBufferPointer<UInt8>? {
        guard type == .string else { return nil }
        let raw = UnsafeRawBufferPointer(start: node.bytes, count: Int(node.value.count))
        return raw.bindMemory(to: UInt8.self)
    }

    package var stringValue: String? { stringBytes.map { String(decoding: $0, as: UTF8.self) } }

    /// Calls `body` for every element of an array; does nothing for other values.
    package func forEachElement<Failure: Error>(_ body: (JSONNode) throws(Failure) -> Void) throws(Failure) {
        guard type == .array else { return }
        var position = index + 1
        while position < Int(node.next) {
            try body(JSONNode(nodes: nodes, index: position))
            position = Int(nodes[position].next)
        }
    }

    /// Calls `body` for every member of an object in the text's order; does nothing for other values.
    package func forEachMember<Failure: Error>(_ body: (UnsafeBufferPointer<UInt8>, JSONNode) throws(Failure) -> Void) throws(Failure) {
        guard type == .object else { return }
        var position = index + 1
        while position < Int(node.next) {
            let key = JSONNode(nodes: nodes, index: position)
            let value = JSONNode(nodes: nodes, index: position + 1)
            if let bytes = key.stringBytes { try body(bytes, value) }
            position = Int(nodes[position + 1].next)
        }
    }

    /// The member with this key; nil where there is none or this is no object.
    package subscript(key: StaticString) -> JSONNode? {
        guard type == .object else { return nil }
        let end = Int(node.next)
        let (wanted, count) = (key.utf8Start, key.utf8CodeUnitCount)
        var position = index + 1
        while position < end {
            if Int(nodes[position].value.count) == count, Self.isEqual(nodes[position].bytes, wanted, count) {
                return JSONNode(nodes: nodes, index: position + 1)
            }
            position = Int(nodes[position + 1].next)
        }
        return nil
    }

    /// Byte by byte: keys are short, and mostly differ in the first.
    private static func isEqual(_ bytes: UnsafePointer<CChar>?, _ wanted: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard let bytes else { return count == 0 }
        for index in 0..<count where UInt8(bitPattern: bytes[index]) != wanted[index] { return false }
        return true
    }

    /// This node and everything below it as a value of its own.
    package var value: JSONValue {
        switch type {
        case .null: return .null
        case .false: return .bool(false)
        case .true: return .bool(true)
        case .integer: return .integer(node.value.integer)
        case .number: return .number(node.value.number)
        case .string: return .string(stringValue ?? "")
        case .array:
            var elements: [JSONValue] = []
            elements.reserveCapacity(Int(node.value.count))
            forEachElement { elements.append($0.value) }
            return .array(elements)
        case .object:
            var members: [(key: String, value: JSONValue)] = []
            members.reserveCapacity(Int(node.value.count))
            forEachMember { key, value in members.append((String(decoding: key, as: UTF8.self), value.value)) }
            return .object(JSONObject(uniqueMembers: members))
        }
    }
}
