// SPDX-License-Identifier: Apache-2.0
package import DaybookJSON
import DaybookLinux
import Glibc
package import JournalFormat

/// `daybook verify`: checks the stored bytes of a journal. Needs no daemon and no right to write.
package enum JournalCheck {
    package struct Result: Equatable, Sendable {
        package var findings: JournalFindings
        /// Files with bytes that recovery set aside, in the journal's folder.
        package var setAside: [String]
        /// The files of notes of entries that were cut off the journal's end, as a start found.
        package var lostNotes: [String] = []
        /// Plans of erasures that a start found damaged.
        package var damagedPlans: [String] = []
        /// Entries were being emptied meanwhile, or an erasure waits to be finished: some may have nobody yet who answers for them.
        package var isErasing = false
        /// Why nothing could be checked.
        package var error: JournalError?

        package var isGood: Bool { error == nil && findings.isGood }
        /// 0 where all is well, else 1.
        package var exitCode: Int32 { isGood ? 0 : 1 }
    }

    /// Checks the journal in a state directory, or in its `journal` folder. `keys` are those whose checkpoints are believed; nil: those that
    /// the state directory names. `since` are positions that the journal must go on from, besides the newest note beside it.
    package static func run(_ path: String, keys: [CheckpointKey]? = nil, since: [JournalPosition] = []) -> Result {
        do throws(JournalError) {
            let folder = try JournalFolder.open(path)
            let setAside: [String]
            do { setAside = try folder.names().setAside } catch { throw .folderUnreadable(reason: errnoText(error.code)) }
            let keys = keys ?? CheckpointFiles.keys(in: path)
            // Read before the segments: the journal may grow meanwhile, and its newest note with it.
            let newest = CheckpointFiles.note(in: path)?.position
            var all = since
            if let newest, !since.contains(newest) { all.append(newest) }
            let lost = CheckpointFiles.lostNotes(in: path)
            for note in lost where !all.contains(note.position) { all.append(note.position) }
            let wasErasing = isErasing(path)
            let findings = try check(folder, keys: keys, since: all)
            return Result(
                findings: findings, setAside: setAside, lostNotes: lost.map(\.file), damagedPlans: ErasurePlan.damaged(in: path),
                isErasing: wasErasing || isErasing(path))
        } catch {
            return Result(findings: JournalFindings(), setAside: [], error: error)
        }
    }

    /// Whether there is a plan of an erasure; `path` is a state directory or the `journal` in it.
    private static func isErasing(_ path: String) -> Bool {
        access("\(path)/\(ErasurePlan.name)", F_OK) == 0 || access("\(path)/../\(ErasurePlan.name)", F_OK) == 0
    }

    private static func check(
        _ folder: borrowing JournalFolder, keys: [CheckpointKey], since: [JournalPosition]
    ) throws(JournalError) -> JournalFindings {
        var verifier = JournalVerifier(keys: keys, since: since)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: SegmentFile.bufferSize, alignment: 16)
        defer { buffer.deallocate() }
        let segments = try folder.segments()
        for (index, segment) in segments.enumerated() {
            let isNewest = index + 1 == segments.count
            verifier.begin(segment: segment.name, first: segment.first, next: isNewest ? nil : segments[index + 1].first)
            do throws(JournalError) {
                let bytes = try folder.bytes(of: segment)
                try check(bytes, isNewest: isNewest, buffer, &verifier)
                if let packed = bytes as? PackedSegment, !packed.hasRightTable { verifier.end(unpackable: "its table of frames is wrong") }
            } catch {
                // What is said of a compressed segment's damage is a finding; a disk that cannot be read leaves nothing to say.
                guard segment.isPacked, case .unreadable(_, let reason) = error else { throw error }
                verifier.end(unpackable: reason)
            }
        }
        return verifier.finish()
    }

    private static func check(
        _ bytes: any SegmentBytes, isNewest: Bool, _ buffer: UnsafeMutableRawBufferPointer, _ verifier: inout JournalVerifier
    ) throws(JournalError) {
        var splitter = LineSplitter()
        var patience = 25
        while true {
            let count = try bytes.read(into: buffer)
            splitter.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { piece in
                switch piece {
                case .line(let line): verifier.check(line)
                case .tooLong(let bytes): verifier.check(tooLong: bytes)
                }
            }
            guard count == 0 else { continue }
            // A daemon may be writing this very line: half a line is only bad if it stays half.
            guard isNewest, splitter.pendingBytes > 0, patience > 0 else { break }
            patience -= 1
            usleep(20_000)
        }
        verifier.end(unfinished: splitter.pendingBytes, zeros: splitter.pendingZeros)
    }
}

