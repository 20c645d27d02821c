// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import DaybookVarlink
import JournalStore
import ProgramTexts
import Settings

/// `daybook backup DIR`
enum BackupCommand {
    static let command = Command(
        "backup", "DIR", summary: "a copy of the journal, also while the server runs",
        explanation: """
            Copies the journal into the new folder DIR, up to the last entry that the server has acknowledged, flushes the copy to its disk,
            reads it back and verifies it. DIR is there once all of that has succeeded, and not before. The key that signs checkpoints is
            not copied.

            To restore: stop the server, move its state directory aside, copy DIR to its place with the owner of the old one, start the
            server. The journal then goes on with the number after the backup's last entry; 'daybook verify --since' with a newer
            checkpoint says what is missing.
            """,
        options: [
            OptionSpec("state", value: "DIR", "the state directory, where it is not that of the configuration"),
            OptionSpec("config", short: "c", value: "FILE", "the server's configuration, where it is not /etc/daybook/config.toml"),
        ],
        run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(1...1, "the folder to make")
        let target = invocation.operand(0) ?? ""
        let state = invocation.arguments.value("state") ?? invocation.stateDirectory
        let result: JournalBackup.Result
        do {
            result = try JournalBackup.run(state, to: target, through: try lastAcknowledged(state, invocation))
        } catch let failure as JournalBackup.Failure {
            throw CommandFailure(failure.description)
        }
        if invocation.isJSON {
            invocation.output.line(
                terminalSafe(
                    JSONValue.object([
                        "folder": .string(target), "segments": .integer(Int64(result.segments)), "bytes": .integer(Int64(result.bytes)),
                        "check": .object(result.check.json),
                    ])))
        } else {
            invocation.output.line(
                invocation.shown("\(target): \(result.segments) \(result.segments == 1 ? "segment" : "segments"), \(result.bytes) bytes."))
            for line in result.check.text.split(separator: "\n") { invocation.output.line(invocation.shown(String(line))) }
            if !result.check.isGood { invocation.output.line("The copy is what is on the disk; the journal itself is damaged.") }
        }
        return result.check.isGood ? .good : .failed
    }

    /// Nil where nobody writes: then all that stands there counts, and no server is woken.
    private static func lastAcknowledged(_ state: String, _ invocation: Invocation) throws -> UInt64? {
        guard JournalBackup.isWritten(state) else { return nil }
        do { return UInt64(clamping: try StatusCommand.ask(invocation).journal.lastSeq) } catch {
            throw CommandFailure(
                "a server writes the journal in \(state), but does not say what it has acknowledged: \(error.message)", code: error.code)
        }
    }
}
