// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookVarlink
import Glibc
import ProgramTexts
import Reports

/// `daybook export [PERSON] --out DIR`
enum ExportCommand {
    static let command = Command(
        "export", "[PERSON] --out DIR", summary: "everything that is kept of a person, as files",
        explanation: """
            Makes the folder DIR with everything that is kept of a person: 'page.txt' to read, and 'export.json' for programs, with each
            single piece of evidence, the results, who looked, the rule behind each figure, and how long it is kept. Without PERSON, of
            yourself; of others for administrators, and that is journaled, so that the person can see it.

            The files are made with your own rights, and only you can read them.
            """,
        options: [OptionSpec("out", short: "o", value: "DIR", "the folder to make; it must not be there yet")], run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(0...1, "")
        guard let folder = invocation.arguments.value("out"), !folder.isEmpty else {
            throw CommandFailure.usage("--out DIR is missing: the folder to make")
        }
        guard access(folder, F_OK) != 0 else {
            throw CommandFailure("\(invocation.shown(folder)) is there already; nothing is written over")
        }
        var report = JSONValue.null
        var parts: [JSONValue] = []
        var kept: [String] = []
        try invocation.askForMany("org.daybook.Reports.Export", object(["person": invocation.operand(0).map { .string($0) }])) {
            reply throws(CommandFailure) in
            if let value = reply["report"], value != .null { report = value }
            if let texts = reply["kept"]?.arrayValue { kept = texts.compactMap(\.stringValue) }
            parts += reply["parts"]?.arrayValue ?? []
        }
        let student = try invocation.read { try StudentReport(json: report) }
        let style = TextStyle(width: 100, isUTF8: true)
        var page = "Everything that Daybook keeps of \(student.name) (login \(student.person.login))\n\n"
        page += student.text(style, clock: LocalTime.clock)
        page += "\nHow long it is kept\n" + kept.map { "  " + $0 + "\n" }.joined()
        page += "\nEach single piece of evidence, with its time, is in export.json.\n"
        let whole: JSONValue = ["report": report, "kept": .array(kept.map { .string($0) }), "parts": .array(parts)]
        // Named first, so that nobody finds half of it under that name.
        let temporary = "\(folder).unfinished-\(getpid())"
        guard mkdir(temporary, 0o700) == 0 else { throw failure(folder) }
        guard write(page, to: temporary + "/page.txt"), write(whole.text + "\n", to: temporary + "/export.json"),
            rename(temporary, folder) == 0
        else {
            let failure = failure(folder)
            for name in ["page.txt", "export.json"] { _ = unlink("\(temporary)/\(name)") }
            _ = rmdir(temporary)
            throw failure
        }
        if invocation.isJSON {
            invocation.output.line(terminalSafe(["folder": .string(folder), "files": ["page.txt", "export.json"]]))
        } else {
            invocation.output.line(invocation.shown("\(folder): page.txt to read, export.json for programs."))
        }
        return .good
    }

    private static func failure(_ folder: String) -> CommandFailure {
        CommandFailure("\(folder) cannot be made: \(String(cString: strerror(errno)))")
    }

    private static func write(_ text: String, to path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        let bytes = Array(text.utf8)
        var position = 0
        while position < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress?.advanced(by: position), bytes.count - position) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            position += count
        }
        return fsync(file) == 0
    }
}
