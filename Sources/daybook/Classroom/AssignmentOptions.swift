// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Ledger
import ProgramTexts
import Quizzes
import Reports

/// The options by which assignments are made and changed, and what they mean in a call.
enum AssignmentOptions {
    static let dueHelp = "a day ('2026-03-14' means 23:59 of it) or a day and time ('2026-03-14 11:30')"

    static let common: [OptionSpec] = [
        OptionSpec("title", short: "t", value: "TEXT", "what students read"),
        OptionSpec("instructions", short: "i", value: "TEXT", "what is to be done; '@FILE' reads it from a file"),
        OptionSpec("due", short: "d", value: "WHEN", "when it is due: " + dueHelp),
        OptionSpec("from", value: "WHEN", "when it begins; until then only teachers see it, and nothing is recorded"),
        OptionSpec("target", value: "GOAL", "'500 words', '10 slides', '8 score', '10 questions' or '45 minutes'"),
        OptionSpec("key", value: "FILE", "answers are scored by this quiz key, in GIFT, Aiken or CSV; students never see it"),
        OptionSpec("analyzer", value: "NAME", repeats: true, "only this one measures its documents, e.g. docx; may stand several times"),
        OptionSpec("to", value: "STUDENT", repeats: true, "only for this student, by login or name; may stand several times"),
        OptionSpec("excuse", value: "STUDENT", repeats: true, "nothing is asked of this student; may stand several times"),
        OptionSpec("extend", value: "STUDENT=WHEN", repeats: true, "another due time for one student; may stand several times"),
        OptionSpec("reason", value: "TEXT", "why, for --extend; only teachers and that student see it"),
        OptionSpec("past", "a due time that has passed is meant"),
    ]
}

extension Invocation {
    func instant(_ option: String, dayMeansEnd: Bool) throws(CommandFailure) -> JSONValue? {
        guard let text = arguments.value(option) else { return nil }
        return .string(try dueTime(text, option: option, dayMeansEnd: dayMeansEnd).rfc3339)
    }

    /// A day alone is due at 23:59 of it, and begins at its first moment.
    private func dueTime(_ text: String, option: String, dayMeansEnd: Bool) throws(CommandFailure) -> WallTime {
        let today = LocalTime.clock.civil(LocalTime.now).date
        let day: CivilDate? =
            switch text {
            case "today": today
            case "tomorrow": CivilDate(daysSince1970: today.daysSince1970 + 1)
            default: text.utf8.count == 10 ? CivilDate(prefixOf: text) : nil
            }
        if let day { return dayMeansEnd ? LocalTime.clock.endOfDay(day) : LocalTime.clock.startOfDay(day) }
        // `2h` means two hours ago where the past is asked for; nobody means that here.
        guard text.contains(":"), let instant = TimeArgument.read(text, now: LocalTime.now) else {
            throw .usage("--\(option) does not understand '\(text)'; write \(AssignmentOptions.dueHelp)")
        }
        return instant
    }

    func target() throws(CommandFailure) -> JSONValue? {
        guard let text = arguments.value("target") else { return nil }
        let words = text.split(separator: " ")
        let known = AssignmentLimits.targets.map(\.word)
        guard words.count == 2, let value = Double(words[0]), value > 0, value.isFinite,
            let target = AssignmentLimits.targets.first(where: { $0.word == words[1] || $0.word == words[1] + "s" })
        else { throw .usage("--target does not understand '\(text)'; write a number above 0 and one of \(known.joined(separator: ", "))") }
        return ["identifier": .string(target.identifier), "value": .number(value)]
    }

    /// The key's text, for the server to keep; its path says the form, and whether students can read it.
    func key() throws(CommandFailure) -> JSONValue? {
        guard let path = arguments.value("key") else { return nil }
        return ["path": .string(serverPath(path)), "text": .string(try FileText.read(path, limit: QuizKey.longestFile))]
    }

    func analyzers() -> JSONValue? { arguments.has("analyzer") ? names("analyzer") : nil }

    func deadlines() throws(CommandFailure) -> JSONValue {
        let reason = arguments.value("reason") ?? ""
        var list: [JSONValue] = []
        for text in arguments.values("extend") {
            guard let equals = text.lastIndex(of: "="), equals != text.startIndex else {
                throw .usage("--extend needs a student and a day, such as berg=2026-03-20, not '\(text)'")
            }
            let due = try dueTime(String(text[text.index(after: equals)...]), option: "extend", dayMeansEnd: true)
            list.append(["person": .string(String(text[..<equals])), "due": .string(due.rfc3339), "reason": .string(reason)])
        }
        if list.isEmpty, arguments.has("reason") { throw .usage("--reason goes with --extend") }
        return .array(list)
    }

    func instructions() throws(CommandFailure) -> JSONValue? {
        guard let text = arguments.value("instructions") else { return nil }
        guard text.hasPrefix("@") else { return .string(text) }
        return .string(try FileText.read(String(text.dropFirst()), limit: 64 << 10))
    }

    func names(_ option: String) -> JSONValue { .array(arguments.values(option).map { .string($0) }) }

    /// Students, one for each time that the option stands there. `Berg, Jonas` is one.
    func students(_ option: String) throws(CommandFailure) -> JSONValue {
        for text in arguments.values(option) {
            let parts = text.split(separator: ",")
            guard parts.count > 1, !parts.dropFirst().contains(where: { $0.hasPrefix(" ") }) else { continue }
            throw .usage("--\(option) takes one student; write \(parts.map { "--\(option) \($0)" }.joined(separator: " "))")
        }
        return names(option)
    }

    /// Reads the assignment that a call answers with, and prints it.
    func printAssignment(_ reply: JSONObject) throws(CommandFailure) {
        let detail = try detail(reply)
        if isJSON {
            output.line(terminalSafe(detail.json))
        } else {
            output.write(detail.text(style, clock: LocalTime.clock, now: LocalTime.now))
        }
    }

    func detail(_ reply: JSONObject) throws(CommandFailure) -> AssignmentDetail {
        try read { try AssignmentDetail(json: reply["assignment"] ?? .null) }
    }

    /// A path as the server needs it: absolute, with bytes that are no UTF-8 escaped.
    func serverPath(_ path: String) -> String {
        let typed = TypedWords.bytes(of: path)
        let whole = typed.first == PathBytes.slash ? typed : Array((WorkingFolder.path ?? "").utf8) + [PathBytes.slash] + typed
        let parts = PathBytes(bytes: whole).components.reduce(into: [ArraySlice<UInt8>]()) { parts, name in
            if name.elementsEqual("..".utf8) { _ = parts.popLast() } else if !name.elementsEqual(".".utf8) { parts.append(name) }
        }
        return "/" + parts.reduce(PathBytes.root) { $0.appending($1) }.text
    }
}
