// SPDX-License-Identifier: Apache-2.0
import Foundation
import ProgramTexts
import Testing

@testable import daybook

@Suite("The manual pages")
struct ManualTests {
    private static let mandoc = URL(filePath: "/usr/bin/mandoc")
    private static var hasMandoc: Bool { FileManager.default.isExecutableFile(atPath: mandoc.path) }
    private static let example =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "config.example.toml").path

    /// All pages, where man would find them: the path, and the page's name.
    private static func install(in folder: Folder) throws -> [(file: String, page: String)] {
        try [("daybook", 1), ("daybook-config", 5), ("daybookd", 8), ("daybook-analyze", 8)].map { page, section in
            let result = try Program.run(["man", page, "--example", example])
            #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
            try FileManager.default.createDirectory(atPath: folder.path + "/man\(section)", withIntermediateDirectories: true)
            return (try folder.write(result.output, to: "man\(section)/\(page).\(section)"), page)
        }
    }

    @Test("have nothing that mandoc finds wrong", .enabled(if: hasMandoc, "mandoc is not here (make packages)"))
    func lint() throws {
        let folder = try Folder()
        let pages = try Self.install(in: folder)
        for (file, page) in pages {
            let lint = try Program.run(["-T", "lint", file], program: Self.mandoc)
            // Where they are not installed, only each other are not found; where they are, there is no exception (`ServiceTests`).
            let lines = (lint.output + lint.errors).split(separator: "\n").filter { line in
                guard let match = line.firstMatch(of: /referenced manual not found: Xr (\S+) (\d)$/) else { return true }
                return !pages.contains { $0.file.hasSuffix("/man\(match.output.2)/\(match.output.1).\(match.output.2)") }
            }
            #expect(lines == [], "\(page)")
        }
        let wrong = try folder.write(".Dd today\n.Dt X\nA sentence. Another one.\n", to: "wrong.1")
        #expect(try Program.run(["-T", "lint", wrong], program: Self.mandoc).code != 0, "a lint that finds nothing shows nothing")
    }

    @Test("say all that the help says, in the words in which it is typed", .enabled(if: hasMandoc, "mandoc is not here (make packages)"))
    func complete() throws {
        let folder = try Folder()
        for (file, page) in try Self.install(in: folder) {
            let set = try Program.run(["-T", "utf8", "-O", "width=1000", file], program: Self.mandoc).output
            // Bold and underlined are a letter struck twice.
            let text = set.replacing(/.\u{8}/, with: "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
            switch page {
            case "daybook":
                for command in Commands.all {
                    let title = command.operands.isEmpty ? command.name : "\(command.name) \(command.operands)"
                    #expect(text.contains(title.replacing("…", with: "...")), "\(title)")
                    for option in command.options + Help.globalOptions {
                        let label = (option.short.map { "-\($0), " } ?? "") + "--\(option.long)" + (option.value.map { " \($0)" } ?? "")
                        #expect(text.contains(label), "\(command.name) \(label)")
                    }
                    let words = command.explanation.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                    #expect(text.contains(words.replacing("…", with: "...")), "\(command.name)")
                }
            case "daybook-config":
                let keys = try String(contentsOfFile: Self.example, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
                #expect(keys.count > 50)
                for key in keys { #expect(text.contains(key), "\(key)") }
            case "daybookd": #expect(text.contains("--analyzer PROGRAM daybook-analyze, where no analyzer service listens"))
            default: #expect(text.contains("--memory-limit MB for one document (1024)"))
            }
        }
    }

    @Test("and help is a command, too")
    func help() throws {
        #expect(try Program.run(["help"]) == Program.run(["--help"]))
        for command in Commands.all {
            let asked = try Program.run(["help", command.name])
            #expect(try asked == Program.run([command.name, "--help"]) && asked.code == 0)
            #expect(asked.output.hasPrefix("Usage: daybook \(command.name)"))
        }
        let unknown = try Program.run(["help", "reprot"])
        #expect(unknown.code == 2 && unknown.errors.contains("did you mean 'report'?"), "\(unknown)")
        #expect(try Program.run(["man", "dayboko"]).code == 2)
        for program in ["daybookd", "daybook-analyze"] {
            let help = try Program.run(["--help"], program: Program.file(program))
            #expect(help.code == 0 && help.output.hasPrefix("usage: \(program) ["))
            #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 79 })
        }
    }
}
