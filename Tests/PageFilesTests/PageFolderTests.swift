// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Foundation
import PageFiles
import Synchronization
import Testing

/// A folder of its own for each test, gone afterwards.
final class Place {
    let path: String

    init() throws {
        var template = Array("/var/tmp/daybook-pages-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try FileManager.default.createDirectory(atPath: pages, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var pages: String { path + "/pages" }

    func text(_ name: String) throws -> String { try String(contentsOfFile: pages + "/" + name, encoding: .utf8) }

    func rights(_ name: String) throws -> String { try PageRights.text(of: try OwnedDescriptor.openFolder(pages + "/" + name)) }

    /// Everything below the folder of pages, but its marker.
    var all: [String] {
        (FileManager.default.enumerator(atPath: pages)?.compactMap { $0 as? String } ?? []).filter { $0 != ".daybook-pages" }.sorted()
    }
}

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

@Suite("The folder of published pages")
struct PageFolderTests {
    private static let teacher = Readers(users: [61_000], groups: [61_500])
    private static let essay = [PageStep("8b", teacher), PageStep("hamlet-essay", teacher)]
    private static let berg = [PageStep("people", Readers(), isPassage: true), PageStep("berg", Readers(users: [61_002]))]

    private func rights(_ place: Place, _ file: String) throws -> String {
        let slash = try #require(file.lastIndex(of: "/"))
        let folder = try OwnedDescriptor.openFolder(place.pages + "/" + file[..<slash])
        let file = try OwnedDescriptor.open(String(file[file.index(after: slash)...]), in: folder, flags: O_RDONLY)
        return try PageRights.text(of: file)
    }

    @Test("gives each file and each folder on the way its readers, and nobody else anything")
    func readers() throws {
        let place = try Place()
        let folder = try PageFolder(place.pages, outside: [])
        try folder.write([("index.html", bytes("<p>")), ("index.csv", bytes("a"))], at: Self.essay)
        try folder.write([("index.html", bytes("own"))], at: Self.berg)
        let list = "user::rwx,user:61000:r-x,group::---,group:61500:r-x,mask::r-x,other::---"
        #expect(try place.rights("8b") == list)
        #expect(try place.rights("8b/hamlet-essay") == list)
        let file = "user::rw-,user:61000:r--,group::---,group:61500:r--,mask::r--,other::---"
        #expect(try rights(place, "8b/hamlet-essay/index.html") == file)
        #expect(try rights(place, "8b/hamlet-essay/index.csv") == file)
        #expect(try place.rights("people") == "user::rwx,group::--x,other::--x")
        #expect(try place.rights("people/berg") == "user::rwx,user:61002:r-x,group::---,mask::r-x,other::---")
        #expect(try rights(place, "people/berg/index.html") == "user::rw-,user:61002:r--,group::---,mask::r--,other::---")
        #expect(
            place.all == [
                "8b", "8b/hamlet-essay", "8b/hamlet-essay/index.csv", "8b/hamlet-essay/index.html", "people", "people/berg",
                "people/berg/index.html",
            ])
    }

    @Test("takes a reader's right away with the next writing, also from the folders")
    func leaves() throws {
        let place = try Place()
        let folder = try PageFolder(place.pages, outside: [])
        try folder.write([("index.html", bytes("1"))], at: Self.essay)
        let other = Readers(users: [61_001])
        try folder.write([("index.html", bytes("2"))], at: [PageStep("8b", other), PageStep("hamlet-essay", other)])
        #expect(try place.rights("8b") == "user::rwx,user:61001:r-x,group::---,mask::r-x,other::---")
        #expect(try rights(place, "8b/hamlet-essay/index.html") == "user::rw-,user:61001:r--,group::---,mask::r--,other::---")
        #expect(try place.text("8b/hamlet-essay/index.html") == "2")
    }

    @Test("removes a page with its folders, but no other page's")
    func removes() throws {
        let place = try Place()
        let folder = try PageFolder(place.pages, outside: [])
        try folder.write([("index.html", bytes("1"))], at: Self.essay)
        try folder.write([("index.html", bytes("2"))], at: [Self.essay[0], PageStep("poem", Self.teacher)])
        try folder.remove(["8b", "hamlet-essay"])
        #expect(place.all == ["8b", "8b/poem", "8b/poem/index.html"])
        try folder.remove(["8b", "poem"])
        try folder.remove(["8b", "poem"])
        #expect(place.all.isEmpty)
        // The folders that went are made anew, with their readers.
        try folder.write([("index.html", bytes("3"))], at: Self.essay)
        #expect(try place.rights("8b").contains("user:61000:r-x"))
    }

    @Test("clears away what an earlier run left, and nothing that is not its own")
    func sweeps() throws {
        let place = try Place()
        var folder = try PageFolder(place.pages, outside: [])
        try folder.write([("index.html", bytes("1")), ("index.csv", bytes("1"))], at: Self.essay)
        try folder.write([("index.html", bytes("2"))], at: Self.berg)
        try bytes("half").withUnsafeBytes { try Data($0).write(to: URL(filePath: place.pages + "/people/berg/.daybook-new")) }
        try Data("x".utf8).write(to: URL(filePath: place.pages + "/8b/hamlet-essay/notes.txt"))
        folder = try PageFolder(place.pages, outside: [])
        try folder.sweep(keeping: [["people", "berg"]])
        #expect(
            place.all == ["8b", "8b/hamlet-essay", "8b/hamlet-essay/notes.txt", "people", "people/berg", "people/berg/index.html"])
    }

