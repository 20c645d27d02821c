// SPDX-License-Identifier: Apache-2.0

extension Completions {
    var zsh: String {
        var lines = [
            "#compdef \(program)", "# \(note(.zsh))", "_\(program)() {",
            "    local curcontext=$curcontext state line", "    typeset -A opt_args",
            "    _arguments -C -S \\",
        ]
        lines += globalOptions.map { "        \(Self.specification($0)) \\" }
        lines += [
            "        '1: :->command' '*:: :->rest' && return", "    case $state in", "    command)", "        local -a commands",
            "        commands=(",
        ]
        lines += commands.map { "            " + Self.quoted("\($0.name):\(Self.short($0.summary))") }
        lines += ["        )", "        _describe -t commands command commands ;;", "    rest)", "        case $words[1] in"]
        for command in commands {
            let (places, lastRepeats) = command.places
            var specifications = (command.options + globalOptions).map(Self.specification)
            for (index, place) in places.enumerated() {
                let number = lastRepeats && index == places.count - 1 ? "*" : String(index + 1)
                specifications.append("'\(number): :\(Self.action(place))'")
            }
            lines.append("        \(command.name)) _arguments -S \(specifications.joined(separator: " \\\n            ")) ;;")
        }
        lines += ["        esac ;;", "    esac", "}", "_\(program) \"$@\""]
        return lines.map { $0 + "\n" }.joined()
    }

    private static func specification(_ option: OptionSpec) -> String {
        let help = short(option.help).reduce(into: "") { text, character in
            if "[]:\\".contains(character) { text.append("\\") }
            text.append(character)
        }
        let value = option.value.map { ":\($0.filter { $0 != ":" }):\(action(option.values ?? Candidates()))" } ?? ""
        // A repeated one may stand again, any other excludes itself in both its forms.
        let excluded = option.repeats ? "*" : option.short == nil ? "" : "(\(option.names.joined(separator: " ")))"
        return option.names.map { name in
            let sign = option.value == nil ? "" : name.hasPrefix("--") ? "=" : "+"
            return quoted("\(excluded)\(name)\(sign)[\(help)]\(value)")
        }.joined(separator: " ")
    }

    private static func action(_ candidates: Candidates) -> String {
        let words = "(\(candidates.words.joined(separator: " ")))"
        if candidates.isFile {
            return candidates.words.isEmpty ? "_files" : "{compadd -a - \(candidates.words.joined(separator: " ")); _files}"
        }
        return candidates.words.isEmpty ? " " : words
    }
}
