// SPDX-License-Identifier: Apache-2.0

/// All commands, in the order of the help.
enum Commands {
    static let all: [Command] = [
        StatusCommand.command, ReportCommand.command, ShowCommand.command, MeCommand.command, SessionsCommand.command,
        TailCommand.command, VerifyCommand.command, BackupCommand.command, AnalyzeCommand.command, ReplayCommand.command,
        RecordCommand.command, SetupCommand.command, DoctorCommand.command, ConfigCommand.command, RecordingCommand.command,
        ClassesCommand.command, LiveCommand.command,
        AssignCommand.command, AssignmentCommand.command, DoneCommand.command, HandInCommand.command, NoteCommand.command,
        BookmarkCommand.command, OpenCommand.command, DeveloperCommand.command, ForgetCommand.command, ExportCommand.command,
        FactsCommand.command, PagesCommand.command, CompletionsCommand.command, ManCommand.command, HelpCommand.command,
    ]

    /// The command of that name; else says which one may be meant.
    static func named(_ name: String) throws(CommandFailure) -> Command {
        if let command = all.first(where: { $0.name == name }) { return command }
        let near = nearest(name, among: all.map(\.name))
        throw .usage("unknown command '\(name)'; " + (near.map { "did you mean '\($0)'?" } ?? "'daybook --help' lists them"))
    }
}
