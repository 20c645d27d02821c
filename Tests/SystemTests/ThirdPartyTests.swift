// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("Varlink programs by others", .serialized, .enabled(if: ThirdParty.obstacle == nil, Comment(rawValue: ThirdParty.obstacle ?? "")))
struct ThirdPartyTests {
    private let school: School
    private var socket: String { school.folder + "/daybook.sock" }

    /// A school in which one student has saved an essay, so that there is something to report.
    init() async throws {
        school = try School()
        try await school.start()
        try school.save("Hamlet waits a long time.", "essay.txt", by: .berg)
        let school = school
        try await school.eventually("the save is in the journal") { school.started() > 0 }
    }

    private func varlinkctl(_ words: [String], status: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
        let outcome = try Child.run(["timeout", "20"] + ThirdParty.varlinkctl.get() + words)
        #expect(outcome.status == status, "varlinkctl \(words) \(outcome)", sourceLocation: sourceLocation)
        return outcome.output
    }

    @Test("varlinkctl lists, and finds nothing wrong with the interfaces")
    func lists() throws {
        #expect(try varlinkctl(["info", socket]).contains("Vendor: Daybook"))
        let interfaces = [
            "org.daybook.ClassKit", "org.daybook.Classroom", "org.daybook.Journal", "org.daybook.Reports", "org.varlink.service",
        ]
        #expect(try varlinkctl(["list-interfaces", socket]).split(whereSeparator: \.isWhitespace).map(String.init) == interfaces)
        for interface in interfaces {
            let text = try varlinkctl(["introspect", socket, interface])
            #expect(text.contains("interface \(interface)\n"))
            let file = "\(school.folder)/\(interface)"
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            _ = try varlinkctl(["validate-idl", file])
        }
        let broken = "\(school.folder)/broken"
        try "interface org.daybook.Broken\nmethod Call(a: Missing) -> ()\n".write(toFile: broken, atomically: true, encoding: .utf8)
        #expect(try Child.run(ThirdParty.varlinkctl.get() + ["validate-idl", broken]).status != 0, "a check that finds nothing is none")
    }

    @Test("varlinkctl calls a report, and is told what is wrong with a call")
    func calls() throws {
        struct Answer: Decodable {
            struct Row: Decodable { var person: String }
            struct Report: Decodable { var rows: [Row] }
            var report: Report
        }
        let text = try varlinkctl(["-j", "call", socket, "org.daybook.Reports.Report", "{\"assignment\":\"Hamlet essay\"}"])
        let answer = try JSONDecoder().decode(Answer.self, from: Data(text.utf8))
        #expect(answer.report.rows.map(\.person).sorted() == ["berg", "linden"])
        #expect(
            try varlinkctl(["call", socket, "org.daybook.Reports.Show", "{\"person\":\"nobody\"}"], status: 1)
                .contains("org.daybook.Reports.NoSuchPerson"))
        #expect(
            try varlinkctl(["call", socket, "org.daybook.Reports.Report", "{\"assignment\":7}"], status: 1)
                .contains("org.varlink.service.InvalidParameter"))
        #expect(
            try varlinkctl(["call", socket, "org.daybook.Journal.Tail", "{\"follow\":true}"], status: 1)
                .contains("org.varlink.service.ExpectedMore"))
        #expect(try varlinkctl(["call", "--oneway", socket, "org.daybook.Reports.Status", "{}"]) == "")
    }

    @Test("varlinkctl follows the journal")
    func follows() async throws {
        let file = school.folder + "/followed"
        let words = try ThirdParty.varlinkctl.get()
        let follower = try Child(
            words + ["-j", "call", "--more", socket, "org.daybook.Journal.Tail", #"{"follow":true,"names":true}"#], output: file)
        defer { follower.end(SIGTERM) }
        try await school.eventually("the first reply has come") { try Data(contentsOf: URL(filePath: file)).count > 0 }
        try school.save("Ophelia sings.", "song.txt", by: .linden)
        try await school.eventually("the new session is told") {
            try String(contentsOfFile: file, encoding: .utf8).contains("linden/song.txt")
        }
    }

    @Test("Python's varlink lists, introspects, calls a report and follows the journal")
    func python() async throws {
        let script = """
            import subprocess, sys, varlink
            with varlink.Client("unix:" + sys.argv[1]) as client:
                service = client.open("org.varlink.service")
                names = sorted(service.GetInfo()["interfaces"])
                assert names == [
                    "org.daybook.ClassKit", "org.daybook.Classroom", "org.daybook.Journal", "org.daybook.Reports", "org.varlink.service"
                ], names
                methods = {name: set(client.get_interface(name).members) for name in names}
                assert {"Status", "Report", "Show", "Sessions"} <= methods["org.daybook.Reports"], methods
                assert "Tail" in methods["org.daybook.Journal"], methods
                with client.open("org.daybook.Reports") as reports:
                    rows = reports.Report("Hamlet essay")["report"]["rows"]
                    assert sorted(row["person"] for row in rows) == ["berg", "linden"], rows
                    assert reports.Show("berg", "Hamlet essay")["report"]["assignments"], "Show with two parameters"
                    try:
                        reports.Show("nobody")
                        assert False, "an error was expected"
                    except varlink.VarlinkError as error:
                        assert error.error() == "org.daybook.Reports.NoSuchPerson", error
                with client.open("org.daybook.Journal") as journal:
                    seen, began = [], False
                    for reply in journal.Tail(after=0, follow=True, names=True, _more=True):
                        seen += [entry["seq"] for entry in reply["entries"]]
                        assert seen == list(range(1, len(seen) + 1)), seen
                        if not began:
                            began = True
                            write = ["sh", "-c", 'echo Ophelia sings. > "$0"', sys.argv[2]]
                            subprocess.run(["setpriv", "--reuid", sys.argv[3], "--clear-groups"] + write, check=True)
                        paths = [entry.get("document", {}).get("path", "") for entry in reply["entries"]]
                        if any(path.endswith("linden/song.txt") for path in paths):
                            print("followed")
                            break
            """
        let outcome = try Child.run([
            "timeout", "30", ThirdParty.python.get(), "-c", script, socket, school.work(.linden) + "/song.txt",
            String(School.Person.linden.rawValue),
        ])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output.hasSuffix("followed\n"), "\(outcome)")
    }
}

@Suite("The tests with programs by others and with hostile people")
struct ThirdPartyTestsThemselves {
    @Test(
        "can run wherever they must",
        .enabled(if: ProcessInfo.processInfo.environment["DAYBOOK_SYSTEM_TESTS"] == "required", "DAYBOOK_SYSTEM_TESTS=required is not set"))
    func canRun() {
        #expect(ThirdParty.obstacle == nil)
        #expect(Hostile.obstacle == nil)
    }
}
