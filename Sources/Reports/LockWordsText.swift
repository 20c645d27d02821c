// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON

/// What lock files say, for people and programs.
extension LockWords {
    var json: JSONValue {
        [
            "program": .string(program), "login": orNull(login) { .string($0) }, "name": orNull(name) { .string($0) },
            "host": orNull(host) { .string($0) },
        ]
    }

    init(reportJSON: JSONValue) throws(MalformedReport) {
        let members = try Members(reportJSON, of: "lock words")
        let words = LockWords(
            program: try members.string("program"), login: try members.optional(members.string, "login"),
            name: try members.optional(members.string, "name"), host: try members.optional(members.string, "host"))
        guard let words else { throw members.missing("name") }
        self = words
    }

    /// `"Berg, Jonas" (jberg) on PC-12`. What stands in quotes cannot end them.
    var text: String {
        func quoted(_ text: String) -> String { "\"" + text.map { $0 == "\"" ? "'" : String($0) }.joined() + "\"" }
        var parts: [String] = []
        switch (name, login) {
        case (let name?, let login?): parts.append(name == login ? quoted(name) : quoted(name) + " (\(quoted(login)))")
        case (let known?, nil), (nil, let known?): parts.append(quoted(known))
        case (nil, nil): break
        }
        if let host { parts.append("on " + quoted(host)) }
        return parts.joined(separator: " ")
    }

    /// One sentence for several sessions, the most frequent first; nil where no lock says anything.
    static func sentence(_ sessions: [[LockWords]]) -> String? {
        var counts: [LockWords: Int] = [:]
        for words in sessions { for said in Set(words) { counts[said, default: 0] += 1 } }
        if counts.isEmpty { return nil }
        let parts = counts.map { (text: $0.key.text, count: $0.value) }.sorted { ($1.count, $0.text) < ($0.count, $1.text) }
        let shown = parts.prefix(listed).map { "\($0.text) (\(plural($0.count, "session")))" }
        let more = parts.count > listed ? " and \(parts.count - listed) others" : ""
        return "The lock file says " + shown.joined(separator: ", ") + more + "; anybody can write that, and it is not checked."
    }

    /// More than these are only counted.
    static let listed = 5
}
