// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import FolderWatcher
import Glibc
import Inference
import Testing

/// One after the other: they share the kernel's limits.
@Suite("The watcher, on a real kernel", .serialized)
struct WatcherTests {}

extension WatcherTests {
    @Suite("What happens in a share")
    struct ChangesTests {
        @Test("reports a save in place in the kernel's order, with facts where they matter", arguments: sources)
        func save(source: WatchSource) throws {
            let rig = try Rig(by: source)
            rig.write("essay.txt", "hello")
            rig.apart()
            rig.read("essay.txt")
            rig.apart()
            rig.delete("essay.txt")
            rig.settle()
            #expect(
                rig.lines == [
                    "created essay.txt", "opened essay.txt", "modified essay.txt", "closed+ essay.txt", "opened essay.txt",
                    "closed essay.txt",
                    "deleted essay.txt",
                ])
            rig.forget()
            rig.write("b.txt", "12345")
            rig.settle()
            let closed = try #require(rig.changes.last)
            #expect(closed.facts?.size == 5 && closed.facts?.owner == getuid() && closed.facts?.type == .file && closed.facts?.links == 1)
            #expect(rig.changes.first { $0.kind == .opened }?.facts == nil)
        }

        @Test("joins the halves of a rename, of files and of folders", arguments: sources)
        func renames(source: WatchSource) throws {
            let rig = try Rig(by: source)
            rig.folder("a")
            rig.folder("b")
            rig.write("a/x")
            rig.settle()
            rig.forget()
            rig.rename("a/x", "b/y")
            rig.rename("a", "b/c")
            rig.settle()
            #expect(rig.lines == ["renamed a/x > b/y", "renamed a > b/c/"])
            rig.forget()
            rig.write("b/c/new")
            rig.settle()
            #expect(rig.lines.first == "created b/c/new", "under its new path")
            #expect(rig.changes.first?.facts?.type == .file)
        }

        @Test("reports a save by rename as one rename over the old name", arguments: sources)
        func renameOver(source: WatchSource) throws {
            let rig = try Rig(by: source, prepare: { Rig.write($0 + "/share/essay.txt") })
            rig.write(".tmp1", "new")
            rig.rename(".tmp1", "essay.txt")
            rig.settle()
            #expect(rig.lines.last == "renamed .tmp1 > essay.txt")
            #expect(rig.changes.last?.facts?.size == 3)
        }

        @Test("sees the close of a file that was replaced while it was open", arguments: sources)
        func closeOfReplaced(source: WatchSource) throws {
            let rig = try Rig(by: source, prepare: { Rig.write($0 + "/share/essay.odt") })
            let held = open(rig.path("essay.odt"), O_RDWR)
            rig.write("lu1.tmp")
            rig.rename("lu1.tmp", "essay.odt")
            rig.settle()
            rig.forget()
            close(held)
            rig.settle()
            // The second person's program: the only sign that they have finished.
            #expect(rig.lines == ["closed+ essay.odt"])
        }

