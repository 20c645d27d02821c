// SPDX-License-Identifier: Apache-2.0
import ProgramTexts
import Testing

@testable import daybook

@Suite("A command line")
struct ArgumentsTests {
    private static let options = [
        OptionSpec("follow", short: "f", ""), OptionSpec("lines", short: "n", value: "N", ""), OptionSpec("after", value: "SEQ", ""),
        OptionSpec("kind", short: "k", value: "KIND", repeats: true, ""), OptionSpec("names", ""), OptionSpec("name-case", ""),
        OptionSpec("json", ""), OptionSpec("help", short: "h", ""),
    ]

    struct Case: CustomTestStringConvertible {
        var words: [String]
        /// Options that are there, with their values; a flag has one empty value.
        var values: [String: [String]]
        var operands: [String]

        init(_ line: String, _ values: [String: [String]], _ operands: [String] = []) {
            words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            if line.isEmpty { words = [] }
            self.values = values
            self.operands = operands
        }

        var testDescription: String { words.joined(separator: " ") }
    }

    @Test(
        "is read by the habits of getopt_long",
        arguments: [
            Case("", [:]), Case("a b", [:], ["a", "b"]), Case("--follow", ["follow": [""]]), Case("-f", ["follow": [""]]),
            Case("--lines=5", ["lines": ["5"]]), Case("--lines 5", ["lines": ["5"]]), Case("-n5", ["lines": ["5"]]),
            Case("-n 5", ["lines": ["5"]]), Case("-fn5", ["follow": [""], "lines": ["5"]]),
            Case("-fn 5", ["follow": [""], "lines": ["5"]]),
            Case("-n -5", ["lines": ["-5"]]), Case("--lines --follow", ["lines": ["--follow"]]), Case("--lines=", ["lines": [""]]),
            Case("--lines=a=b", ["lines": ["a=b"]]), Case("-n=5", ["lines": ["=5"]]), Case("--fol", ["follow": [""]]),
            Case("--li 5", ["lines": ["5"]]), Case("--names", ["names": [""]]), Case("a -f b", ["follow": [""]], ["a", "b"]),
            Case("-f -- -f --x", ["follow": [""]], ["-f", "--x"]), Case("-", [:], ["-"]), Case("-- --", [:], ["--"]),
            Case("-k a --kind=b -kc", ["kind": ["a", "b", "c"]]), Case("-n 1 -n 2", ["lines": ["1", "2"]]),
            Case("-n --", ["lines": ["--"]]), Case("-ff", ["follow": ["", ""]]),
        ])
    func good(example: Case) throws {
        let arguments = try Arguments(parsing: example.words, options: Self.options)
        #expect(arguments.operands == example.operands)
        for option in Self.options {
            #expect(arguments.values(option.long) == example.values[option.long] ?? [], "\(option.long)")
            #expect(arguments.has(option.long) == (example.values[option.long] != nil))
        }
    }

    @Test(
        "that is wrong says how",
        arguments: [
            ("--folow", "unknown option --folow; did you mean --follow?"), ("--xyzzy", "unknown option --xyzzy"),
            ("--follow=1", "--follow takes no value"), ("--lines", "--lines needs a value (N)"), ("-n", "-n needs a value (N)"),
            ("-fn", "-n needs a value (N)"), ("-x", "unknown option -x"), ("-fx", "unknown option -x"),
            ("--name", "--name may be --names, --name-case; write more of it"), ("--=5", "unknown option --"),
            ("-json", "unknown option -j; did you mean --json?"), ("-é", "unknown option -é"),
        ])
    func mistakes(line: String, message: String) {
        let error = #expect(throws: Arguments.Mistake.self) {
            try Arguments(parsing: line.split(separator: " ").map(String.init), options: Self.options)
        }
        #expect(error?.description == message)
    }

    @Test("stops at the first operand where asked, and what follows is not looked at")
    func stops() throws {
        let arguments = try Arguments(parsing: ["--json", "tail", "--unknown", "-f"], options: Self.options, stopsAtOperand: true)
        #expect(arguments.has("json"))
        #expect(arguments.operands == ["tail", "--unknown", "-f"])
    }

    @Test(
        "takes whole numbers of a range only",
        arguments: [("1", 1), ("5", 5), ("0", nil), ("6", nil), ("1.0", nil), ("", nil), ("99999999999999999999", nil)])
    func numbers(text: String, number: Int64?) throws {
        let arguments = try Arguments(parsing: ["-n", text], options: Self.options)
        if let number {
            #expect(try arguments.number("lines", in: 1...5) == number)
        } else {
            let error = #expect(throws: Arguments.Mistake.self) { try arguments.number("lines", in: 1...5) }
            #expect(error?.description == "--lines needs a whole number from 1 to 5, not '\(text)'")
        }
        #expect(try arguments.number("after", in: 1...5) == nil)
    }

    @Test("counts options before the command as if they stood behind it; the later one wins")
    func merging() throws {
        let before = try Arguments(parsing: ["--json", "-n", "1", "-k", "a"], options: Self.options)
        let behind = try Arguments(parsing: ["-n", "2", "-k", "b", "x"], options: Self.options)
        let merged = before.merging(behind)
        #expect(merged.has("json"))
        #expect(merged.value("lines") == "2")
        #expect(merged.values("kind") == ["a", "b"])
        #expect(merged.operands == ["x"])
    }

    @Test("has no two options of one name in any command")
    func tables() {
        for command in Commands.all {
            let options = command.options + Help.globalOptions
            #expect(Set(options.map(\.long)).count == options.count, "\(command.name)")
            let letters = options.compactMap(\.short)
            #expect(Set(letters).count == letters.count, "\(command.name)")
        }
        #expect(Set(Commands.all.map(\.name)).count == Commands.all.count)
    }

    @Test(
        "knows which name a mistyped one is near",
        arguments: [("stauts", "status"), ("reprot", "report"), ("tial", "tail"), ("zzz", nil), ("s", nil)])
    func nearestNames(word: String, name: String?) {
        #expect(nearest(word, among: ["status", "report", "tail", "sessions"]) == name)
    }
}
