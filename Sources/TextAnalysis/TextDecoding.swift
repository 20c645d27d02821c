// SPDX-License-Identifier: Apache-2.0
import CDaybookICU

/// Turns bytes of a named character set (e.g. `WINDOWS-1252`, `UTF-16LE`) into text; nil where the set is unknown or the bytes are more
/// than 2 GB. What has no meaning in that set becomes U+FFFD.
package func decodedText(_ bytes: [UInt8], charset: String) -> String? {
    func decode(_ source: [UInt8], into out: inout [UInt8]) -> Int {
        let capacity = out.count
        return source.withUnsafeBufferPointer { source in
            out.withUnsafeMutableBufferPointer { daybook_icu_decode(charset, source.baseAddress, source.count, $0.baseAddress, capacity) }
        }
    }
    guard !bytes.isEmpty else { return "" }
    var out = [UInt8](repeating: 0, count: bytes.count + bytes.count / 2 + 16)
    var needed = decode(bytes, into: &out)
    if needed > out.count {
        out = [UInt8](repeating: 0, count: needed)
        needed = decode(bytes, into: &out)
    }
    guard needed >= 0, needed <= out.count else { return nil }
    return String(decoding: out[..<needed], as: UTF8.self)
}