extension JournalCheck.Result {
    /// For people, in a few lines that end with a line end.
    package var text: String {
        if let error { return "not checked: \(error)\n" }
        var text = ""
        for known in findings.known where known.answer != .extended { text += "not good: \(said(known))\n" }
        if let bad = findings.firstBad {
            text += "not good: \(bad.place.segment), line \(bad.place.line) (byte \(bad.place.offset)): \(bad.problem)\n"
            text += "Good: \(findings.entries) entries in \(segmentsText)"
            if findings.unchecked > 0 { text += "; \(findings.unchecked) lines behind a bad place could not be judged" }
        } else if findings.entries == 0 {
            text += "\(isGood ? "good" : "What there is"): the journal has no entry yet"
        } else {
            text += "\(isGood ? "good" : "What there is"): entries \(findings.firstSeq) to \(findings.last.seq) in \(segmentsText)"
        }
        text += ".\n"
        for known in findings.known where known.answer == .extended {
            text += "It goes on from the checkpoint of entry \(known.position.seq).\n"
        }
        if findings.erased > 0 { text += "\(findings.erased) of them were emptied, and entries say by whom.\n" }
        if findings.replaced > 0 { text += "\(findings.replaced) lines were never acknowledged and are replaced by later ones.\n" }
        if findings.repairs > 0 { text += (findings.repairs == 1 ? "1 repair is" : "\(findings.repairs) repairs are") + " on record.\n" }
        if findings.checkpoints > 0 {
            text += "\(count(findings.checkpoints)) signed rightly; the last covers entries up to \(findings.covered).\n"
        }
        if findings.foreignCheckpoints > 0 { text += "\(count(findings.foreignCheckpoints)) signed by another key.\n" }
        if isErasing {
            text += "Entries are being emptied just now, or a daemon that was is to be started again: check once more after that.\n"
        }
        for plan in damagedPlans {
            text += "The plan of an erasure was damaged (\(plan)), so that somebody may not be forgotten wholly: forget them once more.\n"
        }
        let setAside = setAside + lostNotes
        if !setAside.isEmpty { text += "Set aside: \(setAside.joined(separator: ", ")).\n" }
        if findings.last.seq > 0 { text += "Last: \(findings.last.seq), chain \(findings.last.chain.hex)\n" }
        return text
    }

    private func said(_ known: JournalFindings.Known) -> String {
        let seq = known.position.seq
        return switch known.answer {
        case .different: "entry \(seq) is not the one that a checkpoint was made of: the journal was written anew."
        case .endsBefore: "a checkpoint covers entry \(seq), and the journal ends before it: its end was cut off."
        case .absent where seq < findings.firstSeq && !lacksEntries:
            "a checkpoint covers entry \(seq), and the journal begins after it, since older entries have aged out: it cannot be compared any "
                + "more; keep a newer one."
        case .absent, .extended: "a checkpoint covers entry \(seq), which this journal does not show."
        }
    }

    /// Else the entries at the old end have aged out.
    private var lacksEntries: Bool { if case .missing = findings.firstBad?.problem { true } else { false } }

    private func count(_ checkpoints: Int) -> String { checkpoints == 1 ? "1 checkpoint is" : "\(checkpoints) checkpoints are" }

    private var segmentsText: String { findings.segments == 1 ? "1 segment" : "\(findings.segments) segments" }

    /// For programs, one object.
    package var json: JSONObject {
        var object: JSONObject = ["good": .bool(isGood)]
        if let error {
            object["error"] = .string(error.description)
            return object
        }
        object["segments"] = .integer(Int64(findings.segments))
        object["entries"] = .integer(Int64(findings.entries))
        object["erased"] = .integer(Int64(findings.erased))
        object["replaced"] = .integer(Int64(findings.replaced))
        object["unchecked"] = .integer(Int64(findings.unchecked))
        object["repairs"] = .integer(Int64(findings.repairs))
        object["firstSeq"] = .integer(Int64(clamping: findings.firstSeq))
        object["lastSeq"] = .integer(Int64(clamping: findings.last.seq))
        object["chain"] = .string(findings.last.chain.hex)
        object["checkpoints"] = .integer(Int64(findings.checkpoints))
        object["foreignCheckpoints"] = .integer(Int64(findings.foreignCheckpoints))
        object["covered"] = .integer(Int64(clamping: findings.covered))
        object["known"] = .array(
            findings.known.map {
                [
                    "seq": .integer(Int64(clamping: $0.position.seq)), "chain": .string($0.position.chain.hex),
                    "extended": .bool($0.answer == .extended), "answer": .string("\($0.answer)"),
                ]
            })
        object["lostCheckpoints"] = .array(lostNotes.map { .string($0) })
        object["damagedPlans"] = .array(damagedPlans.map { .string($0) })
        object["setAside"] = .array(setAside.map { .string($0) })
        if let bad = findings.firstBad {
            object["firstBad"] = [
                "segment": .string(bad.place.segment), "line": .integer(Int64(bad.place.line)), "offset": .integer(Int64(bad.place.offset)),
                "reason": .string(bad.problem.description),
            ]
        } else {
            object["firstBad"] = .null
        }
        return object
    }
}
