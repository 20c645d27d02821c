// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// What a save waits for at most before it is evidence in the journal: the document's rest (`analyzer.settle`, 2 s), and this much more, on
/// a busy machine.
private let mostDelay = 2.0 + 5.0
/// What anybody waits for an answer while somebody else floods the share and the socket.
private let mostReplyDelay = 3.0
/// In KiB.
private let mostMemory = 150 << 10

@Suite("Hostile people", .serialized, .enabled(if: Hostile.obstacle == nil, Comment(rawValue: Hostile.obstacle ?? "")))
struct HostileTests {
    @Test("300 hostile files, names and clients neither stop the daemon nor delay another student's saves")
    func all() async throws {
        struct Summary: Decodable {
            var saves: Int
            var worst: Double
            var median: Double
            var worstReply: Double
        }
        let school = try School()
        try await school.start(asInstalled: true)
        let pid = try #require(school.pid)
        let socket = school.folder + "/daybook.sock"
        let stop = school.folder + "/stop"
        let linden = School.Person.linden
        let student = try Hostile.Running(
            Hostile.program("student", [socket, school.work(linden) + "/essay.txt", String(linden.rawValue), linden.login, stop]),
            name: "student", in: school)
        let seed = UInt32.random(in: 0...UInt32.max)
        let files = try Hostile.Running(
            Hostile.program("files", [school.work(.berg), String(School.Person.berg.rawValue), String(seed)]), name: "files", in: school)
        let clients = try Hostile.Running(Hostile.program("clients", [socket, String(seed)], as: .berg), name: "clients", in: school)
        var count = 0
        for running in [files, clients] {
            let output = try await running.finish()
            count += try #require(Int(output.trimmingCharacters(in: .whitespacesAndNewlines)), "\(output)")
        }
        for _ in 0..<100 {
            kill(pid, SIGHUP)
            count += 1
        }
        try Data().write(to: URL(filePath: stop))
        let summary = try await JSONDecoder().decode(Summary.self, from: Data(student.finish().utf8))
        print("hostile inputs: \(count), seed \(seed), \(summary), resident \(try Hostile.resident(pid)) KiB")

        #expect(count >= 300)
        #expect(summary.saves >= 3)
        #expect(summary.worst < mostDelay, "seed \(seed): \(summary)")
        #expect(summary.worstReply < mostReplyDelay, "seed \(seed): \(summary)")
        #expect(try Hostile.resident(pid) < mostMemory)
        #expect(school.pid == pid, "the same process must have lived through it all")
        // One more, when all is over, is measured as ever.
        try school.save("Words after the storm, five.", "after.txt", by: .linden)
        try await school.eventually("a document is measured after the storm", within: 60) {
            try school.student(.linden).assignments.first?.saves.last { $0.document.hasSuffix("/after.txt") }?.item?.value == 5
        }
        let bad = try school.said().split(separator: "\n").filter { line in
            let isBad = ["<0>", "<1>", "<2>", "<3>"].contains { line.hasPrefix($0) } || line.contains("Fatal error")
            return isBad && !expectedErrors.contains { line.contains($0) }
        }
        #expect(bad.isEmpty, "seed \(seed)")
        school.end(SIGTERM)
        #expect(try school.verifies(), "seed \(seed)")
        #expect(try Child.run(["pgrep", "--parent", String(pid)]).output == "", "an analyzer stayed behind")
    }

    /// What a flood may make the daemon say.
    private let expectedErrors = [
        "events were lost", "a share is not watched completely", "more sessions of one person begin", "more is going on than is kept",
        // The administrators' group is not on this machine.
        "the configuration names somebody",
    ]

