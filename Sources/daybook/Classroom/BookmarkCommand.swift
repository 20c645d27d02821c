// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import ProgramTexts
import Reports

/// `daybook bookmark add|list|remove`
enum BookmarkCommand {
    static let command = Command(
        "bookmark", "add FILE | add --context APP/A/B | list | remove N", summary: "remember a document to assign later",
        explanation: """
            For teachers. 'add' remembers a document, or a piece of a program's content by the program's own names for it. 'list' shows yours with
            their numbers; 'daybook assign --bookmark N' sets an assignment that begins from one. Nobody else sees them.
            """,
        options: [
            OptionSpec("title", short: "t", value: "TEXT", "what to call it; the file's name if it is not given"),
            OptionSpec("context", value: "APP/A/B", "a program's content, with slashes between the levels"),
        ], run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(0...2, "")
        switch invocation.operand(0) ?? "list" {
        case "list":
            try invocation.requireOperands(0...1, "")
            let bookmarks = try list(invocation)
            if invocation.isJSON {
                for bookmark in bookmarks { invocation.output.line(terminalSafe(bookmark)) }
            } else if bookmarks.isEmpty {
                invocation.output.line("You have no bookmarks; 'daybook bookmark add FILE' makes one.")
            } else {
                for bookmark in bookmarks { invocation.output.line(invocation.shown(line(bookmark))) }
            }
        case "add":
            let reply = try invocation.ask(
                "org.daybook.Classroom.CreateBookmark",
                object(["title": invocation.arguments.value("title").map { .string($0) }, "material": try material(invocation)]))
            let bookmark = reply["bookmark"] ?? .null
            invocation.output.line(invocation.isJSON ? terminalSafe(bookmark) : invocation.shown(line(bookmark)))
        case "remove":
            guard let number = invocation.operand(1).flatMap({ Int64($0) }) else {
                throw CommandFailure.usage("the bookmark's number is missing")
            }
            _ = try invocation.ask("org.daybook.Classroom.RemoveBookmark", ["number": .integer(number)])
        case let word: throw CommandFailure.usage("'\(word)' is none of add, list and remove")
        }
        return .good
    }

    private static func material(_ invocation: Invocation) throws -> JSONValue {
        switch (invocation.operand(1), invocation.arguments.value("context")) {
        case (let file?, nil): return ["document": .string(invocation.serverPath(file)), "context": .null]
        case (nil, let path?): return try context(path)
        default: throw CommandFailure.usage("name a file, or a program's content with --context")
        }
    }

    static func context(_ text: String) throws(CommandFailure) -> JSONValue {
        guard let name = ContextName(text) else {
            throw .usage(
                "--context does not understand '\(text)'; write APP/A/B, of at most \(Material.contextLevels) names, or daybook://APP/A/B with "
                    + "names percent-encoded")
        }
        guard name.path.allSatisfy({ $0.count <= Material.contextLength }) else {
            throw .usage("--context takes names of at most \(Material.contextLength) characters each")
        }
        return ["document": .null, "context": .array(name.path.map { .string($0) })]
    }

    private static func list(_ invocation: Invocation) throws -> [JSONValue] {
        try invocation.ask("org.daybook.Classroom.ListBookmarks")["bookmarks"]?.arrayValue ?? []
    }

    private static func line(_ bookmark: JSONValue) -> String {
        let number = String(bookmark["number"]?.integerValue ?? 0)
        let what = bookmark["material"].flatMap { Material(json: $0) }?.text ?? "?"
        return padded(number, to: 4, right: true) + "  " + (bookmark["title"]?.stringValue ?? "?") + "  " + what
    }

    /// One of the caller's, by its number.
    static func bookmark(_ number: String, _ invocation: Invocation) throws -> JSONValue {
        guard let wanted = Int64(number) else {
            throw CommandFailure.usage("--bookmark needs a number; 'daybook bookmark list' shows them")
        }
        guard let found = try list(invocation).first(where: { $0["number"]?.integerValue == wanted }) else {
            throw CommandFailure("you have no bookmark \(number); 'daybook bookmark list' shows yours")
        }
        return found
    }
}
