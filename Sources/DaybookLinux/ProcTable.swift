// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import Glibc

/// A process that holds a file open.
package struct FileHolder: Equatable, Sendable {
    package var pid: Int32
    /// The uid that the process accesses files with, read together with the link.
    package var uid: UInt32
    /// The absolute path as the kernel shows it to us, without its ` (deleted)`.
    package var path: [UInt8]
    /// True where the file has no name any more.
    package var isDeleted: Bool
    package var device: UInt64
    package var inode: UInt64
    /// The flags of `open(2)`.
    package var flags: UInt32

    package init(pid: Int32, uid: UInt32, path: [UInt8], isDeleted: Bool, device: UInt64, inode: UInt64, flags: UInt32) {
        self.pid = pid
        self.uid = uid
        self.path = path
        self.isDeleted = isDeleted
        self.device = device
        self.inode = inode
        self.flags = flags
    }

    package var canWrite: Bool { flags & UInt32(O_ACCMODE) != UInt32(O_RDONLY) }
}

/// A folder below which open files are of interest.
package struct HolderFolder: Equatable, Sendable {
    /// Absolute, without a slash at its end.
    package var path: [UInt8]
    /// Its device. A process in a container may show the same path for another file.
    package var device: UInt64

    package init(path: [UInt8], device: UInt64) {
        self.path = path
        self.device = device
    }
}

