// SPDX-License-Identifier: Apache-2.0
import TextAnalysis

/// Goes through the body of a LaTeX document once.
struct LaTeXReader {
    private let source: [UInt8]
    private let builder: OutlineBuilder
    private let depthLimit: Int
    private var index = 0
    private var text: [UInt8] = []
    /// Where the text of each open group stands; nil where the group says nothing.
    private var groups: [Place?] = []
    private var environments: [(name: String, place: Place?)] = []
    /// Texts of what surrounds a note.
    private var outer: [[UInt8]] = []

    init(_ source: [UInt8], _ builder: OutlineBuilder, depthLimit: Int) {
        self.source = source
        self.builder = builder
        self.depthLimit = depthLimit
    }

    mutating func read() throws(ReadingError) {
        // What comes before the body says how it looks; a part without a beginning is all body.
        if let begin = find("\\begin{document}", from: 0) { index = begin + 16 }
        while index < source.count {
            let byte = source[index]
            switch byte {
            case UInt8(ascii: "%"): skipLine()
            case UInt8(ascii: "\\"): if try !readCommand() { return try end() }
            case UInt8(ascii: "$"): skipMath()
            case UInt8(ascii: "{"):
                try open(nil)
                index += 1
            case UInt8(ascii: "}"):
                index += 1
                try close()
            case UInt8(ascii: "~"), UInt8(ascii: "&"):
                // A cell of a table ends at its &.
                if byte == UInt8(ascii: "&"), place == .tableCell { try endBlock() } else { text.append(0x20) }
                index += 1
            case 0x0a:
                index += 1
                if isBlankLine() { try endBlock() } else { text.append(0x0a) }
            default:
                text.append(byte)
                index += 1
            }
        }
        try end()
    }

    private mutating func end() throws(ReadingError) {
        try endBlock()
        while let before = outer.popLast() {
            text = before
            groups.removeAll()
            try endBlock()
        }
    }

    private var place: Place {
        if let inner = groups.last(where: { $0 != nil }) ?? nil { return inner }
        return environments.last { $0.place != nil }?.place ?? .paragraph
    }

    private mutating func open(_ place: Place?) throws(ReadingError) {
        guard groups.count < depthLimit else { throw .tooLarge(what: "groups nested deeper than \(depthLimit)") }
        groups.append(place)
    }

    private mutating func close() throws(ReadingError) {
        guard let last = groups.last else { return }
        if last != nil { try endBlock() }
        groups.removeLast()
        if last == .note { text = outer.popLast() ?? [] }
    }

    private mutating func endBlock() throws(ReadingError) {
        let done = text
        text = []
        if done.contains(where: { $0 > 0x20 }) { try builder.append(done, at: place) }
    }

    /// False at the end of the document.
    private mutating func readCommand() throws(ReadingError) -> Bool {
        index += 1
        guard index < source.count else { return false }
        guard isLetter(source[index]) else {
            try readSymbol()
            return true
        }
        let start = index
        while index < source.count, isLetter(source[index]) { index += 1 }
        let name = String(decoding: source[start..<index], as: UTF8.self)
        if index < source.count, source[index] == UInt8(ascii: "*") { index += 1 }
        switch name {
        case "begin": return try beginEnvironment()
        case "end": return try endEnvironment()
        case "part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph", "title", "frametitle":
            try endBlock()
            skipOption()
            try openArgument(.heading)
        case "footnote", "footnotetext", "endnote", "thanks":
            skipOption()
            skipSpace()
            if index < source.count, source[index] == UInt8(ascii: "{") {
                index += 1
                outer.append(text)
                text = []
                try open(.note)
            }
        case "caption":
            try endBlock()
            skipOption()
            try openArgument(.caption)
        case "item":
            try endBlock()
            skipSpace()
            skipOption()
        case "par", "newpage", "clearpage", "maketitle": try endBlock()
        case "verb": skipVerbatim()
        case "ldots", "dots": text.append(contentsOf: "\u{2026}".utf8)
        case "textendash": text.append(contentsOf: "\u{2013}".utf8)
        case "textemdash": text.append(contentsOf: "\u{2014}".utf8)
        case "ss": addLetter("ß")
        case "ae": addLetter("æ")
        case "oe": addLetter("œ")
        case "o": addLetter("ø")
        case "aa": addLetter("å")
        case "l": addLetter("ł")
        case "i", "j": addLetter(name)
        case "c", "v", "u", "H", "k", "r", "b", "d": dropBraces()
        case "LaTeX", "TeX": text.append(contentsOf: name.utf8)
        case _ where Self.withoutText.contains(name):
            skipOption()
            while skipArgument() { skipOption() }
        case "href", "textcolor", "color", "hyperref":
            skipOption()
            if name != "hyperref" { _ = skipArgument() }
        default:
            // What a command does is not known; the text in its braces is likely shown, its options are not.
            skipOption()
            if index < source.count, source[index] == 0x20 { index += 1 }
        }
        return true
    }

