// SPDX-License-Identifier: Apache-2.0
package import ClassLists

/// A key that cannot be used, with every mistake that was found.
package struct UnusableKey: Error, Equatable, CustomStringConvertible {
    package var mistakes: [ListMistake]

    package var description: String { mistakes.map(\.description).joined(separator: "\n") }
}

extension QuizKey {
    /// Beyond this many mistakes the rest is not said.
    static let mostMistakes = 20

    /// Reads the bytes of a key's file. `file` is its name: the ending says the form where the text leaves it open, and mistakes begin with it.
    package init(_ bytes: [UInt8], file: String) throws(UnusableKey) {
        func refuse(_ message: String, line: Int? = nil) -> UnusableKey {
            UnusableKey(mistakes: [ListMistake(file: file, line: line, message: message)])
        }
        guard bytes.count <= Self.longestFile else {
            throw refuse("is larger than \(Self.longestFile >> 10) KiB, so this is no key")
        }
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) { throw refuse("is UTF-16; save it as UTF-8") }
        let body = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
        guard !body.contains(0), let text = String(validating: body, as: UTF8.self) else {
            throw refuse("is not text in UTF-8; save it as plain text in UTF-8")
        }
        let lines = Lines.split(text)
        guard lines.contains(where: { !Lines.trimmed($0).isEmpty }) else { throw refuse("is empty") }
        guard let form = Self.form(of: lines, file: file) else {
            throw refuse("is no key in GIFT, Aiken or CSV: there is no answer in { }, no line 'ANSWER: B', and no first line 'id,answer'")
        }
        var mistakes: [ListMistake] = []
        var questions: [QuizQuestion]
        switch form {
        case .gift: questions = GIFTKey.read(lines, file: file, &mistakes)
        case .aiken: questions = AikenKey.read(lines, file: file, &mistakes)
        case .csv: questions = CSVKey.read(Array(body), file: file, &mistakes)
        }
        if questions.count > Self.mostQuestions {
            mistakes.append(
                ListMistake(
                    file: file, line: questions[Self.mostQuestions].line, message: "a key has at most \(Self.mostQuestions) questions"))
            questions = []
        } else if mistakes.isEmpty, !questions.contains(where: \.isScorable) {
            mistakes.append(ListMistake(file: file, line: nil, message: "has no question that a program can score"))
        }
        guard mistakes.isEmpty else { throw UnusableKey(mistakes: Array(mistakes.prefix(Self.mostMistakes))) }
        self.init(form: form, questions: questions)
    }

    /// The ending where it names a form; else what stands there.
    private static func form(of lines: [Substring], file: String) -> Form? {
        switch file.split(separator: ".").last.map({ $0.lowercased() }) {
        case "gift": return .gift
        case "aiken": return .aiken
        case "csv", "tsv": return .csv
        default: break
        }
        if lines.contains(where: { Lines.trimmed($0).hasPrefix("ANSWER:") }) { return .aiken }
        if lines.contains(where: { $0.contains("{") || $0.contains("}") }) { return .gift }
        let first = lines.first { !Lines.trimmed($0).isEmpty } ?? ""
        let names = first.split(whereSeparator: { ",;\t".contains($0) }).map { Lines.trimmed($0).lowercased() }
        if names.contains("id"), names.contains("answer") { return .csv }
        return lines.contains { Lines.trimmed($0).lowercased().hasPrefix("answer:") } ? .aiken : nil
    }
}

/// Lines of a text, with any line end.
enum Lines {
    static func split(_ text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    }

    static func trimmed(_ text: some StringProtocol) -> String {
        var view = Substring(text)
        while view.first?.isWhitespace == true { view.removeFirst() }
        while view.last?.isWhitespace == true { view.removeLast() }
        return String(view)
    }
}
