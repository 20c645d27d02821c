// SPDX-License-Identifier: Apache-2.0
import Inference

extension SettingsDecoder {
    mutating func readShares(_ tables: [TableReader]) {
        var paths: [Located<String>] = []
        for table in tables {
            var table = table
            let path = sharePath(&table)
            let patterns = layouts(&table)
            table.finish()
            guard let path else { continue }
            for pattern in patterns {
                if let problem = homeProblem(path: path.value, pattern: pattern.value) { mistakes.add(pattern.position, problem) }
            }
            for other in paths where overlaps(path.value, other.value) {
                let what = path.value == other.value ? "is configured twice" : "overlaps"
                mistakes.add(
                    path.position,
                    "share \(shown(path.value)) \(what): \(shown(other.value)) stands in line \(other.position.line); name one share and give it several layouts"
                )
            }
            let state = settings.server.state
            if path.value.hasPrefix("/"), overlaps(path.value, state) {
                mistakes.add(
                    path.position,
                    "share \(shown(path.value)) overlaps the state folder \(shown(state)); nothing is ever written below a share, so move one of them"
                )
            }
            paths.append(path)
            settings.shares.append(
                Settings.Share(path: path.value, layouts: LayoutSet(patterns.map(\.value), excluding: settings.watch.excluded)))
        }
    }

    private func sharePath(_ table: inout TableReader) -> Located<String>? {
        guard let text = table.text("path") else {
            if table.lacks("path"), !isPartial { mistakes.add(table.position, "this share has no path; write path = \"/srv/…\"") }
            return nil
        }
        if options.allowRelativeShares, !text.value.hasPrefix("/"), !text.value.isEmpty { return text }
        guard let path = absolutePath(text, of: "path") else { return nil }
        let forbidden = ["/", "/proc", "/sys", "/dev", "/run"]
        if let system = forbidden.first(where: { path.value == $0 || ($0 != "/" && path.value.hasPrefix($0 + "/")) }) {
            mistakes.add(path.position, "\(shown(path.value)) cannot be a share: \(system) holds the system's own files, not documents")
            return nil
        }
        return path
    }

    private func layouts(_ table: inout TableReader) -> [Located<LayoutPattern>] {
        let sections = table.tables("layout", name: "share.layout")
        if sections.isEmpty, !isPartial, table.lacks("layout") {
            mistakes.add(table.position, "this share has no layout, so nothing in it would count; add [[share.layout]] with a pattern")
        }
        var patterns: [Located<LayoutPattern>] = []
        for section in sections {
            var section = section
            let text = section.text("pattern")
            if text == nil, !isPartial, section.lacks("pattern") {
                mistakes.add(section.position, "this layout has no pattern; write pattern = \"{class}/{assignment}/{person}/{document}\"")
            }
            section.finish()
            guard let text else { continue }
            do {
                let pattern = try LayoutPattern(text.value)
                if patterns.contains(where: { $0.value == pattern }) {
                    mistakes.add(text.position, "this share has the layout \(shown(text.value)) already")
                }
                patterns.append(Located(value: pattern, position: text.position))
            } catch {
                mistakes.add(text.position, "layout '\(shown(text.value))': \(error)")
            }
        }
        return patterns
    }
}

/// Compares names, so `/srv/a` and `/srv/ab` do not overlap.
func overlaps(_ left: String, _ right: String) -> Bool {
    let left = left.utf8.split(separator: UInt8(ascii: "/"))
    let right = right.utf8.split(separator: UInt8(ascii: "/"))
    return zip(left, right).allSatisfy { $0.elementsEqual($1) }
}

/// What forbids a layout that would take in whole homes: only a folder with a fixed name in a home may be watched, since the rest of a home
/// is private.
private func homeProblem(path: String, pattern: LayoutPattern) -> String? {
    var steps = path.split(separator: "/").map { LayoutPattern.Part.name(Array($0.utf8)) }
    guard path.hasPrefix("/") else { return nil }
    steps += pattern.parts
    let roots = ["home", "homes", "root"].map { LayoutPattern.Part.name(Array($0.utf8)) }
    // `/root` is one home, `home` and `homes` at any depth hold many.
    guard let root = steps.indices.first(where: { roots.prefix(2).contains(steps[$0]) || ($0 == 0 && steps[0] == roots[2]) }) else {
        return nil
    }
    let below = steps[(root + 1)...]
    let isFixed = { (part: LayoutPattern.Part?) in if case .name = part { true } else { false } }
    let holds =
        if let person = below.firstIndex(of: .person) {
            if below[..<person].contains(.assignment) {
                // Work sorted by assignment first lies in nobody's home, as long as it has a folder of its own there.
                isFixed(below.first)
            } else {
                isFixed(below[(person + 1)...].first)
            }
        } else if steps[root] == roots[2] {
            isFixed(below.first)
        } else {
            isFixed(below.first) && isFixed(below.dropFirst().first)
        }
    if holds { return nil }
    return
        "layout '\(shown(pattern.text))' below \(shown(path)) takes in whole homes; name a folder inside each home, such as {person}/Schoolwork/{assignment}/{document}"
}
