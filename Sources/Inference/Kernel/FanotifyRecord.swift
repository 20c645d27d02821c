// SPDX-License-Identifier: Apache-2.0

/// One event as fanotify wrote it. Names and folders are ranges of the batch it came in, so a record costs no allocation.
package struct FanotifyRecord: Equatable, Sendable {
    package var mask: FanotifyMask
    /// The process, not the thread; 0 where it is none that we may know.
    package var pid: Int32
    /// A descriptor of the process, ours to close; negative where the kernel gave none.
    package var process: Int32
    /// The folder, and the name in it; of a rename the old ones. The folder's own name for itself is `.`.
    package var place: Place
    /// Of a rename, the new ones.
    package var newPlace: Place

    /// Bytes of the batch; both are empty where the kernel names nothing, e.g. for the half of a rename that nobody watches.
    package struct Place: Equatable, Sendable {
        /// File system, length, type and bytes of the folder's handle, as `HandleTable` takes it.
        package var folder: Range<Int>
        /// Bytes, not text.
        package var name: Range<Int>

        package static let none = Place(folder: 0..<0, name: 0..<0)

        package init(folder: Range<Int>, name: Range<Int>) {
            self.folder = folder
            self.name = name
        }
    }

    package init(mask: FanotifyMask, pid: Int32, process: Int32 = -1, place: Place = .none, newPlace: Place = .none) {
        self.mask = mask
        self.pid = pid
        self.process = process
        self.place = place
        self.newPlace = newPlace
    }

    /// Length, version, a reserved byte, length of this, mask, descriptor and pid, in the machine's order.
    package static let headerSize = 24
    /// Type, a byte of padding, and length of what belongs to an event.
    private static let partHeaderSize = 4
    /// File system (8 bytes), length and type of the handle (4 each), in front of its bytes.
    package static let handleHeaderSize = 16
    /// The kernel's own (MAX_HANDLE_SZ).
    package static let handleLimit = 128
    private static let version: UInt8 = 3

    /// FAN_EVENT_INFO_TYPE_… of <linux/fanotify.h>. Others are skipped: newer kernels may add to what they tell.
    private enum PartType {
        static let folderAndName: UInt8 = 2
        static let process: UInt8 = 4
        static let oldFolderAndName: UInt8 = 10
        static let newFolderAndName: UInt8 = 12
    }

    /// Splits what one `read` returned into `records`, whose storage is reused. A record that does not fit is an error, never a guess; the
    /// records before it are kept.
    package static func parse(_ batch: RawSpan, into records: inout [FanotifyRecord]) throws(FanotifyParseError) {
        records.removeAll(keepingCapacity: true)
        var offset = 0
        while offset < batch.byteCount {
            guard batch.byteCount - offset >= headerSize else { throw .truncated(offset: offset) }
            let length = Int(word(batch, at: offset))
            let header = Int(half(batch, at: offset + 6))
            guard byte(batch, at: offset + 4) == version else { throw .otherVersion(offset: offset) }
            guard header >= headerSize, header <= length, length <= batch.byteCount - offset else { throw .truncated(offset: offset) }
            var record = FanotifyRecord(
                mask: FanotifyMask(rawValue: batch.unsafeLoadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)),
                pid: Int32(bitPattern: word(batch, at: offset + 20)))
            try record.takeParts(batch, offset + header, end: offset + length)
            records.append(record)
            offset += length
        }
    }

    private mutating func takeParts(_ batch: RawSpan, _ start: Int, end: Int) throws(FanotifyParseError) {
        var offset = start
        while offset < end {
            guard end - offset >= Self.partHeaderSize else { throw .truncated(offset: offset) }
            let length = Int(Self.half(batch, at: offset + 2))
            guard length >= Self.partHeaderSize, length <= end - offset else { throw .truncated(offset: offset) }
            switch Self.byte(batch, at: offset) {
            case PartType.folderAndName, PartType.oldFolderAndName: place = try Self.place(batch, offset, length)
            case PartType.newFolderAndName: newPlace = try Self.place(batch, offset, length)
            case PartType.process:
                guard length >= Self.partHeaderSize + 4 else { throw .truncated(offset: offset) }
                process = Int32(bitPattern: Self.word(batch, at: offset + Self.partHeaderSize))
            default: break
            }
            offset += length
        }
    }

    private static func place(_ batch: RawSpan, _ offset: Int, _ length: Int) throws(FanotifyParseError) -> Place {
        let start = offset + partHeaderSize
        guard length >= partHeaderSize + handleHeaderSize else { throw .truncated(offset: offset) }
        let size = Int(word(batch, at: start + 8))
        guard size <= handleLimit, size <= length - partHeaderSize - handleHeaderSize else { throw .truncated(offset: offset) }
        let name = start + handleHeaderSize + size
        var end = name
        // The kernel ends names with a zero and pads with more.
        while end < offset + length, byte(batch, at: end) != 0 { end += 1 }
        return Place(folder: start..<name, name: name..<end)
    }

    // Offsets were compared with the batch's length before.
    private static func byte(_ batch: RawSpan, at offset: Int) -> UInt8 { batch.unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
    private static func half(_ batch: RawSpan, at offset: Int) -> UInt16 {
        batch.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)
    }
    private static func word(_ batch: RawSpan, at offset: Int) -> UInt32 {
        batch.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
    }
}

