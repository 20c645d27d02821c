// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("A recorded share", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct RecordedShareTests {
    private struct Line: Decodable {
        var document: String
        var person: String?
        var openSeconds: Double?
        var atLeastSeconds: Double
        var atMostSeconds: Double
        var saves: Int
        var confidence: String
        var ended: String?
    }

    @Test("with masked names gives the sessions that it gives with the real ones, and no name is in it")
    func vim() async throws {
        let school = try School()
        try school.put("Hamlet waits.\n", "secret essay.txt", for: .berg)
        let program = try #require(Programs.built("daybook"))
        var recorders: [(child: Child, trace: String)] = []
        for (name, more) in [("masked", []), ("named", ["--names"])] {
            let trace = "\(school.folder)/\(name)"
            let words = [program, "record", trace, "--config", school.folder + "/config.toml"] + more
            recorders.append((try Child(words, output: trace + ".log"), trace))
        }
        for (_, trace) in recorders {
            try await school.eventually("\(trace) is recorded") {
                try String(contentsOfFile: trace + ".log", encoding: .utf8).contains("daybook: recording")
            }
        }
        let terminal = try await Terminal(.berg, in: school)
        let opened = try await terminal.vim("'secret essay.txt'", shows: "Hamlet waits")
        try await terminal.vimAppends("To be or not to be; he asks.")
        let times = try await terminal.vimQuits(opened: opened)
        // An editor that writes another file and puts it in the place of the document.
        let temporary = ".goutputstream-A1B2C3"
        _ = try await terminal.start(
            "cat *.txt; echo Nothing > \(temporary); mv \(temporary) 'second secret.md'; echo saved", shows: "saved\n")

        // On a busy machine one of the recorders may not have read that yet.
        try await Task.sleep(for: .seconds(2))
        var found: [[Line]] = []
        for (child, trace) in recorders {
            child.end(SIGINT)
            #expect(child.wait() == 0)
            let replay = try school.daybook([
                "replay", "--config", trace + "/config.toml", "--people", trace + "/people.json", trace, "--json",
            ])
            #expect(replay.status == 0, "\(replay)")
            found.append(try replay.output.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) })
        }
        let (masked, named) = (found[0], found[1])
        #expect(masked.count == named.count)
        for (one, other) in zip(masked, named) {
            #expect(one.saves == other.saves && one.confidence == other.confidence && one.ended == other.ended)
            #expect(one.document.hasSuffix(".txt") == other.document.hasSuffix(".txt"))
            #expect(other.person == "berg" && one.person == "person-1")
            // Two recorders read the same event at slightly different moments.
            #expect(abs((one.openSeconds ?? 0) - (other.openSeconds ?? 0)) < 0.2)
            #expect(abs(one.atLeastSeconds - other.atLeastSeconds) < 0.2)
            // And end at different ones.
            #expect(abs(one.atMostSeconds - other.atMostSeconds) < 2)
        }
        let essay = try #require(named.first { $0.document.hasSuffix("/secret essay.txt") && $0.confidence == "good" })
        #expect(abs((essay.openSeconds ?? 0) - times.seconds) < 1, "\(essay) \(times)")
        #expect(essay.saves == 1)

        let folder = recorders[0].trace
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.count == 7)
        for file in files {
            let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
            for word in ["secret", "essay", "berg", "linden", "Hamlet", "8b/", ":61001,", "\"61001\"", "second"] {
                #expect(!text.contains(word), "\(file): \(word)")
            }
        }
        let log = try String(contentsOfFile: folder + ".log", encoding: .utf8)
        #expect(log.contains("Names and user numbers are replaced."), "\(log)")
        #expect(log.contains("class-1/assignment-1/person-"), "\(log)")
    }
}
