// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Foundation
import Inference
import Testing

@testable import daybook

private func layouts(_ patterns: String...) throws -> LayoutSet { LayoutSet(try patterns.map { try LayoutPattern($0) }) }

private let school = "{class}/{assignment}/{person}/{document}"

@Suite("Masked names")
struct NameMaskTests {
    private func masked(_ names: [String], with layouts: LayoutSet? = nil, logins: Set<String> = ["berg"]) throws -> [String] {
        let paths = names.map { PathBytes("8b/Hamlet/berg/" + $0) }
        var mask = NameMask(layouts: try layouts ?? CommandLineTests.layouts(school), logins: logins, paths: paths)
        return paths.map { String(mask.path($0, isFolder: false).text.dropFirst("class-1/assignment-1/person-1/".count)) }
    }

    @Test("keep what makes a name a lock, a swap, a backup or a temporary file, and say of which document")
    func companions() throws {
        #expect(
            try masked([
                "my essay.docx", ".~lock.my essay.docx#", "~$ essay.docx", ".my essay.docx.swp", ".my essay.docx.swo", ".#my essay.docx",
                "#my essay.docx#", "my essay.docx~", "my essay.docx.~12~", "my essay.docx.bak", ".my essay.docx.kate-swp", "my essay.odt",
                "my essay.docx.filepart", "my essay.docx.sb-1a2b3c4d-AbCdEf", "._my essay.docx",
            ]) == [
                "document-1.docx", ".~lock.document-1.docx#", "~$cument-1.docx", ".document-1.docx.swp", ".document-1.docx.swo",
                ".#document-1.docx", "#document-1.docx#", "document-1.docx~", "document-1.docx.~12~", "document-1.docx.bak",
                ".document-1.docx.kate-swp", "document-1.odt", "document-1.docx.filepart", "document-1.docx.sb-1a2b3c4d-AbCdEf",
                "._document-1.docx",
            ])
        // What programs make up is kept; what only looks so is not.
        #expect(
            try masked(["4913", "5036", ".goutputstream-A1B2C3", "lu12345abc.tmp", "~WRD0001.tmp", ".nfs0001", "Thumbs.db"]) == [
                "4913", "5036", ".goutputstream-A1B2C3", "lu12345abc.tmp", "~WRD0001.tmp", ".nfs-1", "Thumbs.db",
            ])
        #expect(try masked(["lucy.tmp", "12345678", ".anna", "luise.txt"]) == ["d1.tmp", "A0000001", ".d2", "d3.txt"])
    }

    @Test("keep the lengths by which Word shortens the names of its owner files", arguments: 1...12)
    func ownerFiles(length: Int) throws {
        for ending in ["docx", "xlsx"] {
            let name = String(repeating: "ä", count: length) + "." + ending
            let owner = String(decoding: FileName.officeOwnerName(of: name.utf8), as: UTF8.self)
            let result = try masked([owner, name])
            #expect(result[0] == String(decoding: FileName.officeOwnerName(of: result[1].utf8), as: UTF8.self), "\(name)")
            // Also where the document itself is never seen.
            #expect(try masked([owner])[0].hasPrefix("~$"))
        }
    }

    @Test("keep known endings and whether it is a text, and no other ending")
    func endings() throws {
        #expect(
            try masked(["a.TXT", "b.odt", "c.anna", "d.anna.txt", "e", "f.", "g.md", "h.anna", "i.PDF"]) == [
                "d1.TXT", "d2.odt", "d3.x1", "d00004.txt", "d5", "d6.x2", "d7.md", "d8.x1", "d9.PDF",
            ])
    }

    @Test("keep the places of a layout: fixed names, people's folders and whatever is below a document's place")
    func places() throws {
        let layouts = try layouts("students/{person}/{document}", "shared/{document}")
        var mask = NameMask(layouts: layouts, logins: ["berg"], paths: [])
        func text(_ path: String, isFolder: Bool = false) -> String { mask.path(PathBytes(path), isFolder: isFolder).text }
        #expect(text("students", isFolder: true) == "students")
        #expect(text("students/berg/x.txt") == "students/person-1/d1.txt")
        #expect(text("students/linden/x.txt") == "students/folder-1/d1.txt", "nobody's login")
        #expect(text("students/berg/berg/.git/students/y.txt") == "students/person-1/folder-2/.folder-3/folder-4/d2.txt")
        #expect(text("shared/x.txt") == "shared/d1.txt")
        #expect(text("students/berg/#recycle", isFolder: true) == "students/person-1/#recycle")
        #expect(mask.login("berg") == "person-1")
        #expect(mask.login("linden") == "person-2")
        #expect([2040, 2041, 2040, 0, 33, 65534].map { mask.uid($0) } == [2001, 2002, 2001, 0, 33, 65534])
    }

    @Test("never let a byte of a strange name through, keep its kind, and never give two names one")
    func strange() throws {
        var state: UInt64 = 5
        func number(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(limit))
        }
        let pieces =
            [
                ".", "~", "#", "~$", ".~lock.", "#", ".swp", "Q", "QQ", "QQQQQQQ", ".tmp", ".sb-", "1234", "-", " ", "\u{1b}", "ä", ".bak",
                "._", ".#",
            ].map { Array($0.utf8) } + [[0xff], [0xc3]]
        var names: Set<[UInt8]> = []
        while names.count < 3000 {
            let name = (0..<(1 + number(6))).flatMap { _ in pieces[number(pieces.count)] }
            if name != Array(".".utf8), name != Array("..".utf8) { names.insert(name) }
        }
        var mask = NameMask(layouts: try layouts("{document}"), logins: [], paths: names.map { PathBytes(bytes: $0) })
        var seen: [PathBytes: [UInt8]] = [:]
        for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let result = mask.path(PathBytes(bytes: name), isFolder: false)
            #expect(
                !result.bytes.contains(UInt8(ascii: "Q")) && !result.bytes.contains(0xff) && !result.bytes.contains(0x1b), "\(result.text)")
            switch (FileName(name), FileName(result.name)) {
            case (.document, .document), (.temporary, .temporary), (.litter, .litter): break
            case (.companion(let kind, _), .companion(let other, _)) where kind == other: break
            default: Issue.record("\(escapedText(name)) is not \(result.text)")
            }
            if case .document = FileName(name) {
                #expect(seen.updateValue(name, forKey: result) == nil, "\(result.text)")
                #expect(FileName.isPlainText(name) == FileName.isPlainText(result.name), "\(escapedText(name))")
            }
        }
    }

    @Test("give the same sessions from the recordings of real editors", arguments: Recording.all)
    fileprivate func recordings(recording: Recording) throws {
        let layouts = try layouts("students/{person}/{document}", "shared/{document}", "media/{document}")
        let people = [PersonID(uid: 2001, login: "alice"), PersonID(uid: 2002, login: "bob"), PersonID(uid: 2003, login: "teach")]
        let plain = recording.changes
        var mask = NameMask(
            layouts: layouts, logins: Set(people.map(\.login)), paths: plain.filter { !$0.isFolder }.map(\.path))
        let hidden = plain.map { change in
            var change = change
            change.path = mask.path(change.path, isFolder: change.isFolder)
            if case .renamed(let old) = change.kind { change.kind = .renamed(from: mask.path(old, isFolder: change.isFolder)) }
            if let owner = change.facts?.owner { change.facts?.owner = mask.uid(owner) }
            return change
        }
        func sessions(_ changes: [Change], _ people: [PersonID]) -> [WorkSession] {
            var engine = InferenceEngine(
                shares: [ShareLayout(path: "/s", layouts: layouts)], rule: Rule(), firstID: ActivityID(1),
                directory: PeopleDirectory(people))
            var effects = changes.flatMap { engine.handle(.change($0)) }
            effects += engine.handle(.end(at: changes.last.map { $0.at + .seconds(1) } ?? BootTime(microseconds: 0)))
            var found: [ActivityID: WorkSession] = [:]
            for case .session(let event) in effects {
                if case .started(let start) = event { found[start.id] = WorkSession(start) } else { found[event.id]?.apply(event) }
            }
            return found.values.sorted { ($0.openedAt, $0.lastSign, $0.saves) < ($1.openedAt, $1.lastSign, $1.saves) }
        }
        let expected = sessions(plain, people)
        let result = sessions(hidden, people.map { PersonID(uid: mask.uid($0.uid), login: mask.login($0.login)) })
        #expect(result.count == expected.count)
        for (new, old) in zip(result, expected) {
            #expect(new.document.path == mask.path(old.document.path, isFolder: false))
            #expect(new.attribution.person?.login == old.attribution.person.map { mask.login($0.login) })
            #expect(new.attribution.source == old.attribution.source)
            #expect(new.evidence == old.evidence && new.state == old.state && new.presence == old.presence)
            #expect(new.openedAt == old.openedAt && new.notBefore == old.notBefore)
        }
        let text = hidden.map(\.path.text).joined(separator: "\n")
        for word in ["alice", "bob", "essay", "report", "talk", "notes"] { #expect(!text.contains(word)) }
    }
}

