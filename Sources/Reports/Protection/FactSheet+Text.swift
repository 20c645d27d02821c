// SPDX-License-Identifier: Apache-2.0
import ActivityModel
package import DaybookJSON

extension FactSheet.Item {
    /// Each property with the word before it.
    fileprivate var properties: [(name: String, value: String)] {
        [
            ("from", source), ("whose", whose), ("why", purpose), ("seen by", seenBy), ("kept", kept), ("erased", erased),
        ]
    }
}

extension FactSheet {
    /// For a terminal.
    package func text(_ style: TextStyle) -> String {
        let width = style.textWidth
        var lines = wrapped("What Daybook \(facts.version) keeps of people on this server, by the settings in force.", to: width)
        for item in items {
            lines += [""] + wrapped(item.what, to: width)
            for (name, value) in item.properties {
                lines += wrapped("  " + padded(name, to: 9) + value, to: width, indent: String(repeating: " ", count: 11))
            }
        }
        lines += ["", "What is not taken"] + Self.notTaken.flatMap { wrapped("  " + $0, to: width, indent: "    ") }
        lines += ["", "What it is for"] + wrapped("  " + Self.mustNot, to: width, indent: "  ")
        lines += ["", "Settings in force"]
        for (key, value) in settings {
            lines += wrapped("  " + padded(key, to: 23) + value, to: width, indent: String(repeating: " ", count: 25))
        }
        return lines.map { style.shown($0) + "\n" }.joined()
    }

    /// The table of data, to be pasted into a school's own papers.
    package var table: String {
        let heads = ["data", "from", "whose", "why", "seen by", "kept", "erased"]
        let rows = items.map { [$0.what] + $0.properties.map(\.value) }
        return ([heads, heads.map { _ in "---" }] + rows).map { Self.row($0) }.joined()
    }

    /// The whole sheet as a page of Markdown.
    package var markdown: String {
        var page = "# What Daybook keeps\n\nDaybook \(facts.version), by the settings in force.\n\n" + table
        page += "\n## What is not taken\n\n" + Self.notTaken.map { "* \($0)\n" }.joined()
        page += "\n## What it is for\n\n\(Self.mustNot)\n"
        page += "\n## Settings in force\n\n" + Self.row(["key", "value"]) + Self.row(["---", "---"])
        page += settings.map { Self.row(["`\($0.key)`", $0.value]) }.joined()
        return page
    }

    /// A cell must not end its row.
    private static func row(_ cells: [String]) -> String {
        let safe = cells.map { $0.replacing("\\", with: "\\\\").replacing("|", with: "\\|").replacing("\n", with: " ") }
        return "| " + safe.joined(separator: " | ") + " |\n"
    }

    /// For programs: the same, item by item.
    package var json: JSONObject {
        var items: [JSONValue] = []
        for item in self.items {
            var object: JSONObject = ["data": .string(item.what)]
            for (name, value) in item.properties { object[name] = .string(value) }
            items.append(.object(object))
        }
        return [
            "version": .string(facts.version), "items": .array(items), "notTaken": .array(Self.notTaken.map { .string($0) }),
            "purpose": .string(Self.mustNot),
            "settings": .array(settings.map { ["key": .string($0.key), "value": .string($0.value)] }),
        ]
    }
}
