// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import TextAnalysis

/// Word, PowerPoint and Excel files of before 2007. Their words are read by another program, where it is installed; here is only told which of
/// them it is, and whether a password protects it.
package struct LegacyOfficeAnalyzer: Analyzer {
    package let identifier = "legacy-office"

    /// Said where no program has read the words.
    package static let wordsNeed = "the words of documents of before 2007 are read by another program, which is not there"

    package init() {}

    package func accepts(_ document: Document) throws(ReadingError) -> Bool {
        guard document.starts(with: CompoundFile.magic) else { return false }
        return try Self.format(CompoundFile(document)) != nil
    }

    package func measure(_ document: Document, _ choice: MetricChoice) throws(ReadingError) -> Measurement {
        let file = try CompoundFile(document)
        guard let format = try Self.format(file) else { throw .noAnalyzer(kind: "this kind of legacy file") }
        let missing = ["total_word_count", "character_count"].filter(choice.wants)
        return Measurement(format: format, notes: missing.map { MissingItem(identifier: $0, reason: Self.wordsNeed) })
    }

    private static func format(_ file: CompoundFile) throws(ReadingError) -> String? {
        let entries = try file.entries()
        func start(_ name: String) -> [UInt8]? { entries.first { $0.name == name }.map { file.start(of: $0) } }
        // What a program of today makes of a document with a password.
        if start("EncryptedPackage") != nil || start("EncryptedSummary") != nil { throw .encrypted }
        if let stream = start("WordDocument") {
            // The file information block: a magic number, and at 10 the flags, of which bit 8 says encrypted.
            // A small stream lies elsewhere and is not looked at.
            guard stream.count >= 12 else { return "doc" }
            guard stream[0] == 0xec || stream[0] == 0xdc, stream[1] == 0xa5 else { throw .damaged(what: "its text is not there") }
            if stream[11] & 1 != 0 { throw .encrypted }
            return "doc"
        }
        if start("PowerPoint Document") != nil { return "ppt" }
        if let stream = start("Workbook") ?? start("Book") {
            if hasPassword(stream) { throw .encrypted }
            return "xls"
        }
        return nil
    }

    /// Among the first records of a workbook, each a number, a length and so many bytes, FILEPASS (0x2f) says that the rest is encrypted.
    private static func hasPassword(_ stream: [UInt8]) -> Bool {
        var offset = 0
        while offset + 4 <= stream.count {
            if stream[offset] == 0x2f, stream[offset + 1] == 0 { return true }
            offset += 4 + Int(stream[offset + 2]) + Int(stream[offset + 3]) << 8
        }
        return false
    }
}

/// The container of these files: sectors of a power of two, chained by a table, and a directory of names.
struct CompoundFile {
    static let magic: [UInt8] = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
    /// Names that are looked at.
    static let entryLimit = 4096

    struct Entry {
        var name: String
        var firstSector: UInt32
        var size: UInt32
    }

    private let document: Document
    private let sectorSize: Int

    init(_ document: Document) throws(ReadingError) {
        self.document = document
        guard document.head.count >= 512 else { throw .damaged(what: "it is cut") }
        let shift = Int(document.head[30]) | Int(document.head[31]) << 8
        guard shift == 9 || shift == 12 else { throw .damaged(what: "its sectors have no size that is known") }
        sectorSize = 1 << shift
    }

    private func bytes(at offset: Int, _ count: Int) -> [UInt8] {
        guard offset >= 0, offset < document.size else { return [] }
        var buffer = [UInt8](repeating: 0, count: count)
        let got = buffer.withUnsafeMutableBytes { document.read(at: offset, into: $0) }
        return Array(buffer.prefix(got))
    }

    private func place(of sector: UInt32) -> Int { (Int(sector) + 1) * sectorSize }

    private static func number(_ bytes: [UInt8], at offset: Int) -> UInt32? {
        guard offset + 4 <= bytes.count else { return nil }
        return UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2]) << 16 | UInt32(bytes[offset + 3]) << 24
    }

    /// The sector after this one; nil at the end of a chain. Of the table only the sectors that the header names are used: enough for 7 MB
    /// with the small sectors, beyond which a directory does not lie in files that people write.
    private func next(_ sector: UInt32) -> UInt32? {
        let inSector = sectorSize / 4
        let table = Int(sector) / inSector
        guard table < 109, let holder = Self.number(document.head, at: 76 + table * 4), holder < 0xffff_fffa else { return nil }
        guard let following = Self.number(bytes(at: place(of: holder) + Int(sector) % inSector * 4, 4), at: 0) else { return nil }
        return following < 0xffff_fffa ? following : nil
    }

    func entries() throws(ReadingError) -> [Entry] {
        guard var sector = Self.number(document.head, at: 48), sector < 0xffff_fffa else {
            throw .damaged(what: "its directory is not there")
        }
        var entries: [Entry] = []
        // A chain that meets itself ends at the limit.
        while entries.count < Self.entryLimit {
            let part = bytes(at: place(of: sector), sectorSize)
            guard part.count >= 128 else {
                if entries.isEmpty { throw .damaged(what: "its directory is not there") }
                break
            }
            for start in stride(from: 0, through: part.count - 128, by: 128) {
                let length = Int(part[start + 64]) | Int(part[start + 65]) << 8
                var units: [UInt16] = []
                if length >= 2, length <= 64 {
                    for index in stride(from: start, to: start + length - 2, by: 2) {
                        units.append(UInt16(part[index]) | UInt16(part[index + 1]) << 8)
                    }
                }
                let first = Self.number(part, at: start + 116) ?? 0
                let size = Self.number(part, at: start + 120) ?? 0
                entries.append(Entry(name: String(decoding: units, as: UTF16.self), firstSector: first, size: size))
            }
            guard let following = next(sector) else { break }
            sector = following
        }
        return entries
    }

    /// The first bytes of a stream; none of a small one, which lies elsewhere.
    func start(of entry: Entry) -> [UInt8] {
        guard entry.size >= 4096, entry.firstSector < 0xffff_fffa else { return [] }
        return bytes(at: place(of: entry.firstSector), min(sectorSize, Int(entry.size)))
    }
}
