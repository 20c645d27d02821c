// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("Audio that is played", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct MediaTests {
    /// A player as the daemon sees it: a program of its own name that reads the file bit by bit, at the speed of a sound.
    private func play(_ path: String, in school: School) throws -> Child {
        let player = school.folder + "/hymnplayer"
        try FileManager.default.createSymbolicLink(atPath: player, withDestinationPath: "/usr/bin/python3")
        let script = """
            import sys, time
            with open(sys.argv[1], 'rb', buffering=0) as file:
                for part in range(24):
                    file.read(1000)
                    time.sleep(0.5)
                time.sleep(120)
            """
        return try Child(school.command([player, "-c", script, path], as: .berg), output: school.folder + "/player.out")
    }

    @Test("here: how far is written and shown as delivered", arguments: School.sources)
    func local(source: String) async throws {
        let school = try School(source: source)
        let path = try school.put(String(repeating: "~", count: 32_000), "hymn.mp3", for: .berg)
        try await school.start()
        let player = try play(path, in: school)
        defer { player.end(SIGTERM) }
        func positions() throws -> [Int] {
            try school.journal().filter { $0.contains("\"what\":\"delivered\"") }.compactMap { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                #expect(object?["size"] as? Int == 32_000)
                return object?["position"] as? Int
            }
        }
        try await school.eventually("a first position", within: 30) { (try? positions())?.first.map { $0 > 0 } }
        // It stops there, and what it has read by then is written 30 seconds after the first.
        try await school.eventually("a further position", within: 60) { (try? positions())?.last.map { $0 == 24_000 } }
        player.end(SIGTERM)
        let sessions = try await school.ended("hymn.mp3")
        #expect(sessions.map(\.person) == ["berg"])
        #expect(try positions().count == 2, "every 30 seconds at most, and at the end only what is further")
        let shown = try school.daybook(["show", "berg"]).output
        #expect(shown.contains("Delivered: read by a player on this server") && shown.contains("75 %  hymn.mp3"), "\(shown)")
        #expect(try school.verifies())
    }
}
