// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Glibc
import Inference

/// What fanotify tells of the watched folders, and of the processes behind it: when each was first seen, and when it ended.
final class ProcessEvents {
    /// Ends of so many processes are waited for; of later ones no end is recorded.
    private static let watchedLimit = 512

    private struct Known {
        var program: String
        var realUID: UInt32
        var effectiveUID: UInt32
        var fileUID: UInt32
    }

    private let fanotify: Fanotify
    private let table = ProcTable()
    private let reader: ProcessReader
    private let layouts: LayoutSet
    /// The folders by the handles by which the kernel names them.
    private var folders: [[UInt8]: PathBytes] = [:]
    private var known: [Int32: Known] = [:]
    private var running: [(pid: Int32, process: ForeignProcess)] = []
    private(set) var events: [RecordedTrace.ProcessEvent] = []
    private(set) var processes: [RecordedTrace.Process] = []

    init(layouts: LayoutSet) throws(SystemCallError) {
        fanotify = try Fanotify()
        reader = try ProcessReader()
        self.layouts = layouts
    }

    /// From here on the folder's events are told.
    func mark(_ folder: borrowing OwnedDescriptor, _ path: PathBytes) throws(SystemCallError) {
        let handle = try Fanotify.handle(of: folder)
        try fanotify.mark(folder, FanotifyMask.folder.rawValue)
        folders[handle] = path
    }

    /// What is to be polled: the events, and the ends of processes.
    var polled: [pollfd] {
        [fanotify.descriptor.withRaw { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }]
            + running.map { $0.process.descriptor.withRaw { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) } }
    }

    func read(into buffer: inout [UInt8]) throws(SystemCallError) -> Int { try fanotify.read(into: &buffer) }

    /// Takes what was read at an instant of the monotonic clock.
    func take(_ buffer: [UInt8], count: Int, at: Int64) throws(FanotifyParseError) {
        var records: [FanotifyRecord] = []
        let bytes = buffer.span.bytes
        try FanotifyRecord.parse(bytes.extracting(0..<count), into: &records)
        for record in records where record.pid != getpid() { take(record, buffer, at: at) }
    }

    private func take(_ record: FanotifyRecord, _ bytes: [UInt8], at: Int64) {
        if record.mask.contains(.queueOverflow) {
            events.append(RecordedTrace.ProcessEvent(at: at, mask: ["Q_OVERFLOW"], path: .root, isFolder: false, pid: 0))
            return
        }
        let isFolder = record.mask.contains(.isFolder)
        let old = path(record.place, bytes)
        if record.mask.contains(.rename) {
            let new = path(record.newPlace, bytes)
            if let old { add(["MOVED_FROM"], old, isFolder, record.pid, at: at) }
            if let new { add(["MOVED_TO"], new, isFolder, record.pid, at: at) }
            if isFolder, let old {
                for (handle, folder) in folders where folder.isAtOrBelow(old) {
                    folders[handle] = new.flatMap { folder.moved(from: old, to: $0) }
                }
            }
            return
        }
        guard let old else { return }
        add(Self.names.filter { record.mask.contains($0.mask) }.map(\.name), old, isFolder, record.pid, at: at)
    }

    private static let names: [(mask: FanotifyMask, name: String)] = [
        (.create, "CREATE"), (.open, "OPEN"), (.modify, "MODIFY"), (.attributes, "ATTRIB"), (.closeWrite, "CLOSE_WRITE"),
        (.closeNoWrite, "CLOSE_NOWRITE"), (.delete, "DELETE"),
    ]

    private func path(_ place: FanotifyRecord.Place, _ bytes: [UInt8]) -> PathBytes? {
        guard !place.folder.isEmpty, let folder = folders[Array(bytes[place.folder])] else { return nil }
        let name = bytes[place.name]
        return name.elementsEqual([UInt8(ascii: ".")]) ? folder : folder.appending(name)
    }

    private func add(_ mask: [String], _ path: PathBytes, _ isFolder: Bool, _ pid: Int32, at: Int64) {
        // As with inotify: what leads to no document is nobody's business.
        guard isFolder ? layouts.canLead(folder: path) : layouts.placement(ofDocument: path) != nil else { return }
        var event = RecordedTrace.ProcessEvent(at: at, mask: isFolder ? mask + ["ISDIR"] : mask, path: path, isFolder: isFolder, pid: pid)
        if let now = look(at: pid, at) {
            (event.program, event.realUID, event.effectiveUID, event.fileUID) = (now.program, now.realUID, now.effectiveUID, now.fileUID)
        } else {
            event.isGone = true
            event.program = known[pid]?.program
        }
        events.append(event)
    }

    /// Who it is now: a server's process works for one person after the other.
    private func look(at pid: Int32, _ now: Int64) -> Known? {
        guard pid > 0, let status = (try? table.status(of: pid)) ?? nil else { return nil }
        let program = known[pid]?.program ?? ShareRecorder.program(pid, status)
        let found = Known(program: program, realUID: status.realUID, effectiveUID: status.effectiveUID, fileUID: status.fileUID)
        if known.updateValue(found, forKey: pid) == nil { first(pid, found, now) }
        return found
    }

    private func first(_ pid: Int32, _ found: Known, _ now: Int64) {
        let asleep = Clocks.bootMicroseconds() - Clocks.monotonicMicroseconds()
        processes.append(
            RecordedTrace.Process(
                at: now, hasEnded: false, pid: pid, program: found.program, realUID: found.realUID, effectiveUID: found.effectiveUID,
                startedAt: reader.start(of: pid).map { $0 - asleep }))
        guard running.count < Self.watchedLimit, let process = (try? ForeignProcess.open(pid)) ?? nil else { return }
        running.append((pid, process))
    }

    func noteEnds(at: Int64) {
        running.removeAll { pid, process in
            guard process.hasEnded else { return false }
            processes.append(
                RecordedTrace.Process(
                    at: at, hasEnded: true, pid: pid, program: known[pid]?.program ?? "program", realUID: 0, effectiveUID: 0))
            // The number may be another's next.
            known[pid] = nil
            return true
        }
    }
}
