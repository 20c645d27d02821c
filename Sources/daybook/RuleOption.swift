// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import ProgramTexts
import Reports
import Settings

/// `--rule`: a known rule, limits by the names of the configuration, or both.
enum RuleOption {
    static let help = """
        'configured' (as for new assignments), '\(Rule().name)' (built in) or 'own', then limits to change, with commas: idle-continuous=10m, \
        idle-saves-only=…, at-least=…, at-most=…
        """

    /// For commands that show figures.
    static let option = OptionSpec("rule", value: "RULE", "figures by another rule, without changing anything: " + help)

    static func read(_ text: String) throws(CommandFailure) -> RuleChoice {
        var choice = RuleChoice()
        for (index, part) in text.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
            if words.count == 1 {
                guard index == 0, let base = base(words[0]) else {
                    throw .usage("--rule does not know '\(words[0])'; it takes \(help)")
                }
                choice.base = base
                continue
            }
            guard let limit = parseDuration(words[1]) else {
                throw .usage("--rule: '\(words[1])' is no length of time for \(words[0]); write 5m, 90s or 1h 30m")
            }
            switch words[0] {
            case "idle-continuous": choice.idleContinuous = limit
            case "idle-saves-only": choice.idleSavesOnly = limit
            case "at-least": choice.atLeast = limit
            case "at-most": choice.atMost = limit
            default:
                throw .usage(
                    "--rule has no limit '\(words[0])'; the limits are idle-continuous, idle-saves-only, at-least and at-most")
            }
        }
        return choice
    }

    private static func base(_ word: String) -> RuleChoice.Base? {
        word == Rule().name ? .standard : RuleChoice.Base(rawValue: word)
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

extension Invocation {
    /// What `--rule` asks for, as a call carries it; nil where it is absent.
    func rule() throws(CommandFailure) -> JSONValue? {
        guard let text = arguments.value("rule") else { return nil }
        return try RuleOption.read(text).json
    }
}
