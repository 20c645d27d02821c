// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Testing

@Suite("A layout")
struct LayoutTests {
    private func layouts(_ patterns: String...) throws -> LayoutSet {
        LayoutSet(try patterns.map { try LayoutPattern($0) })
    }

    @Test("names class, assignment, person and lets the document span folders")
    func decodes() throws {
        let set = try layouts("{class}/{assignment}/{person}/{document}")
        #expect(
            set.placement(ofDocument: PathBytes("8b/2026-03-14 Hamlet/berg/draft/essay.odt"))
                == Placement(
                    className: "8b", assignment: "2026-03-14 Hamlet", assignmentFolder: PathBytes("8b/2026-03-14 Hamlet"), person: "berg"))
        #expect(set.placement(ofDocument: PathBytes("8b/2026-03-14 Hamlet/essay.odt")) == nil)
        #expect(set.placement(ofDocument: PathBytes("8b/x/berg/.snapshots/essay.odt")) == nil)
        #expect(set.placement(ofDocument: PathBytes("8b/x/.Trash-1000/essay.odt")) == nil)
    }

    @Test("is an allow-list for folders")
    func folders() throws {
        let set = try layouts("students/{person}/{document}", "shared/{document}")
        for (path, expected) in [
            ("", true), ("students", true), ("students/alice", true), ("students/alice/deep/er", true), ("shared/x", true),
            ("private", false), ("studentsx", false), ("students/alice/.zfs", false),
        ] {
            #expect(set.canLead(folder: PathBytes(path)) == expected, "\(path)")
        }
    }

    @Test("knows the folder that is an assignment")
    func assignments() throws {
        let set = try layouts("{class}/work/{assignment}/{person}/{document}")
        #expect(set.assignmentFolder(PathBytes("7b/work/Map"))?.assignment == "Map")
        #expect(set.assignmentFolder(PathBytes("7b/play/Map")) == nil)
        #expect(set.assignmentFolder(PathBytes("7b/work/Map/berg")) == nil)
    }

    @Test(
        "says what is wrong with a pattern",
        arguments: [
            ("", .empty), ("{document}/x", .documentNotLast), ("{person}/{person}/{document}", .twice("person")),
            ("{pupil}/{document}", .unknown("pupil")), ("a{person}/{document}", .strayBrace("a{person}")),
        ] as [(String, LayoutPattern.Problem)])
    func problems(text: String, problem: LayoutPattern.Problem) {
        #expect(throws: problem) { try LayoutPattern(text) }
    }
}
