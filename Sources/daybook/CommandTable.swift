// SPDX-License-Identifier: Apache-2.0

/// All commands, in the order of the help.
enum Commands {
    static let all: [Command] = [
        StatusCommand.command, ReportCommand.command, ShowCommand.command, MeCommand.command, SessionsCommand.command,
        TailCommand.command, VerifyCommand.command, BackupCommand.command, AnalyzeCommand.command, ReplayCommand.command,
        RecordCommand.command, SetupCommand.command, DoctorCommand.command, ConfigCommand.command, RecordingCommand.command,
        ClassesCommand.command,
        AssignCommand.command, AssignmentCommand.command, DoneCommand.command, HandInCommand.command, NoteCommand.command,
        BookmarkCommand.command, ForgetCommand.command, ExportCommand.command, FactsCommand.command,
        PagesCommand.command,
    ]
}
