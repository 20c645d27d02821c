// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import ClassLists
import DaybookJSON
import Ledger
import ProgramTexts
import Reports

/// `daybook classes` and `daybook classes import`
enum ClassesCommand {
    static let command = Command(
        "classes", "[import DIR|ZIP]", summary: "my classes; for administrators, import class lists",
        explanation: """
            Without more: the classes you teach, are in, or see figures of, and who teaches them. 'import' reads a OneRoster export (1.1 or 1.2, CSV
            in bulk mode) and puts it in the place of all class lists that were imported before, in one step; what the configuration says of
            classes stays beside it. A list with a mistake changes nothing: each is named with file, line and what to do. For administrators;
            journaled.
            """,
        options: [
            OptionSpec("dry-run", short: "n", "say what would come of an import, and change nothing"),
            OptionSpec(
                "login", value: "COLUMN", "the column of users.csv that is the login here: username, identifier, email or sourcedId"),
            OptionSpec("name", value: "COLUMN", "the column of classes.csv that the class's folder is called by: classCode or title"),
        ],
        run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(0...2, "")
        guard let word = invocation.operand(0) else { return try list(invocation) }
        guard word == "import" else { throw CommandFailure.usage("'\(word)' is not known here; write 'classes import DIR'") }
        guard let path = invocation.operand(1) else { throw CommandFailure.usage("the folder or zip file of the export is missing") }
        return try load(path, invocation)
    }

    // MARK: The list

    private static func list(_ invocation: Invocation) throws -> ExitCode {
        let reply = try invocation.ask("org.daybook.Classroom.ListClasses")
        let classes = reply["classes"]?.arrayValue ?? []
        if invocation.isJSON {
            for school in classes { invocation.output.line(terminalSafe(school)) }
            return .good
        }
        if classes.isEmpty {
            invocation.output.line("You are in no class that Daybook knows.")
            return .good
        }
        for school in classes { invocation.output.write(text(school, invocation)) }
        return .good
    }

    private static func text(_ school: JSONValue, _ invocation: Invocation) -> String {
        func people(_ key: String) -> [String] {
            (school[key]?.arrayValue ?? []).map { person in
                let (login, name) = (person["login"]?.stringValue ?? "?", person["name"]?.stringValue ?? "")
                let until =
                    person["until"]?.stringValue.flatMap { WallTime(rfc3339: $0) }
                    .map { " until \(LocalTime.text.day(of: $0 - .seconds(60)))" } ?? ""
                return (name.isEmpty || name == login ? login : "\(name) (\(login))") + until
            }
        }
        let dot = invocation.style.isUTF8 ? " · " : " - "
        var head = [school["name"]?.stringValue ?? "?"]
        if let count = school["studentCount"]?.integerValue { head.append("\(count) student\(count == 1 ? "" : "s")") }
        if let count = school["assignments"]?.integerValue { head.append("\(count) assignment\(count == 1 ? "" : "s")") }
        if school["imported"]?.boolValue ?? false { head.append("imported") }
        if let role = school["role"]?.stringValue { head.append("you: \(role)") }
        var lines = [head.joined(separator: dot)]
        for (title, key) in [
            ("Teachers", "teachers"), ("Co-teachers", "coteachers"), ("Cover", "covers"), ("Coordinators", "coordinators"),
        ] {
            let names = people(key)
            if !names.isEmpty { lines.append("  \(title): " + names.joined(separator: "; ")) }
        }
        let students = people("students")
        if !students.isEmpty { lines.append("  Students: " + students.joined(separator: "; ")) }
        return lines.flatMap { wrapped($0, to: min(invocation.style.width, 100) - 1, indent: "    ") }
            .map { invocation.shown($0) + "\n" }.joined()
    }

    // MARK: Import

    /// Members in one message: far below what the server takes.
    private static let pieceSize = 500

    private static func load(_ path: String, _ invocation: Invocation) throws -> ExitCode {
        let isDryRun = invocation.arguments.has("dry-run")
        var options = OneRoster.Options(today: LocalTime.clock.civil(LocalTime.now).date)
        if let column = try invocation.choice("login", OneRoster.LoginColumn.self) { options.login = column }
        if let column = try invocation.choice("name", OneRoster.NameColumn.self) { options.name = column }
        let outcome = OneRoster.read(try RosterFiles.read(path), options: options)
        guard outcome.mistakes.isEmpty else {
            let shown = outcome.mistakes.prefix(CSVTable.mostMistakes).map { "  \($0)" }
            let more = outcome.mistakes.count - shown.count
            throw CommandFailure(
                "nothing was imported; the lists have mistakes:\n" + shown.joined(separator: "\n")
                    + (more > 0 ? "\n  and \(more) more" : ""))
        }
        let client = try invocation.connect()
        let pieces = outcome.list.pieces(of: pieceSize)
        var result: JSONValue = .null
        var next = 0
        repeat {
            // Small classes go together.
            var batch: [JSONValue] = []
            var members = 0
            while next < pieces.count, batch.isEmpty || members + pieces[next].size <= pieceSize {
                batch.append(pieces[next].json)
                members += max(1, pieces[next].size)
                next += 1
            }
            do {
                result =
                    try client.call(
                        "org.daybook.Classroom.ImportClasses",
                        [
                            "source": .string(outcome.list.source), "classes": .array(batch), "last": .bool(next == pieces.count),
                            "dryRun": .bool(isDryRun),
                        ])["result"] ?? .null
            } catch { throw invocation.explain(error) }
        } while next < pieces.count
        if invocation.isJSON {
            invocation.output.line(terminalSafe(result))
        } else {
            say(result, outcome, isDryRun: isDryRun, invocation)
        }
        return .good
    }

    private static func say(_ result: JSONValue, _ outcome: OneRoster.Outcome, isDryRun: Bool, _ invocation: Invocation) {
        let list = outcome.list
        func number(_ key: String) -> Int64 { result[key]?.integerValue ?? 0 }
        func names(_ key: String) -> [String] { (result[key]?.arrayValue ?? []).compactMap(\.stringValue) }
        var lines = [
            "\(isDryRun ? "Would import" : "Imported") \(grouped(number("classes"))) classes with \(grouped(number("people"))) people "
                + "(\(list.source))."
        ]
        for (title, key) in [("New", "added"), ("Not in the list any more", "removed")] where !names(key).isEmpty {
            lines.append("\(title): " + names(key).joined(separator: ", ") + ".")
        }
        if !outcome.leftOut.isEmpty { lines.append("Left out: " + outcome.leftOut.joined(separator: ", ") + ".") }
        let missing = names("withoutAccount")
        if !missing.isEmpty {
            let more = number("withoutAccountCount") - Int64(missing.count)
            lines.append(
                "No account here (getent passwd) has these logins, so nothing can be recorded of them: " + missing.joined(separator: ", ")
                    + (more > 0 ? " and \(grouped(more)) more" : "") + ". Is another column the login? See --login.")
        }
        if result["complete"]?.boolValue == false {
            lines.append("The directory service did not answer for everybody; who is missing is looked for again later.")
        }
        if isDryRun { lines.append("Nothing was changed.") }
        for line in lines.flatMap({ wrapped($0, to: min(invocation.style.width, 100) - 1) }) {
            invocation.output.line(invocation.shown(line))
        }
    }
}

extension ClassList.SchoolClass {
    fileprivate var size: Int { students.count + teachers.count + coteachers.count }
}
