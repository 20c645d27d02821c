// SPDX-License-Identifier: Apache-2.0

/// A program without commands: how it is called and what its options are. Its `--help` and its manual page say the same.
package struct ProgramDescription: Sendable {
    package let name: String
    let summary: String
    /// What follows the name, one for each way to call it.
    let calls: [String]
    let explanation: String
    let options: [OptionSpec]
    let exitStatus: String
    let files: [(path: String, what: String)]
    /// Names of manual pages, with their sections.
    let related: [(page: String, section: Int)]

    /// The text of `--help`, without a line break at its end.
    package var help: String {
        var lines = calls.enumerated().flatMap { index, call in
            // The name is not parted from what follows it.
            Self.wrapped(call, to: Self.width - 8 - name.count).enumerated().map { line, text in
                let begin = index == 0 && line == 0 ? "usage: " : "       "
                return begin + (line == 0 ? name : String(repeating: " ", count: name.count)) + " " + text
            }
        }
        lines.append("")
        lines += Self.wrapped(explanation) + [""]
        let labels = options.map { option in
            (option.short.map { "-\($0), " } ?? "") + "--" + option.long + (option.value.map { " \($0)" } ?? "")
        }
        let width = labels.reduce(0) { max($0, $1.count) } + 4
        for (label, option) in zip(labels, options) {
            for (index, line) in Self.wrapped(option.help, to: Self.width - width).enumerated() {
                let left = index == 0 ? "  " + label : ""
                lines.append(left + String(repeating: " ", count: width - left.count) + line)
            }
        }
        return (lines + [""] + Self.wrapped(exitStatus)).joined(separator: "\n")
    }

    /// The page in mdoc(7), section 8.
    package func page(date: String) -> String {
        var page = Mdoc(name, section: 8, date: date, summary: summary)
        page.heading("SYNOPSIS")
        page.synopsis(name, calls)
        page.heading("DESCRIPTION")
        page.paragraphs(explanation)
        page.macro(".Pp")
        page.sentences("The options are as follows:")
        page.options(options)
        if !files.isEmpty {
            page.heading("FILES")
            page.files(files)
        }
        page.heading("EXIT STATUS")
        page.sentences(exitStatus)
        page.related(related)
        return page.text
    }

    private static let width = 79

    /// All of it is ASCII but for the ellipsis, so that characters are columns.
    private static func wrapped(_ text: String, to width: Int = ProgramDescription.width) -> [String] {
        var lines: [String] = []
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

extension Mdoc {
    mutating func files(_ files: [(path: String, what: String)]) {
        macro(".Bl -tag -width Ds")
        for file in files {
            macro(".It Pa \(Self.word(file.path))")
            sentences(file.what)
        }
        macro(".El")
    }

    mutating func related(_ pages: [(page: String, section: Int)]) {
        heading("SEE ALSO")
        for (index, page) in pages.enumerated() {
            // A name to look for, so as it is.
            macro(".Xr \(page.page) \(page.section)" + (index < pages.count - 1 ? " ," : ""))
        }
    }
}

extension ProgramDescription {
    package static func daybookd(configuration: String) -> ProgramDescription {
        ProgramDescription(
            name: "daybookd", summary: "infers how long students worked on what, from a file server's events",
            calls: ["[--config FILE] [--socket PATH] [--state DIR] [--analyzer PROGRAM]"],
            explanation:
                "Watches the shared folders and keeps the journal, in the foreground, until SIGTERM. SIGHUP reads the configuration again.",
            options: [
                OptionSpec("config", value: "FILE", "the configuration; \(configuration) without it"),
                OptionSpec("socket", value: "PATH", "listen here instead of server.socket"),
                OptionSpec("state", value: "DIR", "keep the journal here instead of in server.state"),
                OptionSpec(
                    "analyzer", value: "PROGRAM",
                    "daybook-analyze, where no analyzer service listens; beside this program without it"),
                OptionSpec("version", "print the version"),
                OptionSpec("help", short: "h", "print this"),
            ],
            exitStatus: "Exit status: 0 stopped as asked, 1 it could not start or go on, 2 wrong usage.",
            files: [
                (configuration, "The configuration."),
                ("/run/daybook/daybook.sock", "Where programs reach it."),
                ("/var/lib/daybook", "The journal and all else that it keeps."),
            ], related: [("daybook", 1), ("daybook-config", 5), ("daybook-analyze", 8)])
    }

    /// What one document may take where no option says it.
    package static let analyzeSeconds = 20
    package static let analyzeMegabytes = 1024

    package static var analyze: ProgramDescription {
        ProgramDescription(
            name: "daybook-analyze", summary: "measures documents: words, sentences, slides, readability",
            calls: ["[--json] [--only FIGURE,…] FILE …", "--fd N | --listen"],
            explanation: """
                Measures documents: words, sentences, slides, readability. Documents are read in processes that have no file system, no network, and
                little memory and time, so that a hostile document harms nothing; none reads files of two accounts.
                """,
            options: [
                OptionSpec("json", "one line of JSON for each file"),
                OptionSpec("only", value: "FIGURE,…", "these figures alone, e.g. total_word_count; nothing else is computed"),
                OptionSpec("key", value: "FILE", "score answers by this quiz key, in GIFT, Aiken or CSV"),
                OptionSpec("analyzer", value: "NAME", "this analyzer alone, e.g. docx; may be repeated"),
                OptionSpec(
                    "external", value: "JSON", "an external analyzer, {\"name\":…,\"command\":[…]}; daybook analyze --analyzer makes it"),
                OptionSpec("fd", value: "N", "serve the connected or listening socket that is descriptor N"),
                OptionSpec("listen", "serve the sockets that systemd passes (the default where it passes any)"),
                OptionSpec("check-sandbox", "try what a reading process must not do, and say what was refused"),
                OptionSpec("time-limit", value: "SECONDS", "for one document (\(analyzeSeconds))"),
                OptionSpec("memory-limit", value: "MB", "for one document (\(analyzeMegabytes))"),
                OptionSpec("help", short: "h", "print this"),
                OptionSpec("version", "print the version"),
            ],
            exitStatus: "Exit status: 0 all files measured, 1 at least one could not be, 2 wrong usage.", files: [],
            related: [("daybook", 1), ("daybookd", 8)])
    }
}
