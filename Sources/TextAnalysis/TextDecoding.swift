// SPDX-License-Identifier: Apache-2.0
import CDaybookICU

/// Turns bytes of a named character set (e.g. `WINDOWS-1252`, `UTF-16LE`) into UTF-8; nil where the set is unknown or the bytes are more
/// than 2 GB. What has no meaning in that set becomes U+FFFD.
package func decodedBytes(_ bytes: UnsafeRawBufferPointer, charset: String) -> [UInt8]? {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return [] }
    var needed = 0
    func decode(_ capacity: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            needed = daybook_icu_decode(charset, base.assumingMemoryBound(to: UInt8.self), bytes.count, buffer.baseAddress, capacity)
            count = max(0, min(needed, capacity))
        }
    }
    var out = decode(bytes.count + bytes.count / 2 + 16)
    if needed > out.count { out = decode(needed) }
    guard needed >= 0, needed <= out.count else { return nil }
    return out
}
