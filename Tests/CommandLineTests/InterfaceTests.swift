// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import DaybookVarlink
import Reports
import Testing

@Suite("What the Reports interface promises")
struct InterfaceTests {
    private func mistake(_ method: String, _ name: String, _ value: JSONValue, and more: JSONObject = [:]) -> ParameterMistake? {
        var reply = more
        reply[name] = value
        return TestServer.service.mistake(inReply: reply, to: "org.daybook.Reports." + method)
    }

    @Test("is what the reports emit")
    func replies() throws {
        // Read and written again by the module that the server uses.
        #expect(mistake("Report", "report", try ClassReport(json: Samples.object(Samples.report)).json, and: ["pages": true]) == nil)
        #expect(mistake("Show", "report", try StudentReport(json: Samples.object(Samples.student)).json) == nil)
        #expect(mistake("Me", "report", try StudentReport(json: Samples.object(Samples.student)).json) == nil)
        #expect(mistake("ListAssignments", "assignments", [try AssignmentSummary(json: Samples.object(Samples.summary)).json]) == nil)
        let sessions = try [Samples.session, Samples.openSession].map { try SessionRow(json: Samples.object($0)).json }
        #expect(mistake("Sessions", "sessions", .array(sessions)) == nil)
        #expect(mistake("Status", "status", Samples.status.json) == nil)
    }

    @Test("names every key that the reports emit, and no other")
    func keys() throws {
        let pairs: [(String, JSONValue)] = [
            ("ClassReport", try ClassReport(json: Samples.object(Samples.report)).json),
            ("StudentReport", try StudentReport(json: Samples.object(Samples.student)).json),
            ("AssignmentSummary", try AssignmentSummary(json: Samples.object(Samples.summary)).json),
            ("Session", try SessionRow(json: Samples.object(Samples.session)).json), ("ServerStatus", Samples.status.json),
        ]
        for (name, value) in pairs {
            guard case .structure(let fields) = DaybookInterfaces.reports.types[name] else {
                Issue.record("no type \(name)")
                continue
            }
            // In the same order too, so that the page reads like the reply.
            #expect(fields.map(\.name) == value.objectValue?.members.map(\.key), "\(name)")
        }
    }
}
