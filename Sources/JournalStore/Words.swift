// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Looking for words in bytes that are no entries.
enum Words {
    /// Whether a word stands in the bytes, not as a part of a longer one.
    static func have(_ words: [String], _ bytes: UnsafeRawBufferPointer) -> Bool {
        words.contains { word in
            let wanted = Array(word.utf8)
            guard !wanted.isEmpty, let base = bytes.baseAddress else { return false }
            var from = 0
            while from + wanted.count <= bytes.count,
                let hit = memchr(base + from, Int32(wanted[0]), bytes.count - wanted.count - from + 1)
            {
                let place = base.distance(to: UnsafeRawPointer(hit))
                let after = place + wanted.count
                if memcmp(base + place, wanted, wanted.count) == 0, place == 0 || !isWordPart(bytes[place - 1]),
                    after == bytes.count || !isWordPart(bytes[after])
                {
                    return true
                }
                from = place + 1
            }
            return false
        }
    }

    private static func isWordPart(_ byte: UInt8) -> Bool {
        (byte >= 48 && byte <= 57) || (byte | 0x20 >= 97 && byte | 0x20 <= 122) || byte >= 0x80
    }
}
