// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import FolderWatcher
import Glibc
import Inference
import Testing

/// A file system of its own for a test.
final class MountedFileSystem {
    enum Kind: String, CaseIterable { case ext4, xfs, btrfsSubvolume, tmpfs, overlay }

    /// Why it cannot be had here; nil where it can.
    static func obstacle(_ kind: Kind) -> String? {
        if getuid() != 0 { return "only root can mount" }
        let program: String? =
            switch kind {
            case .ext4: "mkfs.ext4"
            case .xfs: "mkfs.xfs"
            case .btrfsSubvolume: "mkfs.btrfs"
            case .tmpfs, .overlay: nil
            }
        if let program, !Rig.run("PATH=$PATH:/usr/sbin:/sbin command -v \(program) > /dev/null") {
            return "\(program) is not here (make packages)"
        }
        return (try? MountedFileSystem(kind)) == nil ? "\(kind.rawValue) cannot be mounted here" : nil
    }

    /// Those that can be had; what cannot is said by a test of its own.
    static let possible = Kind.allCases.filter { obstacle($0) == nil }

    private struct Failed: Error {}
    private let base: String
    /// Where shares can be made.
    let place: String

    init(_ kind: Kind) throws {
        var template = Array("/var/tmp/daybook-system-XXXXXX".utf8CString)
        guard let made = template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } })
        else { throw Failed() }
        base = made
        place = kind == .btrfsSubvolume ? made + "/mounted/sub" : made + "/mounted"
        let image = { (size: String, make: String) in
            "truncate -s \(size) image && \(make) image > /dev/null 2>&1 && mount -o loop image mounted"
        }
        let mount =
            switch kind {
            case .ext4: image("64M", "mkfs.ext4 -q")
            case .xfs: image("320M", "mkfs.xfs -q")
            case .btrfsSubvolume: image("128M", "mkfs.btrfs -q") + " && btrfs -q subvolume create mounted/sub"
            case .tmpfs: "mount -t tmpfs none mounted"
            case .overlay:
                "mkdir lower upper work && mount -t overlay none -o lowerdir=lower,upperdir=upper,workdir=work mounted"
            }
        guard Rig.run("PATH=$PATH:/usr/sbin:/sbin && cd '\(base)' && mkdir mounted && { \(mount); } > /dev/null 2>&1") else {
            clean()
            throw Failed()
        }
    }

    deinit { clean() }

    private func clean() { Rig.run("umount '\(base)/mounted' 2> /dev/null; rm -rf --one-file-system '\(base)'") }
}

extension WatcherTests {
    @Suite("File systems")
    struct FileSystemTests {
        @Test("can all be tried here", arguments: MountedFileSystem.Kind.allCases)
        func obstacles(kind: MountedFileSystem.Kind) throws {
            guard let obstacle = MountedFileSystem.obstacle(kind) else { return }
            try Test.cancel("\(kind.rawValue): \(obstacle)")
        }

        @Test("tell the same of what people do, whoever is asked", arguments: MountedFileSystem.possible, sources)
        func changes(kind: MountedFileSystem.Kind, source: WatchSource) throws {
            let system = try MountedFileSystem(kind)
            let rig = try Rig(by: source, isStarted: false, on: system.place)
            try rig.watcher.start()
            rig.wait("the crawl") { $0.crawled(0) }
            let state = try #require(rig.states.last)
            #expect(state.condition == .complete)
            switch (source, kind) {
            case (.inotify, _): #expect(state.source == .inotify && state.refusal == nil)
            case (.fanotify, .ext4), (.fanotify, .xfs), (.fanotify, .tmpfs): #expect(state.source == .fanotify && state.refusal == nil)
            case (.fanotify, .btrfsSubvolume):
                // Linux 6.8 and later can.
                #expect(state.source == .fanotify ? state.refusal == nil : state.refusal?.contains("EXDEV") == true, "\(state)")
            case (.fanotify, .overlay):
                #expect(state.source == .inotify && state.refusal?.contains("EOPNOTSUPP") == true, "\(state)")
            }
            rig.forget()

            rig.write("essay.txt")
            rig.settle()
            rig.folder("d")
            rig.settle()
            rig.rename("essay.txt", "d/essay.txt")
            rig.settle()
            rig.rename("d", "e")
            rig.settle()
            rig.write(".new", "more")
            rig.settle()
            rig.rename(".new", "e/essay.txt")
            rig.settle()
            rig.read("e/essay.txt")
            rig.settle()
            chmod(rig.path("e/essay.txt"), 0o600)
            rig.settle()
            chmod(rig.path("e"), 0o700)
            rig.settle()
            rig.delete("e/essay.txt")
            rig.settle()
            rig.delete("e")
            rig.settle()
            #expect(
                rig.lines == [
                    "created essay.txt", "opened essay.txt", "modified essay.txt", "closed+ essay.txt", "created d/",
                    "renamed essay.txt > d/essay.txt", "renamed d > e/", "created .new", "opened .new", "modified .new", "closed+ .new",
                    "renamed .new > e/essay.txt", "opened e/essay.txt", "closed e/essay.txt", "attributes e/essay.txt", "attributes e/",
                    "deleted e/essay.txt", "deleted e/",
                ])
            #expect(rig.changes.allSatisfy { ($0.actor?.pid == getpid()) == (state.source == .fanotify) })
            rig.wait("an empty tree", every: 5) { $0.watcher.counts.folders == [1] }
            rig.watcher.stop()
        }

        @Test(
            "can be unmounted and come back, and tell of their loss", arguments: MountedFileSystem.possible.filter { $0 == .ext4 }, sources)
        func unmounted(kind: MountedFileSystem.Kind, source: WatchSource) throws {
            let system = try MountedFileSystem(kind)
            let image = String(system.place.dropLast("/mounted".count)) + "/image"
            // The share is the root of its file system.
            let rig = try Rig(
                by: source, shares: ["here"], isStarted: false,
                prepare: { base in
                    #expect(Rig.run("umount '\(system.place)' && mount -o loop '\(image)' '\(base)/here' && mkdir '\(base)/here/d'"))
                }, adjust: { $0.retryInterval = .seconds(3600) })
            defer { Rig.run("umount '\(rig.root)' 2> /dev/null") }
            try rig.start()
            rig.forget()
            #expect(Rig.run("umount '\(rig.root)'"), "the watcher keeps no descriptor on it")
            rig.wait("its end") { $0.states.last?.condition == .unavailable }
            #expect(Rig.run("mount -o loop '\(image)' '\(rig.root)' && echo 1 > '\(rig.root)/d/f'"))
            rig.wait("its return") { $0.crawled(0) && $0.states.last?.condition == .complete }
            #expect(rig.gaps.map(\.cause) == [.unavailable] && rig.states.last?.source == source)
            rig.forget()
            rig.write("d/g")
            rig.settle()
            #expect(rig.lines.contains("closed+ d/g"))
            #expect(rig.watcher.counts.marks == rig.kernelMarks() && rig.watcher.counts.marks == (source == .fanotify ? 2 : 0))
        }
    }
}
