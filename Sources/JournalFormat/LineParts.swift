// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// What can be said of a stored line by its bytes alone, without reading it as JSON: its number, its kind and its seal.
///
/// A full line is `{"v":…,"seq":…,…,"digest":"…","chain":"…"}`. An emptied one is `{"seq":…,"kind":"erased","digest":"…","chain":"…"}`,
/// and the same with `base`.
package struct LineParts: Equatable, Sendable {
    package enum Form: Equatable, Sendable { case full, erased, base }

    package let form: Form
    /// `v`; of an emptied line 0.
    package let version: Int64
    package let seq: UInt64
    package let digest: Digest
    package let chain: Digest
    /// How many bytes from the line's start the digest covers.
    package let sealedCount: Int

    /// The bytes of `,"digest":"…","chain":"…"}`.
    static let sealLength = 11 + 64 + 11 + 64 + 2

    private static let digestKey = Array(",\"digest\":\"".utf8)
    private static let chainKey = Array("\",\"chain\":\"".utf8)
    private static let end = Array("\"}".utf8)
    private static let fullStart = Array("{\"v\":".utf8)
    private static let seqKey = Array(",\"seq\":".utf8)
    private static let emptyStart = Array("{\"seq\":".utf8)
    private static let erasedRest = Array(",\"kind\":\"erased\"".utf8)
    private static let baseRest = Array(",\"kind\":\"base\"".utf8)
    private static let kindKey = Array(",\"kind\":\"".utf8)
    private static let timeKey = Array(",\"at\":\"".utf8)

    /// Nil where the bytes are no line of the journal.
    package init?(_ line: UnsafeRawBufferPointer) {
        guard line.count <= JournalFormat.longestLine, line.count > Self.sealLength else { return nil }
        let sealed = line.count - Self.sealLength
        guard line.has(Self.digestKey, at: sealed), line.has(Self.chainKey, at: sealed + 75), line.has(Self.end, at: line.count - 2),
            let digest = Digest(hex: UnsafeRawBufferPointer(rebasing: line[(sealed + 11)..<(sealed + 75)])),
            let chain = Digest(hex: UnsafeRawBufferPointer(rebasing: line[(sealed + 86)..<(sealed + 150)]))
        else { return nil }
        self.digest = digest
        self.chain = chain
        sealedCount = sealed
        guard let start = Self.start(of: line, sealed: sealed) else { return nil }
        form = start.form
        version = start.version
        seq = start.seq
    }

    /// What stands in `v`, also of a line that this version cannot read any further; nil for an emptied one and for no line at all.
    package static func version(of line: UnsafeRawBufferPointer) -> Int64? {
        guard line.has(fullStart, at: 0), let (version, next) = line.number(at: fullStart.count), next < line.count,
            line[next] == UInt8(ascii: ",")
        else { return nil }
        return Int64(clamping: version)
    }

    /// When a full line was written, looking at its beginning only.
    package static func wallTime(of line: UnsafeRawBufferPointer) -> WallTime? {
        guard let (_, _, _, from) = start(of: line, sealed: nil), line.has(timeKey, at: from) else { return nil }
        let rest = line[(from + timeKey.count)...].prefix(40)
        guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        return WallTime(rfc3339: String(decoding: rest[..<end], as: UTF8.self))
    }

    /// The number of a line, looking at its beginning only; for finding a place quickly.
    package static func seq(of line: UnsafeRawBufferPointer) -> UInt64? { start(of: line, sealed: nil)?.seq }

    /// The kind of a line with its number, found without reading it as JSON: no text of a user comes before it.
    package static func kind(of line: UnsafeRawBufferPointer) -> String? {
        guard let range = kindRange(of: line) else { return nil }
        return String(decoding: line[range], as: UTF8.self)
    }

    /// Where it stands, for asking without a String.
    static func kindRange(of line: UnsafeRawBufferPointer) -> Range<Int>? {
        guard let (_, _, _, from) = start(of: line, sealed: nil) else { return nil }
        var place = from
        while place + kindKey.count < line.count {
            if line[place] == UInt8(ascii: ","), line[place + 2] == UInt8(ascii: "k"), line.has(kindKey, at: place) {
                let start = place + kindKey.count
                var end = start
                while end < line.count, line[end] != UInt8(ascii: "\"") { end += 1 }
                return end < line.count ? start..<end : nil
            }
            place += 1
        }
        return nil
    }

    /// The kinds that a check of the journal looks into.
    enum Watched {
        case repaired, cover, checkpoint

        init?(of line: UnsafeRawBufferPointer) {
            guard let range = LineParts.kindRange(of: line) else { return nil }
            let kind = UnsafeRawBufferPointer(rebasing: line[range])
            if kind.elementsEqual("repaired".utf8) {
                self = .repaired
            } else if kind.elementsEqual("checkpoint".utf8) {
                self = .checkpoint
            } else if kind.elementsEqual("forgotten".utf8) || kind.elementsEqual("retention".utf8) {
                self = .cover
            } else {
                return nil
            }
        }
    }

    /// The line that an erased entry leaves.
    package static func erased(seq: UInt64, digest: Digest, chain: Digest) -> [UInt8] {
        join(emptyStart + Array(String(seq).utf8) + erasedRest, digest: digest, chain: chain)
    }

    /// The first line of a journal whose older entries are gone: number, digest and chain of the last of them.
    package static func base(seq: UInt64, digest: Digest, chain: Digest) -> [UInt8] {
        join(emptyStart + Array(String(seq).utf8) + baseRest, digest: digest, chain: chain)
    }

    static func join(_ body: [UInt8], digest: Digest, chain: Digest) -> [UInt8] {
        var line = body
        join(digest: digest, chain: chain, to: &line)
        return line
    }

    static func join(digest: Digest, chain: Digest, to line: inout [UInt8]) {
        line.append(contentsOf: digestKey)
        digest.appendHex(to: &line)
        line.append(contentsOf: chainKey)
        chain.appendHex(to: &line)
        line.append(contentsOf: end)
    }

    private static func start(
        of line: UnsafeRawBufferPointer, sealed: Int?
    ) -> (form: Form, version: Int64, seq: UInt64, next: Int)? {
        if line.has(emptyStart, at: 0) {
            guard let (seq, next) = line.number(at: emptyStart.count), seq > 0 else { return nil }
            for (form, rest) in [(Form.erased, erasedRest), (.base, baseRest)]
            where line.has(rest, at: next) && (sealed ?? next + rest.count) == next + rest.count {
                return (form, 0, seq, next)
            }
            return nil
        }
        guard line.has(fullStart, at: 0), let (version, afterVersion) = line.number(at: fullStart.count),
            line.has(seqKey, at: afterVersion), let (seq, next) = line.number(at: afterVersion + seqKey.count), seq > 0,
            next < line.count, line[next] == UInt8(ascii: ",")
        else { return nil }
        return (.full, Int64(version), seq, next)
    }
}

extension UnsafeRawBufferPointer {
    func has(_ wanted: [UInt8], at place: Int) -> Bool {
        guard place >= 0, place <= count - wanted.count, let base = baseAddress else { return false }
        return wanted.withUnsafeBytes { wanted in
            for index in 0..<wanted.count
            where base.load(fromByteOffset: place + index, as: UInt8.self) != wanted.load(fromByteOffset: index, as: UInt8.self) {
                return false
            }
            return true
        }
    }

    /// A decimal number without leading zeros and below 2^63, and the place after it.
    fileprivate func number(at place: Int) -> (UInt64, Int)? {
        var value: UInt64 = 0
        var next = place
        while next < count, self[next] >= UInt8(ascii: "0"), self[next] <= UInt8(ascii: "9") {
            guard next - place < 18 else { return nil }
            value = value * 10 + UInt64(self[next] - UInt8(ascii: "0"))
            next += 1
        }
        guard next > place, self[place] != UInt8(ascii: "0") || next == place + 1 else { return nil }
        return (value, next)
    }
}
