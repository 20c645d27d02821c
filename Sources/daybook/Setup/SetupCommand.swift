// SPDX-License-Identifier: Apache-2.0
import Glibc
import ProgramTexts
import Reports
import Settings

/// `daybook setup`
enum SetupCommand {
    static let command = Command(
        "setup", summary: "asks what to watch and writes the configuration; records nothing yet",
        explanation: """
            Ten steps, one after the other: looks at the machine, asks which of Samba's shares to watch and how paths in them are read, shows
            the classes and who would be in them, and what of Samba's settings hides who worked; then writes the configuration, starts the
            service with recording off, and waits for a file that you save. Nothing is written before the ninth step, and smb.conf never. It
            may be run again at any time; the old configuration is kept beside the new one.

            --remove takes away what setup wrote and stops the service; the journal stays unless --delete-data is given.
            """,
        options: [
            OptionSpec("dry-run", short: "n", "ask and show everything, and write nothing"),
            OptionSpec("answers", value: "FILE", "take the answers from FILE, which an earlier run wrote to /etc/daybook/setup.answers"),
            OptionSpec("remove", "undo it"),
            OptionSpec("keep-data", "with --remove: the journal stays, also when the package is purged later"),
            OptionSpec("delete-data", "with --remove: the journal and the pages go, for good"),
            OptionSpec("yes", short: "y", "do not ask before data are deleted"),
        ],
        run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(0...0, "")
        let words = invocation.arguments
        for option in ["keep-data", "delete-data"] where words.has(option) && !words.has("remove") {
            throw CommandFailure.usage("--\(option) goes with --remove")
        }
        if words.has("keep-data"), words.has("delete-data") { throw CommandFailure.usage("either --keep-data or --delete-data") }
        let isDry = words.has("dry-run")
        guard isDry || geteuid() == 0 else { throw CommandFailure("setup writes to /etc: run it as root, or look with --dry-run") }
        if words.has("remove") {
            try SetupRemoval(invocation: invocation, places: SetupPlaces()).run(isDry: isDry)
            return .good
        }
        var given: SetupAnswers?
        let file = words.value("answers")
        if let file {
            guard let text = SetupPlaces.text(file, limit: SetupAnswers.sizeLimit) else {
                throw CommandFailure("\(invocation.shown(file)) cannot be read: \(errnoWords())")
            }
            do {
                given = try SetupAnswers(parsing: text)
            } catch {
                throw CommandFailure("\(invocation.shown(file)), \(error)")
            }
        } else if isatty(STDIN_FILENO) != 1 {
            throw CommandFailure.usage("nobody is here to ask; give --answers FILE")
        }
        let dialog = SetupDialog(invocation, given: given, file: file ?? "")
        var setup = Setup(invocation: invocation, dialog: dialog, places: SetupPlaces(), isDry: isDry)
        return try setup.run()
    }

    private static func errnoWords() -> String { String(cString: strerror(errno)) }
}
