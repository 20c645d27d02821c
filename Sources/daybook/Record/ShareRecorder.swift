// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Glibc
import Inference

/// Records what inotify says of a share, event by event as it is read, and who holds its files. Reads names and facts only; writes nothing.
final class ShareRecorder {
    /// As the shared recordings have it.
    private static let sampleEvery = Duration.milliseconds(400)
    /// A look at all processes may take a fifth of the time at most.
    private static let sampleShare = 5

    private let root: OwnedDescriptor
    private let rootPath: [UInt8]
    private let device: UInt64
    private let layouts: LayoutSet
    private let inotify: Inotify
    /// Nil where the kernel does not let us know whose events they are.
    private var processes: ProcessEvents?
    private var folders: [Int32: PathBytes] = [:]
    /// The devices and inodes of watched folders, so that nobody can be asked to write into one.
    private(set) var watched: Set<[UInt64]> = []
    private(set) var trace = RecordedTrace()
    private var held: [Key: RecordedTrace.Hold] = [:]
    /// A folder that left its name, until its new one is told.
    private var moving: (cookie: UInt32, from: PathBytes, at: Int64)?
    /// Halves of a rename that are further apart are none.
    private static let renameWindow: Int64 = 100_000

    private struct Key: Hashable {
        var pid: Int32
        var path: PathBytes
        var canWrite: Bool
    }

    /// `path`: the share with its links resolved.
    init(path: String, layouts: LayoutSet) throws(SystemCallError) {
        root = try Folder.open(path: path, for: .place)
        rootPath = Array(path.utf8)
        device = try FileStatus(of: root).device
        self.layouts = layouts
        inotify = try Inotify()
        do throws(SystemCallError) {
            processes = try ProcessEvents(layouts: layouts)
        } catch {
            trace.withoutProcesses = error.code == EPERM ? "only root may know whose events they are" : "\(error)"
        }
        try watch(.root)
        add(.note(at: Clocks.monotonicMicroseconds(), "ready"))
        trace.began = Clocks.monotonicMicroseconds()
    }

    var folderCount: Int { folders.count }

    /// Until `isOver` says so, or too much was seen. Asks it at least each 0.4 s.
    func record(until isOver: () -> Bool) {
        var nextSample = Deadline(after: .zero)
        while !isOver(), trace.trouble == nil {
            if nextSample.hasPassed {
                let began = Clocks.monotonicMicroseconds()
                sample()
                let took = Duration.microseconds(Clocks.monotonicMicroseconds() - began)
                nextSample = Deadline(after: max(Self.sampleEvery, took * Self.sampleShare))
            }
            var polled = [inotify.descriptor.withRaw { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }] + (processes?.polled ?? [])
            if poll(&polled, nfds_t(polled.count), min(400, nextSample.remainingMilliseconds)) > 0 { read() }
        }
        // What is still on its way belongs to it, too.
        read()
        trace.ended = Clocks.monotonicMicroseconds()
        add(.note(at: trace.ended, "end"))
        trace.processEvents = processes?.events ?? []
        trace.processes = processes?.processes ?? []
        list(.root)
    }

