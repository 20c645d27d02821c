// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("Real editors", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct EditorTests {
    @Test("vim: one session, its open time, its person and its words", arguments: School.sources)
    func vim(source: String) async throws {
        let school = try School(source: source)
        try school.put("Hamlet waits.\n", "essay.txt", for: .berg)
        try await school.start()
        let terminal = try await Terminal(.berg, in: school)
        let opened = try await terminal.vim("essay.txt", shows: "Hamlet waits")
        try await terminal.vimAppends("To be or not to be; he asks.")
        let times = try await terminal.vimQuits(opened: opened)
        let sessions = try await school.ended("essay.txt")
        try #require(sessions.count == 1)
        expect(sessions[0], by: .berg, took: times, in: "vim")
        #expect(sessions[0].saves == 1)
        try await school.words(of: "essay.txt", by: .berg, are: 10)
        // vim writes account and machine into its swap file.
        #expect(sessions[0].lockSays?.map(\.program) == ["vim"])
        #expect(sessions[0].lockSays?.map(\.login) == ["berg"])
        #expect(try school.verifies())
    }

    @Test("nano: one session, its open time, its person and its words", arguments: School.sources)
    func nano(source: String) async throws {
        let school = try School(source: source)
        try school.put("Hamlet waits.\n", "notes.txt", for: .linden)
        try await school.start()
        let terminal = try await Terminal(.linden, in: school)
        let opened = try await terminal.nano("notes.txt", shows: "Hamlet waits")
        try await terminal.type("Ophelia sings of flowers. ")
        try await terminal.nanoSaves()
        try await terminal.type("Again. ")
        try await terminal.nanoSaves()
        let times = try await terminal.quit("C-x", opened: opened)
        let sessions = try await school.ended("notes.txt")
        try #require(sessions.count == 1)
        expect(sessions[0], by: .linden, took: times, in: "nano")
        #expect(sessions[0].lockSays?.map(\.program) == ["nano"])
        #expect(sessions[0].lockSays?.map(\.login) == ["linden"])
        try await school.words(of: "notes.txt", by: .linden, are: 7)
    }

    @Test("a document that vim makes is the student's from its first line on")
    func newDocument() async throws {
        let school = try School()
        try await school.start()
        let terminal = try await Terminal(.berg, in: school)
        let opened = try await terminal.vim("draft.md", shows: "[New]")
        try await terminal.vimAppends("Something is rotten in the state of Denmark.")
        let times = try await terminal.vimQuits(opened: opened)
        let sessions = try await school.ended("draft.md")
        try #require(sessions.count == 1)
        expect(sessions[0], by: .berg, took: times, in: "vim, a new document")
        try await school.words(of: "draft.md", by: .berg, are: 8)
    }

    @Test("two people in one document: a session each, with the times and saves of each", arguments: School.sources)
    func twoPeople(source: String) async throws {
        let school = try School(source: source)
        try school.put("Hamlet waits.\n", "essay.txt", for: .berg)
        try school.openToAll(.berg)
        try await school.start()
        let first = try await Terminal(.berg, in: school)
        let second = try await Terminal(.linden, in: school, folder: school.work(.berg))
        let firstOpened = try await first.vim("essay.txt", shows: "Hamlet waits")
        try first.press("i")
        try await first.type("Lord ")
        // vim warns the second one.
        let secondOpened = try await second.vim("essay.txt", shows: "ATTENTION")
        try second.press("e")
        try await second.sees("Hamlet waits")
        try second.press("Enter")
        try await second.vimAppends("Ophelia sings of flowers.")
        let secondTimes = try await second.vimQuits(opened: secondOpened)
        try first.press("Escape")
        try await first.type("....", pace: .milliseconds(500))
        let firstTimes = try await first.quit(":", "q", "!", "Enter", opened: firstOpened)
        let sessions = try await school.ended("essay.txt", count: 2)
        try #require(sessions.count == 2)
        let berg = try #require(sessions.first { $0.person == "berg" })
        let linden = try #require(sessions.first { $0.person == "linden" })
        expect(berg, by: .berg, took: firstTimes, in: "vim, the first of two")
        expect(linden, by: .linden, took: secondTimes, in: "vim, the second of two")
        #expect(berg.saves == 0)
        #expect(linden.saves == 1)
    }

    @Test("an editor that saves by renaming and leaves nothing between: one session within its bounds")
    func renaming() async throws {
        // Its pieces are a shell and the commands of one; only inotify does not know these from an editor.
        let school = try School(source: "inotify")
        let path = try school.put("Hamlet waits.\n", "essay.txt", for: .berg)
        try await school.start()
        let terminal = try await Terminal(.berg, in: school)
        // As gedit does.
        let opened = try await terminal.start("text=$(cat essay.txt); echo \"$text\"", shows: "Hamlet waits")
        var saved = opened
        for word in ["Once", "Twice", "Thrice"] {
            // A save of its own each: the last one has come to rest.
            try await terminal.type("......................", pace: .milliseconds(100))
            try terminal.press("C-u")
            let temporary = ".goutputstream-\(word.padding(toLength: 6, withPad: "X", startingAt: 0))"
            let line = "text=\"$text \(word).\"; echo \"$text\" > \(temporary); mv \(temporary) essay.txt; cat essay.txt"
            saved = try await terminal.start(line, shows: "\(word).\n")
        }
        let session = try await school.eventually("three saves") { try school.sessions(of: "essay.txt").first { $0.saves == 3 } }
        #expect(try school.sessions(of: "essay.txt").count == 1)
        #expect(session.person == "berg")
        #expect(abs(session.openSeconds - saved.timeIntervalSince(opened)) < 1, "\(session)")
        #expect(session.atLeastSeconds <= Date().timeIntervalSince(opened))
        #expect(session.atMostSeconds >= saved.timeIntervalSince(opened))
        #expect(session.closedAt == nil, "nothing tells its end")
        try await school.words(of: "essay.txt", by: .berg, are: 5)
        #expect(FileManager.default.fileExists(atPath: path))
    }
}