/// Who holds what open, from `/proc`. Reads a link for every open descriptor of the machine, so it belongs off the loop's thread.
package struct ProcTable: Sendable {
    package struct Limits: Equatable, Sendable {
        package var holders = 65_536
        /// Of one process; it may have opened many to hide behind.
        package var descriptorsPerProcess = 65_536

        package init() {}
    }

    package struct Scan: Equatable, Sendable {
        package var holders: [FileHolder] = []
        /// Processes that were looked into.
        package var processes = 0
        /// Processes whose descriptors the kernel would not show us.
        package var refused = 0
        /// True where a limit cut the list.
        package var isPartial = false
    }

    private let procfs: String
    /// A process in the most groups that Linux allows has about half of this.
    private static let statusLimit = 1_048_576

    package init(procfs: String = "/proc") { self.procfs = procfs }

    /// Nil where there is no such process (any more).
    package func status(of pid: Int32) throws(SystemCallError) -> ProcessStatus? {
        do throws(SystemCallError) {
            return ProcessStatus(parsing: try SmallFile.read("\(procfs)/\(pid)/status", limit: Self.statusLimit))
        } catch {
            if error.code == ENOENT || error.code == ESRCH { return nil }
            throw error
        }
    }

    /// Everybody who holds a file in or below one of the folders. Processes come and go meanwhile; each holder was true at one moment.
    package func holders(below folders: [HolderFolder], limits: Limits = Limits()) throws(SystemCallError) -> Scan {
        var scan = Scan()
        for pid in try names(of: procfs, in: AT_FDCWD).compactMap(Self.number) {
            guard scan.holders.count < limits.holders else {
                scan.isPartial = true
                break
            }
            look(at: pid, folders, limits, &scan)
        }
        return scan
    }

    /// What one process holds in or below the folders; nothing where it has gone or may not be looked into.
    package func holders(of pid: Int32, below folders: [HolderFolder], limits: Limits = Limits()) -> [FileHolder] {
        var scan = Scan()
        look(at: pid, folders, limits, &scan)
        return scan.holders
    }

    /// The flags of `open(2)` of each handle that one process has on one file, by whatever path it came to it (a bind mount, a container).
    package func flags(of pid: Int32, device: UInt64, inode: UInt64, limits: Limits = Limits()) -> [UInt32] {
        let raw = open("\(procfs)/\(pid)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw != -1 else { return [] }
        let process = OwnedDescriptor(adopting: raw)
        return process.withRaw { raw in
            guard let numbers = try? names(of: "fd", in: raw) else { return [] }  // gone, or not to be looked into
            return numbers.prefix(limits.descriptorsPerProcess).compactMap { number in
                var there = stat()
                guard fstatat(raw, "fd/" + number, &there, 0) == 0, UInt64(there.st_dev) == device, UInt64(there.st_ino) == inode else {
                    return nil
                }
                return flags(number, of: raw)
            }
        }
    }

    /// How far one process is in one file: the furthest position of its handles, by whatever path it came to it. Nil where it has none.
    package func position(of pid: Int32, device: UInt64, inode: UInt64, limits: Limits = Limits()) -> Int64? {
        let raw = open("\(procfs)/\(pid)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw != -1 else { return nil }
        let process = OwnedDescriptor(adopting: raw)
        return process.withRaw { raw in
            guard let numbers = try? names(of: "fd", in: raw) else { return nil }  // gone, or not to be looked into
            return numbers.prefix(limits.descriptorsPerProcess).compactMap { number -> Int64? in
                var there = stat()
                guard fstatat(raw, "fd/" + number, &there, 0) == 0, UInt64(there.st_dev) == device, UInt64(there.st_ino) == inode else {
                    return nil
                }
                return word("pos:", number, of: raw).flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
            }.max()
        }
    }

    /// Where an open folder is, without links on the way: what `/proc` shows of files in it. Nil where that cannot be told.
    package static func path(of folder: borrowing OwnedDescriptor) -> [UInt8]? {
        let number = folder.withRaw { $0 }
        return linkTarget("/proc/self/fd/\(number)", in: AT_FDCWD)
    }

    // MARK: One process

    private func look(at pid: Int32, _ folders: [HolderFolder], _ limits: Limits, _ scan: inout Scan) {
        // By a handle of the process's folder: if the process ends, the handle answers ESRCH and never shows its number's next owner.
        let raw = open("\(procfs)/\(pid)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw != -1 else { return }
        let process = OwnedDescriptor(adopting: raw)
        scan.processes += 1
        let numbers: [String]
        do {
            numbers = try process.withRaw { raw throws(SystemCallError) in try names(of: "fd", in: raw) }
        } catch {
            // The kernel also says EACCES of a process that has just ended.
            let isThere = process.withRaw { raw in (try? SmallFile.read("status", in: raw, limit: Self.statusLimit)) != nil }
            if isThere, error.code == EACCES || error.code == EPERM { scan.refused += 1 }
            return
        }
        if numbers.count > limits.descriptorsPerProcess { scan.isPartial = true }
        var uid: UInt32?
        for number in numbers.prefix(limits.descriptorsPerProcess) {
            guard scan.holders.count < limits.holders else {
                scan.isPartial = true
                return
            }
            process.withRaw { raw in
                guard let file = file(number, of: raw, folders) else { return }
                // Only once somebody of interest is found: most processes hold nothing here.
                if uid == nil {
                    uid = (try? SmallFile.read("status", in: raw, limit: Self.statusLimit)).flatMap(ProcessStatus.init(parsing:))?.fileUID
                }
                guard let uid, let flags = flags(number, of: raw) else { return }  // it has ended meanwhile
                scan.holders.append(
                    FileHolder(
                        pid: pid, uid: uid, path: file.path, isDeleted: file.isDeleted, device: file.device, inode: file.inode, flags: flags
                    ))
            }
        }
    }

    private struct OpenFile {
        var path: [UInt8]
        var isDeleted: Bool
        var device: UInt64
        var inode: UInt64
    }

    /// The file behind a descriptor, where it is in or below one of the folders.
    private func file(_ number: String, of process: Int32, _ folders: [HolderFolder]) -> OpenFile? {
        let link = "fd/" + number
        guard let path = Self.linkTarget(link, in: process), path.first == UInt8(ascii: "/") else { return nil }
        guard folders.contains(where: { Self.isInOrBelow($0.path, path) }) else { return nil }
        var there = stat()
        // Follows the link to the open file itself, wherever its name is now.
        guard fstatat(process, link, &there, 0) == 0 else { return nil }
        let device = UInt64(there.st_dev)
        let isDeleted = there.st_nlink == 0
        var clean = path
        if isDeleted, clean.count > Self.deletedMark.count, clean.suffix(Self.deletedMark.count) == Self.deletedMark[...] {
            clean.removeLast(Self.deletedMark.count)
        }
        guard folders.contains(where: { $0.device == device && Self.isInOrBelow($0.path, clean) }) else { return nil }
        return OpenFile(path: clean, isDeleted: isDeleted, device: device, inode: UInt64(there.st_ino))
    }

    private static let deletedMark = Array(" (deleted)".utf8)

    /// `flags:` of fdinfo, in octal.
    private func flags(_ number: String, of process: Int32) -> UInt32? {
        word("flags:", number, of: process).flatMap { UInt32(String(decoding: $0, as: UTF8.self), radix: 8) }
    }

    /// What stands behind a key in fdinfo.
    private func word(_ key: String, _ number: String, of process: Int32) -> ArraySlice<UInt8>? {
        guard let text = try? SmallFile.read("fdinfo/" + number, in: process) else { return nil }  // closed meanwhile
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(whereSeparator: { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") })
            if words.count == 2, words[0].elementsEqual(key.utf8) { return words[1] }
        }
        return nil
    }

    // MARK: Pieces

    private static func isInOrBelow(_ folder: [UInt8], _ path: [UInt8]) -> Bool {
        path.starts(with: folder)
            && (path.count == folder.count || folder == [UInt8(ascii: "/")] || path[folder.count] == UInt8(ascii: "/"))
    }

    /// Where a link leads; nil where it cannot be read or is longer than any path the kernel resolves.
    static func linkTarget(_ link: String, in folder: Int32) -> [UInt8]? {
        let room = Int(PATH_MAX)
        let target = withUnsafeTemporaryAllocation(of: CChar.self, capacity: room) { buffer -> [UInt8] in
            guard let base = buffer.baseAddress else { return [] }
            let count = readlinkat(folder, link, base, room)
            return count <= 0 || count >= room ? [] : buffer.prefix(count).map { UInt8(bitPattern: $0) }
        }
        return target.isEmpty ? nil : target
    }

    static func number(_ name: String) -> Int32? {
        guard let first = name.utf8.first, first >= UInt8(ascii: "1"), first <= UInt8(ascii: "9") else { return nil }
        return Int32(name)
    }

    /// The names in a folder of /proc, which are ASCII.
    func names(of path: String, in folder: Int32) throws(SystemCallError) -> [String] {
        let raw = try systemCall("open \(path)") { Int(openat(folder, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) }
        guard let stream = fdopendir(Int32(raw)) else {
            let code = errno
            _ = close(Int32(raw))
            throw SystemCallError(call: "fdopendir", code: code)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                // A process that ended meanwhile: what was read is all there is.
                if errno == 0 || errno == ESRCH || errno == ENOENT { return names }
                throw SystemCallError(call: "readdir \(path)", code: errno)
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }
}
