// SPDX-License-Identifier: Apache-2.0

/// A text with signatures under it, in the form of C2SP's signed-note.
package struct SignedNote: Equatable, Sendable {
    package struct Signature: Equatable, Sendable {
        package var name: String
        package var id: UInt32
        package var bytes: [UInt8]

        /// Name and id of the key, as the text of a public key begins with them.
        package var key: String {
            let digits = String(id, radix: 16)
            return "\(name)+" + String(repeating: "0", count: 8 - digits.count) + digits
        }
    }

    /// With the line end at its end.
    package var text: String
    package var signatures: [Signature]

    /// A note has a few hundred bytes; somebody else's may have more signatures.
    package static let longest = 65_536
    private static let mostSignatures = 64

    init(text: String, signatures: [Signature]) {
        self.text = text
        self.signatures = signatures
    }

    /// Nil where the bytes are no signed note.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count <= Self.longest, let whole = String(validating: bytes, as: UTF8.self),
            whole.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x0a })
        else { return nil }
        let lines = whole.split(separator: "\n", omittingEmptySubsequences: false)
        // The text ends at the last empty line; after the last line end there is nothing.
        guard lines.count >= 4, lines.last == "", let border = lines.dropLast().lastIndex(of: ""), border > 0 else { return nil }
        let signed = lines[(border + 1)..<(lines.count - 1)]
        guard !signed.isEmpty, signed.count <= Self.mostSignatures else { return nil }
        var signatures: [Signature] = []
        for line in signed {
            guard let signature = Self.signature(line) else { return nil }
            signatures.append(signature)
        }
        text = lines[..<border].joined(separator: "\n") + "\n"
        self.signatures = signatures
    }

    private static func signature(_ line: Substring) -> Signature? {
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "\u{2014}", isKeyName(parts[1]), let bytes = Base64.decode(parts[2]), bytes.count > 4 else {
            return nil
        }
        let id = bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Signature(name: String(parts[1]), id: id, bytes: Array(bytes.dropFirst(4)))
    }

    static func isKeyName(_ name: some StringProtocol) -> Bool {
        !name.isEmpty && !name.unicodeScalars.contains { $0.properties.isWhitespace || $0 == "+" || $0.value < 0x20 }
    }

    /// The note as a file.
    package var whole: String {
        text + "\n"
            + signatures.map { signature in
                let id = (0..<4).map { UInt8(truncatingIfNeeded: signature.id >> UInt32(24 - 8 * $0)) }
                return "\u{2014} \(signature.name) \(Base64.encode(id + signature.bytes))\n"
            }.joined()
    }

    /// What a checkpoint's text says: the number of entries and the chain; nil where the text is that of another kind of note.
    package var position: JournalPosition? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 4, !lines[0].isEmpty, let seq = UInt64(lines[1]), String(seq) == lines[1], seq < 1 << 60,
            let chain = Base64.decode(lines[2]), chain.count == 32
        else { return nil }
        return JournalPosition(seq: seq, chain: chain.withUnsafeBytes { Digest(bytes: $0) })
    }

    /// The first line: which journal it is about.
    package var origin: String { String(text.prefix { $0 != "\n" }) }
}
