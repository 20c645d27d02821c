// SPDX-License-Identifier: Apache-2.0

/// How a program is started, as its `.desktop` file says (freedesktop.org's Desktop Entry Specification).
struct DesktopEntry: Equatable {
    /// Which app's links it takes, where the file says so.
    var app: String?
    /// It takes `daybook:` links.
    var takesLinks = false
    /// The words of its `Exec` line, with field codes.
    private var exec: [String] = []

    /// Nil where it starts nothing.
    init?(_ text: String) {
        var isEntry = false
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                isEntry = line == "[Desktop Entry]"
            } else if isEntry, let equals = line.firstIndex(of: "=") {
                let key = line[..<equals].trimmed
                let value = line[line.index(after: equals)...].trimmed
                switch key {
                case "Exec": exec = Self.words(value)
                case "X-Daybook-App": app = value
                case "MimeType": takesLinks = value.split(separator: ";").contains("x-scheme-handler/daybook")
                case "Hidden": if value == "true" { return nil }
                default: break
                }
            }
        }
        guard exec.first?.isEmpty == false else { return nil }
    }

    /// The words to start it with; the link takes the place of `%u`, or comes last.
    func command(opening link: String) -> [String] {
        var isGiven = false
        var words: [String] = []
        for word in exec {
            switch word {
            case "%u", "%U", "%f", "%F":
                if !isGiven { words.append(link) }
                isGiven = true
            // An icon, a name, the file itself: nothing that we have.
            case "%i", "%c", "%k", "%d", "%D", "%n", "%N", "%v", "%m": break
            default: words.append(word.replacing("%%", with: "%"))
            }
        }
        return isGiven ? words : words + [link]
    }

    /// Words by spaces; within double quotes a backslash takes the meaning of the next character away.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
                word = word ?? ""
            } else if character == " ", !isQuoted {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return words
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var text = self
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