    @Test("hostile names reach no terminal as they are, and what lies outside the layouts is named nowhere")
    func names() async throws {
        let school = try School()
        try await school.start()
        // Deeper than Foundation can remove.
        defer { _ = try? Child.run(["rm", "-rf", school.share]) }
        let planted = "Zaubernuss7391"
        let outcome = try Child.run(
            Hostile.program(
                "names",
                [
                    school.share, school.assignmentFolder, school.work(.berg), String(School.Person.berg.rawValue),
                    String(School.Person.kelly.rawValue), planted,
                ]))
        #expect(outcome.status == 0, "\(outcome)")
        try await school.eventually("all names that count are sessions") { school.started() >= 18 }

        let commands = [
            ["status"], ["report", "Hamlet essay"], ["show", "berg"], ["sessions"], ["tail", "-n", "500", "--names"],
            ["tail", "-n", "500"],
            ["me", "--as", "berg"], ["doctor"], ["report", "no\u{1b}[31mbody\n\u{202e}"], ["show", "no\u{1b}[31mbody"],
            ["bo\u{1b}[31mgus"], ["verify", "/no\u{1b}[31mt"],
            ["analyze", school.work(.berg) + "/esc\u{1b}[31mred\u{1b}]0;title\u{07}.txt"],
        ]
        for words in commands {
            let shown = try school.daybook(words)
            #expect(Self.unprintable(shown.output).isEmpty, "\(words)")
            #expect(!shown.output.contains(planted), "\(words)")
        }
        for words in [["status"], ["report", "Hamlet essay"], ["show", "berg"], ["sessions"], ["tail", "-n", "500", "--names"]] {
            let shown = try school.daybook(words + ["--json"])
            #expect(shown.status == 0)
            #expect(Self.unprintable(shown.output).isEmpty, "\(words) --json")
            for line in shown.output.split(separator: "\n") {
                #expect(throws: Never.self, "\(words) --json") { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
            }
        }
        school.end(SIGTERM)
        let found = try Child.run(["grep", "-rlaF", planted, school.state, school.log])
        #expect(found.output == "")
        let control = try Child.run(["grep", "-rlaF", "Hamlet essay", school.state])
        #expect(control.output != "", "a search that finds nothing is none")
        #expect(try school.verifies())
    }