    @Test("follows no link: neither on the way, nor as a file, nor when it clears away")
    func links() throws {
        let place = try Place()
        let elsewhere = place.path + "/elsewhere"
        try FileManager.default.createDirectory(atPath: elsewhere + "/hamlet-essay", withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(filePath: elsewhere + "/hamlet-essay/index.html"))
        let folder = try PageFolder(place.pages, outside: [])
        try FileManager.default.createSymbolicLink(atPath: place.pages + "/8b", withDestinationPath: elsewhere)
        #expect(throws: PageTrouble.self) { try folder.write([("index.html", bytes("1"))], at: Self.essay) }
        try folder.remove(["8b", "hamlet-essay"])
        try folder.sweep(keeping: [])
        #expect(try String(contentsOfFile: elsewhere + "/hamlet-essay/index.html", encoding: .utf8) == "mine")
        // A link as the file itself is replaced, not written through.
        try FileManager.default.removeItem(atPath: place.pages + "/8b")
        try folder.write([("index.html", bytes("1"))], at: Self.essay)
        try FileManager.default.removeItem(atPath: place.pages + "/8b/hamlet-essay/index.html")
        for name in ["index.html", ".daybook-new"] {
            try FileManager.default.createSymbolicLink(
                atPath: place.pages + "/8b/hamlet-essay/" + name, withDestinationPath: elsewhere + "/hamlet-essay/index.html")
        }
        try folder.write([("index.html", bytes("2"))], at: Self.essay)
        #expect(try place.text("8b/hamlet-essay/index.html") == "2")
        #expect(try String(contentsOfFile: elsewhere + "/hamlet-essay/index.html", encoding: .utf8) == "mine")
    }

