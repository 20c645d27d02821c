// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Inference

/// Fanotify, in the words of the tree: a marked folder has a number as a watch of inotify's has, but a negative one.
///
/// Belongs to the watcher's thread.
final class FanotifySource {
    let group: Fanotify
    let actors = Actors()
    private var handles = HandleTable()
    /// A configured place on each file system, by which a handle can be opened once its folder has left the tree.
    private var places: [UInt64: String] = [:]
    /// The same, open for a turn.
    private var open: [UInt64: OpenFolder] = [:]

    init(_ group: Fanotify) { self.group = group }

    /// Folders that are marked, or were and are about to be given back.
    var count: Int { handles.count }

    /// -1 is inotify's for "no watch", 0 the tree's.
    private static func watch(_ number: Int32) -> Int32 { -2 - number }
    private static func number(_ watch: Int32) -> Int32 { -2 - watch }
    static func isOurs(_ watch: Int32) -> Bool { watch <= -2 }

    /// The folder that an event names; nil for one that has left the tree.
    func watch(handle: ArraySlice<UInt8>) -> Int32? { handles.number(of: handle).map(Self.watch) }

    /// Marks an open folder; the number that it has already where it is marked.
    func watch(_ folder: borrowing OwnedDescriptor) throws(SystemCallError) -> Int32 {
        // The handle first: from the mark on, its events come.
        let handle = try Fanotify.handle(of: folder)
        let isNew = handles.number(of: handle[...]) == nil
        guard let number = handles.add(handle[...]) else { throw SystemCallError(call: "name_to_handle_at", code: 75) }  // EOVERFLOW
        do {
            try group.mark(folder, FanotifyMask.folder.rawValue)
        } catch {
            if isNew { handles.remove(number) }
            throw error
        }
        return Self.watch(number)
    }

    /// The number of a folder that cannot be opened, and so not be marked: what happens to itself is told by the mark of the folder above,
    /// but under its own handle.
    func recognise(_ name: ArraySlice<UInt8>, in folder: borrowing OwnedDescriptor) -> Int32? {
        guard let handle = try? Fanotify.handle(of: name, in: folder) else { return nil }  // gone
        return handles.add(handle[...]).map(Self.watch)
    }

    /// Notes where a share is, for `forget`.
    func note(place path: String, of folder: borrowing OwnedDescriptor) {
        guard let handle = try? Fanotify.handle(of: folder) else { return }  // then it cannot be marked either
        places[Self.fileSystem(handle[...])] = path
    }

    /// Takes the mark away. The kernel may have taken it with the folder already.
    func forget(_ watch: Int32) {
        let number = Self.number(watch)
        guard let handle = handles.handle(of: number) else { return }
        if let mount = mount(Self.fileSystem(handle)) {
            // Refused where the folder is gone, and its mark with it.
            _ = try? group.unmark(handle, on: mount.descriptor, FanotifyMask.folder.rawValue)
        }
        handles.remove(number)
    }

    /// Lets go of all descriptors, so that nothing keeps a file system busy.
    func endTurn() { open.removeAll() }

    private static func fileSystem(_ handle: ArraySlice<UInt8>) -> UInt64 {
        handle.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Any folder of that file system: the share's, or, where it has been moved away, one above. Nil where it is not mounted there any more.
    private func mount(_ fileSystem: UInt64) -> OpenFolder? {
        if let mount = open[fileSystem] { return mount }
        guard var path = places[fileSystem] else { return nil }
        while true {
            if let folder = try? Folder.open(path: path, for: .listing), let handle = try? Fanotify.handle(of: folder),
                Self.fileSystem(handle[...]) == fileSystem
            {
                let mount = OpenFolder(folder)
                open[fileSystem] = mount
                return mount
            }
            guard path.count > 1, let slash = path.dropLast().lastIndex(of: "/") else { return nil }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
    }
}
