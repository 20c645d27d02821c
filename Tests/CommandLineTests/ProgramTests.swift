// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import DaybookVarlink
import Foundation
import Ledger
import Reports
import Testing

@testable import daybook

@Suite("The program daybook")
struct ProgramTests {
    /// Starts a server, runs the program with its socket, stops the server.
    private func run(
        _ words: [String], environment: [String: String] = [:], stopAfterLines: Int = 0,
        handle: @escaping @Sendable (VarlinkCall) -> [TestServer.Answer]
    ) throws -> (result: Program.Result, calls: [VarlinkCall]) {
        let folder = try Folder()
        let server = try TestServer(in: folder.path, handle: handle)
        defer { server.stop() }
        var environment = environment
        environment["DAYBOOK_SOCKET"] = server.path
        let result = try Program.run(words, environment: environment, stopAfterLines: stopAfterLines)
        return (result, server.calls)
    }

    private func good(_ output: String) -> Program.Result { Program.Result(code: 0, output: output, errors: "") }

    // MARK: Wrong usage, no server

    @Test(
        "exits with 2 on a wrong command line and says how to put it right",
        arguments: [
            ([], "daybook: a command is missing; 'daybook --help' lists them\n"),
            (["stauts"], "daybook: unknown command 'stauts'; did you mean 'status'?\n"),
            (["--foo", "status"], "daybook: unknown option --foo\nOptions of a command stand behind it. Try 'daybook --help'.\n"),
            (["tail", "--folow"], "daybook: tail: unknown option --folow; did you mean --follow?\nTry 'daybook tail --help'.\n"),
            (["status", "x"], "daybook: status: 'x' is too much here\nTry 'daybook status --help'.\n"),
            (
                ["report", "Hamlet", "essay"],
                "daybook: report: 'essay' is too much here; a name with spaces goes in quotes\nTry 'daybook report --help'.\n"
            ),
            (["show"], "daybook: show: the student's login or name is missing\nTry 'daybook show --help'.\n"),
            (["recording", "maybe"], "daybook: recording: 'maybe' is none of on, off and pause\nTry 'daybook recording --help'.\n"),
            (["tail", "-n", "x"], "daybook: tail: --lines needs a whole number from 0 to 1000000, not 'x'\nTry 'daybook tail --help'.\n"),
            (
                ["report", "--sort", "x"],
                "daybook: report: --sort knows surname, state, worked, last, not 'x'\nTry 'daybook report --help'.\n"
            ),
            (
                ["report", "x", "--rule", "idle=5m"],
                "daybook: report: --rule has no limit 'idle'; the limits are idle-continuous, idle-saves-only, at-least and at-most\n"
                    + "Try 'daybook report --help'.\n"
            ),
            (
                ["show", "x", "--rule", "configured,at-least=soon"],
                "daybook: show: --rule: 'soon' is no length of time for at-least; write 5m, 90s or 1h 30m\nTry 'daybook show --help'.\n"
            ),
            (
                ["report", "--rule", "own"],
                "daybook: report: --rule needs an assignment: the list has each by its own rule\nTry 'daybook report --help'.\n"
            ),
            (
                ["assignment", "recompute"],
                "daybook: assignment: the assignment's name is missing\nTry 'daybook assignment --help'.\n"
            ),
            (
                ["assignment", "chnage", "x"],
                "daybook: assignment: 'chnage' is not known here; did you mean 'change'?\n"
                    + "Try 'daybook assignment --help'.\n"
            ),
            (["config", "chek"], "daybook: config: 'chek' is not known here; write 'config check'\nTry 'daybook config --help'.\n"),
        ] as [([String], String)])
    func usage(words: [String], message: String) throws {
        // No socket is looked for: usage comes first.
        #expect(try Program.run(words) == Program.Result(code: 2, output: "", errors: message))
    }

    @Test("exits with 3 where no server answers, and says what to do", arguments: ["status", "report", "me", "sessions", "tail"])
    func noServer(command: String) throws {
        let folder = try Folder()
        let result = try Program.run(["--socket", folder.path + "/none", command])
        #expect(result.code == 3)
        #expect(result.output == "")
        #expect(result.errors.hasPrefix("daybook: no Daybook server: "))
        #expect(result.errors.contains(folder.path + "/none"))
        #expect(result.errors.contains("systemctl status daybookd.socket"))
    }