/// A batch that cannot be what the kernel writes.
package enum FanotifyParseError: Error, Equatable, CustomStringConvertible {
    case truncated(offset: Int)
    case otherVersion(offset: Int)

    package var description: String {
        switch self {
        case .truncated(let offset): "the fanotify record at byte \(offset) is longer than what holds it; the rest of the batch is lost"
        case .otherVersion(let offset): "the fanotify record at byte \(offset) is of an unknown version; the rest of the batch is lost"
        }
    }
}

/// The kernel's flags that we ask for or get. What inotify has too has the same number there.
package struct FanotifyMask: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    // Asked several times for each record; the standard library's own are not specialised from another module.
    @inlinable package func contains(_ other: FanotifyMask) -> Bool { rawValue & other.rawValue == other.rawValue }
    @inlinable package func isDisjoint(with other: FanotifyMask) -> Bool { rawValue & other.rawValue == 0 }

    package static let modify = FanotifyMask(rawValue: 0x2)
    package static let attributes = FanotifyMask(rawValue: 0x4)
    package static let closeWrite = FanotifyMask(rawValue: 0x8)
    package static let closeNoWrite = FanotifyMask(rawValue: 0x10)
    package static let open = FanotifyMask(rawValue: 0x20)
    package static let create = FanotifyMask(rawValue: 0x100)
    package static let delete = FanotifyMask(rawValue: 0x200)
    /// Records were lost.
    package static let queueOverflow = FanotifyMask(rawValue: 0x4000)
    package static let onChild = FanotifyMask(rawValue: 0x0800_0000)
    package static let rename = FanotifyMask(rawValue: 0x1000_0000)
    package static let isFolder = FanotifyMask(rawValue: 0x4000_0000)

    /// What a folder of a share is marked for. No ACCESS: reading is no evidence, and its records would be most of all. `isFolder` is what
    /// makes the kernel tell of folders that are made, deleted and renamed.
    package static let folder: FanotifyMask = [
        .create, .delete, .open, .modify, .closeWrite, .closeNoWrite, .attributes, .rename, .onChild, .isFolder,
    ]

    /// What can have happened to a name, but for renames: those are always told alone.
    private static let happenings: FanotifyMask = [.create, .delete, .open, .modify, .closeWrite, .closeNoWrite, .attributes]
    private static let order: [FanotifyMask] = [.create, .open, .modify, .attributes, .closeWrite, .closeNoWrite, .delete]
    private static let orderIfThere: [FanotifyMask] = [.delete, .create, .open, .modify, .attributes, .closeWrite, .closeNoWrite]

    /// Whether the kernel has told several happenings as one, since nobody had read the first yet.
    package var isMerged: Bool { intersection(Self.happenings).rawValue.nonzeroBitCount > 1 }

    /// What happened, one by one, in the only order that a single file of the name allows. `isThere` is asked where the name was both made
    /// and deleted: what is last is what can be seen.
    package func forEachHappening(isThere: () -> Bool, _ body: (FanotifyMask) -> Void) {
        let order = contains([.create, .delete]) && isThere() ? Self.orderIfThere : Self.order
        for happening in order where contains(happening) { body(happening) }
    }
}
