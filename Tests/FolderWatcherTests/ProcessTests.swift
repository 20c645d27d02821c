// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import FolderWatcher
import Glibc
import Inference
import Testing

extension WatcherTests {
    @Suite("What only fanotify tells", .enabled(if: canUseFanotify, "fanotify needs root (CAP_SYS_ADMIN) and Linux 5.17"))
    struct ProcessTests {
        /// Somebody else's program, in a shell of its own.
        private func act(_ rig: Rig, as uid: UInt32, _ command: String) {
            rig.run("cd '\(rig.root)' && exec setpriv --reuid=\(uid) --regid=\(uid) --clear-groups bash -c '\(command)'")
        }

        private func open(_ rig: Rig) { chmod(rig.root, 0o777) }

        @Test("whose each change is: uid, program, and since when the process runs")
        func actor() throws {
            let rig = try Rig(by: .fanotify)
            open(rig)
            rig.settle()
            rig.forget()
            let before = Clocks.bootMicroseconds()
            // It waits after each: what has ended when it is read has no name.
            act(
                rig, as: 61_002,
                "perl -e \"open(F, q(>), q(essay.txt)); print F 1; close F; select(undef, undef, undef, 0.3); unlink q(essay.txt); select(undef, undef, undef, 0.3)\""
            )
            rig.settle()
            #expect(
                Set(rig.lines) == ["created essay.txt", "opened essay.txt", "modified essay.txt", "closed+ essay.txt", "deleted essay.txt"])
            let actors = rig.changes.map(\.actor)
            let actor = try #require(actors.first ?? nil)
            #expect(actors.allSatisfy { $0 == actor }, "\(actors)")
            #expect(actor.uid == 61_002 && actor.program == "perl" && actor.pid > 0)
            let started = try #require(actor.startedAt).microseconds
            // In steps of 10 ms.
            #expect(started > before - 20_000 && started < Clocks.bootMicroseconds())
        }

        @Test("that a process had gone, and then nothing else of it")
        func gone() throws {
            let rig = try Rig(by: .fanotify, capacity: 1, adjust: { $0.changesPerReport = 1 })
            open(rig)
            rig.holdingBack { act(rig, as: 61_002, "echo one > essay.txt") }
            #expect(rig.lines == ["created essay.txt", "opened essay.txt", "modified essay.txt", "closed+ essay.txt"])
            let actors = rig.changes.compactMap(\.actor)
            #expect(actors.count == 4 && actors.allSatisfy { $0.uid == nil && $0.program == nil && $0.startedAt == nil && $0.pid > 0 })
        }

        @Test("the uid of each event of a process that serves several people")
        func switching() throws {
            let rig = try Rig(by: .fanotify)
            open(rig)
            rig.settle()
            rig.forget()
            // As smbd does: one process of root's, with the uid of whom it serves; `$>` is that.
            #expect(rig.run("cd '\(rig.root)' && perl -e '\(Self.server)'"))
            rig.settle()
            let served = rig.changes.filter { $0.kind == .opened }
            #expect(served.map(\.path.text) == ["61002", "61003", "again"])
            #expect(served.map { $0.actor?.uid } == [61_002, 61_003, 61_002])
            #expect(Set(served.map { $0.actor?.pid }).count == 1)
        }

        private static let server = """
            sub serve { my ($uid, $name) = @_; $> = $uid; open(my $f, ">", $name); close $f; select(undef, undef, undef, 0.2); $> = 0 }
            serve(61002, "61002"); serve(61003, "61003"); serve(61002, "again");
            """