    @Test("refuses a folder inside a share or around one, whatever link leads there")
    func overlaps() throws {
        let place = try Place()
        let share = place.path + "/share"
        try FileManager.default.createDirectory(
            atPath: share + "/deep/pages", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        try FileManager.default.createSymbolicLink(atPath: place.path + "/link", withDestinationPath: share + "/deep")
        let path = place.path + "/link/pages"
        #expect(throws: PageTrouble.overlaps(path, other: share)) { try PageFolder(path, outside: ["/nowhere", share]) }
        #expect(throws: PageTrouble.overlaps(place.pages, other: place.path)) { try PageFolder(place.pages, outside: [place.path]) }
        try FileManager.default.createSymbolicLink(atPath: place.path + "/around", withDestinationPath: place.pages + "/state")
        try FileManager.default.createDirectory(atPath: place.pages + "/state", withIntermediateDirectories: false)
        let around = place.path + "/around"
        #expect(throws: PageTrouble.overlaps(place.pages, other: around)) { try PageFolder(place.pages, outside: [around]) }
        #expect(throws: PageTrouble.inUse(place.pages)) { try PageFolder(place.pages, outside: [share]) }
    }

    @Test("refuses a folder that is not there, no folder, full of other things, or open to others")
    func unfit() throws {
        let place = try Place()
        #expect(throws: PageTrouble.missing(place.path + "/none", code: ENOENT)) { try PageFolder(place.path + "/none", outside: []) }
        try Data("x".utf8).write(to: URL(filePath: place.path + "/file"))
        #expect(throws: PageTrouble.missing(place.path + "/file", code: ENOTDIR)) { try PageFolder(place.path + "/file", outside: []) }
        #expect(throws: PageTrouble.inUse(place.path)) { try PageFolder(place.path, outside: []) }
        chmod(place.pages, 0o775)
        #expect(throws: PageTrouble.open(place.pages, mode: 0o775)) { try PageFolder(place.pages, outside: []) }
        chmod(place.pages, 0o755)
        #expect(place.all.isEmpty)
        if geteuid() == 0 {
            chown(place.pages, 61_000, 61_000)
            #expect(throws: PageTrouble.foreign(place.pages, owner: 61_000)) { try PageFolder(place.pages, outside: []) }
        }
    }

    @Test("writes nothing where the file system keeps no lists")
    func noLists() throws {
        let place = try Place()
        #expect(throws: PageTrouble.noLists(place.pages)) {
            try PageFolder(place.pages, outside: []) { _, _, _ throws(SystemCallError) in
                throw SystemCallError(call: "acl_set_fd", code: ENOTSUP)
            }
        }
        #expect(place.all.isEmpty)
    }

    @Test("leaves the old page, whole, or none, whichever call fails", arguments: 2...6)
    func fails(at failing: Int) throws {
        let place = try Place()
        let calls = Mutex(0)
        let folder = try PageFolder(place.pages, outside: []) { file, step, isFolder throws(SystemCallError) in
            let count = calls.withLock { count in
                count += 1
                return count
            }
            if count == failing { throw SystemCallError(call: "acl_set_fd", code: ENOSPC) }
            try PageFolder.setReaders(file, step, isFolder)
        }
        // Calls 2 to 4 are two folders and a file, 5 and 6 the files of the next time.
        let first = Result { try folder.write([("index.html", bytes("old"))], at: Self.essay) }
        let second = Result { try folder.write([("index.html", bytes("new")), ("index.csv", bytes("new"))], at: Self.essay) }
        let isFirst = failing <= 4
        #expect(throws: PageTrouble.failed(SystemCallError(call: "acl_set_fd", code: ENOSPC))) { try (isFirst ? first : second).get() }
        #expect(!place.all.contains { $0.hasSuffix(".daybook-new") })
        if isFirst { #expect(try place.text("8b/hamlet-essay/index.html") == "new") }
        if failing == 5 { #expect(try place.text("8b/hamlet-essay/index.html") == "old") }
        if failing == 6 { #expect(!place.all.contains("8b/hamlet-essay/index.csv")) }
    }

    @Test("has no page for more readers than a list holds")
    func tooMany() throws {
        let place = try Place()
        let folder = try PageFolder(place.pages, outside: [])
        for count in [Readers.atMost, Readers.atMost + 1] {
            let many = Readers(users: (0..<UInt32(count)).map { 70_000 + $0 })
            let result = Result { try folder.write([("index.html", bytes("1"))], at: [PageStep("x", many), PageStep("\(count)", many)]) }
            if count == Readers.atMost { try result.get() } else { #expect(throws: PageTrouble.tooManyReaders(count)) { try result.get() } }
        }
        #expect(place.all == ["x", "x/\(Readers.atMost)", "x/\(Readers.atMost)/index.html"])
    }
}
