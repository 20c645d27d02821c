// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookVarlink
import Glibc
import ProgramTexts
import Reports

/// `daybook recording on|off|pause [PERSON]`
enum RecordingCommand {
    static let command = Command(
        "recording", "on|off|pause [PERSON]", summary: "switch recording, for all or for one person; journaled",
        explanation: """
            Switches recording, for everybody or for one person. For administrators. The switch, when and by whom, is an entry of the
            journal. 'off' and 'pause' both stop recording at once; 'pause' says that it is meant to go on.

            'off' for one person also takes what was recorded of their work out of the journal, for good, so it asks first. Switched on
            again, they begin anew. 'pause PERSON' and 'off' for everybody leave what there is.
            """,
        options: [OptionSpec("yes", short: "y", "do not ask before what was recorded of PERSON is emptied")], run: run)

    private static let states: [String: ServerStatus.RecordingState] = ["on": .on, "off": .off, "pause": .paused]

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(1...2, "on, off or pause")
        let word = invocation.arguments.operands[0]
        guard let state = states[word] else { throw CommandFailure.usage("'\(word)' is none of on, off and pause") }
        let person = invocation.operand(1)
        if state == .off, let person, !invocation.arguments.has("yes") {
            try invocation.confirm("what was recorded of \(invocation.shown(person))", naming: person, instead: "'pause' to keep it")
        }
        let reply = try invocation.ask(
            "org.daybook.Reports.SetRecording", object(["state": .string(state.rawValue), "person": person.map { .string($0) }]))
        if invocation.isJSON {
            invocation.output.line((reply["recording"] ?? .null).text)
        } else {
            let whose = person.map { " for \(invocation.shown($0))" } ?? ""
            let emptied = state == .off && person != nil ? " What was recorded of their work is emptied." : ""
            let now = reply["recording"].flatMap(ServerStatus.Recording.init(json:))
            let waits = person == nil && state == .on && now?.state == .paused
            let until = now?.until.flatMap { WallTime(rfc3339: $0) }.map { " \(LocalTime.text.dayAndTime($0))" } ?? " when school begins"
            invocation.output.line(
                waits
                    ? "Recording is switched on, for school hours only: it is paused now, and goes on by itself\(until)."
                    : "Recording is \(state.rawValue)\(whose).\(emptied)")
        }
        return .good
    }
}

extension Invocation {
    /// Asks before something is emptied for good; whoever goes on types a name again. Throws where nobody is there to be asked.
    func confirm(_ what: String, naming name: String, instead: String) throws(CommandFailure) {
        guard isatty(STDIN_FILENO) == 1, !isJSON else {
            throw .usage("this empties \(what), for good, and nobody is here to ask: give --yes, or \(instead)")
        }
        output.write("\(what.prefix(1).uppercased() + what.dropFirst()) is emptied, for good. Type the name again to go on: ")
        output.flush()
        guard readLine() == name else { throw CommandFailure("not confirmed; nothing was changed") }
    }
}
