// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc
import Testing

@testable import EventLoop

@Suite("Log lines")
struct SystemJournalTests {
    private static let everyValue: SystemJournal.Fields = [
        "folders": .count(412), "seq": .number(7), "took": .duration(.milliseconds(1250)), "mode": .fixed("inotify"), "why": .plain("full"),
        "error": .error(SystemCallError(call: "open", code: ENOSPC)), "pid": .process(99), "root": .path(Array("/srv/7b/berg".utf8)),
        "login": .name("berg"), "uid": .user(2001),
    ]

    /// What one journal writes, as lines.
    private func lines(showsNames: Bool = false, _ body: (SystemJournal) -> Void) throws -> [String] {
        let pipe = try Pipe()
        let writer = pipe.writer.withRaw { $0 }
        body(SystemJournal(identifier: "daybookd", showsNames: showsNames, leastLevel: .notice, destination: .descriptor(writer)))
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var entry = pollfd(fd: pipe.reader.withRaw { $0 }, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 0) == 1 else { return [] }
        let count = pipe.reader.withRaw { read($0, &bytes, bytes.count) }
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("say the fixed text first, then the values, and hide names and paths by their type")
    func hidden() throws {
        #expect(
            try lines { $0.notice("watching", Self.everyValue) } == [
                "<5>daybookd: watching folders=412 seq=7 took=1.250s mode=inotify why=full error=open: No space left on device pid=99 "
                    + "root=(hidden) login=(hidden) uid=(hidden)"
            ])
    }

    @Test("show them to an owner who wants that")
    func shown() throws {
        let line = try #require(try lines(showsNames: true) { $0.error("watching", Self.everyValue) }.first)
        #expect(line.hasPrefix("<3>daybookd: watching "))
        #expect(line.hasSuffix(" root=/srv/7b/berg login=berg uid=2001"))
    }

    @Test("are one line each, whatever the values hold, and end somewhere")
    func oneLineEach() throws {
        let nasty = "a\nb\u{1b}[2J\u{202e}c\u{2028}d"
        #expect(
            try lines(showsNames: true) { $0.notice("x", ["v": .plain(nasty), "p": .path([0x61, 0xff, 0x0a])]) } == [
                "<5>daybookd: x v=a\\u{a}b\\u{1b}[2J\\u{202e}c\\u{2028}d p=a\u{fffd}\\u{a}"
            ])
        let long = try #require(try lines { $0.notice("x", ["v": .plain(String(repeating: "v", count: longestLogValue + 1))]) }.first)
        #expect(long == "<5>daybookd: x v=" + String(repeating: "v", count: longestLogValue) + "…")
        let fits = try #require(try lines { $0.notice("x", ["v": .plain(String(repeating: "v", count: longestLogValue))]) }.first)
        #expect(fits.hasSuffix("v"))
        let huge = LogValue.plain(String(repeating: "v", count: 1024))
        let cut = try #require(try lines { $0.notice("x", ["a": huge, "b": huge, "c": huge, "d": huge, "e": huge]) }.first)
        #expect(cut.utf8.count == 4095)
    }

    @Test("below the least level are not written")
    func levels() throws {
        #expect(
            try lines {
                $0.debug("hunting")
                $0.fault("ours")
            } == ["<2>daybookd: ours"])
    }

    @Test("that repeat are counted instead, from the eleventh on")
    func repeated() throws {
        #expect(
            try lines { journal in
                for _ in 0..<11 { journal.notice("again") }
                journal.notice("other")
            } == Array(repeating: "<5>daybookd: again", count: 10) + ["<5>daybookd: other"])
        var repetitions = Repetitions()
        for _ in 0..<10 { #expect(repetitions.admit("x", now: 5) == .write(leftOut: 0)) }
        #expect(repetitions.admit("x", now: 5) == .leaveOut)
        #expect(repetitions.admit("x", now: 5 + Repetitions.stretch - 1) == .leaveOut)
        #expect(repetitions.admit("x", now: 5 + Repetitions.stretch) == .write(leftOut: 2))
        #expect(repetitions.admit("x", now: 5 + Repetitions.stretch) == .write(leftOut: 0))
    }

    @Test("are lost rather than waited for when nobody reads them")
    func fullPipe() throws {
        let pipe = try Pipe()
        let writer = pipe.writer.withRaw { $0 }
        let journal = SystemJournal(identifier: "d", destination: .descriptor(writer))
        // Would hang here if a line could wait.
        var messages = 0
        for text in ["a", "b", "c", "d", "e", "f", "g", "h"] as [StaticString] {
            for _ in 0..<10 {
                journal.notice(text, ["v": .plain(String(repeating: "v", count: 1000)), "w": .plain(String(repeating: "w", count: 1000))])
                messages += 1
            }
        }
        #expect(messages == 80)
    }

    @Test(
        "have names that the journal takes",
        arguments: [("root", "DAYBOOK_ROOT"), ("left-out", "DAYBOOK_LEFT_OUT"), ("é=\n9", "DAYBOOK_____9")])
    func names(name: String, field: String) {
        #expect(SystemJournal.fieldName(name) == field)
    }

    @Test(
        "reach systemd's journal with their own fields", .enabled(if: geteuid() == 0, "needs root, for a journal socket that only it sees"))
    func native() async {
        await #expect(processExitsWith: .success) {
            try unshareMounts()
            // The socket's path is fixed in libsystemd: give it a folder that only this thread sees.
            try #require(mount("none", "/run", "tmpfs", 0, nil) == 0)
            try #require(mkdir("/run/systemd", 0o755) == 0 && mkdir("/run/systemd/journal", 0o755) == 0)
            let raw = try datagramSocket(at: "/run/systemd/journal/socket")
            let journal = SystemJournal(identifier: "daybookd")
            journal.notice(
                "gap", ["seq": .number(7), "root": .path(Array("/srv/x".utf8)), "why": .plain("a\nb")],
                id: MessageID("0123456789abcdef0123456789abcdef"))
            var entry = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
            try #require(poll(&entry, 1, 10_000) == 1)
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(raw, &bytes, bytes.count, 0)
            let fields = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n").map(String.init)
            #expect(
                fields.filter { !$0.hasPrefix("CODE_") } == [
                    "MESSAGE=gap seq=7 root=(hidden) why=a\\u{a}b", "PRIORITY=5", "SYSLOG_IDENTIFIER=daybookd",
                    "MESSAGE_ID=0123456789abcdef0123456789abcdef", "DAYBOOK_SEQ=7", "DAYBOOK_ROOT=(hidden)", "DAYBOOK_WHY=a\\u{a}b",
                ])
        }
    }
}
