// SPDX-License-Identifier: Apache-2.0
package import DaybookLinux
import Glibc

/// One folder on the way to a page, and who may list it.
package struct PageStep: Hashable, Sendable {
    package var name: String
    package var readers: Readers
    /// Others may pass through it, but not list it.
    package var isPassage: Bool

    package init(_ name: String, _ readers: Readers, isPassage: Bool = false) {
        self.name = name
        self.readers = readers
        self.isPassage = isPassage
    }
}

/// The folder of published pages: two levels of folders below it, and in each of the lower ones the files of one page.
///
/// Everything is reached from its own descriptor and without following a link. A file is complete under its name, with its readers set, or
/// it is not there. Belongs to one thread.
package final class PageFolder {
    /// How a file gets its readers; tests let it fail.
    package typealias SetReaders = @Sendable (borrowing OwnedDescriptor, PageStep, _ isFolder: Bool) throws(SystemCallError) -> Void

    /// What tells that the folder was made for pages, so that what is stale in it may be removed.
    static let marker = ".daybook-pages"
    /// A file on its way; one that stays behind was cut off by a crash.
    static let unfinished = ".daybook-new"
    /// All names that a page's files can have.
    package static let fileNames = ["index.html", "index.csv"]

    private let root: OwnedDescriptor
    private let path: String
    private let setReaders: SetReaders
    /// What has been set in this run, by the folder's path below the root.
    private var known: [String: PageStep] = [:]

    /// Opens it and looks whether it is fit: a folder of this account, writable by nobody else, with nothing else in it, outside of the
    /// `others` (and they outside of it), on a file system that keeps access control lists.
    package init(
        _ path: String, outside others: [String], setReaders: @escaping SetReaders = PageFolder.setReaders
    ) throws(PageTrouble) {
        self.path = path
        self.setReaders = setReaders
        do {
            root = try OwnedDescriptor.openFolder(path)
        } catch {
            throw .missing(path, code: error.code)
        }
        do {
            try check(outside: others)
            try claim()
            try probe()
        } catch let error as SystemCallError where error.code == EROFS {
            throw .readOnly(path)
        } catch {
            throw PageTrouble(error)
        }
    }

    package static let setReaders: SetReaders = { file, step, isFolder throws(SystemCallError) in
        try PageRights.set(on: file, step.readers, isFolder: isFolder, passing: step.isPassage)
    }

    // MARK: What is published

    /// Replaces the files of one page, each in one step. Also what leads to it gets these readers, before anything new can be read.
    package func write(_ files: [(name: String, bytes: [UInt8])], at steps: [PageStep]) throws(PageTrouble) {
        do {
            guard let last = steps.last else { throw PageTrouble.inTheWay }
            if let step = steps.first(where: { $0.readers.count > Readers.atMost }) { throw PageTrouble.tooManyReaders(step.readers.count) }
            let folder = try open(steps[...], below: root, "")
            for file in files { try replace(file.name, by: file.bytes, in: folder, last) }
            for name in Self.fileNames where !files.contains(where: { $0.name == name }) { try remove(name, in: folder) }
        } catch {
            throw PageTrouble(error)
        }
    }

    /// Nothing of a page stays, also where there was none.
    package func remove(_ names: [String]) throws(PageTrouble) {
        do {
            try remove(names[...], below: root)
            for count in 1...max(1, names.count) { known["/" + names.prefix(count).joined(separator: "/")] = nil }
        } catch {
            throw PageTrouble(error)
        }
    }

    /// Removes what an earlier run left: pages at other places than these, and files that were cut off.
    package func sweep(keeping places: Set<[String]>) throws(PageTrouble) {
        do {
            for first in try root.names() where first != Self.marker {
                guard let folder = try folder(first, in: root) else { continue }
                for second in try folder.names() {
                    guard let page = try self.folder(second, in: folder) else { continue }
                    try remove(Self.unfinished, in: page)
                    guard !places.contains([first, second]) else { continue }
                    for name in Self.fileNames { try remove(name, in: page) }
                    try removeFolder(second, in: folder)
                }
                try removeFolder(first, in: root)
            }
        } catch {
            throw PageTrouble(error)
        }
    }

    // MARK: Steps

    /// Opens the way to a page, making what is not there.
    private func open(_ steps: ArraySlice<PageStep>, below folder: borrowing OwnedDescriptor, _ above: String) throws -> OwnedDescriptor {
        guard let step = steps.first else { throw PageTrouble.inTheWay }
        let path = above + "/" + step.name
        // Until it has its readers it is closed to all.
        try makeFolder(step.name, in: folder)
        let next = try OwnedDescriptor.open(step.name, in: folder, flags: O_RDONLY | O_DIRECTORY)
        if known[path] != step {
            guard try FileStatus(of: next).owner == geteuid() else { throw PageTrouble.inTheWay }
            try setReaders(next, step, true)
            known[path] = step
        }
        if steps.count == 1 { return next }
        return try open(steps.dropFirst(), below: next, path)
    }

    private func makeFolder(_ name: String, in folder: borrowing OwnedDescriptor) throws {
        do { try folder.makeFolder(name, mode: 0o700) } catch  where error.code == EEXIST {}
    }

    private func replace(_ name: String, by bytes: [UInt8], in folder: borrowing OwnedDescriptor, _ step: PageStep) throws {
        try remove(Self.unfinished, in: folder)
        do {
            try makeFile(holding: bytes, in: folder, step)
            try folder.rename(Self.unfinished, to: name)
        } catch {
            _ = try? folder.unlink(Self.unfinished)  // what went wrong is said already; the next try removes it
            throw error
        }
    }

    /// Whole before anybody may look into it. A crash of the machine may still leave it empty; the next start writes all pages anew.
    private func makeFile(holding bytes: [UInt8], in folder: borrowing OwnedDescriptor, _ step: PageStep) throws {
        let file = try OwnedDescriptor.open(Self.unfinished, in: folder, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        try fill(file, with: bytes)
        try setReaders(file, step, false)
    }

    private func fill(_ file: borrowing OwnedDescriptor, with bytes: [UInt8]) throws {
        let span = bytes.span
        try span.withUnsafeBytes { (buffer) throws(SystemCallError) in try file.writeAll(buffer, at: 0) }
    }

    private func remove(_ names: ArraySlice<String>, below folder: borrowing OwnedDescriptor) throws {
        guard let first = names.first else {
            for name in Self.fileNames + [Self.unfinished] { try remove(name, in: folder) }
            return
        }
        guard let next = try self.folder(first, in: folder) else { return }
        try remove(names.dropFirst(), below: next)
        try removeFolder(first, in: folder)
    }

    private func remove(_ name: String, in folder: borrowing OwnedDescriptor) throws {
        do { try folder.unlink(name) } catch  where error.code == ENOENT {}
    }

    /// Stays where something else is in it.
    private func removeFolder(_ name: String, in folder: borrowing OwnedDescriptor) throws {
        do { try folder.removeFolder(name) } catch  where [ENOTEMPTY, EEXIST, ENOENT].contains(error.code) {}
    }

    /// Nil where there is none, or where it is a file or a link.
    private func folder(_ name: String, in folder: borrowing OwnedDescriptor) throws -> OwnedDescriptor? {
        do {
            return try OwnedDescriptor.open(name, in: folder, flags: O_RDONLY | O_DIRECTORY)
        } catch  where [ENOENT, ENOTDIR, ELOOP].contains(error.code) {
            return nil
        }
    }

    // MARK: Whether it is fit

    private func check(outside others: [String]) throws {
        let status = try FileStatus(of: root)
        if status.owner != geteuid() { throw PageTrouble.foreign(path, owner: status.owner) }
        if status.mode & 0o022 != 0 { throw PageTrouble.open(path, mode: status.mode) }
        for other in others {
            if try overlaps(status, other) { throw PageTrouble.overlaps(path, other: other) }
        }
    }

    private func overlaps(_ status: FileStatus, _ other: String) throws -> Bool {
        do {
            let there = try Folder.open(path: other, for: .place)
            return try Self.isAtOrBelow(root, FileStatus(of: there)) || Self.isAtOrBelow(there, status)
        } catch let error as SystemCallError where [ENOENT, ENOTDIR].contains(error.code) {
            // What is not there now cannot hold it.
            return false
        }
    }

    /// O_PATH, which Swift's Glibc leaves out: needs no right to read what is above.
    private static let place: Int32 = 0o10_000_000

    /// Walks up by the kernel's own idea of what is above, so that no link can hide it.
    private static func isAtOrBelow(_ folder: borrowing OwnedDescriptor, _ wanted: FileStatus) throws -> Bool {
        let status = try FileStatus(of: folder)
        if status.device == wanted.device, status.inode == wanted.inode { return true }
        let above = try OwnedDescriptor.open("..", in: folder, flags: place | O_DIRECTORY)
        let next = try FileStatus(of: above)
        if next.device == status.device, next.inode == status.inode, next.mount == status.mount { return false }
        return try isAtOrBelow(above, wanted)
    }

    /// An empty folder becomes one of pages.
    private func claim() throws {
        let names = try root.names()
        if names.contains(Self.marker) { return }
        guard names.isEmpty else { throw PageTrouble.inUse(path) }
        try Folder.makeFile(Self.marker, in: root)
    }

    /// Whether a file can have readers of its own here.
    private func probe() throws {
        try remove(Self.unfinished, in: root)
        let refusal = try setsReaders()
        try remove(Self.unfinished, in: root)
        if let refusal { throw refusal.code == ENOTSUP || refusal.code == ENOSYS ? PageTrouble.noLists(path) : .failed(refusal) }
    }

    private func setsReaders() throws -> SystemCallError? {
        let file = try OwnedDescriptor.open(Self.unfinished, in: root, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        do throws(SystemCallError) {
            // Nobody's number: what counts is whether it is taken.
            try setReaders(file, PageStep("", Readers(users: [65_534])), false)
            return nil
        } catch {
            return error
        }
    }
}
