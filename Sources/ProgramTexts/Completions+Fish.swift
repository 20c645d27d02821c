// SPDX-License-Identifier: Apache-2.0

extension Completions {
    var fish: String {
        let valued =
            globalOptions.filter { $0.value != nil }.flatMap(\.names).map { "'* \($0)'" }
            + commands.flatMap { command in command.options.filter { $0.value != nil }.flatMap(\.names).map { "'\(command.name) \($0)'" } }
        var lines = [
            "# \(note(.fish))",
            "# Whether the command is the first word given, and, where a number follows, so many operands stand behind it already.",
            "function __\(program)_at",
            "    set -l tokens (commandline -opc)",
            "    set -e tokens[1]",
            "    set -l name ''",
            "    set -l place 0",
            "    set -l isvalue 0",
            "    for token in $tokens",
            "        if test $isvalue = 1",
            "            set isvalue 0",
            "        else if string match -q -- '-*' $token",
            "            if contains -- \"$name $token\" \(valued.joined(separator: " "))",
            "                or contains -- \"* $token\" \(valued.prefix { $0.hasPrefix("'* ") }.joined(separator: " "))",
            "                set isvalue 1",
            "            end",
            "        else if test -z \"$name\"",
            "            set name $token",
            "        else",
            "            set place (math $place + 1)",
            "        end",
            "    end",
            "    test \"$name\" = \"$argv[1]\"; or return 1",
            "    test (count $argv) = 1; or test $place = $argv[2]",
            "end",
            "complete -c \(program) -f",
        ]
        lines += globalOptions.map { Self.line(program, nil, $0) }
        for command in commands {
            lines.append(
                "complete -c \(program) -n \"__\(program)_at ''\" -a \(command.name) -d \(Self.fishQuoted(Self.short(command.summary)))")
            lines += command.options.map { Self.line(program, "__\(program)_at \(command.name)", $0) }
            let (places, lastRepeats) = command.places
            for (index, place) in places.enumerated() {
                let isLast = lastRepeats && index == places.count - 1
                let condition = "-n '__\(program)_at \(command.name)\(isLast ? "" : " \(index)")'"
                if !place.words.isEmpty { lines.append("complete -c \(program) \(condition) -a '\(place.words.joined(separator: " "))'") }
                if place.isFile { lines.append("complete -c \(program) \(condition) -F") }
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func line(_ program: String, _ condition: String?, _ option: OptionSpec) -> String {
        var parts = ["complete -c \(program)"]
        if let condition { parts.append("-n '\(condition)'") }
        if let short = option.short { parts.append("-s \(short)") }
        parts.append("-l \(option.long)")
        if let values = option.values {
            parts.append(values.isFile ? "-r -F" : "-x")
            if !values.words.isEmpty { parts.append("-a '\(values.words.joined(separator: " "))'") }
        }
        return (parts + ["-d \(fishQuoted(short(option.help)))"]).joined(separator: " ")
    }

    private static func fishQuoted(_ text: String) -> String { quoted(text.replacing("\\", with: "\\\\"), apostrophe: "\\'") }
}
