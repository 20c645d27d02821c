// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Foundation
import Inference
import Settings
import Testing

@Suite("The example configuration")
struct ExampleTests {
    private static let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config.example.toml").path

    @Test("is the defaults, and an example share, class, person and program")
    func isDefaults() throws {
        var settings = try Settings.load(Self.path)
        #expect(
            settings.shares == [
                .init(path: "/srv/classes", layouts: LayoutSet([try LayoutPattern("{class}/{assignment}/{person}/{document}")]))
            ])
        var example = Settings.SchoolClass(
            name: "7b", students: [.group("students-7b")], teachers: [.group("staff-7b"), .login("m.kelly")])
        example.coordinators = [.group("heads")]
        example.covers = [.init(login: "r.singh", until: try #require(CivilDate(prefixOf: "2026-12-18")))]
        #expect(settings.classes == [example])
        #expect(settings.people == [.init(id: PersonID(uid: 61_002, login: "berg"), name: "Berg, Jonas")])
        #expect(settings.analyzer.external.map(\.analyzer.name) == ["scratch"])
        settings.analyzer.external = []
        settings.shares = []
        settings.classes = []
        settings.people = []
        #expect(settings.classKit.trusted == ["/opt/quiz/bin/quiz"])
        settings.classKit.trusted = []
        #expect(settings == Settings())
    }

    @Test("documents every key there is")
    func everyKey() throws {
        let example = keys(try String(contentsOfFile: Self.path, encoding: .utf8))
        #expect(example == keys(everyKeyChanged))
        #expect(example.count > 30)
    }

    @Test("explains every key and section in the lines before it")
    func explained() throws {
        var explained = false
        for line in try String(contentsOfFile: Self.path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("#") { explained = true }
            if line.isEmpty || line.hasPrefix("[") { explained = explained || line.hasPrefix("[") }
            if line.contains(" = "), !line.hasPrefix("#") { #expect(explained, "\(line)") }
        }
    }

    /// `section.key`, as they stand in a text.
    private func keys(_ text: String) -> Set<String> {
        var section = ""
        var keys: Set<String> = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("[") {
                section = line.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
            } else if let equals = line.firstIndex(of: "=") {
                keys.insert(section + "." + line[..<equals].trimmingCharacters(in: .whitespaces))
            }
        }
        return keys
    }
}
