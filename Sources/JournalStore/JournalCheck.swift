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
        /// Why nothing could be checked.
        package var error: JournalError?

        package var isGood: Bool { error == nil && findings.isGood }
        /// 0 where all is well, else 1.
        package var exitCode: Int32 { isGood ? 0 : 1 }
    }

    /// Checks the journal in a state directory, or in its `journal` folder.
    package static func run(_ path: String) -> Result {
        do throws(JournalError) {
            let folder = try JournalFolder.open(path)
            let setAside: [String]
            do { setAside = try folder.names().setAside } catch { throw .folderUnreadable(reason: errnoText(error.code)) }
            return Result(findings: try check(folder), setAside: setAside)
        } catch {
            return Result(findings: JournalFindings(), setAside: [], error: error)
        }
    }

    private static func check(_ folder: borrowing JournalFolder) throws(JournalError) -> JournalFindings {
        var verifier = JournalVerifier()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: SegmentFile.bufferSize, alignment: 16)
        defer { buffer.deallocate() }
        let segments = try folder.segments()
        for (index, segment) in segments.enumerated() {
            let isNewest = index + 1 == segments.count
            verifier.begin(segment: segment.name, first: segment.first, next: isNewest ? nil : segments[index + 1].first)
            let file = try folder.openForReading(segment.name)
            var splitter = LineSplitter()
            var offset = 0
            var patience = 25
            while true {
                let count: Int
                do { count = try file.read(into: buffer, at: offset) } catch {
                    throw .unreadable(segment: segment.name, reason: errnoText(error.code))
                }
                offset += count
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
        return verifier.finish()
    }
}

extension JournalCheck.Result {
    /// For people, in a few lines that end with a line end.
    package var text: String {
        if let error { return "not checked: \(error)\n" }
        var text = ""
        if let bad = findings.firstBad {
            text += "not good: \(bad.place.segment), line \(bad.place.line) (byte \(bad.place.offset)): \(bad.problem)\n"
            text += "Good: \(findings.entries) entries in \(segmentsText)"
            if findings.unchecked > 0 { text += "; \(findings.unchecked) lines behind a bad place could not be judged" }
        } else if findings.entries == 0 {
            text += "good: the journal has no entry yet"
        } else {
            text += "good: entries \(findings.firstSeq) to \(findings.last.seq) in \(segmentsText)"
        }
        text += ".\n"
        if findings.erased > 0 { text += "\(findings.erased) of them were emptied, and entries say by whom.\n" }
        if findings.replaced > 0 { text += "\(findings.replaced) lines were never acknowledged and are replaced by later ones.\n" }
        if findings.repairs > 0 { text += (findings.repairs == 1 ? "1 repair is" : "\(findings.repairs) repairs are") + " on record.\n" }
        if !setAside.isEmpty { text += "Set aside: \(setAside.joined(separator: ", ")).\n" }
        if findings.last.seq > 0 { text += "Last: \(findings.last.seq), chain \(findings.last.chain.hex)\n" }
        return text
    }

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
