// SPDX-License-Identifier: Apache-2.0

/// What is wrong at one place of the stored journal.
package enum LineProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// Bytes that are no line of the format.
    case notALine
    case tooLong(limit: Int)
    /// The line's bytes are not those that were sealed.
    case wrongDigest
    /// The line is whole, but was not written after the one before it.
    case wrongChain
    case wrongNumber(expected: UInt64, found: UInt64)
    /// A base line anywhere but at the start of a segment.
    case baseInside
    /// Bytes after the last line end: power failed while they were written, or the end was cut.
    case unfinished(bytes: Int, zeros: Int)
    /// Lines that a later segment replaces, without a `repaired` entry that says so.
    case replaced
    /// Numbers that are nowhere: recovery could not keep what stood there.
    case missing(from: UInt64, to: UInt64)
    /// An emptied line that no `forgotten` or `retention` entry answers for.
    case uncovered
    /// A base line that no later `retention` entry tells of.
    case unannouncedBase
    /// A `forgotten` or `retention` entry that does not fit the emptied lines it names.
    case wrongCover
    /// A `checkpoint` entry whose note says something else than the entries before it.
    case wrongCheckpoint
    /// A `checkpoint` entry whose signature does not fit its note.
    case wrongSignature
    /// Whole, but of a format that this version does not know.
    case newer(version: Int64)
    /// The compressed segment cannot be unpacked from here on.
    case unpackable(reason: String)

    package var description: String {
        switch self {
        case .notALine: "this is no line of the journal"
        case .tooLong(let limit): "the line is longer than \(limit) bytes"
        case .wrongDigest: "the line's bytes were changed after it was written"
        case .wrongChain: "the line does not follow the one before it: a line was changed, removed or put in"
        case .wrongNumber(let expected, let found): "entry \(expected) should be here, but it is entry \(found)"
        case .baseInside: "a base line may only be the first line of a segment"
        case .unfinished(let bytes, let zeros):
            "the last entry is not finished (\(bytes) bytes\(zeros > 0 ? ", \(zeros) of them zero" : "")): power failed while it was written, "
                + "or the end was cut off; daybookd sets the bytes aside when it starts"
        case .replaced: "a later segment replaces these lines, and no entry says why"
        case .missing(let from, let to): "entries \(from) to \(to) could not be recovered; the segment before has what is left of them"
        case .uncovered: "the entry was emptied, and no later entry says by whom"
        case .unannouncedBase: "older entries are gone, and no later entry says that they were removed"
        case .wrongCover: "the entry answers for emptied lines that do not fit it"
        case .wrongCheckpoint: "the checkpoint's note does not fit the entries before it"
        case .wrongSignature: "the signature of the checkpoint's note is wrong"
        case .newer(let version):
            "the line has format \(version); this version of Daybook reads up to \(JournalFormat.version), so update it"
        case .unpackable(let reason): "the compressed segment cannot be unpacked from here on: \(reason)"
        }
    }
}

/// Checks one line after another: form, number, digest, chain. For one thread.
package struct LineVerifier: ~Copyable {
    /// The last good line; nil before the first one where it is to be taken on trust.
    package private(set) var position: JournalPosition?

    /// Continues after a known place; `nil` takes the first line's number and chain on trust, and checks its digest.
    package init(after position: JournalPosition?) { self.position = position }

    package mutating func resume(after position: JournalPosition?) { self.position = position }

    /// What the line says of itself; after a throw the position is unchanged.
    package mutating func check(_ line: UnsafeRawBufferPointer) throws(LineProblem) -> LineParts {
        guard let parts = LineParts(line) else {
            if let version = LineParts.version(of: line), version > JournalFormat.version { throw .newer(version: version) }
            throw line.count > JournalFormat.longestLine ? .tooLong(limit: JournalFormat.longestLine) : .notALine
        }
        if parts.form == .base {
            guard position == nil || position == .start else { throw .baseInside }
            position = JournalPosition(seq: parts.seq, chain: parts.chain)
            return parts
        }
        if let position {
            guard parts.seq == position.seq + 1 else { throw .wrongNumber(expected: position.seq + 1, found: parts.seq) }
        }
        guard parts.form == .erased || digestFits(parts, line) else { throw .wrongDigest }
        // Only now: a version that a flipped bit made is damage.
        guard parts.version <= JournalFormat.version else { throw .newer(version: parts.version) }
        if let position {
            guard Digest.chain(after: position.chain, parts.digest) == parts.chain else { throw .wrongChain }
        }
        position = JournalPosition(seq: parts.seq, chain: parts.chain)
        return parts
    }

    /// Whether the line's bytes are those that were sealed, wherever it stands.
    package func digestFits(_ parts: LineParts, _ line: UnsafeRawBufferPointer) -> Bool {
        Digest.of(UnsafeRawBufferPointer(rebasing: line[..<parts.sealedCount])) == parts.digest
    }
}