    private static let withoutText: Set<String> = [
        "label", "ref", "eqref", "pageref", "autoref", "cref", "Cref", "cite", "citep", "citet", "citeauthor", "citeyear", "nocite",
        "parencite", "textcite", "autocite", "footcite", "includegraphics", "input", "include", "bibliography", "bibliographystyle",
        "usepackage", "documentclass", "newcommand", "renewcommand", "providecommand", "def", "newenvironment", "setlength", "addtolength",
        "vspace", "hspace", "pagestyle", "thispagestyle", "index", "url", "graphicspath", "setcounter", "addtocounter", "definecolor",
        "hypersetup", "geometry", "tikzset", "addbibresource", "printbibliography", "today", "rule", "pagenumbering", "selectlanguage",
    ]

    private static let environmentsWithoutText: Set<String> = [
        "equation", "equation*", "align", "align*", "gather", "gather*", "multline", "multline*", "eqnarray", "eqnarray*", "math",
        "displaymath", "tikzpicture", "picture", "comment", "thebibliography", "filecontents", "filecontents*", "array", "pgfpicture",
    ]

    private mutating func beginEnvironment() throws(ReadingError) -> Bool {
        let name = argumentText()
        try endBlock()
        if Self.environmentsWithoutText.contains(name) {
            skip(to: name)
            return true
        }
        if ["verbatim", "verbatim*", "lstlisting", "minted", "Verbatim"].contains(name) {
            skipOption()
            let start = index
            skip(to: name)
            let end = max(start, index - name.utf8.count - 6)
            try builder.append(Array(source[start..<end]), at: .code)
            return true
        }
        guard environments.count < depthLimit else { throw .tooLarge(what: "environments nested deeper than \(depthLimit)") }
        let place: Place?
        switch name {
        case "itemize", "enumerate", "description": place = .listItem
        case "tabular", "tabular*", "tabularx", "longtable", "tabulary": place = .tableCell
        default: place = nil
        }
        environments.append((name, place))
        skipOption()
        // How columns look, how wide a box is.
        if place == .tableCell || name == "minipage" || name == "multicols" { while skipArgument() {} }
        return true
    }

    private mutating func endEnvironment() throws(ReadingError) -> Bool {
        let name = argumentText()
        try endBlock()
        if name == "document" { return false }
        if let last = environments.lastIndex(where: { $0.name == name }) { environments.removeSubrange(last...) }
        return true
    }

