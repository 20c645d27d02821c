// SPDX-License-Identifier: Apache-2.0

/// A value of PDF, as far as the page tree needs it.
indirect enum PDFValue {
    case dictionary([String: PDFValue])
    case array([PDFValue])
    case reference(Int)
    case name(String)
    case number(Int)
    case other

    subscript(key: String) -> PDFValue? {
        if case .dictionary(let members) = self { return members[key] }
        return nil
    }
}

/// Reads values out of bytes that may hold anything.
struct PDFScanner {
    /// Values inside each other; deeper ones are `other`.
    static let depthLimit = 64

    let bytes: UnsafeRawBufferPointer
    var index: Int

    init(_ bytes: UnsafeRawBufferPointer, at index: Int = 0) {
        self.bytes = bytes
        self.index = index
    }

    mutating func value(depth: Int = 0) -> PDFValue? {
        skipSpace()
        guard index < bytes.count, depth < Self.depthLimit else { return nil }
        switch bytes[index] {
        case UInt8(ascii: "/"): return .name(name())
        case UInt8(ascii: "["):
            index += 1
            var values: [PDFValue] = []
            while true {
                skipSpace()
                guard index < bytes.count else { return nil }
                if bytes[index] == UInt8(ascii: "]") {
                    index += 1
                    return .array(values)
                }
                guard let value = value(depth: depth + 1) else { return nil }
                values.append(value)
            }
        case UInt8(ascii: "<"):
            if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "<") { return dictionary(depth) }
            while index < bytes.count, bytes[index] != UInt8(ascii: ">") { index += 1 }
            index += 1
            return .other
        case UInt8(ascii: "("):
            skipString()
            return .other
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."): return numberOrReference()
        case UInt8(ascii: ")"), UInt8(ascii: ">"), UInt8(ascii: "}"), UInt8(ascii: "{"), UInt8(ascii: "]"): return nil
        default:
            while index < bytes.count, Self.isRegular(bytes[index]) { index += 1 }
            return .other
        }
    }

    private mutating func dictionary(_ depth: Int) -> PDFValue? {
        index += 2
        var members: [String: PDFValue] = [:]
        while true {
            skipSpace()
            guard index + 1 < bytes.count else { return nil }
            if bytes[index] == UInt8(ascii: ">"), bytes[index + 1] == UInt8(ascii: ">") {
                index += 2
                return .dictionary(members)
            }
            guard bytes[index] == UInt8(ascii: "/") else { return nil }
            let key = name()
            guard let value = value(depth: depth + 1) else { return nil }
            members[key] = value
        }
    }

    private mutating func numberOrReference() -> PDFValue {
        guard let first = integer() else {
            while index < bytes.count, Self.isRegular(bytes[index]) { index += 1 }
            return .other
        }
        let after = index
        skipSpace()
        if integer() != nil {
            skipSpace()
            if index < bytes.count, bytes[index] == UInt8(ascii: "R"), index + 1 == bytes.count || !Self.isRegular(bytes[index + 1]) {
                index += 1
                return .reference(first)
            }
        }
        index = after
        return .number(first)
    }

    /// A whole number without a sign; nil, and nothing read, for anything else.
    mutating func integer() -> Int? {
        var end = index
        var value = 0
        while end < bytes.count, (0x30...0x39).contains(bytes[end]), end - index < 12 {
            value = value * 10 + Int(bytes[end] - 0x30)
            end += 1
        }
        guard end > index, end == bytes.count || !Self.isRegular(bytes[end]) else { return nil }
        index = end
        return value
    }

    private mutating func name() -> String {
        index += 1
        let start = index
        while index < bytes.count, Self.isRegular(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<min(index, start + 127)], as: UTF8.self)
    }

    private mutating func skipString() {
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: "\\"): index += 1
            default: break
            }
            index += 1
            if depth == 0 { return }
        }
    }

    mutating func skipSpace() {
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%") {
                while index < bytes.count, bytes[index] != 0x0a, bytes[index] != 0x0d { index += 1 }
            } else if bytes[index] <= 0x20 {
                index += 1
            } else {
                return
            }
        }
    }

    private static func isRegular(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, UInt8(ascii: "/"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "%"):
            false
        default: true
        }
    }
}
