// SPDX-License-Identifier: Apache-2.0

/// Collects what is wrong, so that all of it can be said at once.
final class Mistakes {
    /// Beyond this many the rest is not listed, but counted.
    static let limit = 100

    private(set) var found: [(at: Position, message: String)] = []

    func add(_ position: Position, _ message: String) { found.append((position, message)) }

    /// In the order of the text.
    var problems: [SettingsProblems.Problem] {
        let sorted = found.sorted { ($0.at, $0.message) < ($1.at, $1.message) }
        var problems = sorted.prefix(Self.limit).map {
            SettingsProblems.Problem(line: $0.at.line, column: $0.at.column, message: $0.message)
        }
        if sorted.count > Self.limit {
            problems.append(.init(line: nil, column: nil, message: "and \(sorted.count - Self.limit) more mistakes"))
        }
        return problems
    }
}

/// A value with its place, for checks that look at several.
struct Located<Value> {
    var value: Value
    var position: Position
}

/// Takes the known keys out of one table, then names what is left over.
struct TableReader {
    /// As it stands in the text, e.g. `[server]`; empty for the top level.
    let title: String
    let position: Position
    private let mistakes: Mistakes
    private var members: [TOMLValue.Member]
    private var known: [String] = []
    private let keys: Set<String>

    init(_ members: [TOMLValue.Member], title: String, position: Position, mistakes: Mistakes) {
        self.members = members
        keys = Set(members.map(\.key))
        self.title = title
        self.position = position
        self.mistakes = mistakes
    }

    /// Whether the text has no such key, good or bad.
    func lacks(_ key: String) -> Bool { !keys.contains(key) }

    /// The value at a key, which is known from now on.
    mutating func take(_ key: String) -> TOMLValue? {
        known.append(key)
        guard let index = members.firstIndex(where: { $0.key == key }) else { return nil }
        return members.remove(at: index).value
    }

    /// Takes a value of a kind; nil where there is none or where it is of another kind, which is then named.
    mutating func take<Value>(_ key: String, wanted: String, _ convert: (TOMLValue.Content) -> Value?) -> Located<Value>? {
        guard let value = take(key) else { return nil }
        if let converted = convert(value.content) { return Located(value: converted, position: value.position) }
        mistakes.add(value.position, "\(key) must be \(wanted), not \(value.kindName)")
        return nil
    }

    mutating func text(_ key: String, wanted: String = "a text in quotes") -> Located<String>? {
        take(key, wanted: wanted) { if case .string(let text) = $0 { text } else { nil } }
    }

    mutating func flag(_ key: String, into target: inout Bool) {
        let value: Located<Bool>? = take(key, wanted: "true or false") { if case .boolean(let flag) = $0 { flag } else { nil } }
        if let value { target = value.value }
    }

    mutating func number(_ key: String, into target: inout Int, in range: ClosedRange<Int>) {
        let value: Located<Int64>? = take(key, wanted: "a whole number") { if case .integer(let number) = $0 { number } else { nil } }
        guard let value else { return }
        guard let number = Int(exactly: value.value), range.contains(number) else {
            mistakes.add(value.position, "\(key) must be from \(range.lowerBound) to \(range.upperBound)")
            return
        }
        target = number
    }

    /// Returns the place of the value where it was given and is good.
    @discardableResult
    mutating func duration(_ key: String, into target: inout Duration, in range: ClosedRange<Duration>) -> Position? {
        let wanted = "a duration in quotes, such as \"\(durationText(target))\""
        guard let text = text(key, wanted: wanted) else { return nil }
        guard let duration = parseDuration(text.value) else {
            mistakes.add(
                text.position, "'\(shown(text.value))' is no duration; write whole numbers with ms, s, m, h or d, such as \"1h 30m\"")
            return nil
        }
        guard range.contains(duration) else {
            let bounds = "\(durationText(range.lowerBound)) to \(durationText(range.upperBound))"
            mistakes.add(text.position, "\(key) must be from \(bounds)")
            return nil
        }
        target = duration
        return text.position
    }

