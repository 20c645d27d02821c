// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import DaybookLinux
import JournalFormat
import JournalStore
import ProgramTexts
import Settings

/// `daybook verify [STATE-DIR]`
enum VerifyCommand {
    static let command = Command(
        "verify", "[STATE-DIR]", summary: "digests, chain and signed checkpoints of the journal",
        explanation: """
            Hashes the stored bytes of the journal and compares digests, chain and the signatures of its checkpoints, without a server and
            without changing anything. Says the first bad place, if any, and the last number and chain. Without STATE-DIR it is the one of
            the configuration.

            With --since, also whether the journal goes on from a checkpoint that was kept elsewhere: then nothing before it was changed,
            and the end was not cut off. Keep the file 'checkpoint' of the state directory on another machine for that, and the key that
            --print-key shows.
            """,
        options: [
            OptionSpec("since", value: "FILE", repeats: true, "a checkpoint kept elsewhere that the journal must go on from"),
            OptionSpec("key", value: "KEY", repeats: true, "a public key whose checkpoints are believed, instead of those in STATE-DIR"),
            OptionSpec("print-key", "print the public keys of the journal's checkpoints, the newest last, and check nothing"),
            OptionSpec("config", short: "c", value: "FILE", "the server's configuration, where it is not /etc/daybook/config.toml"),
        ],
        run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(0...1, "")
        let folder = invocation.operand(0) ?? invocation.stateDirectory
        if invocation.arguments.has("print-key") { return try printKeys(of: folder, invocation) }
        let given = try invocation.arguments.values("key").map(key)
        let keys = given.isEmpty ? CheckpointFiles.keys(in: folder) : given
        let since = try invocation.arguments.values("since").map { try note($0, signedBy: keys) }
        let result = JournalCheck.run(folder, keys: keys, since: since)
        if invocation.isJSON {
            invocation.output.line(terminalSafe(JSONValue.object(result.json)))
        } else {
            for line in result.text.split(separator: "\n") { invocation.output.line(invocation.shown(String(line))) }
        }
        return result.isGood ? .good : .failed
    }

    private static func printKeys(of folder: String, _ invocation: Invocation) throws -> ExitCode {
        let keys = CheckpointFiles.keys(in: folder)
        if keys.isEmpty {
            throw CommandFailure("\(folder) has no \(CheckpointFiles.keysName) that you can read: no checkpoint was signed there yet")
        }
        for key in keys { invocation.output.line(invocation.shown("\(key)")) }
        return .good
    }

    private static func key(_ text: String) throws -> CheckpointKey {
        guard let key = CheckpointKey(text: text) else {
            throw CommandFailure.usage("'\(text)' is no public key of a journal; it looks like NAME+ID+BASE64, as --print-key prints it")
        }
        return key
    }

    /// What a note says, once its signature is found right.
    private static func note(_ file: String, signedBy keys: [CheckpointKey]) throws -> JournalPosition {
        let bytes: [UInt8]
        do { bytes = try SmallFile.read(file, limit: SignedNote.longest) } catch {
            throw CommandFailure("\(file) cannot be read: \(errnoText(error.code))")
        }
        guard let note = SignedNote(bytes), let position = note.position else {
            throw CommandFailure("\(file) is no checkpoint of a journal")
        }
        let verdicts = keys.compactMap { $0.verdict(on: note) }
        if verdicts.contains(false) { throw CommandFailure("the signature of \(file) is wrong: the note was changed") }
        if verdicts.isEmpty {
            throw CommandFailure(
                "\(file) is signed by none of this journal's keys: it is another journal's, or the key was exchanged; "
                    + "give the key that you kept with --key")
        }
        return position
    }
}

extension Invocation {
    /// The one of the configuration. A configuration that cannot be read is `config check`'s affair: the usual place is tried.
    var stateDirectory: String {
        let file = arguments.value("config") ?? Settings.defaultPath
        return (try? Settings.load(file))?.server.state ?? Settings().server.state
    }
}
