// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Foundation
import JournalFormat
import JournalStore
import Testing

@Suite("Checkpoints of the journal")
struct CheckpointStoreTests {
    private func checkpoints(_ state: StateDirectory) throws -> [(seq: UInt64, note: SignedNote)] {
        var found: [(UInt64, SignedNote)] = []
        try JournalReader(stateDirectory: state.path).replay { entry, _ in
            if case .checkpoint(let text) = entry.body, let note = SignedNote(text.utf8) { found.append((entry.seq, note)) }
            return true
        }
        return found
    }

    @Test("are written at an orderly stop, where a segment ends, and after the interval; the newest note lies beside the journal")
    func when() throws {
        let state = try StateDirectory()
        var options = JournalOptions.withCheckpoints
        options.segmentBytes = 2000
        options.maximumGroup = 1
        let writer = try state.open(options)
        let key = try #require(writer.key)
        #expect(writer.signingTrouble == nil)
        for number in 1...40 { #expect(writer.submit(draft(number))) }
        _ = writer.finish()
        let found = try checkpoints(state)
        let segments = state.segments.compactMap { UInt64($0.prefix(20)) }
        #expect(segments.count > 3)
        // The last entry of each segment.
        #expect(found.map(\.seq) == segments.dropFirst().map { $0 - 1 } + [JournalCheck.run(state.path).findings.last.seq])
        for (seq, note) in found {
            #expect(note.position?.seq == seq - 1)
            #expect(key.verdict(on: note) == true)
        }
        #expect(CheckpointFiles.note(in: state.path) == found.last?.note)
        let check = JournalCheck.run(state.path)
        #expect(check.isGood)
        #expect(check.findings.checkpoints == found.count)
        #expect(check.findings.covered == check.findings.last.seq - 1)
        #expect(
            check.text.contains("\(found.count) checkpoints are signed rightly; the last covers entries up to \(check.findings.covered)."))
        // Nothing new, nothing to sign; and the key stays.
        let again = try state.open(options)
        #expect(again.key == key)
        #expect(again.finish().flatMap(\.entries).isEmpty)
        // After the interval, without anybody's doing.
        options.checkpointInterval = .milliseconds(1)
        let third = try state.open(options)
        #expect(third.submit(draft(99)))
        let reports = take(third) { $0.flatMap(\.entries).contains { if case .checkpoint = $0.entry.body { true } else { false } } }
        #expect(reports.flatMap(\.entries).count == 2)
        #expect(third.finish().flatMap(\.entries).isEmpty)
        #expect(JournalCheck.run(state.path).isGood)
    }