    mutating func size(_ key: String, into target: inout Int, in range: ClosedRange<Int>) {
        guard let text = text(key, wanted: "a size in quotes, such as \"\(sizeText(target))\"") else { return }
        guard let size = parseSize(text.value) else {
            mistakes.add(
                text.position, "'\(shown(text.value))' is no size; write whole numbers with B, KiB, MiB, GiB or TiB, such as \"64MiB\"")
            return
        }
        guard range.contains(size) else {
            mistakes.add(text.position, "\(key) must be from \(sizeText(range.lowerBound)) to \(sizeText(range.upperBound))")
            return
        }
        target = size
    }

    mutating func choice<Choice: RawRepresentable & CaseIterable>(_ key: String, into target: inout Choice)
    where Choice.RawValue == String {
        let all = Choice.allCases.map(\.rawValue)
        let wanted = all.map { "\"\($0)\"" }.joined(separator: ", ")
        guard let text = text(key, wanted: "one of \(wanted)") else { return }
        if let choice = Choice(rawValue: text.value) {
            target = choice
        } else {
            let hint = nearestName(to: text.value, among: all).map { "; did you mean \"\($0)\"?" } ?? ""
            mistakes.add(text.position, "\(key) must be one of \(wanted), not \"\(shown(text.value))\"\(hint)")
        }
    }

    /// The values of a list; one value alone counts as a list of one where `orOne` says so.
    mutating func list(_ key: String, wanted: String, orOne: Bool = false) -> Located<[TOMLValue]>? {
        guard let value = take(key) else { return nil }
        if case .array(let values) = value.content { return Located(value: values, position: value.position) }
        if orOne, case .string = value.content { return Located(value: [value], position: value.position) }
        mistakes.add(value.position, "\(key) must be \(wanted), not \(value.kindName)")
        return nil
    }

    /// A `[table]` of its own; empty where the text has none.
    mutating func table(_ key: String) -> TableReader {
        let title = title.isEmpty ? "[\(key)]" : "\(title).\(key)"
        guard let value = take(key) else { return TableReader([], title: title, position: position, mistakes: mistakes) }
        guard case .table(let members) = value.content else {
            mistakes.add(value.position, "\(key) is a section; write its keys below a line [\(key)]")
            return TableReader([], title: title, position: value.position, mistakes: mistakes)
        }
        return TableReader(members, title: title, position: value.position, mistakes: mistakes)
    }

    /// Each `[[table]]` of that name, in order; `name` is the header's words, e.g. `share.layout`.
    mutating func tables(_ key: String, name: String) -> [TableReader] {
        guard let value = take(key) else { return [] }
        guard case .array(let values) = value.content else {
            let sections = if case .table = value.content { "needs double brackets" } else { "is a section" }
            mistakes.add(value.position, "\(name) \(sections); write a line [[\(name)]] for each")
            return []
        }
        return values.compactMap { value in
            guard case .table(let members) = value.content else {
                mistakes.add(value.position, "\(name) is a section; write a line [[\(name)]] for each")
                return nil
            }
            return TableReader(members, title: "[[\(name)]]", position: value.position, mistakes: mistakes)
        }
    }

    /// Names every key that nobody took. `elsewhere` says in which section a key of that name stands.
    func finish(elsewhere: (String) -> String? = { _ in nil }) {
        for member in members {
            let place = title.isEmpty ? "at the top level" : "in \(title)"
            var message = "unknown key '\(shown(member.key))' \(place)"
            if let nearest = nearestName(to: member.key, among: known) {
                message += "; did you mean '\(nearest)'?"
            } else if let section = elsewhere(member.key) {
                message += "; it belongs in \(section)"
            }
            mistakes.add(member.keyPosition, message)
        }
    }
}

/// A configured text in a message: no control characters, and not longer than a line.
func shown(_ text: String) -> String {
    let safe = text.unicodeScalars.prefix(60).map { $0.properties.generalCategory == .control ? "\u{FFFD}" : String($0) }.joined()
    return text.unicodeScalars.count > 60 ? safe + "…" : safe
}
