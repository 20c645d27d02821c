// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import ProgramTexts
import Reports

/// `daybook assign [TITLE]`
enum AssignCommand {
    static let command = Command(
        "assign", "[TITLE]", summary: "set an assignment; with --copy, each student gets a copy of a file",
        explanation: """
            Sets an assignment for a class. Without --folder its folder is made in the class's folder and named by due day and title; with it, the
            folder you name is (or becomes) the assignment. Work in it is recorded from then on, or from --from. --copy puts one copy of a file
            where each student works, --shared one for all; this is done by you, with your rights, so that the student and the teachers
            of the class can write. Copies are made whole or not at all, and while they are made it is a draft. For the teachers of the class;
            journaled.
            """,
        options: [
            OptionSpec("class", short: "c", value: "CLASS", "the class; may be left out where --folder says it"),
            OptionSpec("folder", value: "PATH", "the assignment's folder: the one at {assignment} of a share's layout"),
        ] + AssignmentOptions.common + [
            OptionSpec("draft", "only teachers see it, until 'assignment change --publish'"),
            OptionSpec("copy", value: "FILE", "one copy of this file for each student"),
            OptionSpec("shared", value: "FILE", "one copy of this file for all of them"),
            OptionSpec("bookmark", value: "N", "what it begins from is this bookmark of yours"),
            OptionSpec("document", value: "PATH", repeats: true, "what it begins from, named only, not copied; may stand several times"),
            OptionSpec(
                "context", value: "APP/A/B", "a program's content: what that program reports of it is recorded (see 'daybook open')"),
        ], run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(0...1, "")
        let arguments = invocation.arguments
        if invocation.operand(0) != nil, arguments.has("title") { throw CommandFailure.usage("the title stands there twice") }
        guard
            let title = invocation.operand(0) ?? arguments.value("title")
                ?? (arguments.has("folder") || arguments.has("bookmark") ? "" : nil)
        else { throw CommandFailure.usage("the assignment's title is missing") }
        guard arguments.has("class") || arguments.has("folder") else { throw CommandFailure.usage("which class? write --class CLASS") }
        if arguments.has("copy"), arguments.has("shared") { throw CommandFailure.usage("either --copy or --shared") }
        let (materials, bookmarked) = try materials(invocation)
        let name = title.isEmpty ? bookmarked ?? "" : title
        // What cannot be copied is found before anything is set.
        let template = try (arguments.value("copy") ?? arguments.value("shared")).map { try Template(path: $0) }
        let isDraft = arguments.has("draft")
        let assignment = object([
            "title": name.isEmpty ? nil : .string(name), "class": arguments.value("class").map { .string($0) },
            "folder": arguments.value("folder").map { .string(invocation.serverPath($0)) },
            "due": try invocation.instant("due", dayMeansEnd: true), "opens": try invocation.instant("from", dayMeansEnd: false),
            "draft": .bool(isDraft || template != nil), "instructions": try invocation.instructions(),
            "students": arguments.has("to") ? try invocation.students("to") : nil, "excused": try invocation.students("excuse"),
            "deadlines": try invocation.deadlines(), "target": try invocation.target(), "materials": materials,
            "key": try invocation.key(), "analyzers": invocation.analyzers(), "past": .bool(arguments.has("past")),
        ])
        let made = try invocation.ask("org.daybook.Classroom.Assign", ["assignment": .object(assignment)])
        guard let template else {
            try undoing(made, invocation) { detail throws(CommandFailure) in try AssignmentFolder.make(detail) }
            try invocation.printAssignment(made)
            return .good
        }
        let detail = try invocation.detail(made)
        let copies = TemplateCopies(template: template, assignment: detail, isShared: arguments.has("shared"))
        let root = try undoing(made, invocation) { detail throws(CommandFailure) in
            let root = try AssignmentFolder.open(detail)
            try copies.checkRoom(in: root)
            return root
        }
        let outcome = try copies.make(in: root, invocation)
        let again =
            "daybook assignment copy \(shellQuoted(detail.id.text)) \(shellQuoted(template.path))" + (copies.isShared ? " --shared" : "")
        guard outcome.isComplete, !isDraft else {
            outcome.say(invocation, again: again, isDraft: !outcome.isComplete || isDraft)
            if outcome.isComplete { try invocation.printAssignment(made) }
            return outcome.isComplete ? .good : .failed
        }
        outcome.say(invocation, again: again, isDraft: false)
        let change: JSONValue = [
            "title": .null, "due": .null, "opens": .null, "instructions": .null, "students": .null, "excuse": [], "unexcuse": [],
            "deadlines": [], "target": .null, "materials": .null, "publish": true, "clear": [], "past": true,
        ]
        try invocation.printAssignment(
            try invocation.ask(
                "org.daybook.Classroom.ChangeAssignment", ["assignment": .string(detail.id.text), "edition": .null, "change": change]))
        return .good
    }

    /// Does what must succeed for the assignment to be one; where it does not, the assignment is taken back, so that nothing is set by halves.
    private static func undoing<Result: ~Copyable>(
        _ made: JSONObject, _ invocation: Invocation, _ body: (AssignmentDetail) throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
        let detail = try invocation.detail(made)
        do {
            return try body(detail)
        } catch {
            _ = try invocation.ask(
                "org.daybook.Classroom.EndAssignment", ["assignment": .string(detail.id.text), "edition": .null, "delete": true])
            throw CommandFailure("'\(detail.title)' was not set: \(error.message)", code: error.code)
        }
    }

    /// What it begins from, and the title of a bookmark.
    private static func materials(_ invocation: Invocation) throws -> (JSONValue, String?) {
        var materials: [JSONValue] = invocation.arguments.values("document").map {
            ["document": .string(invocation.serverPath($0)), "context": .null]
        }
        if let path = invocation.arguments.value("context") { materials.append(try BookmarkCommand.context(path)) }
        guard let text = invocation.arguments.value("bookmark") else { return (.array(materials), nil) }
        let bookmark = try BookmarkCommand.bookmark(text, invocation)
        materials.append(bookmark["material"] ?? .null)
        return (.array(materials), bookmark["title"]?.stringValue)
    }
}

/// A word as a shell takes it.
func shellQuoted(_ text: String) -> String {
    let typed = TypedWords.bytes(of: text)
    // What is not UTF-8 in the form that bash and zsh have for it.
    guard String(validating: typed, as: UTF8.self) != nil else {
        let parts = typed.map { byte in
            (0x20..<0x7f).contains(byte) && byte != 0x27 && byte != 0x5c ? String(Unicode.Scalar(byte)) : "\\x" + hex(byte)
        }
        return "$'" + parts.joined() + "'"
    }
    let plain = text.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || "-_./:@%+,".utf8.contains(byte)
    }
    return plain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
}

private func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
