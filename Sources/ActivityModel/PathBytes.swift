// SPDX-License-Identifier: Apache-2.0

/// A path below a share, as bytes: Linux does not promise UTF-8. No leading, trailing or doubled slash; empty is the share itself.
package struct PathBytes: Hashable, Comparable, Sendable {
    package let bytes: [UInt8]

    /// The caller promises the form above.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    package init(_ text: String) { bytes = Array(text.utf8) }

    package static let root = PathBytes(bytes: [])

    package static let slash = UInt8(ascii: "/")

    package var isRoot: Bool { bytes.isEmpty }

    /// The names between the slashes, none for the root.
    package var components: [ArraySlice<UInt8>] { bytes.split(separator: Self.slash) }

    /// The part after the last slash.
    package var name: ArraySlice<UInt8> {
        guard let slash = bytes.lastIndex(of: Self.slash) else { return bytes[...] }
        return bytes[(slash + 1)...]
    }

    /// The folder it is in; the root's is the root.
    package var folder: PathBytes {
        guard let slash = bytes.lastIndex(of: Self.slash) else { return .root }
        return PathBytes(bytes: Array(bytes[..<slash]))
    }

    /// True where every name in it is one that a folder lists: none is `.`, `..` or has a zero byte.
    package var isPlain: Bool {
        components.allSatisfy { !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) && !$0.contains(0) }
    }

    package func appending(_ name: some Sequence<UInt8>) -> PathBytes {
        if bytes.isEmpty { return PathBytes(bytes: Array(name)) }
        var joined = bytes
        joined.append(Self.slash)
        joined.append(contentsOf: name)
        return PathBytes(bytes: joined)
    }

    /// True for the folder itself and everything below; compares names, so `/ab` is not below `/a`.
    package func isAtOrBelow(_ folder: PathBytes) -> Bool {
        if folder.isRoot { return true }
        guard bytes.starts(with: folder.bytes) else { return false }
        return bytes.count == folder.bytes.count || bytes[folder.bytes.count] == Self.slash
    }

    /// The same place after the folder `old` has become `new`; nil where it is not below `old`.
    package func moved(from old: PathBytes, to new: PathBytes) -> PathBytes? {
        guard isAtOrBelow(old) else { return nil }
        if bytes.count == old.bytes.count { return new }
        let rest = old.isRoot ? bytes[...] : bytes[(old.bytes.count + 1)...]
        return new.appending(rest)
    }

    /// For JSON and people: UTF-8 stays as it is; a backslash becomes `\\`, any byte that is not part of valid UTF-8 and any control
    /// character becomes `\xHH`. Reversible by `init(text:)`.
    package var text: String { escapedText(bytes) }

    /// Reads what `text` wrote; nil where an escape is malformed.
    package init?(text: String) {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "\\"): result.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "x"):
                guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else { return nil }
                result.append(high << 4 | low)
            default: return nil
            }
        }
        bytes = result
    }

    package static func < (left: PathBytes, right: PathBytes) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}

/// Bytes as reversible text; see `PathBytes.text`.
package func escapedText(_ bytes: some Collection<UInt8>) -> String {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var rest = Array(bytes)[...]
    while let byte = rest.first {
        if byte == UInt8(ascii: "\\") {
            out.append(byte)
            out.append(byte)
            rest.removeFirst()
        } else if byte < 0x20 || byte == 0x7f {
            appendEscape(byte, to: &out)
            rest.removeFirst()
        } else if byte < 0x80 {
            out.append(byte)
            rest.removeFirst()
        } else if let length = validSequenceLength(rest) {
            out.append(contentsOf: rest.prefix(length))
            rest = rest.dropFirst(length)
        } else {
            appendEscape(byte, to: &out)
            rest.removeFirst()
        }
    }
    return String(decoding: out, as: UTF8.self)
}

private func appendEscape(_ byte: UInt8, to out: inout [UInt8]) {
    let hex = Array("0123456789abcdef".utf8)
    out.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "x"), hex[Int(byte >> 4)], hex[Int(byte & 15)]])
}

private func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}

/// The length of the valid multi-byte UTF-8 sequence at the start, nil where there is none (overlong forms and surrogates are not valid).
private func validSequenceLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first else { return nil }
    let length: Int
    switch first {
    case 0xc2...0xdf: length = 2
    case 0xe0...0xef: length = 3
    case 0xf0...0xf4: length = 4
    default: return nil
    }
    guard bytes.count >= length else { return nil }
    let part = Array(bytes.prefix(length))
    guard part.dropFirst().allSatisfy({ $0 & 0xc0 == 0x80 }) else { return nil }
    switch (first, part[1]) {
    case (0xe0, ..<0xa0), (0xed, 0xa0...), (0xf0, ..<0x90), (0xf4, 0x90...): return nil
    default: break
    }
    // U+0080 to U+009F are control characters: terminals act on them.
    if first == 0xc2, part[1] < 0xa0 { return nil }
    return length
}
