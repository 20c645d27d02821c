// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import JournalStore
import Settings

/// `daybook verify [STATE-DIR]`
enum VerifyCommand {
    static let command = Command(
        "verify", "[STATE-DIR]", summary: "digests and chain of the journal, line by line",
        explanation: """
            Hashes the stored bytes of the journal and compares digests and chain, without a server and without changing anything. Says the
            first bad place, if any, and the last number and chain, which you may keep elsewhere to compare later. Without STATE-DIR it is
            the one of the configuration.
            """,
        options: [OptionSpec("config", short: "c", value: "FILE", "the server's configuration, where it is not /etc/daybook/config.toml")],
        run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(0...1, "")
        let folder = invocation.operand(0) ?? state(invocation)
        let result = JournalCheck.run(folder)
        if invocation.isJSON {
            invocation.output.line(terminalSafe(JSONValue.object(result.json)))
        } else {
            for line in result.text.split(separator: "\n") { invocation.output.line(invocation.shown(String(line))) }
        }
        return result.isGood ? .good : .failed
    }

    /// A configuration that cannot be read is `config check`'s affair: the usual place is tried.
    private static func state(_ invocation: Invocation) -> String {
        let file = invocation.arguments.value("config") ?? Settings.defaultPath
        return (try? Settings.load(file))?.server.state ?? Settings().server.state
    }
}
