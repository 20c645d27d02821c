// SPDX-License-Identifier: Apache-2.0
import TextAnalysis

/// Spreadsheets in Office Open XML (`.xlsx`, `.xlsm`): sheets, filled cells, and the words in them. A number is one word, however it is shown.
package struct SpreadsheetAnalyzer: OutlineAnalyzer {
    package let identifier = "xlsx"

    package init() {}

    package func accepts(_ document: Document) throws(ReadingError) -> Bool {
        guard document.looksLikeZip, try document.archive().contains("_rels/.rels") else { return false }
        let package = try document.officePackage()
        let type = package.mainContentType
        // Binary workbooks (.xlsb) hold no XML.
        return (type.contains("spreadsheetml") || type.contains("ms-excel")) && !type.contains("binary")
    }

    package func read(_ document: Document, into builder: OutlineBuilder) throws(ReadingError) {
        let package = try document.officePackage()
        let list = SheetList()
        guard try XMLReader.read(package.mainPart, of: package.archive, into: list) != nil, list.sawWorkbook else {
            throw .damaged(what: "its main part holds no workbook")
        }
        let related = try package.relationships(of: package.mainPart)
        let strings = SharedStrings(document)
        if let part = related.first(where: { $0.type == "sharedStrings" }) {
            guard try XMLReader.read(part.target, of: package.archive, into: strings) != nil else {
                throw .damaged(what: "its texts are missing")
            }
        }
        var parts: [String: OfficePackage.Relationship] = [:]
        for relationship in related { parts[relationship.id] = relationship }
        var cells = 0
        var sheets = 0
        for id in list.sheetIDs {
            guard let part = parts[id] else { throw .damaged(what: "a sheet is missing") }
            // Charts and dialogs have sheets of their own without cells.
            guard part.type == "worksheet" else { continue }
            sheets += 1
            let sheet = SheetContent(strings: strings, builder: builder)
            guard try XMLReader.read(part.target, of: package.archive, into: sheet) != nil else {
                throw .damaged(what: "a sheet is missing")
            }
            cells += sheet.cells
        }
        builder.facts.sheets = sheets
        builder.facts.cells = cells
    }
}

/// The ids of the sheets in their order.
private final class SheetList: XMLHandler {
    private(set) var sheetIDs: [String] = []
    private(set) var sawWorkbook = false

    func start(_ name: XMLName, _ attributes: XMLAttributes) throws(ReadingError) -> XMLStep {
        guard name.space == .spreadsheet else { return .over }
        switch name.local {
        case .workbook: sawWorkbook = true
        case .sheets: break
        case .sheet:
            guard sheetIDs.count < 10_000 else { throw .tooLarge(what: "more than 10000 sheets") }
            if let id = attributes[.relationshipID, .id] { sheetIDs.append(id) }
        default: return .over
        }
        return .into
    }

    func text(_ bytes: UnsafeRawBufferPointer) throws(ReadingError) {}
    func end(_ name: XMLName) throws(ReadingError) {}
}

/// Texts that cells refer to by number: all in one buffer, since a workbook may have a million.
private final class SharedStrings: XMLHandler {
    private let document: Document
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var isText = false

    init(_ document: Document) { self.document = document }

    subscript(index: Int) -> ArraySlice<UInt8>? {
        guard ends.indices.contains(index) else { return nil }
        return bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
    }

    func start(_ name: XMLName, _ attributes: XMLAttributes) throws(ReadingError) -> XMLStep {
        guard name.space == .spreadsheet else { return .over }
        // How a name is read is apart.
        if name.local == .rPh || name.local == .phoneticPr { return .over }
        isText = name.local == .t
        return .into
    }

    func text(_ piece: UnsafeRawBufferPointer) throws(ReadingError) {
        guard isText else { return }
        guard bytes.count + piece.count <= document.limits.textBytes else {
            throw .tooLarge(what: "more than \(document.limits.textBytes) bytes of text")
        }
        bytes.append(contentsOf: piece)
    }

    func end(_ name: XMLName) throws(ReadingError) {
        isText = false
        if name.space == .spreadsheet, name.local == .si { ends.append(bytes.count) }
    }
}

private final class SheetContent: XMLHandler {
    private let strings: SharedStrings
    private let builder: OutlineBuilder
    private(set) var cells = 0
    private var type: String?
    private var value: [UInt8] = []
    private var isText = false

    init(strings: SharedStrings, builder: OutlineBuilder) {
        self.strings = strings
        self.builder = builder
    }

    func start(_ name: XMLName, _ attributes: XMLAttributes) throws(ReadingError) -> XMLStep {
        guard name.space == .spreadsheet else { return .over }
        switch name.local {
        case .worksheet, .sheetData, .row, .r, .rPr, .is: return .into
        case .c:
            type = attributes[.none, .t]
            value.removeAll(keepingCapacity: true)
        case .v, .t: isText = true
        default: return .over
        }
        return .into
    }

    func text(_ bytes: UnsafeRawBufferPointer) throws(ReadingError) { if isText { value.append(contentsOf: bytes) } }

    func end(_ name: XMLName) throws(ReadingError) {
        isText = false
        guard name.space == .spreadsheet, name.local == .c else { return }
        if type == "s" {
            guard let index = Int(String(decoding: value, as: UTF8.self)), let text = strings[index] else {
                throw .damaged(what: "a cell refers to a text that is not there")
            }
            value = Array(text)
        }
        // What a formula could not compute is nobody's word, but the cell is filled.
        guard value.contains(where: { $0 > 0x20 }) else { return }
        cells += 1
        if type != "e" { try builder.append(value, at: .tableCell) }
    }
}