    @Test("show a journal whose end was cut off, or that was written anew, even to the last chain")
    func shows() throws {
        let state = try StateDirectory()
        let writer = try state.open(.withCheckpoints)
        for number in 1...5 { #expect(writer.submit(draft(number))) }
        _ = writer.finish()
        let name = state.segments[0]
        let bytes = try state.read(name)
        let note = try #require(CheckpointFiles.note(in: state.path)?.position)
        #expect(note.seq == 5)
        // Whole lines gone from the end: nothing in the journal itself shows it.
        let ends = bytes.indices.filter { bytes[$0] == 0x0a }
        try state.write(name, Array(bytes[...ends[3]]))
        let cut = JournalCheck.run(state.path)
        #expect(cut.findings.firstBad == nil)
        #expect(cut.findings.known.map(\.answer) == [.endsBefore])
        #expect(cut.exitCode == 1)
        #expect(cut.text.contains("not good: a checkpoint covers entry 5, and the journal ends before it: its end was cut off."))
        // The note kept elsewhere shows it too where the one beside the journal was removed.
        #expect(unlink(state.path + "/checkpoint") == 0)
        #expect(JournalCheck.run(state.path).isGood)
        #expect(!JournalCheck.run(state.path, since: [note]).isGood)
        // Written anew with the same numbers and all its links.
        #expect(unlink("\(state.journal)/\(name)") == 0)
        let forger = try state.open()
        for number in 11...16 { #expect(forger.submit(draft(number))) }
        _ = forger.finish()
        #expect(JournalCheck.run(state.path).isGood)
        let anew = JournalCheck.run(state.path, since: [note])
        #expect(anew.findings.known.map(\.answer) == [.different])
        #expect(anew.text.contains("written anew"))
        // The real one goes on from it, however long it has become, and compressed.
        try state.write(name, bytes)
        let next = try state.open(.withCheckpoints)
        for number in 6...9 { #expect(next.submit(draft(number))) }
        _ = next.finish()
        #expect(JournalCheck.run(state.path, since: [note]).isGood)
    }

    @Test("are signed with the key that is there: of the credential, else the state directory's; an old key's stay good")
    func keys() throws {
        let state = try StateDirectory()
        let credentials = try StateDirectory()
        var options = JournalOptions.withCheckpoints
        options.signing = JournalOptions.Signing(credentials: credentials.path)
        let first = try state.open(options)
        #expect(first.submit(draft(1)))
        _ = first.finish()
        var status = stat()
        #expect(lstat(state.path + "/journal.key", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(CheckpointFiles.keys(in: state.path) == [try #require(first.key)])
        let made = try runProgram(["openssl", "genpkey", "-algorithm", "ed25519", "-out", credentials.path + "/journal-key"])
        #expect(made.status == 0)
        let second = try withExtendedLifetime(consume first) { try state.open(options) }
        #expect(second.submit(draft(2)))
        _ = second.finish()
        #expect(CheckpointFiles.keys(in: state.path).last == second.key)
        #expect(CheckpointFiles.keys(in: state.path).count == 2)
        let check = JournalCheck.run(state.path)
        #expect(check.isGood)
        #expect(check.findings.checkpoints == 2)
        let strict = JournalCheck.run(state.path, keys: [try #require(second.key)])
        #expect(strict.findings.checkpoints == 1)
        #expect(strict.findings.foreignCheckpoints == 1)
    }

    @Test("are missing, loudly, where the key is no key; recording goes on")
    func noKey() throws {
        let state = try StateDirectory()
        #expect(FileManager.default.createFile(atPath: state.path + "/journal.key", contents: Data("hello\n".utf8)))
        let writer = try state.open(.withCheckpoints)
        #expect(writer.key == nil)
        #expect(writer.signingTrouble?.description.contains("journal.key in the state directory is no Ed25519 key") == true)
        #expect(writer.submit(draft(1)))
        #expect(writer.finish().flatMap(\.entries).count == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: state.path + "/journal.key")) == Data("hello\n".utf8))
    }

    @Test("survive a disk that refuses at any call: none contradicts another, and no entry is lost")
    func faults() throws {
        func attempt(_ faults: Faults, _ what: String) throws {
            let state = try StateDirectory(inMemory: true)
            var options = JournalOptions.withCheckpoints
            options.segmentBytes = 900
            options.maximumGroup = 2
            let writer: JournalWriter
            do { writer = try state.open(options, disk: faults.disk) } catch {
                guard case .storage = error else { throw error }
                return
            }
            for number in 0..<8 {
                #expect(writer.submit(draft(number)), "\(what)")
                _ = take(writer) { $0.flatMap(\.entries).contains { $0.entry.body == draft(number).body } }
            }
            _ = writer.finish()
            // One that is closed has had its try: the next start makes up for what the disk refused then.
            let key = writer.key
            _ = consume writer
            _ = try state.open(options).finish()
            #expect(try state.numbers() == Array(0..<8), "\(what)")
            let check = JournalCheck.run(state.path)
            #expect(check.isGood, "\(what): \(check.text)")
            #expect(key == nil || check.findings.checkpoints > 1, "\(what)")
        }
        for fault in [Disk.Fault.error(EIO), .error(ENOSPC), .short(50, EIO)] {
            let counting = Faults(0..<0, fault)
            try attempt(counting, "none")
            #expect(counting.calls > 60)
            for number in 0..<counting.calls {
                try attempt(Faults(number..<(number + 1), fault), "\(fault) at \(number)")
                try attempt(Faults(number..<(number + 4), fault), "\(fault) at \(number) and three more")
            }
        }
    }

    @Test("never replace a note that none of the journal's keys has signed: it is kept under a name of its own, and told of")
    func unknown() throws {
        func filled() throws -> StateDirectory {
            let state = try StateDirectory(inMemory: true)
            let writer = try state.open(.withCheckpoints)
            for number in 1...3 { #expect(writer.submit(draft(number))) }
            _ = writer.finish()
            return state
        }
        let (state, other) = (try filled(), try filled())
        let path = state.path + "/checkpoint"
        func note(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: "\(state.path)/\(name)")) }
        let own = try note("checkpoint")
        // Its own one stays where it is.
        _ = try state.open(.withCheckpoints).finish()
        #expect(CheckpointFiles.unknownNotes(in: state.path).isEmpty && JournalLosses.found(in: state.path, cutOff: nil).isEmpty)
        let foreign = try Data(contentsOf: URL(fileURLWithPath: other.path + "/checkpoint"))
        // Where it cannot be renamed, nothing is signed rather than that it is lost.
        try foreign.write(to: URL(fileURLWithPath: path))
        let stuck = try state.open(.withCheckpoints, disk: Faults(0..<1, .error(EIO), only: [.rename]).disk)
        #expect(stuck.key == nil && stuck.signingTrouble?.description.contains("signed by no key in journal.keys") == true)
        #expect(stuck.submit(draft(4)))
        _ = stuck.finish()
        _ = consume stuck
        #expect(try note("checkpoint") == foreign)
        for (number, text) in [foreign, Data("no note at all\n".utf8)].enumerated() {
            try text.write(to: URL(fileURLWithPath: path))
            let writer = try state.open(.withCheckpoints)
            #expect(writer.signingTrouble == nil && writer.submit(draft(5 + number)))
            _ = writer.finish()
            #expect(try note("checkpoint.unknown-\(number + 1)") == text)
            let newest = try #require(CheckpointFiles.note(in: state.path))
            #expect(try note("checkpoint") != own && writer.key?.verdict(on: newest) == true)
        }
        #expect(CheckpointFiles.unknownNotes(in: state.path) == ["checkpoint.unknown-1", "checkpoint.unknown-2"])
        let told = JournalLosses.found(in: state.path, cutOff: nil)
        #expect(told.count == 2 && told[0].contains("kept as checkpoint.unknown-1"))
        #expect(JournalCheck.run(state.path).isGood)
    }

    @Test("and a journal of a later version is not written into")
    func later() throws {
        let state = try StateDirectory()
        let writer = try state.open()
        #expect(writer.submit(draft(1)))
        let last = try #require(writer.finish().flatMap(\.entries).last).position
        let body = Array("{\"v\":2,\"seq\":2,\"at\":5,\"kind\":\"started\"".utf8)
        let digest = SHA256.hash(body)
        let chain = Digest.chain(after: last.chain, digest)
        let line = String(decoding: body, as: UTF8.self) + ",\"digest\":\"\(digest.hex)\",\"chain\":\"\(chain.hex)\"}\n"
        let bytes = try state.read(state.segments[0]) + Array(line.utf8)
        try state.write(state.segments[0], bytes)
        let error = JournalError.newer(segment: state.segments[0], version: 2)
        #expect(throws: error) { try state.open() }
        #expect(error.description.contains("has format 2, and this version of Daybook knows formats up to 1"))
        #expect(try state.read(state.segments[0]) == bytes)
        #expect(JournalCheck.run(state.path).text.contains("the line has format 2; this version of Daybook reads up to 1, so update it"))
        #expect(try JournalReader(stateDirectory: state.path).replay { _, _ in true }.unreadable == 1)
    }
}
