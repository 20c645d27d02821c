// SPDX-License-Identifier: Apache-2.0
import CDaybookCrypto

/// The public half of the key that signs a journal's checkpoints.
///
/// Its text is that of a note verifier key (C2SP signed-note): name, `+`, eight digits of key id, `+`, base 64 of the byte 1 and the key.
package struct CheckpointKey: Hashable, Sendable, CustomStringConvertible {
    /// Also the first line of each note, the journal's own name.
    package let name: String
    /// 32 bytes (RFC 8032).
    package let bytes: [UInt8]

    /// The name comes from the key, so that it says nothing about the server.
    init(bytes: [UInt8]) {
        self.bytes = bytes
        name = "daybook-journal/" + SHA256.hash(bytes).hex.prefix(16)
    }

    /// Nil where this is no such text.
    package init?(text: String) {
        let parts = text.split(separator: "+", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, SignedNote.isKeyName(parts[0]), let decoded = Base64.decode(parts[2]), decoded.count == 33,
            decoded[0] == Self.ed25519
        else { return nil }
        name = String(parts[0])
        bytes = Array(decoded.dropFirst())
        guard parts[1] == idText else { return nil }
    }

    /// The signature type of Ed25519 in signed notes.
    private static let ed25519: UInt8 = 1

    /// The first four bytes of the SHA-256 over name, line end, type and key.
    package var id: UInt32 {
        SHA256.hash(Array(name.utf8) + [0x0a, Self.ed25519] + bytes).withBytes {
            UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
        }
    }

    private var idText: String {
        let digits = String(id, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    package var description: String { "\(name)+\(idText)+\(Base64.encode([Self.ed25519] + bytes))" }

    /// Whether the note carries a signature of this key, and whether that is right. Nil where it has none of this key.
    package func verdict(on note: SignedNote) -> Bool? {
        guard let signature = note.signatures.first(where: { $0.name == name && $0.id == id }) else { return nil }
        guard signature.bytes.count == 64, bytes.count == 32 else { return false }
        let text = Array(note.text.utf8)
        return daybook_ed25519_verify(bytes, text, text.count, signature.bytes) == 1
    }
}

/// Signs checkpoints. Its secret is never shown.
package struct CheckpointSigner: Sendable {
    private let secret: [UInt8]
    package let key: CheckpointKey

    /// A new one; nil where libcrypto has no random numbers.
    package init?() {
        var secret = [UInt8](repeating: 0, count: 32)
        guard daybook_ed25519_make(&secret) == 1 else { return nil }
        self.init(secret: secret)
    }

    /// From a PEM file (PKCS 8, not encrypted), as `openssl genpkey -algorithm ed25519` makes it; nil where it is none.
    package init?(pem: [UInt8]) {
        var secret = [UInt8](repeating: 0, count: 32)
        guard daybook_ed25519_read_pem(pem, pem.count, &secret) == 1 else { return nil }
        self.init(secret: secret)
    }

    private init?(secret: [UInt8]) {
        var bytes = [UInt8](repeating: 0, count: 32)
        guard daybook_ed25519_public(secret, &bytes) == 1 else { return nil }
        self.secret = secret
        key = CheckpointKey(bytes: bytes)
    }

    /// The secret as a PEM file; empty where libcrypto failed.
    package var pem: [UInt8] {
        var text = [CChar](repeating: 0, count: 512)
        let count = daybook_ed25519_write_pem(secret, &text, text.count)
        return text.prefix(count).map { UInt8(bitPattern: $0) }
    }

    /// The signed note that says: the journal with this key's name had so many entries, and this chain.
    package func note(of position: JournalPosition) -> SignedNote? {
        let text = "\(key.name)\n\(position.seq)\n\(Base64.encode(position.chain.withBytes { Array($0) }))\n"
        var signature = [UInt8](repeating: 0, count: 64)
        let bytes = Array(text.utf8)
        guard daybook_ed25519_sign(secret, bytes, bytes.count, &signature) == 1 else { return nil }
        return SignedNote(text: text, signatures: [SignedNote.Signature(name: key.name, id: key.id, bytes: signature)])
    }
}

/// RFC 4648, section 4, with one spelling for each value.
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: 4 * ((bytes.count + 2) / 3) + 1)
        let count = daybook_base64_encode(bytes, bytes.count, &text)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let characters = text.utf8.map { CChar(bitPattern: $0) }
        var bytes = [UInt8](repeating: 0, count: characters.count / 4 * 3 + 3)
        let count = daybook_base64_decode(characters, characters.count, &bytes)
        return count < 0 ? nil : Array(bytes.prefix(count))
    }
}