/// A recording of the inference's tests: its changes only.
private struct Recording: CustomStringConvertible, Sendable {
    var description: String
    var changes: [Change]

    static let all: [Recording] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "InferenceTests/Traces")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.sorted { $0.path < $1.path }.compactMap { file in
            (try? String(contentsOf: file, encoding: .utf8)).map { Recording(file.lastPathComponent, $0) }
        }
    }()

    private init(_ name: String, _ text: String) {
        description = name
        changes = text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            let words = fields[0].split(separator: " ").map(String.init)
            guard words.count > 1, let seconds = Double(words[0]), fields.count > 1 else { return nil }
            let isFolder = words[1].hasSuffix("-folder")
            let kinds: [String: Change.Kind] = [
                "created": .created, "opened": .opened, "modified": .modified, "attributes": .attributesChanged,
                "closed-writing": .closedAfterWriting, "closed-reading": .closedWithoutWriting, "deleted": .deleted, "moved-in": .movedIn,
                "moved-out": .movedOut, "renamed": .renamed(from: PathBytes(fields.last ?? "")),
            ]
            guard let kind = kinds[isFolder ? String(words[1].dropLast(7)) : words[1]] else { return nil }
            let owner = words.count > 2 ? UInt32(words[2]) : nil
            return Change(
                at: BootTime(microseconds: Int64((seconds * 1_000_000).rounded())), share: 0, path: PathBytes(fields[1]),
                isFolder: isFolder,
                kind: kind, facts: owner.map { FileFacts(type: .file, owner: $0) })
        }
    }
}