    // MARK: Events

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 256 * 1024)
        var other = buffer
        var records: [InotifyRecord] = []
        while trace.trouble == nil {
            do {
                // Both at once, so that what they tell of one moment has one time; then the processes, before they have gone.
                let known = try processes?.read(into: &other) ?? 0
                let count = try inotify.read(into: &buffer)
                let at = Clocks.monotonicMicroseconds()
                // Only once all that they did has been read.
                if count == 0, known == 0 { return processes?.noteEnds(at: at) ?? () }
                if known > 0 { try processes?.take(other, count: known, at: at) }
                let bytes = buffer.span.bytes
                try InotifyRecord.parse(bytes.extracting(0..<count), into: &records)
                for record in records { take(record, Array(buffer[record.name]), at: at) }
            } catch {
                trace.trouble = "\(error)"
            }
        }
    }

    private func take(_ record: InotifyRecord, _ name: [UInt8], at: Int64) {
        if let moving, at - moving.at > Self.renameWindow { forget(below: moving.from) }
        if record.mask.contains(.queueOverflow) {
            trace.losses += 1
            add(event(record, at: at, .root))
            // New folders may be among what was lost.
            for folder in Array(folders.values) { rewatch(below: folder) }
            return
        }
        guard let folder = folders[record.watch] else { return }
        if record.mask.contains(.ignored) {
            folders[record.watch] = nil
            return
        }
        guard !name.isEmpty else {
            add(event(record, at: at, folder))
            return
        }
        let path = folder.appending(name)
        let isFolder = record.mask.contains(.isFolder)
        // What leads to no document is nobody's business.
        guard isFolder ? layouts.canLead(folder: path) : layouts.placement(ofDocument: path) != nil else { return }
        var event = event(record, at: at, path)
        event.isOfFolderItself = false
        if !isFolder, !record.mask.isDisjoint(with: [.create, .movedTo, .closeWrite, .attributes]) {
            event.owner = owner(of: name, in: folder)
        }
        add(event)
        if isFolder { folderChanged(record, path, at: at) }
    }

    private func event(_ record: InotifyRecord, at: Int64, _ path: PathBytes) -> RecordedTrace.Event {
        RecordedTrace.Event(at: at, watch: record.watch, mask: record.mask, cookie: record.cookie, path: path, isOfFolderItself: true)
    }

    private func folderChanged(_ record: InotifyRecord, _ path: PathBytes, at: Int64) {
        if record.mask.contains(.movedFrom) {
            moving = (record.cookie, path, at)
        } else if record.mask.contains(.movedTo) {
            if let moving, moving.cookie == record.cookie {
                for (watch, folder) in folders { folders[watch] = folder.moved(from: moving.from, to: path) ?? folder }
            }
            moving = nil
            rewatch(below: path)
        } else if record.mask.contains(.create) {
            rewatch(below: path)
        }
    }

    /// It left the share, or went where nothing counts.
    private func forget(below path: PathBytes) {
        moving = nil
        for (watch, folder) in folders where folder.isAtOrBelow(path) {
            folders[watch] = nil
            inotify.forget(watch)
        }
    }

    private func add(_ event: RecordedTrace.Event) { add(.event(event)) }

    private func add(_ line: RecordedTrace.Line) {
        trace.lines.append(line)
        if trace.lines.count >= RecordedTrace.linesLimit, trace.trouble == nil {
            trace.trouble = "more than \(grouped(Int64(RecordedTrace.linesLimit))) events, so recording ended here"
        }
    }

    // MARK: Folders

    private func rewatch(below path: PathBytes) {
        // Gone again, or not to be read: then nothing of it can be recorded.
        _ = try? watch(path)
    }

    /// Watches a folder and all below it that can lead to a document; each first and then its content, so that nothing slips through.
    private func watch(_ top: PathBytes) throws(SystemCallError) {
        var waiting = [top]
        while let path = waiting.popLast() {
            do throws(SystemCallError) {
                let folder = try open(path)
                let status = try FileStatus(of: folder)
                guard status.device == device else { continue }
                let number = try inotify.watch(folder, InotifyMask.folder.rawValue)
                watched.insert([status.device, status.inode])
                mark(folder, path)
                if folders.updateValue(path, forKey: number) != path {
                    add(.watch(at: Clocks.monotonicMicroseconds(), watch: number, path: path))
                }
                for entry in try entries(of: path) where entry.type == .folder || entry.type == .unknown {
                    let below = path.appending(entry.name)
                    if layouts.canLead(folder: below) { waiting.append(below) }
                }
            } catch {
                if path == top { throw error }
            }
        }
    }

    private func mark(_ folder: borrowing OwnedDescriptor, _ path: PathBytes) {
        do {
            try processes?.mark(folder, path)
        } catch {
            // A file system without handles: inotify alone must do, and half of a picture is none.
            trace.withoutProcesses = "\(error)"
            processes = nil
        }
    }

    private func open(_ path: PathBytes) throws(SystemCallError) -> OwnedDescriptor {
        try path.isRoot
            ? Folder.open(path: String(decoding: rootPath, as: UTF8.self), for: .place)
            : Folder.open(path.bytes[...], in: root, for: .place)
    }

    private func entries(of path: PathBytes) throws(SystemCallError) -> [(type: FolderListing.EntryType, name: [UInt8])] {
        let folder =
            try path.isRoot
            ? Folder.open(path: String(decoding: rootPath, as: UTF8.self), for: .listing)
            : Folder.open(path.bytes[...], in: root, for: .listing)
        var listing = FolderListing()
        var found: [(type: FolderListing.EntryType, name: [UInt8])] = []
        while try listing.readNext(folder) {
            for entry in listing.entries { found.append((entry.type, Array(listing.bytes[entry.name]))) }
        }
        return found.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    private func owner(of name: [UInt8], in folder: PathBytes) -> UInt32? {
        guard let place = try? open(folder) else { return nil }  // it has gone meanwhile, and the name with it
        return (try? FileStatus(of: name[...], in: place))?.owner
    }

    /// The tree at the end, as far as it counts.
    private func list(_ path: PathBytes) {
        guard let place = try? open(path), let entries = try? entries(of: path) else { return }  // not to be read: not in the list
        if path.isRoot, let status = try? FileStatus(of: place) { trace.tree.append(node(path, "d", status)) }
        for (_, name) in entries {
            let below = path.appending(name)
            guard let status = try? FileStatus(of: name[...], in: place) else { continue }
            switch status.type {
            case .folder where layouts.canLead(folder: below) && status.device == device:
                trace.tree.append(node(below, "d", status))
                list(below)
            case .file where layouts.placement(ofDocument: below) != nil: trace.tree.append(node(below, "f", status))
            case .symbolicLink where layouts.placement(ofDocument: below) != nil: trace.tree.append(node(below, "l", status))
            default: break
            }
        }
    }

    private func node(_ path: PathBytes, _ type: Character, _ status: FileStatus) -> RecordedTrace.Node {
        RecordedTrace.Node(path: path, type: type, inode: status.inode, owner: status.owner, mode: status.mode, size: status.size)
    }

    // MARK: Holders

    private func sample() {
        let table = ProcTable()
        guard let scan = try? table.holders(below: [HolderFolder(path: rootPath, device: device)]) else { return }  // no /proc: no holders
        trace.refused = max(trace.refused, scan.refused)
        let at = Clocks.monotonicMicroseconds()
        var now: [Key: RecordedTrace.Hold] = [:]
        for holder in scan.holders where !holder.isDeleted && holder.path.count > rootPath.count {
            let path = PathBytes(bytes: Array(holder.path[rootPath.count...].drop { $0 == PathBytes.slash }))
            guard layouts.placement(ofDocument: path) != nil else { continue }
            let key = Key(pid: holder.pid, path: path, canWrite: holder.canWrite)
            if let known = held[key] {
                now[key] = known
            } else if let status = (try? table.status(of: holder.pid)) ?? nil {
                let hold = RecordedTrace.Hold(
                    at: at, isHeld: true, pid: holder.pid, path: path, program: Self.program(holder.pid, status), realUID: status.realUID,
                    effectiveUID: status.effectiveUID, fileUID: status.fileUID, canWrite: holder.canWrite)
                now[key] = hold
                trace.holds.append(hold)
            }
        }
        for (key, hold) in held.sorted(by: { ($0.key.pid, $0.key.path) < ($1.key.pid, $1.key.path) }) where now[key] == nil {
            var end = hold
            end.at = at
            end.isHeld = false
            trace.holds.append(end)
        }
        held = now
    }

    /// The program's name where it is one of the machine's; a program of somebody's own may be called by any name.
    static func program(_ pid: Int32, _ status: ProcessStatus) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/\(pid)/exe", &buffer, buffer.count)
        let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let isInstalled = ["/usr/", "/bin/", "/sbin/", "/lib/", "/opt/", "/snap/"].contains(where: path.hasPrefix)
        guard isInstalled, let file = path.split(separator: "/").last else { return "program" }
        // A script gives its own name to the program that runs it.
        let own = String(decoding: status.command, as: UTF8.self)
        return file.hasPrefix(own) ? own : String(file.prefix(15))
    }
}