    @Test("explains itself", arguments: Commands.all.map(\.name))
    func help(command: String) throws {
        let result = try Program.run([command, "--help"])
        #expect(result.code == 0)
        #expect(result.errors == "")
        #expect(result.output.hasPrefix("Usage: daybook \(command)"))
        #expect(try Program.run(["--help", command]) == result)
        #expect(result.output.split(separator: "\n").allSatisfy { displayWidth(String($0)) < 80 })
        let usage = result.output.prefix { $0 != "\n" }
        #expect(!usage.hasSuffix(" ") && !usage.contains("  "), "\(usage)")
        #expect(try !Program.run([command, "--help"], environment: ["LC_ALL": "C"]).output.contains("?"))
        let overview = try Program.run(["--help"])
        #expect(overview.output.contains("\n  \(command)"))
        // What another program reads is its own affair.
        if command != "analyze" { #expect(try Program.run([command, "--version"]) == good("daybook \(DaybookVersion.text)\n")) }
    }

    // MARK: Status and switches

    @Test("shows the status to people, and to programs as one object")
    func status() throws {
        let handle: @Sendable (VarlinkCall) -> [TestServer.Answer] = { _ in [.reply(["status": Samples.status.json])] }
        #expect(try run(["status"], handle: handle).result == good(Samples.statusText))
        let json = good(Samples.status.json.text + "\n")
        #expect(try run(["status", "--json"], handle: handle).result == json)
        #expect(try run(["--json", "status"], handle: handle).result == json)
        #expect(try run(["status", "--js"], handle: handle).result == json)
    }

    @Test("switches recording", arguments: [(["on"], "on"), (["off", "berg", "--yes"], "off"), (["pause"], "paused")])
    func recording(words: [String], state: String) throws {
        let (result, calls) = try run(["recording"] + words) { call in
            [.reply(["recording": ["state": call.parameters["state"] ?? .null, "exceptions": 0]])]
        }
        let emptied = words.count > 1 ? " for berg. What was recorded of their work is emptied" : ""
        #expect(result == good("Recording is \(state)\(emptied).\n"))
        var expected: JSONObject = ["state": .string(state)]
        if words.count > 1 { expected["person"] = "berg" }
        #expect(calls == [VarlinkCall("org.daybook.Reports.SetRecording", expected)])
    }

    @Test("asks before it empties what was recorded of somebody, and does nothing where nobody can answer")
    func recordingAsks() throws {
        let (result, calls) = try run(["recording", "off", "berg"]) { _ in [.reply(["recording": ["state": "off", "exceptions": 1]])] }
        #expect(result.code == 2 && result.errors.contains("give --yes, or 'pause' to keep it"), "\(result)")
        #expect(calls.isEmpty)
    }

    // MARK: Reports

    @Test("lists assignments, and shows a class's table")
    func report() throws {
        let list = try run(["report"]) { _ in [.reply(["assignments": [(try? Samples.object(Samples.summary)) ?? .null]])] }
        #expect(list.calls == [VarlinkCall("org.daybook.Reports.ListAssignments")])
        #expect(list.result.output.hasPrefix("Hamlet  7b  due "))

        let report = try ClassReport(json: Samples.object(Samples.report)).sorted(by: .surname)
        let handle: @Sendable (VarlinkCall) -> [TestServer.Answer] = { _ in [.reply(["report": report.json])] }
        let table = try run(["report", "Hamlet"], environment: ["COLUMNS": "100"], handle: handle)
        #expect(table.calls == [VarlinkCall("org.daybook.Reports.Report", ["assignment": "Hamlet"])])
        #expect(table.result.code == 0)
        #expect(table.result.output == report.text(TextStyle(width: 100, isUTF8: true), clock: .utc))
        let ascii = try run(["report", "Hamlet"], environment: ["LC_ALL": "C"], handle: handle)
        #expect(ascii.result.output == report.text(TextStyle(width: 80, isUTF8: false), clock: .utc))
        #expect(ascii.result.output.utf8.allSatisfy { $0 < 0x80 })
        let sorted = try run(["report", "Hamlet", "--sort=worked", "--json"], handle: handle)
        #expect(sorted.result == good(report.sorted(by: .worked).json.text + "\n"))
        #expect(report.sorted(by: .worked) != report.sorted(by: .surname))
    }

    @Test("shows one student, and oneself")
    func student() throws {
        let report = try StudentReport(json: Samples.object(Samples.student))
        let handle: @Sendable (VarlinkCall) -> [TestServer.Answer] = { _ in [.reply(["report": report.json])] }
        let show = try run(["show", "berg", "Hamlet"], handle: handle)
        #expect(show.calls == [VarlinkCall("org.daybook.Reports.Show", ["person": "berg", "assignment": "Hamlet"])])
        #expect(show.result == good(report.text(TextStyle(width: 80, isUTF8: true), clock: .utc)))
        let me = try run(["me", "--as", "berg", "--json"], handle: handle)
        #expect(me.calls == [VarlinkCall("org.daybook.Reports.Me", ["as": "berg"])])
        #expect(me.result == good(report.json.text + "\n"))
    }

    @Test("shows sessions that come in several replies")
    func sessions() throws {
        let rows = try [Samples.session, Samples.openSession].map { try SessionRow(json: Samples.object($0)) }
        let handle: @Sendable (VarlinkCall) -> [TestServer.Answer] = { call in
            [.reply(["sessions": [rows[0].json]], continues: call.more), .reply(["sessions": [rows[1].json]])]
        }
        let words = ["sessions", "--person", "berg", "--file", "essay.odt", "--since", "2026-03-10", "--until=2026-03-12 08:30"]
        let json = try run(words + ["--json"], handle: handle)
        #expect(
            json.calls == [
                VarlinkCall(
                    "org.daybook.Reports.Sessions",
                    [
                        "person": "berg", "document": "essay.odt", "since": "2026-03-10T00:00:00.000000Z",
                        "until": "2026-03-12T08:30:00.000000Z",
                    ], more: true)
            ])
        #expect(json.result == good(rows.map { $0.json.text + "\n" }.joined()))
        let text = try run(["sessions"], environment: ["COLUMNS": "200"], handle: handle)
        #expect(text.result.output.contains("essay.odt"))
        #expect(text.result.output.contains("x.txt"))
    }

