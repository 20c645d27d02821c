// SPDX-License-Identifier: Apache-2.0

/// The manual page of the configuration, from the example in which every key stands with its default below what it means.
package struct ConfigurationManual: Sendable {
    private let example: String
    private let path: String

    /// `example` is the text of config.example.toml, `path` where the server looks for its own.
    package init(example: String, path: String) {
        self.example = example
        self.path = path
    }

    /// In mdoc(7), section 5.
    package func page(date: String) -> String {
        var page = Mdoc("daybook-config", section: 5, date: date, summary: "the configuration of the Daybook server")
        page.heading("SYNOPSIS")
        page.macro(".Pa \(Mdoc.word(path))")
        page.heading("DESCRIPTION")
        page.sentences("A file in TOML 1.0. Every key is shown with its default; what is not written has it.")
        var comments: [String] = []
        var literal: [[Substring]] = []
        var inList = false
        func close() {
            if inList { page.macro(".El") }
            inList = false
        }
        let lines: [Substring] = example.split(separator: "\n", omittingEmptySubsequences: false) + [""]
        for line in lines {
            if line.hasPrefix("#") {
                let text = line.drop { $0 == "#" }
                let indented = text.drop { $0 == " " }
                switch text.count - indented.count {
                case ..<3: comments.append(String(text))
                case 3...8: literal.append(Self.columns(indented))
                // The second column of the row before.
                default: literal.indices.last.map { literal[$0].append(indented) }
                }
            } else if line.hasPrefix("[") {
                close()
                page.subheading(String(line))
                page.sentences(comments.joined(separator: " "))
                comments = []
            } else if line.contains("=") {
                if !inList { page.macro(".Bl -tag -width Ds") }
                inList = true
                page.macro(".It Li \(line.split(separator: " ").map { Mdoc.word(String($0)) }.joined(separator: " "))")
                page.sentences(comments.joined(separator: " "))
                comments = []
            } else if line.isEmpty, !comments.isEmpty || !literal.isEmpty {
                let text = comments.filter { !$0.contains("SPDX") }.joined(separator: " ")
                if !inList, !text.isEmpty { page.macro(".Pp") }
                page.sentences(text)
                Self.add(rows: literal, to: &page)
                comments = []
                literal = []
            }
        }
        close()
        page.related([("daybook", 1), ("daybookd", 8)])
        return page.text
    }

    /// The two columns of a row, parted by several spaces.
    private static func columns(_ line: Substring) -> [Substring] {
        guard let gap = line.firstRange(of: "  ") else { return [line] }
        return [line[..<gap.lowerBound], line[gap.upperBound...].drop { $0 == " " }]
    }

    /// What stands in two columns: what to write, and what it does.
    private static func add(rows: [[Substring]], to page: inout Mdoc) {
        guard !rows.isEmpty else { return }
        page.macro(".Bl -tag -width Ds")
        for row in rows {
            guard let first = row.first else { continue }
            page.macro(".It Li \(first.split(separator: " ").map { Mdoc.word(String($0)) }.joined(separator: " "))")
            page.sentences(row.dropFirst().joined(separator: " "))
        }
        page.macro(".El")
    }
}