    /// Characters that a terminal acts on, or that hide or turn what is shown.
    private static func unprintable(_ text: String) -> [String] {
        text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar != "\n"
            case .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
            default: scalar == "\u{FFFD}"
            }
        }.map { String($0.value, radix: 16) }
    }

    @Test("nobody gets or switches by the socket what is not theirs")
    func peers() async throws {
        let school = try School()
        try await school.start()
        try school.save("Hamlet waits.", "essay.txt", by: .berg)
        try await school.eventually("the session is there") { school.started() > 0 }
        let denied = "org.varlink.service.PermissionDenied"
        let person = "org.daybook.Reports.NoSuchPerson"
        let assignment = "org.daybook.Reports.NoSuchAssignment"
        func error(_ uid: UInt32, _ method: String, _ parameters: String = "{}") throws -> String {
            try Hostile.ask(school, uid: uid, "org.daybook." + method, parameters).error
        }
        let linden = School.Person.linden.rawValue
        // Another student, a stranger, and the kernel's word for somebody else.
        for uid in [linden, 61_999, 65_534] {
            #expect(try error(uid, "Journal.Tail") == denied)
            #expect(try error(uid, "Reports.SetRecording", #"{"state":"off"}"#) == denied)
            #expect(try error(uid, "Reports.SetRecording", #"{"state":"off","person":"berg"}"#) == denied)
            #expect(try error(uid, "Reports.Me", #"{"as":"berg"}"#) == denied)
            #expect(try error(uid, "Reports.Report", #"{"assignment":"Hamlet essay"}"#) == assignment)
            #expect(try error(uid, "Reports.Show", #"{"person":"berg"}"#) == person)
            #expect(try error(uid, "Reports.Sessions", #"{"person":"berg"}"#) == person)
            #expect(try !Hostile.ask(school, uid: uid, "org.daybook.Reports.ListAssignments").answer.contains("Hamlet"))
            let status = try Hostile.ask(school, uid: uid, "org.daybook.Reports.Status")
            #expect(status.error == "" && !status.answer.contains(school.share))
        }
        for uid in [61_999, 65_534] as [UInt32] {
            #expect(try error(uid, "Reports.Me") == person)
            #expect(try error(uid, "Reports.Sessions") == denied)
        }
        let kelly = School.Person.kelly.rawValue
        #expect(try error(kelly, "Journal.Tail") == denied)
        #expect(try error(kelly, "Reports.SetRecording", #"{"state":"off"}"#) == denied)
        #expect(try error(kelly, "Reports.Report", #"{"assignment":"Hamlet essay"}"#) == "")
        #expect(try error(School.Person.berg.rawValue, "Reports.Show", #"{"person":"berg"}"#) == "")
        let lines = try school.journal()
        #expect(!lines.contains { $0.contains(#""kind":"recording""#) && $0.contains(#""state":"off""#) })
    }

    @Test("a second daemon on the same journal does not start, and the first goes on")
    func second() async throws {
        let school = try School()
        try await school.start()
        let program = try #require(Programs.built("daybookd"))
        let second = try Child.run([
            "timeout", "20", program, "--config", school.folder + "/config.toml", "--socket", school.folder + "/2.sock",
        ])
        #expect(second.status == 1)
        #expect(second.output.contains("another daybookd writes the journal"), "\(second)")
        try school.save("Hamlet waits.", "essay.txt", by: .berg)
        try await school.eventually("the first goes on") { school.started() > 0 }
    }

    @Test(
        "a full state directory stops what is acknowledged, not what is read; afterwards there is a gap, and nothing acknowledged is lost")
    func fullDisk() async throws {
        let school = try School()
        let mounted = try Child.run(["mount", "-t", "tmpfs", "-o", "size=512k,mode=755", "daybook-test", school.state])
        #expect(mounted.status == 0, "\(mounted)")
        defer {
            school.end(SIGTERM)
            _ = try? Child.run(["umount", school.state])
        }
        try await school.start()
        try school.save("Hamlet waits.", "before.txt", by: .berg)
        try await school.eventually("the first session is there") { school.started("before.txt") > 0 }
        // dd ends with an error, since it fills all there is.
        _ = try Child.run(["dd", "if=/dev/zero", "of=\(school.state)/ballast", "bs=4096"])
        _ = try Child.run(["dd", "if=/dev/zero", "of=\(school.state)/ballast", "bs=1", "oflag=append", "conv=notrunc", "count=4096"])
        var written = 0
        try await school.eventually("the store stops") {
            // Each rests after it was written, or it is no save.
            if written % 20 == 0 { try school.save("Hamlet waits.", "during\(written).txt", by: .berg) }
            written += 1
            return try school.said().contains("the journal cannot be written")
        }
        #expect(try school.daybook(["report", "Hamlet essay"]).status == 0, "reads go on")
        let refused = try school.daybook(["recording", "off", "berg", "--yes"])
        #expect(refused.status != 0, "\(refused)")
        try FileManager.default.removeItem(atPath: school.state + "/ballast")
        try await school.eventually("a gap is journaled", within: 30) {
            try school.journal().contains { $0.contains(#""kind":"gap""#) && $0.contains(#""cause":"storage""#) }
        }
        #expect(try school.journal().contains { $0.contains("before.txt") })
        school.end(SIGTERM)
        #expect(try school.verifies())
    }

    @Test("a share whose folder is taken away and replaced is watched again")
    func replacedShare() async throws {
        let school = try School()
        try await school.start()
        let away = school.folder + "/away"
        try FileManager.default.moveItem(atPath: school.share, toPath: away)
        try await school.eventually("it is missed") { try school.said().contains("a share is not watched completely") }
        try Data().write(to: URL(filePath: school.share))
        try FileManager.default.removeItem(atPath: school.share)
        try FileManager.default.moveItem(atPath: away, toPath: school.share)
        var written = 0
        try await school.eventually("work is seen again", within: 40) {
            // Each rests for a while after it was written, or it is no save.
            if written % 60 == 0 { try school.save("Hamlet waits.", "essay\(written).txt", by: .berg) }
            written += 1
            return school.started() > 0
        }
        #expect(try school.verifies())
    }
}

extension School {
    /// A person saves a document in their folder of the assignment, as themself from the first byte on.
    func save(_ text: String, _ name: String, by person: Person) throws {
        let outcome = try Child.run(command(["sh", "-c", "echo \"$0\" > \"$1\"", text, "\(work(person))/\(name)"], as: person))
        guard outcome.status == 0 else { throw Failed(description: "\(outcome)") }
    }

    /// How many sessions have begun, on documents with `name` in their path.
    func started(_ name: String = "") -> Int {
        // Not there before the first entry.
        let lines = (try? journal()) ?? []
        return lines.count { $0.contains(#""kind":"activity.started""#) && (name.isEmpty || $0.contains(name)) }
    }
}
