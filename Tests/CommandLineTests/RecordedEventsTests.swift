// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Foundation
import Inference
import Settings
import Testing

@testable import daybook

@Suite("What is recorded of real events", .serialized)
struct RecordedEventsTests {
    private let uid = max(1000, getuid())

    /// Records what a shell does in a student's folder.
    private func record(_ script: String, in folder: Folder) throws -> (trace: RecordedTrace, share: Settings.Share) {
        let work = folder.path + "/classes/8b/Hamlet/berg"
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
        try "To be.\n".write(toFile: work + "/first essay.txt", atomically: false, encoding: .utf8)
        let layouts = LayoutSet([try LayoutPattern("{class}/{assignment}/{person}/{document}")])
        let share = Settings.Share(path: folder.path + "/classes", layouts: layouts)
        let recorder = try ShareRecorder(path: try #require(Checkup.realPath(share.path)), layouts: layouts)
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.currentDirectoryURL = URL(filePath: work)
        shell.arguments = ["-ec", script]
        try shell.run()
        recorder.record { !shell.isRunning }
        #expect(shell.terminationStatus == 0)
        return (recorder.trace, share)
    }

    private func sessions(
        _ trace: RecordedTrace, _ share: Settings.Share, in folder: String, keepsNames: Bool, _ source: Trace.Source
    ) throws -> [ReplayRow] {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let people = [PersonID(uid: uid, login: "berg")]
        var writer = TraceWriter(trace, share, rule: Rule(), people: people, keepsNames: keepsNames)
        for (name, bytes) in writer.files() { try Data(bytes).write(to: URL(filePath: folder + "/" + name)) }
        let settings = try Settings.load(folder + "/config.toml", options: Settings.Options(allowRelativeShares: true))
        let login = keepsNames ? "berg" : "person-1"
        let number = keepsNames ? uid : 2001
        return Replay(settings: settings, directory: PeopleDirectory([PersonID(uid: number, login: login)]))
            .run(try Trace(folder: folder, source: source))
    }

    @Test(
        "replays to exactly the same with masked names as with the real ones",
        arguments: [
            "exec 3<'first essay.txt'; sleep 2.2; exec 3<&-; echo more >> 'first essay.txt'",
            "echo x > .~lock.'first essay.txt'#; sleep 0.5; echo y > lu123ab.tmp; mv lu123ab.tmp 'first essay.txt'; rm .~lock.*",
            "cp 'first essay.txt' copy.md; mkdir old; mv copy.md old/; mv old new; echo z >> new/copy.md; touch new/copy.md; rm -r new",
            "for n in 1 2 3 4 5 6; do echo $n > file$n.odt; done; cat *.odt 'first essay.txt' > /dev/null",
            "echo a > .'first essay.txt.swp'; sleep 0.3; echo b >> 'first essay.txt'; rm .'first essay.txt.swp'",
            "echo o > '~$rst essay.txt'; echo b >> 'first essay.txt'; rm '~$rst essay.txt'; printf x > Thumbs.db; printf x > ._first",
        ])
    func masked(script: String) throws {
        let folder = try Folder()
        let (trace, share) = try record(script, in: folder)
        #expect(trace.events > 0)
        for source in [Trace.Source.inotify] + (trace.withoutProcesses == nil ? [.fanotify] : []) {
            let masked = try sessions(trace, share, in: "\(folder.path)/m-\(source.rawValue)", keepsNames: false, source)
            let named = try sessions(trace, share, in: "\(folder.path)/n-\(source.rawValue)", keepsNames: true, source)
            func key(_ row: ReplayRow) -> String {
                "\(row.openedAt) \(String(describing: row.closedAt)) \(row.figures) \(row.saves) \(row.ending) \(row.person != nil) \(FileName(row.document.path.name))"
                    .replacing(/companion\(.*\)/, with: "companion")
            }
            #expect(masked.map(key).sorted() == named.map(key).sorted())
            #expect(Set(masked.map(\.document)).count == Set(named.map(\.document)).count)
        }
    }

    @Test(
        "says whose a file is that was made, also where inotify alone was recorded",
        .enabled(if: geteuid() == 0, "only root makes files of others"))
    func owners() throws {
        let folder = try Folder()
        // In the folder of berg, by somebody else.
        var (trace, share) = try record(
            "for n in 1 2 3; do echo $n > t.tmp; chown 61099 t.tmp; mv t.tmp new.odt; sleep 0.2; done", in: folder)
        trace.withoutProcesses = "as for others than root"
        let people = [PersonID(uid: uid, login: "berg"), PersonID(uid: 61099, login: "linden")]
        var writer = TraceWriter(trace, share, rule: Rule(), people: people, keepsNames: false)
        let out = folder.path + "/trace"
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
        for (name, bytes) in writer.files() { try Data(bytes).write(to: URL(filePath: out + "/" + name)) }
        let replay = try Program.run(["replay", "--config", out + "/config.toml", "--people", out + "/people.json", out, "--json"])
        #expect(replay.code == 0)
        let lines = try replay.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        #expect(lines.map { $0["person"] } == ["person-2"], "\(replay.output)")
    }

    @Test(
        "names the process behind each event, and when it ended", .enabled(if: geteuid() == 0, "only root may know whose events they are"))
    func processes() throws {
        let folder = try Folder()
        let (trace, _) = try record("sleep 0.2; sh -c 'exec 3>>\"first essay.txt\"; echo more >&3; sleep 0.5'; sleep 0.2", in: folder)
        #expect(trace.withoutProcesses == nil)
        let writing = try #require(trace.processEvents.first { $0.mask.contains("MODIFY") })
        #expect(writing.fileUID == geteuid() && !writing.isGone)
        let notes = trace.processes.filter { $0.pid == writing.pid }
        #expect(notes.map(\.hasEnded) == [false, true])
        let (seen, ended) = (try #require(notes.first), try #require(notes.last))
        #expect(seen.program == writing.program && ["sh", "dash", "bash"].contains(seen.program))
        // In steps of 10 ms.
        #expect(try #require(seen.startedAt) <= seen.at + 10_000 && seen.at - (try #require(seen.startedAt)) < 2_000_000)
        #expect(ended.at - seen.at > 300_000 && ended.at - seen.at < 5_000_000)
        #expect(trace.holds.contains { $0.pid == writing.pid && $0.canWrite && $0.isHeld })
    }
}
