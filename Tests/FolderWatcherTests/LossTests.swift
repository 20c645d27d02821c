// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import FolderWatcher
import Glibc
import Inference
import Testing

extension WatcherTests {
    @Suite("What is lost or cannot be watched")
    struct LossTests {
        /// The kernel's limits of records in one queue.
        private static let queueLimit: Int = {
            max(limit("inotify"), canUseFanotify ? limit("fanotify") : 0)
        }()

        private static func limit(_ name: String) -> Int {
            guard let file = fopen("/proc/sys/fs/\(name)/max_queued_events", "r") else { return 16_384 }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 64)
            return fgets(&line, 64, file).flatMap { Int(String(cString: $0).split(separator: "\n").first ?? "") } ?? 16_384
        }

        @Test("an overflow is a gap, and a rescan finds what was done in it", .enabled(if: queueLimit <= 200_000), arguments: sources)
        func overflow(source: WatchSource) throws {
            // Fanotify joins what one process does to one name, so each read is of another.
            let names = source == .fanotify ? Self.queueLimit * 2 : 1
            let rig = try Rig(
                by: source, capacity: 1, isStarted: false,
                prepare: {
                    #expect(
                        Rig.run(
                            "cd '\($0)/share' && mkdir -p a/deep b keep && touch gone quiet a/deep/f keep/old && seq -f x%.0f 0 \(names - 1) | xargs touch"
                        ))
                })
            try rig.start()
            // Files are taken as changed up to a tenth of a second before the gap.
            let made = Clocks.bootMicroseconds()
            rig.wait("the files to be old", every: 50) { _ in Clocks.bootMicroseconds() > made + 300_000 }
            rig.settle()
            rig.forget()
            // Nothing is taken from the queue meanwhile, so the watcher stops reading.
            for number in 0..<max(Self.queueLimit, names) { rig.read("x\(number % names)") }
            rig.write("lost", "written in the gap")
            rig.rename("a", "c")
            #expect(Rig.run("cd '\(rig.root)' && rm gone && rmdir b && mkdir d && echo 1 > d/f && echo 2 >> keep/old"))
            rig.wait("the rescan") { $0.reports.contains { if case .rescanned = $0 { true } else { false } } }
            rig.settle()
            #expect(rig.gaps.count == 1)
            let gap = try #require(rig.gaps.first)
            #expect(gap.cause == .overflow && gap.share == nil && gap.from.microseconds <= Clocks.bootMicroseconds() && gap.from < gap.to)
            let told = rig.lines.filter { !$0.hasPrefix("opened") && !$0.hasPrefix("closed") }
            #expect(Set(told) == ["found lost", "renamed a > c/", "found d/", "found d/f", "found keep/old", "missing b/"], "\(told)")
            #expect(rig.changes.allSatisfy { if case .found(let since) = $0.kind { since == gap.from } else { true } })
            #expect(!rig.lines.contains("found quiet"))
            rig.forget()
            rig.examine(["gone", "quiet", "lost", "c/deep/f"], since: gap.from)
            #expect(rig.lines == ["missing gone", "found lost"])
            rig.forget()
            rig.write("c/deep/f")
            rig.write("d/g")
            rig.settle()
            #expect(rig.lines.contains("closed+ c/deep/f") && rig.lines.contains("created d/g"), "all is watched as before")
            #expect(rig.watcher.counts.overflows == 1, "the rescan makes no overflow of its own")
        }

        @Test(
            "a rescan waits longer each time the queue overflows again, and makes no overflow itself", .enabled(if: queueLimit <= 200_000))
        func backOff() throws {
            let rig = try Rig(
                capacity: 1, prepare: { #expect(Rig.run("cd '\($0)/share' && touch x && seq -f d%.0f 0 199 | xargs mkdir")) },
                adjust: { $0.rescanDelay = .milliseconds(100) })
            rig.settle()
            for time in 0..<4 {
                rig.forget()
                for _ in 0..<Self.queueLimit { rig.read("x") }
                rig.wait("rescan \(time)") { $0.reports.contains { if case .rescanned = $0 { true } else { false } } }
                let waited = Clocks.bootMicroseconds() - (rig.gaps.first?.to.microseconds ?? .max)
                #expect(waited >= 100_000 << time, "after \(time + 1) overflows it came after \(waited) µs")
                rig.settle()
                #expect(rig.watcher.counts.overflows == UInt64(time + 1))
            }
        }

        @Test("a marker that is lost in an overflow is answered all the same", .enabled(if: queueLimit <= 200_000))
        func markerInOverflow() throws {
            let rig = try Rig(capacity: 1, prepare: { Rig.write($0 + "/share/x") })
            rig.settle()
            rig.forget()
            for _ in 0..<Self.queueLimit { rig.read("x") }
            if let token = rig.watcher.beginOwnRead(share: 0, path: PathBytes("x")) {
                #expect(rig.watcher.mark(id: 77))
                rig.watcher.endOwnRead(token)
            } else {
                Issue.record("no place for a read")
            }
            rig.wait("the marker") { $0.reports.contains(.marker(id: 77)) }
            #expect(rig.gaps.count == 1)
            for id in 100..<116 as Range<UInt64> { #expect(rig.watcher.mark(id: id), "all places are free again") }
        }

        @Test("folders beyond the limit are named, listed on a timer, and watched once there is room")
        func watchLimit() throws {
            // The share and 19 folders, and at most four above it.
            let rig = try Rig(
                prepare: { base in for number in 10..<29 { mkdir(base + "/share/d\(number)", 0o755) } }, adjust: { $0.mostWatches = 14 })
            let state = try #require(rig.states.last)
            #expect(state.condition == .partial && state.folders == 20 && state.unwatched > 5 && state.unwatched < 12)
            #expect(state.reason?.contains("14 is the most that is configured") == true)
            #expect(rig.watcher.counts.watches == 14)
            rig.forget()
            // One of them has no watch: only the listing shows it.
            for number in 10..<29 { rig.write("d\(number)/file") }
            rig.wait("all files") { rig in (10..<29).allSatisfy { number in rig.lines.contains { $0.hasSuffix(" d\(number)/file") } } }
            #expect(rig.lines.contains { $0.hasPrefix("found ") } && rig.lines.contains { $0.hasPrefix("created ") })
            #expect(Rig.run("rm -r '\(rig.root)'/d1?"))
            rig.wait("a complete watch") { $0.states.last?.condition == .complete }
            #expect(rig.states.last?.unwatched == 0 && rig.watcher.counts.folders == [10])
            rig.forget()
            for number in 20..<29 { rig.write("d\(number)/new") }
            rig.settle()
            #expect((20..<29).allSatisfy { rig.lines.contains("created d\($0)/new") })
        }

        @Test(
            "unreadable folders are skipped and listed, and read when their rights change", .enabled(if: getuid() == 0), arguments: sources)
        func unreadable(source: WatchSource) throws {
            let rig = try Rig(
                by: source,
                prepare: { #expect(Rig.run("cd '\($0)/share' && mkdir -p open closed/in && touch closed/.lock && chmod 700 closed")) },
                adjust: { $0.onThreadStart = becomeNobody })
            let state = try #require(rig.states.last)
            #expect(state.condition == .partial && state.unreadable == [PathBytes("closed")] && state.unreadableCount == 1)
            #expect(state.reason?.contains("closed") == false, "the reason names no folder")
            rig.forget()
            rig.write("open/f")
            chmod(rig.path("closed"), 0o755)
            rig.wait("the mended folder") { $0.states.last?.condition == .complete }
            #expect(rig.lines.contains("created open/f") && rig.lines.contains("found closed/.lock"))
            rig.forget()
            rig.write("closed/in/f")
            rig.settle()
            #expect(rig.lines.contains("created closed/in/f"))
        }

        @Test("a folder one deeper than the limit is not entered, and listed", arguments: sources)
        func deepest(source: WatchSource) throws {
            let rig = try Rig(by: source, prepare: { #expect(Rig.run("mkdir -p '\($0)/share/1/2/3/4/5'")) }, adjust: { $0.deepest = 3 })
            #expect(rig.states.last?.unreadable == [PathBytes("1/2/3/4")] && rig.watcher.counts.folders == [5])
            rig.forget()
            rig.write("1/2/3/f")
            rig.write("1/2/3/4/f")
            rig.settle()
            #expect(Set(rig.changes.map(\.path.text)) == ["1/2/3/f"])
        }

        @Test("no more unreadable folders are named than the limit, but all are counted", arguments: sources)
        func unreadableListed(source: WatchSource) throws {
            let rig = try Rig(
                by: source, prepare: { #expect(Rig.run("cd '\($0)/share' && mkdir -p a/1 a/2 a/3")) },
                adjust: {
                    $0.deepest = 1
                    $0.unreadableListed = 2
                })
            #expect(rig.states.last?.unreadable.count == 2 && rig.states.last?.unreadableCount == 3)
        }

        @Test("one change more than fits begins another report")
        func reportSize() throws {
            let rig = try Rig(adjust: {
                $0.changesPerReport = 2
                $0.batchDelay = .milliseconds(50)
            })
            rig.write("a")
            rig.read("a")
            rig.settle()
            let sizes = rig.reports.compactMap { if case .changes(let changes) = $0 { changes.count } else { nil } }
            #expect(sizes.allSatisfy { $0 <= 2 } && sizes.contains(2) && sizes.reduce(0, +) == 6, "\(sizes)")
        }

        @Test("a chain of folders far beyond the longest path is watched to its end", arguments: sources)
        func longPaths(source: WatchSource) throws {
            let name = String(repeating: "n", count: 200)
            let rig = try Rig(
                by: source,
                prepare: { base in
                    #expect(
                        Rig.run(
                            "cd '\(base)/share' && for i in $(seq 60); do mkdir \(name) && cd -P \(name) || exit 1; done; echo 1 > .end"))
                })
            let path = Array(repeating: name, count: 60).joined(separator: "/")
            #expect(rig.lines == ["found \(path)/.end"])
            rig.forget()
            #expect(Rig.run("cd '\(rig.root)' && for i in $(seq 60); do cd -P \(name) || exit 1; done; echo 1 > new"))
            rig.settle()
            #expect(rig.lines.first == "created \(path)/new" && rig.changes.first?.facts?.type == .file)
        }

        @Test("stopping is quick under a storm, and while nobody takes the reports", arguments: [1, 100_000], sources)
        func stop(capacity: Int, source: WatchSource) throws {
            let rig = try Rig(by: source, capacity: capacity, prepare: { Rig.write($0 + "/share/x") })
            var storm = pid_t()
            let arguments =
                ["sh", "-c", "cd '\(rig.root)'; while [ -e x ]; do echo > y; rm y; done"].map { (text: String) in strdup(text) } + [nil]
            #expect(posix_spawnp(&storm, "sh", nil, nil, arguments, environ) == 0)
            rig.wait("the storm") { $0.lines.contains("deleted y") }
            let begin = Clocks.bootMicroseconds()
            rig.watcher.stop()
            let took = Clocks.bootMicroseconds() - begin
            unlink(rig.path("x"))
            var status: Int32 = 0
            waitpid(storm, &status, 0)
            for argument in arguments { free(argument) }
            #expect(took < 2_000_000, "took \(took) µs")
        }
    }
}

/// Lowers the calling thread's rights to files, as only that thread's.
private func becomeNobody() {
    // Not in Swift's Glibc module.
    guard let symbol = dlsym(nil, "setfsuid") else { return }
    _ = unsafeBitCast(symbol, to: (@convention(c) (UInt32) -> Int32).self)(65_534)
}
