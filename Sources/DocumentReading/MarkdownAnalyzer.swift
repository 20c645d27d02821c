// SPDX-License-Identifier: Apache-2.0
import CMarkdown
import TextAnalysis

/// Markdown, told from other text by its name.
package struct MarkdownAnalyzer: OutlineAnalyzer {
    package let identifier = "md"

    package init() {}

    package func accepts(_ document: Document) throws(ReadingError) -> Bool {
        ["md", "markdown", "mdown", "mkd"].contains(document.nameExtension) && !document.looksLikeZip
            && FormatSniffer.describeMarkup(document) == nil
            && TextDecoder.looksLikeText(document)
    }

    package func read(_ document: Document, into builder: OutlineBuilder) throws(ReadingError) {
        let text = String(decoding: try TextDecoder.text(document, builder), as: UTF8.self)
        let (body, language) = Self.withoutFrontMatter(text)
        builder.facts.language = language
        let (main, notes) = MarkdownFootnotes.split(body)
        try Self.parse(main, place: nil, builder)
        for note in notes { try Self.parse(note, place: .note, builder) }
    }

    private static func parse(_ text: String, place: Place?, _ builder: OutlineBuilder) throws(ReadingError) {
        let blocks = MarkdownBlocks(builder, place: place)
        var parser = MD_PARSER()
        parser.flags = UInt32(
            MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | MD_FLAG_PERMISSIVEURLAUTOLINKS | MD_FLAG_PERMISSIVEEMAILAUTOLINKS)
        parser.enter_block = enterBlock
        parser.leave_block = leaveBlock
        parser.enter_span = enterSpan
        parser.leave_span = leaveSpan
        parser.text = addText
        let bytes = Array(text.utf8)
        let status = bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                md_parse($0.baseAddress, MD_SIZE($0.count), &parser, Unmanaged.passUnretained(blocks).toOpaque())
            }
        }
        blocks.finish()
        if let failure = blocks.failure { throw failure }
        guard status == 0 else { throw .tooLarge(what: "Markdown that needs too much memory") }
    }

    /// Metadata between two lines of `---` at the start are no words of the text.
    private static func withoutFrontMatter(_ text: String) -> (String, language: String?) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard lines.first == "---", let end = lines.dropFirst().firstIndex(where: { $0 == "---" || $0 == "..." }) else {
            return (text, nil)
        }
        let metadata = lines[1..<end]
        // A line of text between two rules is no metadata: that has a key on its first line.
        guard let first = metadata.first, first.contains(":") else { return (text, nil) }
        let language = metadata.first { $0.hasPrefix("lang:") }
            .map { $0.dropFirst(5).filter { $0.isLetter || $0 == "-" } }
        return (lines[(end + 1)...].joined(separator: "\n"), language.map { String($0) })
    }
}

/// Collects what md4c reports.
private final class MarkdownBlocks {
    private let builder: OutlineBuilder
    /// Where all its text stands; nil for the body, whose blocks differ.
    private let outside: Place?
    private(set) var failure: ReadingError?
    private var text: [UInt8] = []
    private var lists = 0
    private var cells = 0
    private var isCode = false
    private var isHTML = false
    private var isHeading = false
    private var images = 0

    init(_ builder: OutlineBuilder, place: Place?) {
        self.builder = builder
        outside = place
    }

    func enter(_ type: MD_BLOCKTYPE) {
        finish()
        switch type {
        case MD_BLOCK_LI: lists += 1
        case MD_BLOCK_H: isHeading = true
        case MD_BLOCK_CODE: isCode = true
        case MD_BLOCK_HTML: isHTML = true
        case MD_BLOCK_TH, MD_BLOCK_TD: cells += 1
        default: break
        }
    }

    func leave(_ type: MD_BLOCKTYPE) {
        finish()
        switch type {
        case MD_BLOCK_LI: lists -= 1
        case MD_BLOCK_H: isHeading = false
        case MD_BLOCK_CODE: isCode = false
        case MD_BLOCK_HTML: isHTML = false
        case MD_BLOCK_TH, MD_BLOCK_TD: cells -= 1
        default: break
        }
    }

