// SPDX-License-Identifier: Apache-2.0

extension Completions {
    /// Needs nothing but bash 4.4 itself; bash-completion only finds and loads it.
    var bash: String {
        var lines = [
            "# bash: \(note(.bash))",
            "_\(program)() {",
            "    local word command= option= place=0 ended= options= words= files= i",
            "    local current=${COMP_WORDS[COMP_CWORD]}",
            "    for ((i = 1; i < COMP_CWORD; i++)); do",
            "        word=${COMP_WORDS[i]}",
            "        # Bash parts --option=value at the sign.",
            "        if [[ $word == = && -n $option ]]; then continue; fi",
            "        if [[ -n $option ]]; then option=; continue; fi",
            "        if [[ -z $ended && $word == -- ]]; then ended=1; continue; fi",
            "        if [[ -z $ended && $word == -?* ]]; then",
            "            case \"$command $word\" in",
            "            \(valuedPatterns)) option=$word ;;",
            "            esac",
            "        elif [[ -z $command ]]; then",
            "            command=$word",
            "        else",
            "            place=$((place + 1))",
            "        fi",
            "    done",
            "    if [[ $current == = ]]; then current=; fi",
            "    if [[ -n $option ]]; then",
            "        case \"$command $option\" in",
        ]
        for (command, options) in [("*", globalOptions)] + commands.map({ ($0.name, $0.options) }) {
            for option in options {
                guard let values = option.values, let offer = Self.assignments(values) else { continue }
                let pattern = option.names.map { command == "*" ? "*' \($0)'" : "'\(command) \($0)'" }.joined(separator: " | ")
                lines.append("        \(pattern)) \(offer) ;;")
            }
        }
        lines += [
            "        esac",
            "    elif [[ -z $ended && $current == -* ]]; then",
            "        options='\(names(globalOptions))'",
            "        case $command in",
        ]
        for command in commands where !command.options.isEmpty {
            lines.append("        \(command.name)) options+=' \(names(command.options))' ;;")
        }
        lines += [
            "        esac", "    elif [[ -z $command ]]; then", "        words='\(commands.map(\.name).joined(separator: " "))'",
            "    else",
            "        case $command:$place in",
        ]
        for command in commands {
            let (places, lastRepeats) = command.places
            for (index, place) in places.enumerated() {
                guard let offer = Self.assignments(place) else { continue }
                lines.append("        \(command.name):\(lastRepeats && index == places.count - 1 ? "*" : String(index))) \(offer) ;;")
            }
        }
        lines += [
            "        esac",
            "    fi",
            "    COMPREPLY=()",
            "    if [[ -n $options$words ]]; then mapfile -t COMPREPLY < <(compgen -W \"$options $words\" -- \"$current\"); fi",
            "    if [[ -n $files ]]; then",
            "        compopt -o filenames 2> /dev/null",
            "        local found",
            "        mapfile -t found < <(compgen -f -- \"$current\")",
            "        COMPREPLY+=(\"${found[@]}\")",
            "    fi",
            "}",
            "complete -F _\(program) \(program)",
        ]
        return lines.map { $0 + "\n" }.joined()
    }

    /// The options that take a value, each behind its command.
    private var valuedPatterns: String {
        let global = globalOptions.filter { $0.value != nil }.flatMap(\.names).map { "*' \($0)'" }
        let others = commands.flatMap { command in
            command.options.filter { $0.value != nil }.flatMap(\.names).map { "'\(command.name) \($0)'" }
        }
        return (global + others).joined(separator: " | ")
    }

    private func names(_ options: [OptionSpec]) -> String { options.flatMap(\.names).joined(separator: " ") }

    private static func assignments(_ candidates: Candidates) -> String? {
        let words = candidates.words.isEmpty ? nil : "words='\(candidates.words.joined(separator: " "))'"
        let parts = [words, candidates.isFile ? "files=1" : nil].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
