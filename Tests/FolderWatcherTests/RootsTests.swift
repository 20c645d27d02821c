// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import FolderWatcher
import Glibc
import Inference
import Testing

extension WatcherTests {
    @Suite("Shares that come and go")
    struct RootsTests {
        private static let canMount: Bool = {
            guard getuid() == 0 else { return false }
            var template = Array("/var/tmp/daybook-mount-XXXXXX".utf8CString)
            guard let path = template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } })
            else {
                return false
            }
            return Rig.run("mount -t tmpfs none '\(path)' && umount '\(path)'; rc=$?; rmdir '\(path)'; exit $rc")
        }()

        @Test("a share that is missing is attached when it and the folders above it appear", arguments: sources)
        func missing(source: WatchSource) throws {
            let rig = try Rig(
                by: source, shares: ["up/per/share"], isStarted: false, prepare: { #expect(Rig.run("rm -rf '\($0)/up'")) },
                adjust: { $0.retryInterval = .seconds(3600) })
            try rig.watcher.start()
            rig.wait("the state") { $0.states.last?.condition == .unavailable }
            #expect(rig.states.last?.reason == "the folder does not exist; it is watched as soon as it does")
            #expect(Rig.run("mkdir -p '\(rig.root)' && echo 1 > '\(rig.root)/.lock'"))
            rig.wait("the crawl") { $0.crawled(0) }
            rig.write("f")
            rig.settle()
            #expect(rig.lines.contains("closed+ f"))
            #expect(rig.gaps == [], "nothing was watched before")
        }

        @Test("a share that is deleted is unavailable, and a new folder of its name is a new share", arguments: sources)
        func deleted(source: WatchSource) throws {
            let rig = try Rig(by: source, prepare: { mkdir($0 + "/share/d", 0o755) })
            rig.forget()
            #expect(Rig.run("rm -r '\(rig.root)'"))
            rig.wait("its end") { $0.states.last?.condition == .unavailable }
            #expect(rig.states.last?.reason == "the folder was deleted")
            #expect(mkdir(rig.root, 0o755) == 0)
            rig.write("f")
            rig.wait("its return") { $0.crawled(0) && $0.states.last?.condition == .complete }
            #expect(rig.gaps.map(\.cause) == [.unavailable] && rig.gaps.first?.share == 0)
            rig.wait("the file") { $0.lines.contains("found f") || $0.lines.contains("created f") }
            rig.wait("old watches to be given back", every: 5) { $0.watcher.counts.folders == [1] }
        }

        @Test("a share that is moved away is reported, and not followed", arguments: ["share", "up/share"], sources)
        func moved(share: String, source: WatchSource) throws {
            // The second is moved by a folder above it, which only that folder's watch can tell.
            let rig = try Rig(by: source, shares: [share])
            let top = rig.base + "/" + (share.split(separator: "/").first ?? "")
            rig.forget()
            #expect(Glibc.rename(top, rig.base + "/away") == 0)
            rig.wait("its end") { $0.states.last?.condition == .unavailable }
            if share == "share" { #expect(rig.states.last?.reason == "the folder was moved away") }
            Rig.write(rig.base + "/away/unseen")
            rig.settle()
            #expect(rig.lines == [])
            #expect(Glibc.rename(rig.base + "/away", top) == 0)
            rig.wait("its return") { $0.states.last?.condition == .complete }
            rig.write("seen")
            rig.settle()
            #expect(rig.lines.contains("closed+ seen"))
        }

        @Test("a mount below a share is a border, also one of the same file system", .enabled(if: canMount), arguments: sources)
        func border(source: WatchSource) throws {
            let rig = try Rig(
                by: source,
                prepare: { base in
                    #expect(
                        Rig.run(
                            "cd '\(base)' && mkdir -p share/bind share/tmp elsewhere/in && touch elsewhere/.lock && mount --bind elsewhere share/bind && mount -t tmpfs none share/tmp && mkdir share/tmp/in"
                        ))
                })
            defer { Rig.run("umount '\(rig.path("bind"))' '\(rig.path("tmp"))'") }
            #expect(rig.watcher.counts.folders == [1] && rig.lines == [])
            #expect(rig.states.last?.condition == .complete)
            rig.forget()
            rig.write("bind/in/f")
            rig.write("tmp/in/f")
            rig.settle()
            #expect(rig.lines == [])
        }

        @Test("a share that is unmounted is unavailable until it is mounted again", .enabled(if: canMount), arguments: sources)
        func unmounted(source: WatchSource) throws {
            let rig = try Rig(
                by: source, isStarted: false, prepare: { #expect(Rig.run("mount -t tmpfs none '\($0)/share' && mkdir '\($0)/share/d'")) },
                adjust: { $0.retryInterval = .seconds(3600) })
            defer { Rig.run("umount '\(rig.root)' 2> /dev/null") }
            try rig.start()
            rig.forget()
            #expect(Rig.run("umount '\(rig.root)'"), "the watcher keeps no descriptor on it")
            rig.wait("its end") { $0.states.last?.condition == .unavailable }
            #expect(rig.states.last?.reason?.contains("unmounted") == true)
            rig.write("on the empty mount point")
            rig.settle()
            #expect(rig.lines == [])
            #expect(Rig.run("mount -t tmpfs none '\(rig.root)' && echo 1 > '\(rig.root)/f'"))
            rig.wait("its return") { $0.crawled(0) && $0.states.last?.condition == .complete }
            rig.write("g")
            rig.settle()
            #expect(rig.lines.contains("closed+ g"))
        }

        @Test("new settings keep the shares that stay, and renumber them", arguments: sources)
        func reconfigured(source: WatchSource) throws {
            let rig = try Rig(by: source, shares: ["one", "two"])
            mkdir(rig.base + "/three", 0o755)
            let layouts = LayoutSet([try LayoutPattern("{document}")])
            let share = { WatchedShare(path: rig.base + "/" + $0, layouts: layouts) }
            let before = rig.watcher.counts
            #expect(before.folders == [1, 1])
            rig.forget()
            try rig.watcher.reconfigure([share("two"), share("three")], id: 5)
            rig.wait("both") { $0.reports.contains(.reconfigured(id: 5)) && $0.crawled(1) && $0.states.contains { $0.share == 0 } }
            #expect(
                !rig.reports.contains { if case .crawl(let progress) = $0 { progress.share == 0 } else { false } }, "two stays as it was")
            rig.forget()
            for name in ["one", "two", "three"] { Rig.write(rig.base + "/\(name)/f") }
            rig.settle()
            #expect(rig.lines.filter { $0.hasPrefix("created") } == ["created f", "created 1:f"])
            #expect(throws: WatchError.overlapping(inner: rig.base + "/two/x", outer: rig.base + "/two")) {
                try rig.watcher.reconfigure([share("two"), share("two/x")], id: 6)
            }
        }

        @Test("a list of shares that cannot be right is refused with its reason")
        func refused() throws {
            let rig = try Rig()
            let layouts = LayoutSet([try LayoutPattern("{document}")])
            func attempt(_ paths: [String], _ layouts: LayoutSet, privateFolder: String? = nil) -> WatchError? {
                do throws(WatchError) {
                    _ = try FolderWatcher(
                        shares: paths.map { WatchedShare(path: $0, layouts: layouts) },
                        options: WatcherOptions(privateFolder: privateFolder ?? rig.base + "/private", isInteresting: { _ in false }),
                        output: HandOver(capacity: 1, wake: nil))
                    return nil
                } catch {
                    return error
                }
            }
            #expect(symlink(rig.root, rig.base + "/link") == 0)
            #expect(attempt(["srv"], layouts) == .notAbsolute(path: "srv"))
            #expect(attempt(["/srv"], LayoutSet([])) == .noLayouts(path: "/srv"))
            #expect(attempt([rig.root, rig.root + "x"], layouts) == nil, "a name that only begins the same")
            #expect(
                attempt([rig.root, rig.base + "/link/./deep"], layouts) == .overlapping(inner: rig.base + "/link/./deep", outer: rig.root))
            #expect(attempt([rig.base], layouts) == .privateFolderShared(path: rig.base + "/private", share: rig.base))
            #expect(
                attempt([rig.root], layouts, privateFolder: rig.base + "/none")
                    == .privateFolder(path: rig.base + "/none", SystemCallError(call: "open", code: ENOENT)))
            let many = (0...1024).map { "/srv/\($0)" }
            #expect(attempt(many, layouts) == .tooManyShares(count: 1025, limit: 1024))
            #expect(attempt(many.dropLast(), layouts) == nil)
            let pattern = try LayoutPattern("{document}")
            #expect(
                attempt(["/srv"], LayoutSet(Array(repeating: pattern, count: 65))) == .tooManyLayouts(path: "/srv", count: 65, limit: 64))
            #expect(throws: WatchError.alreadyStarted) { try rig.watcher.start() }
        }
    }
}
