// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import DaybookLinux

@Suite("Processes", .serialized)
struct ProcTableTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func here(_ path: String) throws -> HolderFolder {
        var there = stat()
        try #require(stat(path, &there) == 0)
        return HolderFolder(path: Array(path.utf8), device: UInt64(there.st_dev))
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("a file held open is found with its holder, its path and how it was opened")
    func own() throws {
        try folder.write("essay.txt", "words")
        let reader = OwnedDescriptor(adopting: open(folder("essay.txt"), O_RDONLY | O_CLOEXEC))
        let writer = OwnedDescriptor(adopting: open(folder("essay.txt"), O_RDWR | O_APPEND | O_CLOEXEC))
        var there = stat()
        try #require(stat(folder("essay.txt"), &there) == 0)
        let scan = try ProcTable().holders(below: [try here(folder.path)])
        #expect(scan.holders.map { text($0.path) } == [folder("essay.txt"), folder("essay.txt")])
        #expect(scan.holders.map(\.canWrite).sorted { !$0 && $1 } == [false, true])
        #expect(scan.holders.allSatisfy { $0.pid == getpid() && $0.uid == geteuid() && $0.inode == UInt64(there.st_ino) && !$0.isDeleted })
        #expect(scan.processes > 1 && !scan.isPartial)
        // The same file, whatever its path.
        let flags = ProcTable().flags(of: getpid(), device: UInt64(there.st_dev), inode: UInt64(there.st_ino))
        #expect(flags.map { $0 & UInt32(O_ACCMODE) }.sorted() == [UInt32(O_RDONLY), UInt32(O_RDWR)])
        #expect(ProcTable().flags(of: getpid(), device: UInt64(there.st_dev) + 1, inode: UInt64(there.st_ino)).isEmpty)
        withExtendedLifetime((reader.withRaw { $0 }, writer.withRaw { $0 })) {}
    }

    @Test("how far a process is in a file is the furthest of its handles")
    func position() throws {
        try folder.write("hymn.mp3", "0123456789")
        let first = OwnedDescriptor(adopting: open(folder("hymn.mp3"), O_RDONLY | O_CLOEXEC))
        let second = OwnedDescriptor(adopting: open(folder("hymn.mp3"), O_RDONLY | O_CLOEXEC))
        var there = stat()
        try #require(stat(folder("hymn.mp3"), &there) == 0)
        func position() -> Int64? { ProcTable().position(of: getpid(), device: UInt64(there.st_dev), inode: UInt64(there.st_ino)) }
        #expect(position() == 0)
        #expect(first.withRaw { lseek($0, 3, SEEK_SET) } == 3 && second.withRaw { lseek($0, 7, SEEK_SET) } == 7)
        #expect(position() == 7)
        #expect(ProcTable().position(of: getpid(), device: UInt64(there.st_dev), inode: UInt64(there.st_ino) + 1_000_000) == nil)
        withExtendedLifetime((first.withRaw { $0 }, second.withRaw { $0 })) {}
    }

    @Test("a folder that was opened by way of a link is where the link leads")
    func linkedFolder() throws {
        try #require(mkdir(folder("real"), 0o755) == 0 && symlink("real", folder("link")) == 0)
        let open = try Folder.open(path: folder("link"), for: .place)
        #expect(ProcTable.path(of: open).map { text($0) } == folder("real"))
    }

    @Test(
        "another user's process is named by the uid it accesses files with",
        .enabled(if: geteuid() == 0, "needs root, to act as another user"))
    func foreign() throws {
        try folder.write("essay.txt", "words")
        let file = OwnedDescriptor(adopting: open(folder("essay.txt"), O_RDONLY | O_CLOEXEC))
        let pair = try StreamPair()
        let child = try ChildProcess.start(
            "/bin/sh", arguments: ["-c", "read line"], environment: [],
            descriptors: [pair.second.withRaw { $0 }, nil, nil, file.withRaw { $0 }], privileges: .noneAs(uid: 54_321, gid: 54_322))
        let scan = try ProcTable().holders(below: [try here(folder.path)])
        let holders = scan.holders.filter { $0.pid == child.pid }
        #expect(holders.map(\.uid) == [54_321])
        #expect(holders.map { text($0.path) } == [folder("essay.txt")])
        #expect(ProcTable().holders(of: child.pid, below: [try here(folder.path)]) == holders, "asked of it alone, the same")
        #expect(ProcTable().holders(of: child.pid, below: [try here("/proc")]) == [])
        let status = try #require(try ProcTable().status(of: child.pid))
        #expect(text(status.command) == "sh")
        #expect((status.realUID, status.effectiveUID, status.fileUID, status.fileGID) == (54_321, 54_321, 54_321, 54_322))
        #expect(status.groups == [] && status.parent == getpid())
        _ = pair.first.withRaw { write($0, "x\n", 2) }
        #expect(try ending(of: child) == .exited(code: 0))
        #expect(try ProcTable().status(of: child.pid) == nil)
        #expect(ProcTable().holders(of: child.pid, below: [try here(folder.path)]) == [])
    }