    func span(_ type: MD_SPANTYPE, by step: Int) { if type == MD_SPAN_IMG { images += step } }

    func add(_ type: MD_TEXTTYPE, _ bytes: UnsafeRawBufferPointer) {
        // An image's text stands in for it and is not shown.
        guard !isHTML, images == 0 else { return }
        switch type {
        case MD_TEXT_HTML: break
        case MD_TEXT_BR, MD_TEXT_SOFTBR: text.append(0x0a)
        case MD_TEXT_NULLCHAR: text.append(contentsOf: "\u{fffd}".utf8)
        case MD_TEXT_ENTITY: text.append(contentsOf: MarkdownEntities.text(String(decoding: bytes, as: UTF8.self)).utf8)
        default: text.append(contentsOf: bytes)
        }
    }

    func finish() {
        guard !text.isEmpty else { return }
        let place: Place = isCode ? .code : cells > 0 ? .tableCell : isHeading ? .heading : lists > 0 ? .listItem : .paragraph
        let bytes = isCode ? text : MarkdownFootnotes.withoutReferences(text)
        do throws(ReadingError) { try builder.append(bytes, at: outside ?? place) } catch { failure = failure ?? error }
        text = []
    }
}

/// The entities that matter for what is a word; any other named one is a sign that parts nothing and counts for nothing.
enum MarkdownEntities {
    static func text(_ entity: String) -> String {
        let name = entity.dropFirst().dropLast()
        if name.first == "#" {
            let digits = name.dropFirst()
            let code = digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return code.flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? "\u{fffd}"
        }
        return named[String(name)] ?? letter(name) ?? "\u{fffd}"
    }

    /// `eacute` and its kind: a letter with an accent is a letter.
    private static func letter(_ name: Substring) -> String? {
        let accents = ["acute", "grave", "circ", "uml", "tilde", "ring", "cedil", "slash", "caron"]
        guard let first = name.first, first.isASCII, first.isLetter else { return nil }
        return accents.contains { name.dropFirst() == $0 } ? String(first) : nil
    }

    private static let named: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{a0}", "ensp": "\u{2002}", "emsp": "\u{2003}",
        "thinsp": "\u{2009}", "ndash": "–", "mdash": "—", "hellip": "…", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”",
        "shy": "\u{ad}", "szlig": "ß", "aelig": "æ", "AElig": "Æ", "oelig": "œ", "oslash": "ø", "Oslash": "Ø", "eth": "ð", "thorn": "þ",
        "zwnj": "\u{200c}", "zwj": "\u{200d}", "alpha": "α", "beta": "β", "gamma": "γ", "pi": "π", "mu": "μ", "micro": "µ",
    ]
}

private func blocks(_ pointer: UnsafeMutableRawPointer?) -> MarkdownBlocks? {
    pointer.map { Unmanaged<MarkdownBlocks>.fromOpaque($0).takeUnretainedValue() }
}

private func enterBlock(_ type: MD_BLOCKTYPE, _ detail: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    blocks(context)?.enter(type)
    return 0
}

private func leaveBlock(_ type: MD_BLOCKTYPE, _ detail: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    blocks(context)?.leave(type)
    return 0
}

private func enterSpan(_ type: MD_SPANTYPE, _ detail: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    blocks(context)?.span(type, by: 1)
    return 0
}

private func leaveSpan(_ type: MD_SPANTYPE, _ detail: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?) -> Int32 {
    blocks(context)?.span(type, by: -1)
    return 0
}

private func addText(
    _ type: MD_TEXTTYPE, _ bytes: UnsafePointer<MD_CHAR>?, _ size: MD_SIZE, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    blocks(context)?.add(type, UnsafeRawBufferPointer(start: bytes, count: Int(size)))
    return 0
}
