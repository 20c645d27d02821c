// SPDX-License-Identifier: Apache-2.0

/// Writes a manual page in mdoc(7), which both mandoc and groff set. Whatever text it is given comes out as that text.
struct Mdoc {
    private(set) var text = ""

    /// mandoc asks for lines that fit a terminal.
    private static let lineLength = 78

    init(_ page: String, section: Int, date: String, summary: String) {
        macro(".Dd \(date)")
        macro(".Dt \(page.uppercased()) \(section)")
        macro(".Os")
        heading("NAME")
        macro(".Nm \(Self.word(page))")
        macro(".Nd \(Self.escaped(summary))")
    }

    mutating func heading(_ title: String) { macro(".Sh \(title)") }

    mutating func subheading(_ title: String) {
        let words = title.split(separator: " ").map { Self.word(String($0)) }.joined(separator: " ")
        // What closes a sentence or a bracket would be set apart as such.
        macro(".Ss \(words)" + (title.last?.isLetter == true ? "" : "\\&"))
    }

    mutating func macro(_ line: String) { text += line + "\n" }

    /// Running text: each sentence on lines of its own.
    mutating func sentences(_ words: String) {
        var line = ""
        var ends = false
        for word in words.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            let piece = Self.escaped(String(word))
            if ends || (!line.isEmpty && line.utf8.count + 1 + piece.utf8.count > Self.lineLength) {
                flush(&line)
            }
            line += line.isEmpty ? piece : " " + piece
            let bare = word.drop { $0 == "(" || $0 == "'" }.reversed().drop { $0 == ")" || $0 == "'" }
            ends = bare.first.map { ".!?".contains($0) } == true && !Self.abbreviations.contains(String(bare.reversed()))
        }
        flush(&line)
    }

    /// Paragraphs are parted by an empty line.
    mutating func paragraphs(_ words: String, first: Bool = true) {
        var isFirst = first
        for paragraph in words.split(separator: "\n\n") {
            if !isFirst { macro(".Pp") }
            isFirst = false
            sentences(String(paragraph))
        }
    }

    /// How a program or command is called: `[--config FILE] PERSON`.
    mutating func synopsis(_ name: String, _ forms: [String]) {
        for form in forms {
            macro(".Nm \(Self.word(name))")
            for line in Self.callMacros(form) { macro(line) }
        }
    }

    mutating func options(_ options: [OptionSpec]) {
        macro(".Bl -tag -width Ds")
        for option in options {
            let short = option.short.map { "Fl \($0) , " } ?? ""
            macro(".It \(short)Fl \(Self.word("-" + option.long))" + (option.value.map { " Ar \(Self.word($0))" } ?? ""))
            sentences(Self.asSentence(option.help))
        }
        macro(".El")
    }

    private mutating func flush(_ line: inout String) {
        // A line that begins with one of these would be taken for a command.
        if let first = line.first, first == "." || first == "'" { line = "\\&" + line }
        if !line.isEmpty { macro(line) }
        line = ""
    }

    private static let abbreviations: Set<String> = ["e.g.", "i.e.", "…"]

    /// Text in which nothing is a command.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            // Both as they are typed, not as the quotation marks and hyphens that they are set as.
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "-": result += "\\-"
            case "…": result += "\\&..."
            case "~": result += "\\(ti"
            case "^": result += "\\(ha"
            default: result.append(character)
            }
        }
        return result
    }

    /// A word on a line of commands, where two letters may be one, and quotation marks and stops have a meaning.
    static func word(_ text: String) -> String {
        let plain = escaped(text).replacing("\"", with: "\\(dq")
        let isMark = text.count == 1 && text.first?.isLetter == false && text != "…"
        return text.count == 2 || text.count == 3 || isMark ? "\\&" + plain : plain
    }

    private static func asSentence(_ help: String) -> String {
        guard let last = help.last, !".!?…".contains(last) else { return help }
        return help + "."
    }

    private static func callMacros(_ form: String) -> [String] {
        var lines: [String] = []
        var group = ""
        for token in form.split(separator: " ").map(String.init) {
            group += group.isEmpty ? token : " " + token
            let open = group.count { $0 == "[" } > group.count { $0 == "]" }
            if open { continue }
            let isOptional = group.hasPrefix("[") && group.hasSuffix("]")
            let inner = isOptional ? String(group.dropFirst().dropLast()) : group
            let parts = inner.split(separator: " ").map { part -> String in
                let text = String(part)
                if text == "|" { return "|" }
                if text == "…" { return "Ar ..." }
                if text.hasPrefix("--") { return "Fl \(word(String(text.dropFirst())))" }
                return (text.first?.isLowercase == true ? "Cm " : "Ar ") + word(text)
            }
            let line = parts.joined(separator: " ")
            lines.append(isOptional ? ".Op \(line)" : line == "|" ? ".No \\&|" : ".\(line)")
            group = ""
        }
        return lines
    }
}
