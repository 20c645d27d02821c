// SPDX-License-Identifier: Apache-2.0

/// Finds the place where bytes stop being JSON. Slow and plain: it runs only after the parser has said no, and is its second opinion in tests.
package struct JSONScan {
    private let bytes: [UInt8]
    private var position = 0
    /// `{` and `[` of what is open.
    private var open: [UInt8] = []

    /// The first error. Bytes that this scan finds no fault with were refused for a number too large.
    static func firstError(in bytes: [UInt8]) -> JSONError {
        verdict(on: bytes) ?? JSONError(.numberOutOfRange)
    }

    /// Nil for good JSON.
    package static func verdict(on bytes: [UInt8]) -> JSONError? {
        var scan = JSONScan(bytes: bytes)
        do throws(JSONError) {
            try scan.run()
            return nil
        } catch {
            return error
        }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func run() throws(JSONError) {
        skipSpace()
        guard position < bytes.count else { throw JSONError(.empty) }
        try value()
        while let container = open.last {
            skipSpace()
            let byte = try next()
            switch (byte, container) {
            case (UInt8(ascii: "]"), UInt8(ascii: "[")), (UInt8(ascii: "}"), UInt8(ascii: "{")): open.removeLast()
            case (UInt8(ascii: ","), UInt8(ascii: "[")):
                skipSpace()
                try value()
            case (UInt8(ascii: ","), _):
                skipSpace()
                try member()
            default: throw JSONError(.unexpectedByte, position: position - 1)
            }
        }
        skipSpace()
        if position < bytes.count { throw JSONError(.afterTheEnd, position: position) }
    }

    /// Reads one scalar, or opens one container and reads its first element, as often as that is a container too.
    private mutating func value() throws(JSONError) {
        while true {
            let start = position
            switch try next() {
            case UInt8(ascii: "\""): return try string()
            case UInt8(ascii: "t"): return try word("rue")
            case UInt8(ascii: "f"): return try word("alse")
            case UInt8(ascii: "n"): return try word("ull")
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(from: start)
            case UInt8(ascii: "["):
                skipSpace()
                if peek == UInt8(ascii: "]") {
                    position += 1
                    return
                }
                open.append(UInt8(ascii: "["))
            case UInt8(ascii: "{"):
                skipSpace()
                if peek == UInt8(ascii: "}") {
                    position += 1
                    return
                }
                open.append(UInt8(ascii: "{"))
                try key()
            default: throw JSONError(.unexpectedByte, position: start)
            }
        }
    }

    private mutating func member() throws(JSONError) {
        try key()
        try value()
    }

    private mutating func key() throws(JSONError) {
        guard try next() == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, position: position - 1) }
        try string()
        skipSpace()
        guard try next() == UInt8(ascii: ":") else { throw JSONError(.unexpectedByte, position: position - 1) }
        skipSpace()
    }

    private mutating func string() throws(JSONError) {
        while true {
            let start = position
            switch try next() {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): try escape(from: start)
            case 0..<0x20: throw JSONError(.controlCharacter, position: start)
            case 0..<0x80: break
            case let lead: try sequence(lead: lead, from: start)
            }
        }
    }

    private mutating func escape(from start: Int) throws(JSONError) {
        switch try next() {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            return
        case UInt8(ascii: "u"): break
        default: throw JSONError(.badEscape, position: start)
        }
        let unit = try hex(from: start)
        guard (0xd800...0xdfff).contains(unit) else { return }
        guard unit < 0xdc00, peek == UInt8(ascii: "\\"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "u") else {
            throw JSONError(.loneSurrogate, position: start)
        }
        position += 2
        guard (0xdc00...0xdfff).contains(try hex(from: start)) else { throw JSONError(.loneSurrogate, position: start) }
    }

    private mutating func hex(from start: Int) throws(JSONError) -> Int {
        var unit = 0
        for _ in 0..<4 {
            let byte = try next()
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { throw JSONError(.badEscape, position: start) }
            unit = unit << 4 | digit
        }
        return unit
    }

    private mutating func sequence(lead: UInt8, from start: Int) throws(JSONError) {
        let length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0
        let piece = bytes[start..<min(bytes.count, start + length)]
        guard length > 0, piece.count == length, String(validating: piece, as: UTF8.self) != nil else {
            throw JSONError(.notUTF8, position: start)
        }
        position = start + length
    }

    private mutating func word(_ rest: StaticString) throws(JSONError) {
        for wanted in UnsafeBufferPointer(start: rest.utf8Start, count: rest.utf8CodeUnitCount) {
            guard try next() == wanted else { throw JSONError(.unexpectedByte, position: position - 1) }
        }
        try endOfScalar()
    }

    private mutating func number(from start: Int) throws(JSONError) {
        position = start
        if peek == UInt8(ascii: "-") { position += 1 }
        let whole = digits()
        guard whole > 0, whole == 1 || bytes[position - whole] != UInt8(ascii: "0") else {
            throw JSONError(.badNumber, position: start)
        }
        var isWhole = true
        if peek == UInt8(ascii: ".") {
            position += 1
            isWhole = false
            guard digits() > 0 else { throw JSONError(.badNumber, position: start) }
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            position += 1
            isWhole = false
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
            guard digits() > 0 else { throw JSONError(.badNumber, position: start) }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        let fits = isWhole ? Int64(text) != nil || UInt64(text) != nil : Double(text)?.isFinite == true
        guard fits else { throw JSONError(.numberOutOfRange, position: start) }
        try endOfScalar()
    }

    /// `1x` and `truest` are one broken word, not a word and something after it.
    private func endOfScalar() throws(JSONError) {
        switch peek {
        case nil, 0x20, 0x09, 0x0a, 0x0d, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): return
        default: throw JSONError(.unexpectedByte, position: position)
        }
    }

    private mutating func digits() -> Int {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position - start
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func next() throws(JSONError) -> UInt8 {
        guard position < bytes.count else { throw JSONError(.unfinished, position: position) }
        position += 1
        return bytes[position - 1]
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { position += 1 }
    }
}
