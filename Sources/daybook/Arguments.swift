// SPDX-License-Identifier: Apache-2.0
import ProgramTexts

/// A command line by the habits of getopt_long: `--long`, `--long=value`, `--long value`, `-s`, `-sVALUE`, `-s VALUE`, `-abc`, `--`,
/// unambiguous beginnings of long names, and operands anywhere between the options.
struct Arguments: Equatable, Sendable {
    /// A wrong command line, and what to do about it.
    struct Mistake: Error, Equatable, CustomStringConvertible {
        var what: String
        var hint: String?

        var description: String { hint.map { "\(what); \($0)" } ?? what }
    }

    private var values: [String: [String]] = [:]
    private(set) var operands: [String] = []

    /// Reads all words. With `stopsAtOperand` the first operand ends the reading, and it and what follows are `operands`.
    init(parsing words: some Collection<String>, options: [OptionSpec], stopsAtOperand: Bool = false) throws(Mistake) {
        var rest = Array(words)[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            }
            if word.hasPrefix("--") {
                try readLong(word.dropFirst(2), &rest, options)
            } else if word.hasPrefix("-"), word != "-" {
                try readShort(word.dropFirst(), &rest, options)
            } else {
                operands.append(word)
                if stopsAtOperand {
                    operands += rest
                    return
                }
            }
        }
    }

    func has(_ long: String) -> Bool { values[long] != nil }

    /// The last value.
    func value(_ long: String) -> String? { values[long]?.last }

    func values(_ long: String) -> [String] { values[long] ?? [] }

    /// A whole number in a range; nil where the option is absent.
    func number(_ long: String, in range: ClosedRange<Int64>) throws(Mistake) -> Int64? {
        guard let text = value(long) else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw Mistake(what: "--\(long) needs a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
        }
        return number
    }

    /// Both: what stood before the command counts as if it stood behind it.
    func merging(_ later: Arguments) -> Arguments {
        var result = later
        for (key, value) in values { result.values[key] = value + (later.values[key] ?? []) }
        return result
    }

    private mutating func readLong(_ word: Substring, _ rest: inout ArraySlice<String>, _ options: [OptionSpec]) throws(Mistake) {
        let name = word.prefix { $0 != "=" }
        let attached = word.count > name.count ? String(word.dropFirst(name.count + 1)) : nil
        let option = try find(name, options)
        guard let placeholder = option.value else {
            if attached != nil { throw Mistake(what: "--\(option.long) takes no value") }
            values[option.long, default: []].append("")
            return
        }
        guard let value = attached ?? rest.popFirst() else { throw Mistake(what: "--\(option.long) needs a value (\(placeholder))") }
        values[option.long, default: []].append(value)
    }

    private mutating func readShort(_ word: Substring, _ rest: inout ArraySlice<String>, _ options: [OptionSpec]) throws(Mistake) {
        var letters = word
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else {
                throw Mistake(what: "unknown option -\(letter)", hint: longHint(word, options))
            }
            guard let placeholder = option.value else {
                values[option.long, default: []].append("")
                continue
            }
            // The rest of the word is the value, and so is the next word.
            let attached = letters.isEmpty ? nil : String(letters)
            guard let value = attached ?? rest.popFirst() else { throw Mistake(what: "-\(letter) needs a value (\(placeholder))") }
            values[option.long, default: []].append(value)
            return
        }
    }

    private func find(_ name: Substring, _ options: [OptionSpec]) throws(Mistake) -> OptionSpec {
        if let exact = options.first(where: { $0.long == name }) { return exact }
        let candidates = options.filter { !name.isEmpty && $0.long.hasPrefix(name) }
        if candidates.count == 1 { return candidates[0] }
        if candidates.count > 1 {
            let names = candidates.map { "--\($0.long)" }.joined(separator: ", ")
            throw Mistake(what: "--\(name) may be \(names)", hint: "write more of it")
        }
        let near = nearest(String(name), among: options.map(\.long))
        throw Mistake(what: "unknown option --\(name)", hint: near.map { "did you mean --\($0)?" })
    }

    /// `-json` is nearly always meant as `--json`.
    private func longHint(_ word: Substring, _ options: [OptionSpec]) -> String? {
        options.contains { $0.long == word.prefix { $0 != "=" } } ? "did you mean --\(word)?" : nil
    }
}

/// The name that is meant by a mistyped one; nil where none is near.
func nearest(_ word: String, among names: [String]) -> String? {
    let limit = max(1, word.count / 3)
    let ranked = names.map { (name: $0, distance: editDistance(word, $0)) }.filter { $0.distance <= limit }
    return ranked.min { $0.distance < $1.distance }?.name
}

/// Insertions, deletions, replacements and swaps of neighbours that make one word of the other.
private func editDistance(_ left: String, _ right: String) -> Int {
    let a = Array(left)
    let b = Array(right)
    // A command line may hold a novel; nobody means a name by it.
    guard a.count <= 64, b.count <= 64 else { return Int.max }
    var before = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
            row.append(cost)
        }
        before = last
        last = row
    }
    return last[b.count]
}
