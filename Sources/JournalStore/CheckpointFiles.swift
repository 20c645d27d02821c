// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc
package import JournalFormat

/// What the state directory keeps beside the journal for its checkpoints:
///
/// `journal.key` the secret (mode 0600), unless it comes as a credential; `journal.keys` the public keys that ever signed, one a line, the newest
/// last; `checkpoint` the newest note, to be copied elsewhere.
package enum CheckpointFiles {
    package static let secretName = "journal.key"
    package static let keysName = "journal.keys"
    package static let noteName = "checkpoint"
    /// With the number of the `repaired` entry that tells of it: a note of entries that were cut off the journal's end.
    package static let lostPrefix = "checkpoint.lost-"
    /// With a number from 1: a note that none of the journal's keys has signed.
    package static let unknownPrefix = "checkpoint.unknown-"
    /// The name of the credential that holds the secret.
    package static let credential = "journal-key"
    private static let limit = 1 << 20

    /// The public keys that the state directory names; empty where it names none.
    package static func keys(in state: String) -> [CheckpointKey] {
        guard let bytes = try? SmallFile.read("\(state)/\(keysName)", limit: limit) else { return [] }  // a journal without checkpoints
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { CheckpointKey(text: String($0)) }
    }

    /// The newest note beside the journal; nil where there is none.
    package static func note(in state: String) -> SignedNote? {
        (try? SmallFile.read("\(state)/\(noteName)", limit: SignedNote.longest)).flatMap { SignedNote($0) }  // none was made yet
    }

    /// What the note beside the journal covers, where one of the state directory's keys has signed it.
    static func signedPosition(in state: String) -> JournalPosition? {
        guard let note = note(in: state), let position = note.position, keys(in: state).contains(where: { $0.verdict(on: note) == true })
        else { return nil }
        return position
    }

    /// Notes of entries that the journal has lost, with the names of their files; the order is that of the names.
    package static func lostNotes(in state: String) -> [(file: String, position: JournalPosition)] {
        guard let folder = try? OwnedDescriptor.openFolder(state), let names = try? folder.names() else { return [] }  // said by others
        return names.filter { $0.hasPrefix(lostPrefix) }.sorted().compactMap { name in
            let note = (try? SmallFile.read("\(state)/\(name)", limit: SignedNote.longest)).flatMap { SignedNote($0) }  // not to be read
            return note?.position.map { (name, $0) }
        }
    }

    /// Keeps the note beside the journal, which the next one replaces, under a name of its own; also a second time.
    static func keepLostNote(in place: JournalPlaceOnDisk, seq: UInt64, disk: Disk) throws(SystemCallError) -> String? {
        guard let note = note(in: place.path) else { return nil }
        let name = lostPrefix + String(seq)
        try replace(name, with: Array(note.whole.utf8), mode: 0o640, in: place.state, disk: disk)
        return name
    }

    /// The names of notes that were found beside the journal and that none of its keys had signed, in order.
    package static func unknownNotes(in state: String) -> [String] {
        guard let folder = try? OwnedDescriptor.openFolder(state), let names = try? folder.names() else { return [] }  // said by others
        return names.filter { $0.hasPrefix(unknownPrefix) }.sorted()
    }

    /// What lies in the note's place and is signed by none of the journal's keys gets another name, before the next note would replace it: it may
    /// tell of a journal that was here before, or of somebody who put it there.
    static func setUnknownNoteAside(in place: JournalPlaceOnDisk, disk: Disk) throws(SigningTrouble) {
        do throws(SystemCallError) {
            let bytes = try place.state.withRaw { raw throws(SystemCallError) in
                try SmallFile.read(noteName, in: raw, limit: SignedNote.longest)
            }
            if let note = SignedNote(bytes), keys(in: place.path).contains(where: { $0.verdict(on: note) == true }) { return }
        } catch {
            if error.code == ENOENT { return }
            // What is too large or cannot be read is none of ours either.
        }
        let taken = Set(unknownNotes(in: place.path))
        var number = 1
        while taken.contains(unknownPrefix + String(number)) { number += 1 }
        let free = unknownPrefix + String(number)
        do throws(SystemCallError) {
            try disk.perform(.rename) { () throws(SystemCallError) in try place.state.rename(noteName, to: free) }
            try disk.perform(.syncFolder) { () throws(SystemCallError) in try place.state.sync() }
        } catch {
            throw SigningTrouble("\(noteName) in the state directory is signed by no key in \(keysName), and cannot be renamed (\(error))")
        }
    }

    /// The key that signs: the credential's, else that of the state directory, which is made where there is none. Whoever calls has the lock.
    static func signer(in state: borrowing OwnedDescriptor, _ signing: JournalOptions.Signing, disk: Disk) throws(SigningTrouble)
        -> CheckpointSigner
    {
        let signer: CheckpointSigner
        if let secret = try credential(signing) {
            guard let given = CheckpointSigner(pem: secret) else {
                throw SigningTrouble("the credential \(credential) is no Ed25519 key in PEM")
            }
            signer = given
        } else {
            signer = try stored(in: state, disk: disk)
        }
        do {
            try note(signer.key, in: state, disk: disk)
        } catch {
            throw SigningTrouble("\(keysName) in the state directory cannot be written (\(error))")
        }
        return signer
    }

    private static func credential(_ signing: JournalOptions.Signing) throws(SigningTrouble) -> [UInt8]? {
        guard let folder = signing.credentials else { return nil }
        do { return try SmallFile.read("\(folder)/\(credential)") } catch {
            if error.code == ENOENT { return nil }
            throw SigningTrouble("the credential \(credential) cannot be read (\(error))")
        }
    }

    private static func stored(in state: borrowing OwnedDescriptor, disk: Disk) throws(SigningTrouble) -> CheckpointSigner {
        let secret: [UInt8]?
        do { secret = try state.withRaw { raw throws(SystemCallError) in try SmallFile.read(secretName, in: raw) } } catch {
            guard error.code == ENOENT else { throw SigningTrouble("\(secretName) in the state directory cannot be read (\(error))") }
            secret = nil
        }
        if let secret {
            if let signer = CheckpointSigner(pem: secret) { return signer }
            throw SigningTrouble("\(secretName) in the state directory is no Ed25519 key in PEM; a new one is made once it is moved away")
        }
        // The first start makes one.
        guard let signer = CheckpointSigner() else { throw SigningTrouble("libcrypto gives no key") }
        do {
            try replace(secretName, with: signer.pem, mode: 0o600, in: state, disk: disk)
        } catch {
            throw SigningTrouble("\(secretName) in the state directory cannot be written (\(error))")
        }
        return signer
    }

    private static func note(_ key: CheckpointKey, in state: borrowing OwnedDescriptor, disk: Disk) throws(SystemCallError) {
        var bytes: [UInt8] = []
        do {
            bytes = try state.withRaw { raw throws(SystemCallError) in try SmallFile.read(keysName, in: raw, limit: limit) }
        } catch {
            guard error.code == ENOENT else { throw error }
        }
        let lines = bytes.split(separator: 0x0a)
        // The newest is the last one: a key that comes back moves there.
        if lines.last?.elementsEqual(key.description.utf8) == true { return }
        let others = lines.filter { !$0.elementsEqual(key.description.utf8) }
        try replace(keysName, with: others.flatMap { $0 + [0x0a] } + Array("\(key)\n".utf8), mode: 0o640, in: state, disk: disk)
    }

    /// Puts the newest note beside the journal.
    static func replaceNote(_ note: SignedNote, in state: borrowing OwnedDescriptor, disk: Disk) throws(SystemCallError) {
        try replace(noteName, with: Array(note.whole.utf8), mode: 0o640, in: state, disk: disk)
    }

    /// Whoever reads sees the old file or the new one, also after a power failure.
    private static func replace(
        _ name: String, with bytes: [UInt8], mode: UInt32, in state: borrowing OwnedDescriptor, disk: Disk
    ) throws(SystemCallError) {
        let temporary = ".\(name).new"
        let file = try disk.perform(.openFile) { () throws(SystemCallError) in
            try OwnedDescriptor.open(temporary, in: state, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: mode)
        }
        // One that a crash left may have had other rights.
        try disk.perform(.setMode) { () throws(SystemCallError) in try file.setMode(mode) }
        try disk.write(bytes, to: file, at: 0)
        try disk.perform(.flush) { () throws(SystemCallError) in try file.sync() }
        try disk.perform(.rename) { () throws(SystemCallError) in try state.rename(temporary, to: name) }
        try disk.perform(.syncFolder) { () throws(SystemCallError) in try state.sync() }
    }
}

/// Why checkpoints are not signed, in words for an administrator.
package struct SigningTrouble: Error, Equatable, Sendable, CustomStringConvertible {
    package var description: String

    init(_ reason: String) { description = "no checkpoints of the journal are signed: \(reason)" }
}