@Suite("LibreOffice", .serialized, .enabled(if: Desktop.obstacle == nil, Comment(rawValue: Desktop.obstacle ?? "")))
struct LibreOfficeTests {
    @Test("Writer and Impress: one session each, its open time, its person and its words", .timeLimit(.minutes(5)))
    func office() async throws {
        // It is started before a document is chosen, some seconds before. Where processes are known, their start counts as the opening.
        let school = try School(source: "inotify")
        let desktop = try await Desktop(.berg, in: school)
        try desktop.make("essay.odt", from: FlatDocument.text, "fodt")
        try desktop.make("talk.pptx", from: FlatDocument.slides, "fodp")
        try await school.start()
        try await desktop.startOffice()

        let essayOpened = try await desktop.open("essay.odt")
        try desktop.key("ctrl+End")
        try desktop.type(" To be or not to be.")
        try await desktop.save("essay.odt", asksForFormat: false)
        let essayTimes = try await desktop.close("essay.odt", opened: essayOpened)

        let talkOpened = try await desktop.open("talk.pptx")
        // The text box, and into its text.
        try desktop.key("Tab", "F2", "ctrl+End")
        try desktop.type(" To sleep, perhaps to dream.")
        try desktop.key("Escape")
        try await desktop.save("talk.pptx", asksForFormat: true)
        let talkTimes = try await desktop.close("talk.pptx", opened: talkOpened)

        for (name, times, words) in [("essay.odt", essayTimes, 8), ("talk.pptx", talkTimes, 7)] {
            let sessions = try await school.ended(name)
            try #require(sessions.count == 1)
            expect(sessions[0], by: .berg, took: times, in: "LibreOffice, \(name)")
            #expect(sessions[0].saves == 1)
            try await school.words(of: name, by: .berg, are: words)
        }
        #expect(try school.verifies())
    }
}
