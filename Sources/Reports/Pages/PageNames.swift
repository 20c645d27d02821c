// SPDX-License-Identifier: Apache-2.0

/// Names of folders for what has names of its own: readable, safe on every system that a share is opened from, and never the same for two.
package enum PageNames {
    /// Each key's folder name, all in one folder: of `wanted` what may stand in one. Of several that come to the same the first keeps it, and
    /// the others get a suffix that depends on their key alone. `taken` are names that are not to be had.
    package static func folders<Key: Hashable>(
        _ wanted: [(key: Key, id: String, name: String)], taken: Set<String> = []
    ) -> [Key: String] {
        var used = Set(taken.map { Array($0.utf8) })
        var names: [Key: String] = [:]
        for item in wanted where names[item.key] == nil {
            let plain = safe(item.name)
            var name = plain
            var tries: UInt64 = 0
            while !used.insert(Array(name.utf8)).inserted {
                name = plain + "-" + suffix(item.id, tries)
                tries += 1
            }
            names[item.key] = name
        }
        return names
    }

    /// `hamlet-essay` of `Hamlet essay`. Small ASCII letters, digits, and letters of other scripts; a dot, underscore or hyphen only between
    /// them. Capitals are gone, since a share shows `A` and `a` as one.
    package static func safe(_ name: String) -> String {
        var result = ""
        var pending: Unicode.Scalar?
        var bytes = 0
        for scalar in sortKey(name).unicodeScalars {
            let isKept = scalar.isASCII ? ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) : scalar.properties.isAlphabetic
            guard isKept else {
                let stays = pending == nil && ["-", ".", "_"].contains(scalar)
                pending = stays ? scalar : pending == "." || pending == "_" || pending == nil ? "-" : pending
                continue
            }
            let size = UTF8.width(scalar) + (pending == nil ? 0 : 1)
            guard bytes + size <= longest else { break }
            if let separator = pending, !result.isEmpty { result.unicodeScalars.append(separator) }
            pending = nil
            result.unicodeScalars.append(scalar)
            bytes += size
        }
        if result.isEmpty { return "unnamed" }
        return reserved.contains(result.prefix { $0 != "." }.lowercased()) ? result + "-" : result
    }

    /// Bytes: with a suffix far below the 255 that a name may have.
    package static let longest = 100

    /// Names of devices on Windows, whatever stands behind a dot.
    private static let reserved: Set<String> = [
        "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2", "lpt3", "lpt4",
        "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
    ]

    /// Eight hexadecimal digits of FNV-1a: no secret, only the same each time.
    private static func suffix(_ id: String, _ salt: UInt64) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 &+ salt
        for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String((hash ^ hash >> 32) & 0xffff_ffff, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
