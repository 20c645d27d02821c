// SPDX-License-Identifier: Apache-2.0
import TextAnalysis

/// Programs, told by the ending of their name: lines of code, of comment, and blank ones. A line with both is one of code.
package struct SourceCodeAnalyzer: OutlineAnalyzer {
    package let identifier = "source"

    package init() {}

    package func accepts(_ document: Document) throws(ReadingError) -> Bool {
        CommentSyntax.of(document.nameExtension) != nil && !document.looksLikeZip && TextDecoder.looksLikeText(document)
    }

    package func read(_ document: Document, into builder: OutlineBuilder) throws(ReadingError) {
        guard let syntax = CommentSyntax.of(document.nameExtension) else { throw .noAnalyzer(kind: "this format") }
        let bytes = try TextDecoder.text(document, builder)
        builder.facts.lines = LineCounter.count(bytes, syntax)
        builder.facts.noWordsBecause = "this is a program: its lines are counted"
    }
}

/// How a language writes comments and texts.
struct CommentSyntax {
    var line: [String] = []
    var open = ""
    var close = ""
    var isNested = false
    /// Marks that begin and end a text on one line.
    var quotes = "\"'"
    /// Texts of several lines, e.g. `"""`.
    var longQuotes: [String] = []

    static func of(_ ending: String) -> CommentSyntax? { byEnding[ending] }

    private static let byEnding: [String: CommentSyntax] = {
        let curly = CommentSyntax(line: ["//"], open: "/*", close: "*/")
        let nested = CommentSyntax(line: ["//"], open: "/*", close: "*/", isNested: true, quotes: "\"", longQuotes: ["\"\"\""])
        let hash = CommentSyntax(line: ["#"])
        let lists: [(CommentSyntax, String)] = [
            (CommentSyntax(line: ["//"], open: "/*", close: "*/", quotes: "\"'", longQuotes: ["`"]), "js mjs ts jsx tsx go"),
            (curly, "c h cc cpp cxx hpp hh java cs scala dart m mm ino groovy"),
            (nested, "swift kt rs"),
            (CommentSyntax(open: "/*", close: "*/"), "css"),
            (CommentSyntax(line: ["//"], open: "/*", close: "*/"), "scss less"),
            (CommentSyntax(line: ["//", "#"], open: "/*", close: "*/"), "php"),
            (CommentSyntax(line: ["#"], longQuotes: ["\"\"\"", "'''"]), "py pyw"),
            (hash, "sh bash zsh rb pl r mk cmake awk jl"),
            (CommentSyntax(line: ["--"], open: "--[[", close: "]]"), "lua"),
            (CommentSyntax(line: ["--"], open: "/*", close: "*/", quotes: "'\""), "sql"),
            (CommentSyntax(line: ["--"], open: "{-", close: "-}", isNested: true, quotes: "\""), "hs"),
            (CommentSyntax(line: ["//"], open: "{", close: "}", quotes: "'"), "pas pp"),
            (CommentSyntax(line: ["'"], quotes: "\""), "vb bas"),
        ]
        var byEnding: [String: CommentSyntax] = [:]
        for (syntax, endings) in lists { for ending in endings.split(separator: " ") { byEnding[String(ending)] = syntax } }
        return byEnding
    }()
}

/// Looks at a program byte by byte.
enum LineCounter {
    private enum State { case code, lineComment, block(depth: Int), text(quote: UInt8), longText([UInt8]) }

    static func count(_ bytes: [UInt8], _ syntax: CommentSyntax) -> CodeLines {
        let line = syntax.line.map { Array($0.utf8) }
        let open = Array(syntax.open.utf8)
        let close = Array(syntax.close.utf8)
        let quotes = Array(syntax.quotes.utf8)
        let longQuotes = syntax.longQuotes.map { Array($0.utf8) }
        var lines = CodeLines()
        var state = State.code
        var hasCode = false
        var hasComment = false
        var index = 0
        func starts(_ mark: [UInt8]) -> Bool { !mark.isEmpty && bytes[index...].starts(with: mark) }
        func endLine() {
            if hasCode { lines.code += 1 } else if hasComment { lines.comment += 1 } else { lines.blank += 1 }
            hasCode = false
            hasComment = false
            // A text that is still open at the end of its line is a mistake, or a mark in a regular expression.
            switch state {
            case .lineComment, .text: state = .code
            case .code, .block, .longText: break
            }
        }
        while index < bytes.count {
            let byte = bytes[index]
            if byte <= 0x20 {
                if byte == 0x0a { endLine() }
                index += 1
                continue
            }
            var step = 1
            switch state {
            case .code:
                if let mark = longQuotes.first(where: starts) {
                    hasCode = true
                    state = .longText(mark)
                    step = mark.count
                } else if starts(open) {
                    hasComment = true
                    state = .block(depth: 1)
                    step = open.count
                } else if line.contains(where: starts) {
                    hasComment = true
                    state = .lineComment
                } else {
                    hasCode = true
                    if quotes.contains(byte) { state = .text(quote: byte) }
                }
            case .lineComment: hasComment = true
            case .block(let depth):
                hasComment = true
                if syntax.isNested, starts(open) {
                    state = .block(depth: depth + 1)
                    step = open.count
                } else if starts(close) {
                    state = depth > 1 ? .block(depth: depth - 1) : .code
                    step = close.count
                }
            case .text(let quote):
                hasCode = true
                if byte == UInt8(ascii: "\\") { step = escaped(bytes, index) } else if byte == quote { state = .code }
            case .longText(let mark):
                hasCode = true
                if byte == UInt8(ascii: "\\") {
                    step = escaped(bytes, index)
                } else if starts(mark) {
                    state = .code
                    step = mark.count
                }
            }
            index += step
        }
        if let last = bytes.last, last != 0x0a { endLine() }
        return lines
    }

    /// What stands after a backslash is no mark; a line end stays one.
    private static func escaped(_ bytes: [UInt8], _ index: Int) -> Int {
        index + 1 < bytes.count && bytes[index + 1] != 0x0a ? 2 : 1
    }
}