    private func ending(of child: borrowing ChildProcess) throws -> ChildProcess.Ending? {
        child.ended.withRaw { raw in
            var entry = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
            _ = poll(&entry, 1, 10_000)
        }
        return try child.reap()
    }

    @Test("a deleted file is told from one that is only named so, and names are bytes")
    func names() throws {
        let strange = Array((folder.path + "/").utf8) + [0xff, 0x0a] + Array("x (deleted)".utf8)
        let raw = open((strange + [0]).map { CChar(bitPattern: $0) }, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        let named = OwnedDescriptor(adopting: raw)
        try folder.write("gone", "")
        let gone = OwnedDescriptor(adopting: open(folder("gone"), O_RDONLY | O_CLOEXEC))
        try #require(unlink(folder("gone")) == 0)
        let holders = try ProcTable().holders(below: [try here(folder.path)]).holders
        #expect(Set(holders.map(\.path)) == [strange, Array(folder("gone").utf8)])
        #expect(holders.first { $0.path == strange }?.isDeleted == false)
        #expect(holders.first { $0.path != strange }?.isDeleted == true)
        withExtendedLifetime((named.withRaw { $0 }, gone.withRaw { $0 })) {}
    }

    @Test("a folder whose name only begins alike, and another device, are none of ours")
    func neighbours() throws {
        try #require(mkdir(folder("class"), 0o755) == 0 && mkdir(folder("classes"), 0o755) == 0)
        try folder.write("classes/essay", "")
        let file = OwnedDescriptor(adopting: open(folder("classes/essay"), O_RDONLY | O_CLOEXEC))
        #expect(try ProcTable().holders(below: [try here(folder("class"))]).holders.isEmpty)
        // A child that another test is starting holds it too, for a moment.
        let holders = try ProcTable().holders(below: [try here(folder("classes"))]).holders
        #expect(holders.count { $0.pid == getpid() } == 1)
        var elsewhere = try here(folder("classes"))
        elsewhere.device &+= 1
        #expect(try ProcTable().holders(below: [elsewhere]).holders.isEmpty)
        withExtendedLifetime(file.withRaw { $0 }) {}
    }

    @Test("a list longer than its limit says that it is cut")
    func limits() throws {
        try folder.write("essay", "")
        let files = [OwnedBox(folder("essay")), OwnedBox(folder("essay"))]
        var limits = ProcTable.Limits()
        limits.holders = 2
        let whole = try ProcTable().holders(below: [try here(folder.path)], limits: limits)
        #expect(whole.holders.count == 2)
        limits.holders = 1
        let cut = try ProcTable().holders(below: [try here(folder.path)], limits: limits)
        #expect(cut.holders.count == 1 && cut.isPartial)
        limits.descriptorsPerProcess = 1
        #expect(try ProcTable().holders(below: [try here(folder.path)], limits: limits).isPartial)
        withExtendedLifetime(files) {}
    }

    @Test("a status is read whole or not at all, wherever it is cut")
    func parsing() throws {
        let own = try SmallFile.read("/proc/self/status")
        let whole = try #require(ProcessStatus(parsing: own))
        #expect(whole.pid == getpid() && whole.fileUID == geteuid())
        let forged = Array(
            "Name:\tx\nTgid:\t7\nPPid:\t1\nUid:\t1\t2\t3\t4\nGid:\t5\t6\t7\t8\nGroups:\t9 10 \nUid:\t0\t0\t0\t0\nName:\troot\n".utf8)
        let status = try #require(ProcessStatus(parsing: forged))
        #expect((status.realUID, status.effectiveUID, status.fileUID, status.fileGID) == (1, 2, 4, 8))
        #expect(status.groups == [9, 10] && status.command == Array("x".utf8))
        let lines = Array("Name:\tx\nTgid:\t7\nPPid:\t1\nUid:\t1\t2\t3\t4\nGid:\t5\t6\t7\t8".utf8)
        for length in 0..<lines.count { #expect(ProcessStatus(parsing: Array(lines.prefix(length))) == nil, "cut at \(length)") }
        for number in ["4294967296", "-1", "x", "99999999999999999999"] {
            #expect(ProcessStatus(parsing: Array("Name:\tx\nTgid:\t7\nPPid:\t1\nUid:\t1\t2\t3\t\(number)\nGid:\t5\t6\t7\t8\n".utf8)) == nil)
        }
    }
}

private final class OwnedBox {
    let descriptor: OwnedDescriptor
    init(_ path: String) { descriptor = OwnedDescriptor(adopting: open(path, O_RDONLY | O_CLOEXEC)) }
}

@Suite("A small file")
struct SmallFileTests {
    @Test("is read whole up to its limit, and one byte more is an error")
    func limit() throws {
        let folder = try TemporaryFolder()
        try folder.write("file", String(repeating: "x", count: 5000))
        #expect(try SmallFile.read(folder("file"), limit: 5000).count == 5000)
        #expect(throws: SystemCallError(call: "read \(folder("file"))", code: EFBIG)) { try SmallFile.read(folder("file"), limit: 4999) }
        #expect(throws: SystemCallError(call: "open \(folder("none"))", code: ENOENT)) { try SmallFile.read(folder("none")) }
    }
}

@Suite("What can be seen of the machine")
struct SightTests {
    @Test("is everything, for root", .enabled(if: geteuid() == 0, "others see less"))
    func root() {
        let sight = Sight.test(shares: ["/etc"])
        #expect(sight == Sight(processStatus: .seen, openFiles: .seen, owners: .seen, bootID: .seen))
    }

    @Test(
        "lacks others' open files without the capability, and says what to do", .enabled(if: geteuid() == 0, "others have none to drop")
    )
    func withoutCapability() async {
        await #expect(processExitsWith: .success) {
            // Only this thread loses its rights. A whole process that became a plain user often died of SIGILL on a busy machine; why, is not
            // known: perhaps a thread of the runtime's.
            try Capabilities.dropAll()
            let sight = Sight.test(shares: ["/etc"])
            #expect(sight.processStatus == .seen && sight.owners == .seen && sight.bootID == .seen)
            guard case .hidden(let why) = sight.openFiles else { throw TestFailure("seen") }
            #expect(why.contains("Permission denied") && why.contains("CAP_SYS_PTRACE"))
        }
    }

    @Test("lacks what a hidden /proc lacks")
    func emptyProc() throws {
        let folder = try TemporaryFolder()
        let sight = Sight.test(shares: [], procfs: folder.path)
        #expect(!sight.processStatus.isSeen && !sight.openFiles.isSeen && !sight.bootID.isSeen)
        #expect(sight.owners == .seen)
    }

    @Test("lacks owners where everybody is nobody", .enabled(if: geteuid() == 0, "needs root, to give files away"))
    func owners() throws {
        let folder = try TemporaryFolder()
        try folder.write("essay", "")
        try #require(chown(folder("essay"), Sight.overflowUID, 0) == 0)
        guard case .hidden(let why) = Sight.test(shares: [folder.path]).owners else { throw TestFailure("seen") }
        #expect(why.contains("65534") && why.contains("PrivateUsers="))
        try folder.write("other", "")
        try #require(chown(folder("other"), 1234, 0) == 0)
        #expect(Sight.test(shares: [folder.path]).owners == .seen)
    }

    @Test("counts the users of a namespace")
    func uidMap() {
        #expect(Sight.mappedUIDs(Array("         0          0 4294967295\n".utf8)) == 4_294_967_295)
        #expect(Sight.mappedUIDs(Array("0 0 1\n1000 1000 1\n".utf8)) == 2)
        #expect(Sight.mappedUIDs(Array("0 0\n".utf8)) == nil)
    }

    @Test("the boot id has 32 digits, and anything else is none")
    func bootID() throws {
        let id = try BootIdentity.current()
        #expect(id.utf8.count == 32 && id.allSatisfy(\.isHexDigit))
        let folder = try TemporaryFolder()
        for name in ["sys", "sys/kernel", "sys/kernel/random"] { try #require(mkdir(folder(name), 0o755) == 0) }
        try folder.write("sys/kernel/random/boot_id", "0123\n")
        #expect(throws: SystemCallError.self) { try BootIdentity.current(procfs: folder.path) }
    }
}
