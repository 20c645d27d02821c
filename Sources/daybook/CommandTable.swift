// SPDX-License-Identifier: Apache-2.0

/// All commands, in the order of the help.
enum Commands {
    static let all: [Command] = [
        StatusCommand.command, RecordingCommand.command, TailCommand.command, AnalyzeCommand.command, DoctorCommand.command,
        ConfigCommand.command, ReplayCommand.command,
    ]
}