    private mutating func readSymbol() throws(ReadingError) {
        let symbol = source[index]
        index += 1
        switch symbol {
        case UInt8(ascii: "\\"):
            skipOption()
            if place == .tableCell { try endBlock() } else { text.append(0x0a) }
        case UInt8(ascii: "["): skip(past: "\\]")
        case UInt8(ascii: "("): skip(past: "\\)")
        case UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "^"), UInt8(ascii: "\""), UInt8(ascii: "~"), UInt8(ascii: "="),
            UInt8(ascii: "."):
            // An accent: its letter follows, and is a letter without it too.
            dropBraces()
        case UInt8(ascii: "-"), UInt8(ascii: "/"): break
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: " "), 0x0a: text.append(0x20)
        default: text.append(symbol)
        }
    }

    // Skipping

    private func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x40 }

    private func find(_ needle: String, from start: Int) -> Int? {
        let wanted = Array(needle.utf8)
        guard source.count >= wanted.count, start <= source.count - wanted.count else { return nil }
        return (start...(source.count - wanted.count)).first { source[$0] == wanted[0] && source[$0...].starts(with: wanted) }
    }

    private mutating func skipLine() {
        while index < source.count, source[index] != 0x0a { index += 1 }
        // The line end is part of the comment.
        if index < source.count { index += 1 }
        if isBlankLine() { index -= 1 }
    }

    private func isBlankLine() -> Bool {
        var at = index
        while at < source.count, source[at] == 0x20 || source[at] == 0x09 || source[at] == 0x0d { at += 1 }
        return at < source.count && source[at] == 0x0a
    }

    private mutating func skipSpace() {
        while index < source.count, source[index] == 0x20 || source[index] == 0x09 || source[index] == 0x0a { index += 1 }
    }

    private mutating func skipMath() {
        let isDisplay = index + 1 < source.count && source[index + 1] == UInt8(ascii: "$")
        index += isDisplay ? 2 : 1
        let start = index
        while index < source.count, source[index] != UInt8(ascii: "$") { index += source[index] == UInt8(ascii: "\\") ? 2 : 1 }
        // A dollar sign that nothing ends is no formula.
        if index >= source.count { index = start } else { index += isDisplay ? 2 : 1 }
    }

    private mutating func skip(past needle: String) { index = find(needle, from: index).map { $0 + needle.utf8.count } ?? source.count }

    private mutating func skip(to environment: String) { skip(past: "\\end{\(environment)}") }

    private mutating func skipVerbatim() {
        guard index < source.count else { return }
        let mark = source[index]
        let start = index + 1
        index = start
        while index < source.count, source[index] != mark, source[index] != 0x0a { index += 1 }
        text.append(contentsOf: source[start..<index])
        index = min(source.count, index + 1)
    }

    private mutating func skipOption() {
        while index < source.count, source[index] == UInt8(ascii: "["),
            let end = source[index...].prefix(4096).firstIndex(of: UInt8(ascii: "]"))
        {
            index = end + 1
        }
    }

    /// True where there was an argument in braces.
    private mutating func skipArgument() -> Bool {
        guard index < source.count, source[index] == UInt8(ascii: "{") else { return false }
        var depth = 0
        while index < source.count {
            switch source[index] {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: "\\"): index += 1
            default: break
            }
            index += 1
            if depth == 0 { return true }
        }
        index = min(index, source.count)
        return false
    }

    /// The plain text of an argument, e.g. the name of an environment.
    private mutating func argumentText() -> String {
        skipSpace()
        guard index < source.count, source[index] == UInt8(ascii: "{"),
            let end = source[index...].prefix(100).firstIndex(of: UInt8(ascii: "}"))
        else { return "" }
        defer { index = end + 1 }
        return String(decoding: source[(index + 1)..<end], as: UTF8.self)
    }

    private mutating func openArgument(_ place: Place) throws(ReadingError) {
        skipSpace()
        guard index < source.count, source[index] == UInt8(ascii: "{") else { return }
        index += 1
        try open(place)
    }

    private mutating func addLetter(_ letter: String) {
        text.append(contentsOf: letter.utf8)
        if index < source.count, source[index] == 0x20 { index += 1 }
    }

    /// The letter under an accent may stand in braces.
    private mutating func dropBraces() {
        skipSpace()
        guard index + 2 < source.count, source[index] == UInt8(ascii: "{"),
            let end = source[index...].prefix(8).firstIndex(of: UInt8(ascii: "}"))
        else { return }
        text.append(contentsOf: source[(index + 1)..<end].filter { $0 != UInt8(ascii: "\\") })
        index = end + 1
    }
}