    // MARK: Rules

    @Test("asks for figures by another rule, as it is written on the command line")
    func rules() throws {
        let report = try Samples.object(Samples.report)
        let handle: @Sendable (VarlinkCall) -> [TestServer.Answer] = { call in
            switch call.method {
            case "org.daybook.Reports.Report": [.reply(["report": report])]
            case "org.daybook.Reports.Sessions": [.reply(["sessions": []])]
            default: [.error(VarlinkError("org.daybook.Reports.RuleOutOfRange", ["reason": "at-most is 1s to 24h, not 0s"]))]
            }
        }
        for (words, rule) in [
            (["report", "Hamlet", "--rule", "2026-1"], #"{"base":"standard"}"#),
            (["report", "Hamlet", "--rule=configured,at-most=1h 30m"], #"{"base":"configured","atMostSeconds":5400}"#),
            (
                ["sessions", "--rule", "idle-continuous=10m, idle-saves-only=20m,at-least=90s"],
                #"{"base":"own","idleContinuousSeconds":600,"idleSavesOnlySeconds":1200,"atLeastSeconds":90}"#
            ),
        ] {
            let (result, calls) = try run(words, handle: handle)
            #expect(result.code == 0, "\(result)")
            #expect(calls.map { $0.parameters["rule"]?.text } == [rule])
        }
        let (result, _) = try run(["me", "--rule", "at-most=0s"], handle: handle)
        #expect(
            result
                == Program.Result(
                    code: 1, output: "", errors: "daybook: nothing can be computed by this rule: at-most is 1s to 24h, not 0s\n"))
    }

    @Test("changes an assignment's rule for good, and says what it was")
    func recompute() throws {
        let rule = try Samples.object(Samples.rule)
        let wide = #"{"name":"wide","idleContinuousSeconds":600,"idleSavesOnlySeconds":900,"atLeastSeconds":120,"atMostSeconds":3600}"#
        let answer: JSONObject = ["assignment": "7b/Hamlet", "title": "Hamlet", "before": rule, "rule": try Samples.object(wide)]
        let handle: @Sendable (VarlinkCall) -> [TestServer.Answer] = { _ in [.reply(answer)] }
        let (result, calls) = try run(["assignment", "recompute", "Hamlet"], handle: handle)
        #expect(calls.map(\.method) == ["org.daybook.Reports.Recompute"])
        #expect(calls.map { $0.parameters["rule"]?.text } == [#"{"base":"configured"}"#])
        #expect(
            result
                == good(
                    """
                    'Hamlet' is computed by the rule wide from now on, no longer by 2026-1. The
                    evidence is the same; every figure of this assignment follows the new rule, and
                    its tables say so.

                    """))
        let json = try run(["assignment", "recompute", "Hamlet", "--json"], handle: handle).result
        #expect(json == good(JSONValue.object(answer).text + "\n"))
        #expect(TestServer.service.mistake(inReply: answer, to: "org.daybook.Reports.Recompute") == nil)
        var same = answer
        same["rule"] = rule
        let kept: @Sendable (VarlinkCall) -> [TestServer.Answer] = { [same] _ in [.reply(same)] }
        #expect(
            try run(["assignment", "recompute", "Hamlet"], handle: kept).result
                == good("'Hamlet' has the rule 2026-1 already; nothing was changed.\n"))
    }

    @Test(
        "exits with 1 and explains what the server refuses",
        arguments: [
            (
                VarlinkError("org.daybook.Reports.NoSuchAssignment", ["name": "Hamlt", "candidates": ["Hamlet"]]),
                "no assignment 'Hamlt'; did you mean:\n  Hamlet"
            ),
            (
                VarlinkError("org.daybook.Reports.NoSuchAssignment", ["name": "x\u{1b}[2J", "candidates": []]),
                "no assignment 'x?[2J'; 'daybook report' lists the ones you may see"
            ),
            (
                VarlinkError("org.daybook.Reports.AmbiguousName", ["name": "Ham", "candidates": ["Hamlet", "Hamburg"]]),
                "'Ham' fits several; write more of it:\n  Hamlet\n  Hamburg"
            ),
            (
                VarlinkError("org.daybook.Reports.NoSuchPerson", ["name": "zed", "candidates": []]),
                "no person 'zed' among those you may see; 'daybook report ASSIGNMENT' lists a class, 'daybook me' shows yourself"
            ),
            (
                VarlinkError("org.daybook.Reports.NoSuchPerson", ["name": .string(String(geteuid())), "candidates": []]),
                "the server does not know who you are: no account (getent passwd) and no [[person]] of its configuration has your user "
                    + "number, \(geteuid())"
            ),
            (
                .permissionDenied,
                "you may not do this: it is for the teachers of the class, and for administrators"
            ),
            (VarlinkError("org.example.Odd", ["x": 1]), "the server answered org.example.Odd {\"x\":1}"),
        ])
    func refusals(error: VarlinkError, message: String) throws {
        let (result, _) = try run(["report", "Hamlet"]) { _ in [.error(error)] }
        #expect(result == Program.Result(code: 1, output: "", errors: "daybook: \(message)\n"))
    }

    @Test("says so where the server's answer cannot be read", arguments: [["report", "x"], ["show", "x"], ["status"]])
    func otherVersion(words: [String]) throws {
        let (result, _) = try run(words) { _ in [.reply(["report": [:], "status": [:]])] }
        #expect(result.code == 1)
        #expect(result.output == "")
        #expect(result.errors.contains("version"))
    }

    @Test("ends without a word when its reader has seen enough")
    func brokenPipe() throws {
        let row = try Samples.object(Samples.session)
        let many = JSONValue.array(Array(repeating: row, count: 2000))
        let (result, _) = try run(["sessions", "--json"], stopAfterLines: 1) { _ in [.reply(["sessions": many])] }
        #expect(result.errors == "")
        #expect(result.wasKilled ? result.code == 13 : result.code == 0, "by SIGPIPE, or by itself")
        #expect(result.output.hasPrefix(row.text + "\n"))
    }
}
