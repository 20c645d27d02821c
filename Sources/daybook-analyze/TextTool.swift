// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import CDaybookLinux
import DaybookLinux
import Glibc

/// A program of Debian's that makes text of documents whose words we do not read ourselves. Its output is as hostile as the document.
struct TextTool {
    let formats: [String]
    /// The program, and its arguments but for the document.
    let program: String
    let arguments: [String]
    var lastArguments: [String] = []
    /// What to install to have it.
    let package: String

    static let all = [
        TextTool(
            formats: ["pdf"], program: "/usr/bin/pdftotext", arguments: ["-q", "-enc", "UTF-8", "-eol", "unix"], lastArguments: ["-"],
            package: "poppler-utils"),
        TextTool(formats: ["doc"], program: "/usr/bin/catdoc", arguments: ["-d", "utf-8", "-w"], package: "catdoc"),
        TextTool(formats: ["ppt"], program: "/usr/bin/catppt", arguments: ["-d", "utf-8"], package: "catdoc"),
        TextTool(formats: ["xls"], program: "/usr/bin/xls2csv", arguments: ["-d", "utf-8", "-c", "\t", "-q", "0"], package: "catdoc"),
        TextTool(formats: ["pages"], program: "/usr/bin/pages2text", arguments: [], package: "libetonyek-tools"),
        TextTool(formats: ["key"], program: "/usr/bin/key2text", arguments: [], package: "libetonyek-tools"),
        TextTool(formats: ["numbers"], program: "/usr/bin/numbers2text", arguments: [], package: "libetonyek-tools"),
    ]

    static let identifiers = ["total_word_count", "character_count"]

    /// The one for a document whose words are missing; nil where none is needed or none can help.
    static func wanted(for measurement: Measurement) -> TextTool? {
        guard measurement.error == nil, let format = measurement.format,
            !measurement.items.contains(where: { $0.identifier == identifiers[0] }),
            measurement.notes.contains(where: { $0.identifier == identifiers[0] })
        else { return nil }
        return all.first { $0.formats.contains(format) }
    }

    var name: String { program.split(separator: "/").last.map(String.init) ?? program }
    var isInstalled: Bool { access(program, X_OK) == 0 }
    var command: [String] { [program] + arguments + ["/proc/self/fd/3"] + lastArguments }
}

/// A tool at work: what it makes goes into memory of ours.
struct TextToolRun: WorkerProgram {
    /// Bytes of text; beyond that it is ended.
    static let textLimit = 32 << 20

    let sandbox: ProgramSandbox
    let tool: TextTool
    let limits: WorkerLimits
    /// Borrowed until it has ended.
    let output: Int32

    var seconds: Int { limits.seconds }
    var replyLimit: Int { 0 }
    var isForeign: Bool { true }

    func live(document: Int32, reply: Int32, requests: Int32) -> Never {
        sandbox.execute(
            tool.command, reply: output, document: document,
            limits: .init(seconds: limits.seconds, megabytes: limits.megabytes, processes: 1, output: Self.textLimit))
    }

    /// Why there is no text; nil where there is.
    func failure(_ end: WorkerEnd) -> String? {
        if end.signal == SIGXFSZ { return "\(tool.name) makes more than \(Self.textLimit >> 20) MB of text of it" }
        return ProgramFate.reason(end, seconds: limits.seconds, program: tool.program).map { "\(tool.name) could not read it: \($0)" }
    }
}

extension Measurement {
    /// The words that a tool's text has, in place of why there were none.
    mutating func addText(_ text: Measurement, by tool: TextTool) {
        let found = text.items.filter { TextTool.identifiers.contains($0.identifier) }
        guard text.error == nil, !found.isEmpty else {
            return missText("\(tool.name) made no text of it that can be counted: \(text.error ?? text.notes.first?.reason ?? "")")
        }
        guard found.contains(where: { $0.value != .quantity(0) }) else {
            return missText(
                format == "pdf" ? "there is no text in it: perhaps its pages are pictures" : "\(tool.name) found no text in it")
        }
        notes.removeAll { note in TextTool.identifiers.contains(note.identifier) }
        items.insert(contentsOf: found.map { Item(identifier: $0.identifier, title: $0.title, value: $0.value, method: .estimated) }, at: 0)
    }

    /// Says why there is no text.
    mutating func missText(_ reason: String) {
        for index in notes.indices where TextTool.identifiers.contains(notes[index].identifier) { notes[index].reason = reason }
    }
}
