// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookLinux
import Ledger
import ProgramTexts
import Reports

/// `--csv` and `--separator`
enum CSVOption {
    static let options = [
        OptionSpec("csv", "for spreadsheets: UTF-8, durations in minutes"),
        OptionSpec("separator", value: "C", words: ["tab"], "between the columns: ',' (if it is not given), ';' or 'tab'"),
    ]
}

extension Invocation {
    /// The separator where a spreadsheet's form is asked for; nil for text and JSON.
    func csv() throws(CommandFailure) -> Character? {
        guard arguments.has("csv") else {
            if arguments.has("separator") { throw .usage("--separator goes with --csv") }
            return nil
        }
        if isJSON { throw .usage("either --csv or --json") }
        guard let text = arguments.value("separator") else { return "," }
        guard let separator = CSVText.separators.first(where: { $0.word == text || String($0.character) == text }) else {
            throw .usage("--separator knows ',', ';' and 'tab', not '\(text)'")
        }
        return separator.character
    }

    /// What `--since`, `--until` and `--lesson` ask for.
    func window() throws(CommandFailure) -> (since: JSONValue?, until: JSONValue?) {
        let now = LocalTime.now
        func instant(_ option: String) throws(CommandFailure) -> WallTime? {
            guard let text = arguments.value(option) else { return nil }
            return try TimeArgument.parse(text, option: option, now: now)
        }
        var window = TimeWindow(from: try instant("since"), to: try instant("until"))
        if let text = arguments.value("lesson") {
            guard window.isWhole else { throw .usage("either --lesson or --since and --until") }
            let words = text.split(separator: " ")
            let times = words.last?.split(separator: "-") ?? []
            let day = words.count == 2 ? "\(words[0]) " : ""
            guard (1...2).contains(words.count), times.count == 2, let from = TimeArgument.read(day + times[0], now: now),
                let to = TimeArgument.read(day + times[1], now: now), from < to, times.allSatisfy({ $0.contains(":") })
            else { throw .usage("--lesson does not understand '\(text)'; write '10:00-10:45' or '2026-03-11 10:00-10:45'") }
            window = TimeWindow(from: from, to: to)
        }
        if let from = window.from, let to = window.to, from >= to { throw .usage("--since is not before --until") }
        return (window.from.map { .string($0.rfc3339) }, window.to.map { .string($0.rfc3339) })
    }

    /// The logins that `--group` names; nil where it is absent.
    func group() throws(CommandFailure) -> Set<String>? {
        guard let text = arguments.value("group") else { return nil }
        guard text.hasPrefix("@") else { return Set(text.split(separator: ",").map(String.init)) }
        switch Accounts.group(named: String(text.dropFirst())) {
        case .found(let group) where !group.members.isEmpty: return Set(group.members)
        case .found: throw CommandFailure("the group \(text) lists no members here; name the logins with commas")
        case .absent: throw CommandFailure("there is no group \(text) on this machine")
        case .failed(let code): throw CommandFailure("the directory service does not answer: \(errnoText(code))")
        }
    }
}
