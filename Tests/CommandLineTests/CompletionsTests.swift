// SPDX-License-Identifier: Apache-2.0
import Foundation
import ProgramTexts
import Testing

@testable import daybook

@Suite("What a shell offers at TAB")
struct CompletionsTests {
    private static func has(_ shell: String) -> Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell)") }

    /// The words up to the cursor, the last of them unfinished, and what a shell must offer; nil for the files of the folder.
    private struct Case {
        var words: [String]
        var offers: [String]?

        init(_ words: [String], _ offers: [String]?) {
            self.words = words
            self.offers = offers
        }
    }

    private static let files = ["essay one.odt", "essay two.odt"]

    private static let cases: [Case] = [
        Case(["rep"], ["replay", "report"]),
        Case(["sess"], ["sessions"]),
        Case(["recording", ""], ["off", "on", "pause"]),
        Case(["--socket", "/x", "recording", "o"], ["off", "on"]),
        Case(["report", "--so"], ["--socket", "--sort"]),
        Case(["report", "--sort", "s"], ["state", "surname"]),
        // A command's name that is a value or an operand is none.
        Case(["show", "report", "--ru"], ["--rule"]),
        Case(["--socket", "report", "recording", "p"], ["pause"]),
        Case(["assignment", "re"], ["recompute", "reopen", "return"]),
        Case(["assignment", "show", "re"], []),
        Case(["bookmark", ""], ["add", "list", "remove"]),
        Case(["completions", "f"], ["fish"]),
        Case(["config", ""], ["check"]),
        Case(["handin", "Hamlet", "ess"], nil),
        Case(["assign", "--copy", "ess"], nil),
        Case(["analyze", "a.odt", "b.odt", "ess"], nil),
        Case(["report", "ess"], []),
    ]

    private func folder(_ shell: String) throws -> Folder {
        let folder = try Folder()
        for file in Self.files { _ = try folder.write("", to: file) }
        let script = try Program.run(["completions", shell])
        #expect(script.code == 0)
        _ = try folder.write(script.output, to: "_daybook")
        return folder
    }

    private func shell(_ name: String, _ words: [String], in folder: Folder) throws -> String {
        let result = try Program.run(
            ["-c", "cd \"$1\" && shift && exec \"$@\"", "sh", folder.path, "/usr/bin/\(name)"] + words, program: URL(filePath: "/bin/sh"),
            environment: ["HOME": folder.path, "TERM": "dumb"])
        #expect(result.errors == "", "\(words)")
        return result.output
    }

    @Test("bash", .enabled(if: has("bash")))
    func bash() throws {
        let folder = try folder("bash")
        let show = """
            source ./_daybook; complete -p daybook > /dev/null || exit 1
            COMP_WORDS=(daybook "$@"); COMP_CWORD=$#; _daybook; printf '%s\\n' "${COMPREPLY[@]}"
            """
        for example in Self.cases {
            let lines = try shell("bash", ["-c", show, "bash"] + example.words, in: folder).split(separator: "\n").map(String.init)
            #expect(lines.sorted() == example.offers ?? Self.files, "\(example.words)")
        }
        // Bash makes three words of --sort=s.
        #expect(try shell("bash", ["-c", show, "bash", "report", "--sort", "=", "su"], in: folder) == "surname\n")
        #expect(try shell("bash", ["-c", show, "bash", "report", "--sort", "="], in: folder).split(separator: "\n").count == 4)
    }

    @Test("fish", .enabled(if: has("fish"), "fish is not here (make packages)"))
    func fish() throws {
        let folder = try folder("fish")
        for example in Self.cases {
            let line = "daybook " + example.words.joined(separator: " ")
            let output = try shell("fish", ["--no-config", "-c", "source ./_daybook; complete -C \"$argv[1]\"", line], in: folder)
            let words = output.split(separator: "\n").compactMap { $0.split(separator: "\t").first.map(String.init) }
            #expect(words.sorted() == example.offers ?? Self.files, "\(example.words)")
        }
    }

    /// Zsh completes only in its editor, so it is given a terminal; what it would insert is read from `compadd`.
    @Test("zsh", .enabled(if: has("zsh"), "zsh is not here (make packages)"))
    func zsh() throws {
        let folder = try folder("zsh")
        let capture = try folder.write(
            #"""
            zmodload zsh/zpty
            zpty shell zsh -f -i
            zpty -w shell "PROMPT=; cd ${(q)PWD}; fpath=($PWD \$fpath); autoload -U compinit; compinit -u -D; zstyle ':completion:*' list-grouped no"
            zpty -w shell 'compadd() { if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
                local -a hits; builtin compadd -A hits "$@"; print -rl -- "<"${^hits}">"; builtin compadd "$@" }'
            zpty -w shell 'finish() { print -r -- "<""END>"; compstate[insert]=; compstate[list]=; }; comppostfuncs=(finish); bindkey "^I" complete-word'
            zpty -w shell 'print "<""READY>"'
            zpty -m -r shell text $'*<READY>*'
            zpty -n -w shell "$1"$'\t'
            zpty -m -r shell text $'*<END>*'
            print -r -- "$text"
            zpty -d shell
            """#, to: "capture.zsh")
        for example in Self.cases {
            let line = "daybook " + example.words.joined(separator: " ")
            let output = try shell("zsh", ["-f", capture, line], in: folder)
            let hits = Set(output.matches(of: /<([^<>\r\n]+)>/).map { String($0.output.1).replacing("\\ ", with: " ") }).subtracting([
                "END", "READY",
            ])
            #expect(hits.sorted() == example.offers ?? Self.files, "\(example.words) \(output.debugDescription)")
        }
    }

    @Test("of every command its options, in all three")
    func complete() throws {
        for shell in ["bash", "zsh", "fish"] {
            let script = try Program.run(["completions", shell]).output
            for command in Commands.all {
                #expect(script.contains(command.name))
                for option in command.options { #expect(script.contains(shell == "fish" ? "-l \(option.long)" : "--\(option.long)")) }
            }
        }
        #expect(try Program.run(["completions", "tcsh"]).code == 2)
        #expect(try Program.run(["completions"]).code == 2)
    }
}
