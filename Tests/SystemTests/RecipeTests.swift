// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The recipes of the journal's page", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct RecipeTests {
    @Test("work as they stand there, on a real journal", .enabled(if: Programs.isInstalled("jq"), "jq is not here (make packages)"))
    func journal() async throws {
        let page = try String(contentsOf: Box.package.appending(path: "Documentation/Journal.md"), encoding: .utf8)
        let block = try #require(page.firstMatch(of: /(?s)```sh\n(cd \/var\/lib\/daybook\n.*?)```/)?.output.1)
        let recipes = block.split(separator: "\n\n").map(String.init)
        #expect(recipes.count >= 9)
        let school = try School()
        try school.put("Hamlet.\n", "essay.txt", for: .berg)
        try await school.start()
        try school.save("Hamlet waits.", "essay.txt", by: .berg)
        try await school.words(of: "essay.txt", by: .berg, are: 2)
        let journal = try String(contentsOfFile: school.state + "/current.jsonl", encoding: .utf8)
        let activity = try #require(journal.firstMatch(of: /"kind":"evidence","activity":(\d+)/)?.output.1)
        var empty: [String] = []
        for recipe in recipes.dropFirst() {
            // Theirs are made-up names; it follows for ever.
            let script = recipe.replacing("tail -F", with: "tail -n +1").replacing("\"mia\"", with: "\"berg\"")
                .replacing(".activity == 7", with: ".activity == \(activity)")
                .replacing("8b/2026-03-14 Hamlet/mia/essay.odt", with: "8b/\(School.assignment)/berg/essay.txt")
            let outcome = try Child.run(["bash", "-o", "pipefail", "-c", "cd \"$0\"\n\(script)", school.state])
            #expect(outcome.status == 0, "\(recipe)\n\(outcome)")
            if outcome.output.isEmpty { empty.append(String(recipe.prefix { $0 != "\n" })) }
        }
        // There was nothing to tell of these.
        #expect(empty.allSatisfy { $0.contains("looked") || $0.contains("missed") || $0.contains("Repairs") }, "\(empty)")
    }
}
