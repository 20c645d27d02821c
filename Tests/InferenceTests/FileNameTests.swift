// SPDX-License-Identifier: Apache-2.0
import Inference
import Testing

@Suite("A file's name")
struct FileNameTests {
    @Test(
        "says which document it belongs to",
        arguments: [
            (".essay.txt.swp", .swap, "essay.txt"), (".essay.txt.swo", .swap, "essay.txt"), (".essay.txt.swa", .swap, "essay.txt"),
            (".~lock.essay.odt#", .libreOfficeLock, "essay.odt"), ("~$table.xlsx", .officeOwner, "table.xlsx"),
            (".#essay.txt", .emacsLock, "essay.txt"), (".essay.txt.kate-swp", .kateSwap, "essay.txt"),
            ("#essay.txt#", .autosave, "essay.txt"), ("essay.txt~", .backup, "essay.txt"), ("essay.txt.~12~", .backup, "essay.txt"),
            ("essay.txt.save", .backup, "essay.txt"), ("essay.txt.bak", .backup, "essay.txt"),
        ] as [(String, CompanionKind, String)])
    func companions(name: String, kind: CompanionKind, document: String) {
        #expect(FileName(name.utf8) == .companion(kind, document: Array(document.utf8)))
    }

    @Test(
        "is a temporary file's",
        arguments: [
            "4913", "5036", "lu137021ek28.tmp", ".goutputstream-M3PFZ3", ".gsf-save-X1Y2Z3", "~WRD0001.tmp", "~WRL0001.tmp", "ppt1A2B.tmp",
            "A4B21000", "report.docx.filepart", ".essay.txt.hr2fcR", "essay.txt.sb-1f3a9c70-Qx7Lp0", ".essay.txt.swx", ".hidden",
        ])
    func temporaries(name: String) { #expect(FileName(name.utf8) == .temporary) }

    @Test("is litter", arguments: [".DS_Store", "._essay.txt", "Thumbs.db", "desktop.ini", ".nfs000001", ".~sharing.table.ods#"])
    func litter(name: String) { #expect(FileName(name.utf8) == .litter) }

    @Test(
        "is a document's",
        arguments: [
            "essay.txt", "4914", "A4B2100", "A4B2100G", "swp", "x.swp", "~", "#", ".", "essay", "Hausaufgabe ~ 1.odt", "lock.#", "$~x",
        ])
    func documents(name: String) {
        if name == "." { #expect(FileName(name.utf8) == .temporary) } else { #expect(FileName(name.utf8) == .document) }
    }

    @Test(
        "becomes Word's shortened one",
        arguments: [
            ("river-essay.docx", "~$ver-essay.docx"), ("myessay.docx", "~$yessay.docx"), ("report.docx", "~$report.docx"),
            ("üübungen.docx", "~$bungen.docx"), ("table-of-sums.xlsx", "~$table-of-sums.xlsx"), ("longname.ODT", "~$ngname.ODT"),
        ])
    func shortened(name: String, owner: String) { #expect(FileName.officeOwnerName(of: name.utf8) == Array(owner.utf8)) }

    @Test("may be any bytes")
    func anyBytes() {
        var generator = SeededGenerator(seed: 7)
        let pieces: [[UInt8]] =
            [".", "~", "#", "~$", ".~lock.", ".sw", "p", "0", "F", ".kate-swp", ".sb-", "-", ".tmp"].map { Array($0.utf8) }
            + [[0xff], [0xc3], []]
        for _ in 0..<4000 {
            let name = (0..<Int.random(in: 0..<8, using: &generator)).flatMap { _ in pieces.randomElement(using: &generator) ?? [] }
            if case .companion(_, let document) = FileName(name) { #expect(!document.isEmpty) }
            #expect(FileName.officeOwnerName(of: name).starts(with: Array("~$".utf8)))
            _ = FileName.isPlainText(name)
        }
    }
}

/// The same numbers every time (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
