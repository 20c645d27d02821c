// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// One line of JSON without white space, members in their order.
    package var encoded: [UInt8] {
        var out: [UInt8] = []
        encode(into: &out)
        return out
    }

    /// The same as text.
    package var text: String { String(decoding: encoded, as: UTF8.self) }

    /// Appends the value to a buffer.
    package func encode(into out: inout [UInt8]) {
        switch self {
        case .null: out.append(contentsOf: "null".utf8)
        case .bool(let value): out.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): out.append(contentsOf: String(value).utf8)
        case .number(let value):
            if !value.isFinite {
                out.append(contentsOf: "null".utf8)
            } else if let whole = Int64(exactly: value), abs(whole) < 1 << 53 {
                out.append(contentsOf: String(whole).utf8)
            } else {
                // Swift prints the shortest text that reads back as the same double.
                out.append(contentsOf: value.description.utf8)
            }
        case .string(let value): Self.encode(value, into: &out)
        case .array(let values):
            out.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                value.encode(into: &out)
            }
            out.append(UInt8(ascii: "]"))
        case .object(let object): object.encode(into: &out)
        }
    }

    fileprivate static func encode(_ text: String, into out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): out.append(contentsOf: [UInt8(ascii: "\\"), byte])
            case UInt8(ascii: "\\"): out.append(contentsOf: [byte, byte])
            case 0x0a: out.append(contentsOf: "\\n".utf8)
            case 0x09: out.append(contentsOf: "\\t".utf8)
            case 0x0d: out.append(contentsOf: "\\r".utf8)
            case 0x00..<0x20, 0x7f:
                let hex = Array("0123456789abcdef".utf8)
                out.append(contentsOf: "\\u00".utf8)
                out.append(hex[Int(byte >> 4)])
                out.append(hex[Int(byte & 15)])
            default: out.append(byte)
            }
        }
        out.append(UInt8(ascii: "\""))
    }
}

extension JSONObject {
    /// Appends the object to a buffer.
    package func encode(into out: inout [UInt8]) {
        out.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            JSONValue.encode(member.key, into: &out)
            out.append(UInt8(ascii: ":"))
            member.value.encode(into: &out)
        }
        out.append(UInt8(ascii: "}"))
    }
}
