// SPDX-License-Identifier: Apache-2.0
import CHTML
import Glibc
import TextAnalysis

/// libxml2's HTML parser as a stream of blocks: no tree is built, so a page of any size needs little memory.
final class HTMLReader {
    private let blocks: HTMLBlocks
    private var parser: htmlParserCtxtPtr?
    private var sax = htmlSAXHandler()

    init(_ builder: OutlineBuilder, depthLimit: Int) throws(ReadingError) {
        blocks = HTMLBlocks(builder, depthLimit: depthLimit)
        sax.startElement = htmlStart
        sax.endElement = htmlEnd
        sax.characters = htmlText
        sax.cdataBlock = htmlText
        sax.ignorableWhitespace = htmlText
        sax.initialized = 1
        parser = htmlCreatePushParserCtxt(&sax, Unmanaged.passUnretained(blocks).toOpaque(), nil, 0, nil, XML_CHAR_ENCODING_UTF8)
        guard let parser else { throw .tooLarge(what: "no memory for its HTML") }
        let options = HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
        htmlCtxtUseOptions(parser, Int32(options | HTML_PARSE_NONET.rawValue | HTML_PARSE_IGNORE_ENC.rawValue))
    }

    deinit { if let parser { htmlFreeParserCtxt(parser) } }

    /// The language the page declares.
    var language: String? { blocks.language }

    func feed(_ piece: UnsafeRawBufferPointer) throws(ReadingError) {
        // Mistakes are what most pages are made of; the parser goes on after each.
        htmlParseChunk(parser, piece.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(piece.count), 0)
        if let failure = blocks.failure { throw failure }
    }

    func finish() throws(ReadingError) {
        htmlParseChunk(parser, nil, 0, 1)
        blocks.finish()
        if let failure = blocks.failure { throw failure }
    }
}

/// Makes blocks of what the parser reports.
private final class HTMLBlocks {
    private let builder: OutlineBuilder
    private let depthLimit: Int
    private var open: [(kind: HTMLElement, place: Place?)] = []
    /// So many elements deep what is shown nowhere.
    private var skipped = 0
    private var text: [UInt8] = []
    private var preformatted = 0
    private(set) var language: String?
    private(set) var failure: ReadingError?

    init(_ builder: OutlineBuilder, depthLimit: Int) {
        self.builder = builder
        self.depthLimit = depthLimit
    }

    func start(_ name: String, _ attribute: (String) -> String?) {
        guard failure == nil else { return }
        guard open.count < depthLimit else {
            failure = .tooLarge(what: "elements nested deeper than \(depthLimit)")
            return
        }
        let kind = HTMLElement(name)
        if name == "html" || name == "body", let value = attribute("lang") ?? attribute("xml:lang") { language = value }
        var place = kind.place
        if attribute("hidden") != nil || attribute("style").map(Self.hides) == true { place = .hidden }
        let role = attribute("role") ?? attribute("epub:type") ?? ""
        if role.contains("footnote") || role.contains("endnote"), kind.isBlock { place = .note }
        if kind.isBlock || place == .hidden || place == .deleted { endBlock() }
        open.append((kind, place))
        switch kind {
        case .skipped: skipped += 1
        case .preformatted: preformatted += 1
        case .lineBreak: if skipped == 0 { text.append(0x0a) }
        default: break
        }
    }

    func end() {
        guard failure == nil, let last = open.last else { return }
        if last.kind.isBlock || last.place == .hidden || last.place == .deleted { endBlock() }
        open.removeLast()
        switch last.kind {
        case .skipped: skipped -= 1
        case .preformatted: preformatted -= 1
        default: break
        }
    }

    func add(_ bytes: UnsafeRawBufferPointer) {
        guard failure == nil, skipped == 0 else { return }
        if preformatted > 0 { return text.append(contentsOf: bytes) }
        for byte in bytes {
            guard byte == 0x20 || (0x09...0x0d).contains(byte) else {
                text.append(byte)
                continue
            }
            // White space is one space however much there is.
            if let before = text.last, before != 0x20, before != 0x0a { text.append(0x20) }
        }
    }

    func finish() { endBlock() }

    private func endBlock() {
        guard failure == nil, !text.isEmpty else { return }
        do throws(ReadingError) { try builder.append(text, at: place) } catch { failure = error }
        text.removeAll(keepingCapacity: true)
    }

    /// What is apart stays so whatever is in it; else the innermost element that says something decides.
    private var place: Place {
        if let apart = open.last(where: { $0.place?.isBody == false })?.place { return apart }
        return open.last { $0.place != nil }?.place ?? .paragraph
    }

    private static func hides(_ style: String) -> Bool {
        let plain = style.lowercased().filter { !$0.isWhitespace }
        return plain.contains("display:none") || plain.contains("visibility:hidden")
    }
}

/// What an element does with the text in it.
private enum HTMLElement {
    case inline, block, heading, listItem, cell, caption, preformatted, deleted, lineBreak, skipped

    init(_ name: String) { self = Self.known[name.lowercased()] ?? .inline }

    var isBlock: Bool {
        switch self {
        case .inline, .deleted, .lineBreak, .skipped: false
        case .block, .heading, .listItem, .cell, .caption, .preformatted: true
        }
    }

    var place: Place? {
        switch self {
        case .inline, .block, .lineBreak, .skipped: nil
        case .heading: .heading
        case .listItem: .listItem
        case .cell: .tableCell
        case .caption: .caption
        case .preformatted: .code
        case .deleted: .deleted
        }
    }

    private static let known: [String: HTMLElement] = {
        var known: [String: HTMLElement] = [
            "li": .listItem, "td": .cell, "th": .cell, "pre": .preformatted, "del": .deleted, "br": .lineBreak,
        ]
        let lists: [(HTMLElement, String)] = [
            (.heading, "h1 h2 h3 h4 h5 h6"), (.caption, "caption figcaption"),
            (
                .block,
                "html body p div section article header footer main nav aside address blockquote fieldset form hr table thead tbody tfoot tr "
                    + "ul ol dl dt dd figure details summary dialog legend center menu dir option"
            ),
            // Shown by no browser as text of the page; the words of rt and rp are the reading of others.
            (
                .skipped,
                "title script style template noscript iframe object audio video canvas datalist rt rp rtc noframes svg math textarea select"
            ),
        ]
        for (kind, names) in lists { for name in names.split(separator: " ") { known[String(name)] = kind } }
        return known
    }()
}

private func blocks(_ context: UnsafeMutableRawPointer?) -> HTMLBlocks? {
    context.map { Unmanaged<HTMLBlocks>.fromOpaque($0).takeUnretainedValue() }
}

private func htmlStart(
    _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
) {
    guard let name else { return }
    blocks(context)?.start(String(cString: name)) { wanted in
        guard let attributes else { return nil }
        var index = 0
        while let key = attributes[index] {
            if strcmp(UnsafeRawPointer(key).assumingMemoryBound(to: CChar.self), wanted) == 0 {
                return attributes[index + 1].map { String(cString: $0) } ?? ""
            }
            index += 2
        }
        return nil
    }
}

private func htmlEnd(_ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<xmlChar>?) { blocks(context)?.end() }

private func htmlText(_ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<xmlChar>?, _ length: Int32) {
    blocks(context)?.add(UnsafeRawBufferPointer(start: text, count: Int(max(0, length))))
}
