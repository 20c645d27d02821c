// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// A measurement as people read it.
enum ForPeople {
    static func text(file: String, _ measurement: Measurement) -> String {
        let about = [measurement.format, measurement.language, measurement.encoding].compactMap(\.self).joined(separator: ", ")
        var lines = [about.isEmpty ? file : "\(file) (\(about))"]
        if let error = measurement.error { lines.append("  \(error)") }
        let width = measurement.items.map(\.title.count).max() ?? 0
        for item in measurement.items {
            let title = item.title + String(repeating: " ", count: width - item.title.count)
            let mark = item.method == .counted ? "" : "  (\(item.method.rawValue))"
            lines.append("  \(title)  \(value(item.value))\(mark)")
        }
        // The two readability figures lack for one reason: it is said once.
        var said: [String] = []
        for note in measurement.notes where !said.contains(note.reason) {
            said.append(note.reason)
            let names = measurement.notes.filter { $0.reason == note.reason }.map(\.identifier)
            // A note beside a figure says something of it.
            let isThere = measurement.items.contains { names.contains($0.identifier) }
            lines.append("  \(isThere ? "" : "no ")\(names.joined(separator: ", ")): \(note.reason)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func value(_ value: Item.Value) -> String {
        switch value {
        case .binary(let flag, .trueFalse): flag ? "true" : "false"
        case .binary(let flag, .passFail): flag ? "pass" : "fail"
        case .binary(let flag, .yesNo): flag ? "yes" : "no"
        case .binary(let flag, .correctIncorrect): flag ? "correct" : "incorrect"
        case .quantity(let number): plain(number)
        case .score(let score, let max): "\(plain(score)) of \(plain(max))"
        }
    }

    private static func plain(_ number: Double) -> String {
        if let whole = Int64(exactly: number) { return String(whole) }
        return String((number * 10).rounded() / 10)
    }
}
