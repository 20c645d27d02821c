// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The page of limits")
struct LimitsTests {
    private func rows(_ beginning: String) throws -> [[String]] {
        try Repository.text("Documentation/Limits.md").split(separator: "\n").filter { $0.hasPrefix("| `\(beginning)") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test("has the configuration's defaults, every key of [limits] among them")
    func defaults() throws {
        var section = ""
        var values: [String: String] = [:]
        for line in try Repository.text("config.example.toml").split(separator: "\n") {
            if line.hasPrefix("[") { section = line.trimmingCharacters(in: CharacterSet(charactersIn: "[]")) }
            guard !line.hasPrefix("#"), let match = line.firstMatch(of: /^([a-z-]+) = "?([^"]*)"?$/) else { continue }
            values["\(section).\(match.output.1)"] = String(match.output.2)
        }
        var named: Set<String> = []
        for row in try rows("") where row[0].wholeMatch(of: /`[a-z]+\.[a-z-]+`/) != nil && !row[0].hasPrefix("`fs.") {
            let key = row[0].trimmingCharacters(in: CharacterSet(charactersIn: "`"))
            named.insert(key)
            #expect(values[key] == row[1], "\(key)")
        }
        let limits = values.keys.filter { $0.hasPrefix("limits.") }
        #expect(limits.count >= 8)
        for key in limits { #expect(named.contains(key), "\(key) is not on the page") }
    }

    @Test("has the constants of the code with their values")
    func constants() throws {
        var count = 0
        for row in try rows("") {
            guard let match = row[0].wholeMatch(of: /`([A-Za-z+\/-]+\.swift)` `(\w+)`/) else { continue }
            count += 1
            let (file, name) = (String(match.output.1), String(match.output.2))
            let text = try Repository.text("Sources/" + file)
            let pattern = try Regex("static let \(name)(?:: \\w+)? = ([^\\n/]+)")
            let value = try #require(text.firstMatch(of: pattern)?.output[1].substring, "\(file) has no \(name)")
            #expect(Self.written(value) == row[1], "\(file) \(name)")
        }
        #expect(count >= 20)
    }

    @Test("has the limits of the kernel as sysctl.d sets them")
    func kernel() throws {
        let set = try Repository.text("systemd/sysctl.d/30-daybook.conf")
        let rows = try rows("fs.")
        #expect(rows.count == 4)
        for row in rows {
            let key = row[0].trimmingCharacters(in: CharacterSet(charactersIn: "`"))
            #expect(set.contains("\(key) = \(row[1])\n"), "\(key)")
        }
    }

    /// `50_000` as `50,000`, `1 << 20` as `1 MiB`, `Duration.seconds(60)` as `60 s`.
    private static func written(_ value: Substring) -> String {
        let value = value.trimmingCharacters(in: .whitespaces).replacing("_", with: "")
        if let match = value.wholeMatch(of: /(\d+) << (10|20|30)/) {
            return "\(grouped(match.output.1)) \(["10": "KiB", "20": "MiB", "30": "GiB"][match.output.2] ?? "?")"
        }
        if let match = value.wholeMatch(of: /Duration\.seconds\((\d+)\)/) { return "\(grouped(match.output.1)) s" }
        return grouped(value[...])
    }

    private static func grouped(_ digits: Substring) -> String {
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { result += "," }
            result.append(digit)
        }
        return result
    }
}
