// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import DaybookVarlink

/// `daybook recording on|off|pause [PERSON]`
enum RecordingCommand {
    static let command = Command(
        "recording", "on|off|pause [PERSON]", summary: "switch recording, for all or for one person; journaled",
        explanation: """
            Switches recording, for everybody or for one person. For administrators. The switch, when and by whom, is an entry of the
            journal. 'off' and 'pause' both stop recording at once; 'pause' says that it is meant to go on.
            """,
        run: run)

    private static let states: [String: ServerStatus.RecordingState] = ["on": .on, "off": .off, "pause": .paused]

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(1...2, "on, off or pause")
        let word = invocation.arguments.operands[0]
        guard let state = states[word] else { throw CommandFailure.usage("'\(word)' is none of on, off and pause") }
        let person = invocation.operand(1)
        let reply = try invocation.ask(
            "org.daybook.Reports.SetRecording", object(["state": .string(state.rawValue), "person": person.map { .string($0) }]))
        if invocation.isJSON {
            invocation.output.line((reply["recording"] ?? .null).text)
        } else {
            let whose = person.map { " for \(invocation.shown($0))" } ?? ""
            invocation.output.line("Recording is \(state.rawValue)\(whose).")
        }
        return .good
    }
}
