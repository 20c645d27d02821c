// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import DaybookVarlink
import Glibc
import ProgramTexts
import Reports

/// `daybook live CLASS`
enum LiveCommand {
    static let command = Command(
        "live", "CLASS", summary: "who is working on what now; where the school has it on",
        explanation: """
            Who of a class is seen working on an assignment at this moment, anew whenever that changes, until Ctrl-C; once where the output is
            no terminal. For the teachers of the class only, in school hours only, and only where the configuration has 'enabled = true' under
            [live]. That you look is journaled, and the students can see it.
            """,
        options: [OptionSpec("once", "as it is now, and no more")], run: run)

    /// How often the minutes on the screen go on while nothing changes.
    private static let redraw = Duration.seconds(30)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(1...1, "the class")
        let parameters: JSONObject = ["class": .string(invocation.arguments.operands[0])]
        let once = invocation.arguments.has("once") || (!invocation.terminal.isTerminal && !invocation.isJSON)
        if once {
            show(try read(try invocation.ask("org.daybook.Reports.Live", parameters), invocation), invocation, clears: false)
            return .good
        }
        let client = try invocation.connect()
        do {
            try client.start("org.daybook.Reports.Live", parameters)
            var picture: LiveClass?
            while true {
                guard let reply = try client.receive(within: picture == nil || invocation.isJSON ? nil : redraw) else {
                    // Nothing is new but the clock.
                    if let picture { show(picture, invocation, clears: true) }
                    continue
                }
                let new = try read(reply.parameters, invocation)
                picture = new
                show(new, invocation, clears: invocation.terminal.isTerminal)
                if !reply.continues { return .good }
            }
        } catch let failure as DaemonClient.Failure {
            throw invocation.explain(failure)
        }
    }

    private static func read(_ reply: JSONObject, _ invocation: Invocation) throws(CommandFailure) -> LiveClass {
        try invocation.read { try LiveClass(json: reply["live"] ?? .null) }
    }

    private static func show(_ picture: LiveClass, _ invocation: Invocation, clears: Bool) {
        if invocation.isJSON {
            invocation.output.line(terminalSafe(picture.json))
        } else {
            // To the upper left, and what stood there goes.
            if clears { invocation.output.write("\u{1b}[H\u{1b}[2J") }
            invocation.output.write(picture.text(invocation.style, clock: LocalTime.clock, now: LocalTime.now))
        }
        invocation.output.flush()
    }
}