        @Test("a document that was renamed to a backup and written anew, although the kernel puts both writings into one record")
        func swallowed() throws {
            let rig = try Rig(
                by: .fanotify, capacity: 1, prepare: { Rig.write($0 + "/share/essay.txt") }, adjust: { $0.changesPerReport = 1 })
            rig.forget()
            rig.holdingBack {
                rig.read("essay.txt")
                rig.rename("essay.txt", "essay.txt~")
                rig.write("essay.txt", "anew")
                rig.delete("essay.txt~")
            }
            #expect(
                rig.lines == [
                    "renamed essay.txt > essay.txt~", "created essay.txt", "opened essay.txt", "modified essay.txt", "closed+ essay.txt",
                    "closed essay.txt", "deleted essay.txt~",
                ])
            #expect(rig.changes.filter(\.isMerged).map(\.path.text) == Array(repeating: "essay.txt", count: 5))
        }

        @Test("a folder that was made, renamed and made again is watched at both places")
        func swallowedFolder() throws {
            let rig = try Rig(by: .fanotify, capacity: 1, adjust: { $0.changesPerReport = 1 })
            rig.holdingBack {
                rig.folder("a")
                rig.rename("a", "b")
                rig.folder("a")
            }
            rig.wait("both", every: 5) { $0.watcher.counts.folders == [3] }
            rig.settle()
            rig.forget()
            rig.write("a/x")
            rig.write("b/x")
            rig.settle()
            #expect(rig.lines.filter { $0.hasPrefix("closed+") } == ["closed+ a/x", "closed+ b/x"])
        }

        @Test("our own events, which are dropped")
        func own() throws {
            let rig = try Rig(by: .fanotify, prepare: { Rig.write($0 + "/share/essay") }, adjust: { $0.ownProcess = getpid() })
            rig.forget()
            rig.read("essay")
            guard let token = rig.watcher.beginOwnRead(share: 0, path: PathBytes("essay")) else {
                Issue.record("no place for a read")
                return
            }
            // Nobody else's read is taken for ours.
            rig.run("cat '\(rig.path("essay"))' > /dev/null")
            rig.watcher.endOwnRead(token)
            rig.settle()
            #expect(rig.lines == ["opened essay", "closed essay"])
            #expect(rig.changes.allSatisfy { $0.actor?.pid != getpid() })
        }

        @Test(
            "what the kernel refuses to mark is inotify's as a whole, and says with which number",
            arguments: [EXDEV, EOPNOTSUPP, ENODEV, EPERM, ENOSPC], [0, 4])
        func refused(code: Int32, after marks: Int) throws {
            let names: [Int32: String] = [
                EXDEV: "EXDEV", EOPNOTSUPP: "EOPNOTSUPP", ENODEV: "ENODEV", EPERM: "EPERM", ENOSPC: "ENOSPC",
            ]
            let rig = try Rig(
                by: .fanotify, isStarted: false,
                prepare: { base in for number in 10..<19 { mkdir(base + "/share/d\(number)", 0o755) } },
                adjust: { $0.refusalOfMark = { $0 >= marks ? code : nil } })
            try rig.watcher.start()
            rig.wait("the crawl") { $0.crawled(0) && $0.states.last?.condition == .complete }
            let state = try #require(rig.states.last)
            #expect(state.source == .inotify && state.folders == 10, "\(state)")
            #expect(state.refusal?.contains("(\(names[code] ?? "?"))") == true, "\(state)")
            rig.forget()
            for number in 10..<19 { rig.write("d\(number)/new") }
            rig.settle()
            #expect((10..<19).allSatisfy { rig.lines.contains("created d\($0)/new") }, "nothing is missed")
            rig.wait("the marks to be given back", every: 5) { $0.kernelMarks() == 0 && $0.watcher.counts.marks == 0 }
        }

        @Test("a share whose folders are more than may be marked is inotify's, and says why")
        func markLimit() throws {
            let rig = try Rig(
                by: .fanotify, isStarted: false,
                prepare: { base in for number in 10..<29 { mkdir(base + "/share/d\(number)", 0o755) } }, adjust: { $0.mostMarks = 9 })
            try rig.watcher.start()
            rig.wait("the crawl") { $0.crawled(0) && $0.states.last?.condition == .complete }
            let state = try #require(rig.states.last)
            #expect(state.source == .inotify && state.folders == 20)
            #expect(state.refusal == "no more folders may be marked (ENOSPC); raise fs.fanotify.max_user_marks")
            #expect(rig.gaps == [], "nothing was watched before")
            rig.forget()
            for number in 10..<29 { rig.write("d\(number)/new") }
            rig.settle()
            #expect((10..<29).allSatisfy { rig.lines.contains("created d\($0)/new") })
            rig.wait("the marks to be given back", every: 5) { $0.kernelMarks() == 0 && $0.watcher.counts.marks == 0 }
        }
    }
}
