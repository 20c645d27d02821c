// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The documentation")
struct DocumentationTests {
    /// The names of all tests, as `Suite/function`.
    private static let tests: Set<String> = {
        var names: Set<String> = []
        for path in Repository.files(below: "Tests") where path.hasSuffix(".swift") {
            var suite = ""
            var isTest = false
            for line in ((try? Repository.text(path)) ?? "").split(separator: "\n") {
                // Patterns are slow, and few lines can match.
                guard line.contains("@Test") || line.contains("Tests") || isTest && line.contains("func ") else { continue }
                if let name = line.firstMatch(of: /^\s*(?:private )?struct (\w+Tests)\b/)?.output.1 { suite = String(name) }
                if line.firstMatch(of: /^\s*@Test\b/) != nil { isTest = true }
                if isTest, let name = line.firstMatch(of: /\bfunc `?(\w+)`?\(/)?.output.1 {
                    names.insert("\(suite)/\(name)")
                    isTest = false
                }
            }
        }
        return names
    }()

    @Test("names for each of the 36 problems of watching what shows that it is mended, and all of that exists")
    func watching() throws {
        #expect(Self.tests.count > 500)
        let page = try Repository.text("Documentation/Watching.md")
        let rows = page.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^\| (\d+) \|/).map { (Int($0.output.1) ?? 0, line) }
        }
        #expect(rows.map(\.0) == Array(1...36))
        let known = try Repository.text("Documentation/KnownProblems.md")
        for (number, row) in rows {
            let columns = row.split(separator: "|", omittingEmptySubsequences: true)
            try #require(columns.count == 4, "row \(number)")
            let named = columns[3].matches(of: /`(\w+\/\w+)`/).map { String($0.output.1) }
            #expect(!named.isEmpty, "row \(number) names no test")
            for name in named { #expect(Self.tests.contains(name), "row \(number): there is no test \(name)") }
        }
        #expect(known.contains("Watching.md"))
    }

    private static let programs: Set = [
        "make", "swift", "sudo", "sudoedit", "daybook", "varlinkctl", "python3", "tail", "cat", "cd", "entries", "printf", "sed", "openssl",
        "mv", "cp", "rsync", "systemctl", "git",
    ]

    /// What is typed: in fenced blocks of no language or of sh, and in indented ones.
    private static func commands(of path: String) throws -> [String] {
        var found: [String] = []
        var fence: Substring?
        for line in try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("```") {
                fence = fence == nil ? text.dropFirst(3) : nil
                continue
            }
            guard fence == nil && line.hasPrefix("    ") || fence == "" || fence == "sh" else { continue }
            guard let word = text.split(separator: " ").first.map(String.init) else { continue }
            guard programs.contains(word) || word.hasPrefix("Tests/") || word.hasPrefix(".ci/") else { continue }
            // What stands behind is an explanation.
            found.append(String(text.prefix { $0 != "#" }.split(separator: "  ").first ?? "").trimmingCharacters(in: .whitespaces))
        }
        return found
    }

    @Test("shows no command that nothing runs, unless it says why")
    func commands() throws {
        let pages = Repository.files().filter { $0.hasSuffix(".md") && !$0.hasPrefix("CHANGELOG") && !$0.hasPrefix("Tests/") }
        var used: Set<String> = []
        for path in pages {
            for command in try Self.commands(of: path) {
                let entry = DocumentedCommands.all.first { command.hasPrefix($0.command) }
                guard let entry else {
                    Issue.record("\(path) shows '\(command)', which has no line in DocumentedCommands.swift")
                    continue
                }
                used.insert(entry.command)
                if case .run(let test) = entry.how {
                    #expect(Self.tests.contains(test), "there is no test \(test), which is to run '\(command)'")
                }
            }
        }
        #expect(used.count > 10)
        for entry in DocumentedCommands.all { #expect(used.contains(entry.command), "nothing shows '\(entry.command)' any more") }
    }

    private static let daybook = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(
        path: "daybook")

    @Test("names no command of daybook's that there is not", .enabled(if: FileManager.default.isExecutableFile(atPath: daybook.path)))
    func words() throws {
        var words: Set<String> = []
        for path in Repository.files() where path.hasSuffix(".md") {
            words.formUnion(try Repository.text(path).matches(of: /`daybook ([a-z]+)/).map { String($0.output.1) })
        }
        #expect(words.count > 8)
        for word in words {
            let process = Process()
            process.executableURL = Self.daybook
            process.arguments = [word, "--help"]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "daybook \(word)")
        }
    }
}