        @Test("finds every file of folders that are filled as they appear", arguments: sources)
        func race(source: WatchSource) throws {
            let rig = try Rig(["{class}/{assignment}/{person}/{document}"], by: source)
            var expected: Set<String> = []
            for number in 0..<60 {
                #expect(
                    Rig.run(
                        "mkdir -p '\(rig.root)/c/a\(number)/p/d/e'; for n in 1 2 3; do echo $n > '\(rig.root)/c/a\(number)/p/d/e/'$n; done")
                )
                for name in 1...3 { expected.insert("c/a\(number)/p/d/e/\(name)") }
            }
            rig.wait("all files") { Set($0.changes.filter { !$0.isFolder }.map(\.path.text)) == expected }
            rig.settle()
            for path in expected {
                let arrivals = rig.lines.filter { $0 == "created \(path)" || $0 == "found \(path)" }
                #expect(arrivals.count == 1, "\(path) came \(arrivals.count) times")
            }
            let folders = rig.lines.filter { $0.hasSuffix("/") }
            #expect(folders.count == Set(folders).count && folders.count == 1 + 60 * 4, "each folder once")
        }

        @Test("takes what is moved in with all it holds, and lets go of what is moved out", arguments: sources)
        func inAndOut(source: WatchSource) throws {
            let rig = try Rig(by: source)
            #expect(Rig.run("mkdir -p '\(rig.base)/outside/t/u' && echo 1 > '\(rig.base)/outside/t/u/f'"))
            #expect(Glibc.rename(rig.base + "/outside/t", rig.path("t")) == 0)
            rig.wait("the content") { $0.lines.contains("found t/u/f") }
            #expect(rig.lines == ["moved in t/", "found t/u/", "found t/u/f"])
            #expect(rig.watcher.counts.folders == [3])
            rig.forget()
            rig.write("t/u/f", "more")
            rig.settle()
            #expect(rig.lines.contains("closed+ t/u/f"))
            rig.forget()
            #expect(Glibc.rename(rig.path("t"), rig.base + "/outside/t") == 0)
            rig.wait("the departure") { !$0.lines.isEmpty }
            #expect(rig.lines == ["moved out t/"])
            rig.forget()
            Rig.write(rig.base + "/outside/t/u/f", "unseen")
            rig.write("seen")
            rig.settle()
            #expect(rig.lines.allSatisfy { $0.hasSuffix(" seen") } && !rig.lines.isEmpty)
            rig.wait("the watches to be given back", every: 5) { $0.watcher.counts.folders == [1] }
            #expect(rig.kernelWatches() == rig.watcher.counts.watches + 1, "the kernel's table agrees, the private folder's included")
            #expect(rig.kernelMarks() == rig.watcher.counts.marks && rig.watcher.counts.marks == (source == .fanotify ? 1 : 0))
        }

        @Test("says that a name left before it says that it is used again")
        func leftAndUsedAgain() throws {
            let rig = try Rig(prepare: { mkdir($0 + "/outside", 0o755) }, adjust: { $0.renameWindow = .seconds(3600) })
            rig.write("a")
            rig.settle()
            rig.forget()
            #expect(Glibc.rename(rig.path("a"), rig.base + "/outside/a") == 0)
            rig.settle()
            #expect(rig.lines == [], "its second half may still come")
            rig.write("a")
            rig.settle()
            #expect(Array(rig.lines.prefix(2)) == ["moved out a", "created a"])
        }

        @Test("joins halves that are split between two reads", arguments: sources)
        func splitPairs(source: WatchSource) throws {
            // A record with a name of 200 bytes takes 224: 18 fill a read of 4096 bytes, and pairs fall across the border.
            let rig = try Rig(by: source, adjust: { $0.readSize = 4096 })
            let long = String(repeating: "n", count: 200)
            rig.folder("d")
            for number in 0..<60 { rig.write("\(number)\(long)") }
            rig.settle()
            rig.forget()
            for number in 0..<60 { rig.rename("\(number)\(long)", "d/\(number)\(long)") }
            rig.settle()
            #expect(rig.lines == (0..<60).map { "renamed \($0)\(long) > d/\($0)\(long)" })
        }

        @Test("between two shares a move is a departure and an arrival", arguments: sources)
        func betweenShares(source: WatchSource) throws {
            let rig = try Rig(by: source, shares: ["one", "two"])
            rig.folder("f")
            rig.write("f/x")
            rig.write("y")
            rig.settle()
            rig.forget()
            rig.rename("y", "../two/y")
            rig.rename("f", "../two/f")
            rig.wait("the content") { $0.lines.contains("found 1:f/x") }
            #expect(rig.lines == ["moved out y", "moved in 1:y", "moved out f/", "moved in 1:f/", "found 1:f/x"])
            rig.forget()
            rig.write("../two/f/x")
            rig.settle()
            #expect(rig.lines.contains("closed+ 1:f/x"))
            #expect(rig.watcher.counts.folders == [1, 2])
        }

        @Test("neither watches nor names what cannot match a layout", arguments: sources)
        func allowList(source: WatchSource) throws {
            let rig = try Rig(
                ["{class}/work/{assignment}/{person}/{document}"], by: source,
                prepare: {
                    #expect(Rig.run("mkdir -p '\($0)/share/7b/private/diary' '\($0)/share/7b/work/map/berg' '\($0)/share/7b/.zfs/x'"))
                })
            // The share, 7b, work, map, berg.
            #expect(rig.watcher.counts.folders == [5])
            rig.forget()
            rig.write("7b/private/diary/secret.txt")
            rig.write("7b/secret.txt")
            rig.write("7b/work/map/secret.txt")
            rig.folder("7b/private/secret")
            rig.rename("7b/private/secret", "7b/secret")
            rig.write("7b/work/map/berg/essay.txt")
            rig.rename("7b/work/map/berg/essay.txt", "7b/work/map/secret.txt")
            rig.rename("7b/work/map/secret.txt", "7b/work/map/berg/b.txt")
            rig.settle()
            #expect(
                rig.lines == [
                    "created 7b/work/map/berg/essay.txt", "opened 7b/work/map/berg/essay.txt", "modified 7b/work/map/berg/essay.txt",
                    "closed+ 7b/work/map/berg/essay.txt", "moved out 7b/work/map/berg/essay.txt", "moved in 7b/work/map/berg/b.txt",
                ])
            rig.forget()
            rig.rename("7b/work", "7b/hidden")
            rig.wait("the departure") { $0.lines == ["moved out 7b/work/"] }
            rig.wait("the watches to be given back", every: 5) { $0.watcher.counts.folders == [2] }
            rig.rename("7b/hidden", "7b/work")
            rig.wait("the return") { $0.lines.contains("found 7b/work/map/berg/b.txt") }
            #expect(!rig.reports.description.contains("secret") && !rig.reports.description.contains("hidden"))
        }

        @Test("gives a folder that is moved to another depth its new place in the layouts", arguments: sources)
        func depth(source: WatchSource) throws {
            let rig = try Rig(
                ["{class}/{assignment}/hand-in/{person}/{document}"], by: source,
                prepare: {
                    #expect(
                        Rig.run("mkdir -p '\($0)/share/7b/map/hand-in/berg/hand-in/deep'; echo 1 > '\($0)/share/7b/map/hand-in/berg/x'"))
                })
            rig.forget()
            // Now {assignment} = hand-in, and only its folder named hand-in leads on.
            rig.rename("7b/map/hand-in", "7b/other")
            rig.settle()
            #expect(rig.lines == ["renamed 7b/map/hand-in > 7b/other/"])
            rig.wait("what leads nowhere to be left", every: 5) { $0.watcher.counts.folders == [4] }  // the share, 7b, map, other
        }

        @Test("keeps names that are not UTF-8, and does not follow links", arguments: sources)
        func bytesAndLinks(source: WatchSource) throws {
            let rig = try Rig(by: source, prepare: { #expect(symlink($0 + "/share", $0 + "/share/loop") == 0) })
            #expect(rig.watcher.counts.folders == [1])
            rig.forget()
            let name: [CChar] = rig.path("").utf8CString.dropLast() + [0x61, -1, 0x0a, 0]
            let file = open(name, O_WRONLY | O_CREAT, 0o600)
            #expect(file != -1)
            close(file)
            #expect(symlink("berg@host.1", rig.path(".#essay")) == 0)
            rig.settle()
            #expect(rig.changes.first?.path.bytes == [0x61, 0xff, 0x0a])
            let link = try #require(rig.changes.last)
            #expect(Rig.line(link) == "created .#essay" && link.facts?.type == .symbolicLink)
        }

        @Test(
            "tells of a file with several names under the one that is used, and finds by looking what was done outside", arguments: sources)
        func hardLinks(source: WatchSource) throws {
            let rig = try Rig(
                by: source,
                prepare: {
                    #expect(
                        Rig.run(
                            "cd '\($0)' && mkdir share/alice share/bob && echo 1 > share/alice/essay && ln share/alice/essay share/bob/essay && ln share/alice/essay outside"
                        ))
                })
            rig.forget()
            rig.write("alice/essay", "hers")
            rig.settle()
            #expect(Set(rig.changes.map(\.path.text)) == ["alice/essay"])
            #expect(rig.changes.last?.facts?.links == 3)
            rig.forget()
            let before = BootTime(microseconds: Clocks.bootMicroseconds())
            Rig.write(rig.base + "/outside", "by another name")
            rig.settle()
            #expect(rig.lines == [])
            rig.examine(["alice/essay", "bob/essay"], since: before)
            #expect(rig.lines == ["found alice/essay", "found bob/essay"])
            rig.forget()
            rig.delete("bob/essay")
            rig.settle()
            #expect(rig.lines.contains("deleted bob/essay") && !rig.lines.contains { $0.contains("deleted alice") })
        }

        @Test("tells at the first crawl of assignments and lock files only", arguments: sources)
        func quiet(source: WatchSource) throws {
            let rig = try Rig(
                ["{class}/{assignment}/{person}/{document}"], by: source,
                prepare: {
                    #expect(
                        Rig.run(
                            "cd '\($0)/share' && mkdir -p 7b/map/berg 7b/ode/ek && touch 7b/map/berg/essay.txt 7b/map/berg/.essay.txt.swp 7b/ode/ek/x"
                        ))
                })
            #expect(Set(rig.lines) == ["found 7b/map/", "found 7b/ode/", "found 7b/map/berg/.essay.txt.swp"] && rig.lines.count == 3)
            #expect(rig.changes.allSatisfy { $0.facts != nil && $0.kind == .found(since: nil) })
        }

        @Test("drops the noise of listing and entering folders", arguments: sources)
        func folderNoise(source: WatchSource) throws {
            let rig = try Rig(by: source, prepare: { #expect(Rig.run("mkdir -p '\($0)/share/a/b/c'")) })
            let before = rig.watcher.counts.records
            rig.forget()
            #expect(Rig.run("ls -R '\(rig.root)' > /dev/null"))
            rig.settle()
            #expect(rig.lines == [])
            #expect(rig.watcher.counts.records > before)
        }

        @Test("stays as small as before after 20,000 folders have come and gone", arguments: sources)
        func churn(source: WatchSource) throws {
            // In memory: ext4 searches long for numbers of files that have not just been freed.
            let rig = try Rig(by: source, on: "/dev/shm")
            for _ in 0..<20 {
                for number in 0..<1000 { mkdir(rig.path("d\(number)"), 0o755) }
                for number in 0..<1000 { rmdir(rig.path("d\(number)")) }
                rig.settle()
                rig.forget()
            }
            rig.wait("an empty tree", every: 5) { $0.watcher.counts.folders == [1] }
            rig.settle()
            #expect(rig.kernelWatches() == rig.watcher.counts.watches + 1)
            #expect(rig.kernelMarks() == rig.watcher.counts.marks && rig.watcher.counts.marks == (source == .fanotify ? 1 : 0))
        }
    }
}

extension Rig {
    /// How many inotify watches the watcher has, as the kernel lists them. Other suites have instances too: ours is the one that watches our
    /// private folder.
    func kernelWatches() -> Int { kernelEntries(of: base + "/private", "inotify wd:") ?? -1 }

    /// How many folders the kernel has marked for the watcher.
    func kernelMarks() -> Int { kernelEntries(of: root, "fanotify ino:") ?? 0 }

    private func kernelEntries(of place: String, _ kind: String) -> Int? {
        var status = stat()
        guard stat(place, &status) == 0, let folder = opendir("/proc/self/fdinfo") else { return nil }
        defer { closedir(folder) }
        let mine = "ino:" + String(status.st_ino, radix: 16)
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            guard let file = fopen("/proc/self/fdinfo/\(name)", "r") else { continue }
            defer { fclose(file) }
            var lines: [String] = []
            var line = [CChar](repeating: 0, count: 512)
            while fgets(&line, 512, file) != nil {
                let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                if text.hasPrefix(kind) { lines.append(text) }
            }
            if lines.contains(where: { line in line.split(separator: " ").contains { $0 == mine } }) { return lines.count }
        }
        return nil
    }
}
