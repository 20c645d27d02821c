// SPDX-License-Identifier: Apache-2.0

/// What a shell offers for a program with commands when TAB is pressed: scripts for three shells, all from the table of the help.
/// Nothing in them asks a server or runs the program.
package struct Completions: Sendable {
    package enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

    let program: String
    let commands: [CommandShape]
    let globalOptions: [OptionSpec]

    package init(program: String, commands: [CommandShape], globalOptions: [OptionSpec]) {
        self.program = program
        self.commands = commands
        self.globalOptions = globalOptions
    }

    package func script(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    func note(_ shell: Shell) -> String { "made by '\(program) completions \(shell.rawValue)' from the table of its help" }

    /// What is said beside a word: the beginning of its help.
    static func short(_ help: String) -> String {
        let text = help.prefix { !";:\n".contains($0) }
        return text.isEmpty ? help : String(text)
    }

    /// In single quotes, as all three shells read it; fish has an escape of its own.
    static func quoted(_ text: String, apostrophe: String = "'\\''") -> String { "'" + text.replacing("'", with: apostrophe) + "'" }
}

extension OptionSpec {
    /// As they are typed: `--sort`, `-s`.
    var names: [String] { ["--\(long)"] + (short.map { ["-\($0)"] } ?? []) }
}
