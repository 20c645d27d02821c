// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Testing

@Suite("A cursor in the layouts")
struct LayoutCursorTests {
    @Test("says of every path what the layouts say of the whole")
    func agrees() throws {
        let sets = try [
            ["{class}/{assignment}/{person}/{document}"], ["students/{person}/{document}", "shared/{document}"], ["{document}"],
            ["{class}/work/{assignment}/{document}", "{class}/{assignment}/x/{document}", "a/b/c/{document}"],
        ].map { LayoutSet(try $0.map { try LayoutPattern($0) }) }
        let names = ["a", "b", "work", "x", "students", "shared", ".zfs", ".Trash-7"].map { Array($0.utf8) }
        var seen = 0
        for set in sets {
            var level: [(PathBytes, LayoutCursor)] = [(.root, try #require(set.start))]
            for _ in 0..<4 {
                var next: [(PathBytes, LayoutCursor)] = []
                for (path, cursor) in level {
                    let document = path.appending("essay.txt".utf8)
                    #expect(set.holdsDocuments(cursor) == (set.placement(ofDocument: document) != nil), "\(document.text)")
                    #expect(set.isAssignment(cursor) == (set.assignmentFolder(path) != nil), "\(path.text)")
                    for name in names {
                        let below = path.appending(name)
                        let cursor = set.entering(name[...], from: cursor)
                        #expect((cursor != nil) == set.canLead(folder: below), "\(below.text)")
                        if let cursor { next.append((below, cursor)) }
                        seen += 1
                    }
                }
                level = next
            }
        }
        #expect(seen > 1000)
    }

    @Test("exists for as many layouts as the limit, and not for one more")
    func limit() throws {
        let pattern = try LayoutPattern("{person}/{document}")
        let most = LayoutSet(Array(repeating: pattern, count: LayoutCursor.layoutLimit))
        let start = try #require(most.start)
        #expect(most.entering([0x61], from: start) != nil)
        #expect(LayoutSet(Array(repeating: pattern, count: LayoutCursor.layoutLimit + 1)).start == nil)
        #expect(LayoutSet([]).start == nil)
    }

    @Test("goes on in folders deeper than it can count")
    func deep() throws {
        let set = LayoutSet([try LayoutPattern("{document}")])
        var cursor = try #require(set.start)
        for _ in 0..<70_000 { cursor = try #require(set.entering([0x61], from: cursor)) }
        #expect(set.holdsDocuments(cursor))
    }
}
