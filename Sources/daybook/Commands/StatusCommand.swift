// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookVarlink
import Reports

/// `daybook status`
enum StatusCommand {
    static let command = Command(
        "status", summary: "version, shares, watches and their limit, gaps, open sessions, queues",
        explanation: """
            How the server is: its version, what it watches and how well, where something may have been missed, what is going on. Others
            than administrators see no shares, limits and tests. 'daybook doctor' goes further and says what to do.
            """,
        run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(0...0, "")
        let status = try ask(invocation)
        if invocation.isJSON {
            invocation.output.line(terminalSafe(status.json))
        } else {
            for line in StatusText(status: status, style: invocation.style, time: LocalTime.text).lines { invocation.output.line(line) }
        }
        return .good
    }

    /// The server's status, for `doctor` too.
    static func ask(_ invocation: Invocation) throws(CommandFailure) -> ServerStatus {
        let reply = try invocation.ask("org.daybook.Reports.Status")
        guard let status = reply["status"].flatMap(ServerStatus.init(json:)) else {
            throw CommandFailure("the server's status cannot be read; it is of another version than this program (\(DaybookVersion.text))")
        }
        return status
    }
}
