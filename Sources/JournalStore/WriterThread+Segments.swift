// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Glibc
import JournalFormat

// Recovery at the start, and the making of segments. Both may be called again after they failed half way.
extension WriterThread {
    /// Carries the plan out; may be called again after it failed half way.
    func recover() throws(SystemCallError) {
        guard var plan else { return }
        var setAside: String?
        for first in plan.sealed {
            let name = try name(of: first)
            setAside = name
            try disk.perform(.setMode) { () throws(SystemCallError) in
                try OwnedDescriptor.open(name, in: place.journal.descriptor, flags: O_RDONLY).setMode(0o440)
            }
        }
        if let first = plan.segment {
            let name = try name(of: first)
            let file = try disk.perform(.openSegment) { () throws(SystemCallError) in
                try OwnedDescriptor.open(name, in: place.journal.descriptor, flags: O_RDWR)
            }
            if let tail = plan.tail {
                setAside = try setTailAside(tail, of: file, named: name)
                // From here on a second call must not copy again: the tail is gone from the segment.
                plan.tail = nil
                self.plan = plan
            }
            try place.pointCurrent(at: name, disk: disk)
            let day = firstDay(of: file)
            segment = OpenSegment(name: name, file: file, size: plan.size, day: day)
        }
        if plan.cutOff != nil {
            // Its numbers are not those that come next.
            segment = nil
            let note = try CheckpointFiles.keepLostNote(in: place, seq: nextSeq, disk: disk)
            setAside = setAside ?? existingTail() ?? note
        }
        if let reason = plan.reason {
            repair = RepairFacts(
                lastGoodSeq: position.seq, lastGoodChain: position.chain.hex, setAside: setAside ?? existingTail(),
                bytes: Int64(plan.bytes),
                reason: reason)
        }
        self.plan = nil
    }

    /// The day of a segment's first line; nil where it does not say.
    private func firstDay(of file: borrowing OwnedDescriptor) -> Int64? {
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { buffer in
            guard let count = try? file.read(into: buffer, at: 0) else { return nil }  // writing to it will tell
            return LineParts.wallTime(of: UnsafeRawBufferPointer(rebasing: buffer[..<count]))?.day
        }
    }

    private func name(of first: UInt64) throws(SystemCallError) -> String {
        try place.journal.names().segments.first { $0.first == first }?.name ?? JournalSegment.name(first: first)
    }

    /// The bytes that were set aside for the entry that comes next, by an attempt that did not get further.
    private func existingTail() -> String? {
        (try? place.journal.names().setAside)?.last { TailName(name: $0)?.seq == nextSeq }
    }

    /// Copies the tail to a file of its own and makes that durable, before it is cut off the segment.
    private func setTailAside(
        _ tail: RecoveryPlan.Tail, of file: borrowing OwnedDescriptor, named segment: String
    ) throws(SystemCallError) -> String {
        // An unfinished copy of an earlier try is overwritten: what it copied is still in the segment.
        let temporary = ".torn.new"
        let copy = try disk.perform(.openTail) { () throws(SystemCallError) in
            try OwnedDescriptor.open(
                temporary, in: place.journal.descriptor, flags: O_RDWR | O_CREAT | O_TRUNC, mode: JournalPlaceOnDisk.fileMode)
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: SegmentFile.bufferSize, alignment: 16)
        defer { buffer.deallocate() }
        var done = 0
        while true {
            let count = try file.read(into: buffer, at: tail.offset + done)
            if count == 0 { break }
            try disk.write(Array(buffer[..<count]), to: copy, at: done)
            done += count
        }
        try disk.perform(.flush) { () throws(SystemCallError) in try copy.sync() }
        let name = try freeTailName(segment)
        try disk.perform(.rename) { () throws(SystemCallError) in try place.journal.descriptor.rename(temporary, to: name) }
        try disk.perform(.syncFolder) { () throws(SystemCallError) in try place.journal.descriptor.sync() }
        try disk.perform(.truncate) { () throws(SystemCallError) in try file.truncate(to: tail.offset) }
        try disk.perform(.flush) { () throws(SystemCallError) in try file.sync() }
        return name
    }

    /// A name that no file has: recovery replaces nothing.
    private func freeTailName(_ segment: String) throws(SystemCallError) -> String {
        let taken = Set(try place.journal.names().setAside)
        var name = TailName(segment: segment, seq: nextSeq)
        while taken.contains(name.text) { name.attempt += 1 }
        return name.text
    }

    // MARK: - Segments

    func openSegment() throws(SystemCallError) -> OpenSegment {
        if let segment { return segment }
        return try create()
    }

    private func create() throws(SystemCallError) -> OpenSegment {
        let name = JournalSegment.name(first: nextSeq)
        try setStrangerAside(name)
        // Made under another name, so that nobody ever sees a segment that is not wholly made.
        let temporary = ".segment.new"
        let file = try disk.perform(.openSegment) { () throws(SystemCallError) in
            try OwnedDescriptor.open(
                temporary, in: place.journal.descriptor, flags: O_RDWR | O_CREAT | O_TRUNC, mode: JournalPlaceOnDisk.fileMode)
        }
        try disk.perform(.setMode) { () throws(SystemCallError) in try file.setMode(JournalPlaceOnDisk.fileMode) }
        try disk.perform(.flush) { () throws(SystemCallError) in try file.sync() }
        try disk.perform(.rename) { () throws(SystemCallError) in try place.journal.descriptor.rename(temporary, to: name) }
        // The name must be durable before the first entry in it is acknowledged.
        try disk.perform(.syncFolder) { () throws(SystemCallError) in try place.journal.descriptor.sync() }
        try place.pointCurrent(at: name, disk: disk)
        let created = OpenSegment(name: name, file: file, size: 0, day: nil)
        segment = created
        inbox.noteNewSegment()
        return created
    }

    /// What stands under the new segment's name already was never acknowledged; recovery deletes nothing, so it gets another name. An empty
    /// file is what a crash right after the rename leaves, and is replaced.
    private func setStrangerAside(_ name: String) throws(SystemCallError) {
        let size: Int
        do {
            size = try OwnedDescriptor.open(name, in: place.journal.descriptor, flags: O_RDONLY | O_NONBLOCK).status().size
        } catch {
            guard error.code == ENOENT else { throw error }
            return
        }
        guard size > 0 else { return }
        let text = try freeTailName(name)
        try disk.perform(.rename) { () throws(SystemCallError) in try place.journal.descriptor.rename(name, to: text) }
        repair?.setAside = text
    }
}

extension WallTime {
    /// Days (UTC) since 1970.
    var day: Int64 {
        let day: Int64 = 86_400_000_000
        return microseconds >= 0 ? microseconds / day : (microseconds - day + 1) / day
    }
}
