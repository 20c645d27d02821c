// SPDX-License-Identifier: Apache-2.0

/// One record as the kernel wrote it. The name is a range of the batch it came in, so a record costs no allocation.
package struct InotifyRecord: Equatable, Sendable {
    package var watch: Int32
    package var mask: InotifyMask
    /// Joins the two halves of a rename; 0 for all else.
    package var cookie: UInt32
    /// Bytes, not text: Linux does not promise UTF-8. Empty for what happened to the watched folder itself.
    package var name: Range<Int>

    package init(watch: Int32, mask: InotifyMask, cookie: UInt32 = 0, name: Range<Int> = 0..<0) {
        self.watch = watch
        self.mask = mask
        self.cookie = cookie
        self.name = name
    }

    /// Watch, mask, cookie and length, four bytes each, in the machine's order.
    package static let headerSize = 16

    /// Splits what one `read` returned into `records`, whose storage is reused. A record that does not fit is an error, never a guess; the
    /// records before it are kept.
    package static func parse(_ batch: RawSpan, into records: inout [InotifyRecord]) throws(InotifyParseError) {
        records.removeAll(keepingCapacity: true)
        var offset = 0
        while offset < batch.byteCount {
            guard batch.byteCount - offset >= headerSize else { throw .truncatedHeader(offset: offset) }
            let start = offset + headerSize
            let size = Int(word(batch, at: offset + 12))
            guard size <= batch.byteCount - start else { throw .truncatedName(offset: offset) }
            var end = start
            // The kernel pads names with zeros to a multiple of the header.
            while end < start + size, batch.unsafeLoad(fromByteOffset: end, as: UInt8.self) != 0 { end += 1 }
            records.append(
                InotifyRecord(
                    watch: Int32(bitPattern: word(batch, at: offset)),
                    mask: InotifyMask(rawValue: word(batch, at: offset + 4)),
                    cookie: word(batch, at: offset + 8),
                    name: start..<end))
            offset = start + size
        }
    }

    // Offsets were compared with the batch's length before.
    private static func word(_ batch: RawSpan, at offset: Int) -> UInt32 {
        batch.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
    }
}

/// A batch that cannot be what the kernel writes.
package enum InotifyParseError: Error, Equatable, CustomStringConvertible {
    case truncatedHeader(offset: Int)
    case truncatedName(offset: Int)

    package var description: String {
        switch self {
        case .truncatedHeader(let offset): "the inotify record at byte \(offset) ends within its header; the rest of the batch is lost"
        case .truncatedName(let offset): "the inotify record at byte \(offset) ends within its name; the rest of the batch is lost"
        }
    }
}

/// The kernel's flags that we ask for or get.
package struct InotifyMask: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    // Asked several times for each record; the standard library's own are not specialised from another module.
    @inlinable package func contains(_ other: InotifyMask) -> Bool { rawValue & other.rawValue == other.rawValue }
    @inlinable package func isDisjoint(with other: InotifyMask) -> Bool { rawValue & other.rawValue == 0 }

    package static let access = InotifyMask(rawValue: 0x1)
    package static let modify = InotifyMask(rawValue: 0x2)
    package static let attributes = InotifyMask(rawValue: 0x4)
    package static let closeWrite = InotifyMask(rawValue: 0x8)
    package static let closeNoWrite = InotifyMask(rawValue: 0x10)
    package static let open = InotifyMask(rawValue: 0x20)
    package static let movedFrom = InotifyMask(rawValue: 0x40)
    package static let movedTo = InotifyMask(rawValue: 0x80)
    package static let create = InotifyMask(rawValue: 0x100)
    package static let delete = InotifyMask(rawValue: 0x200)
    package static let deleteSelf = InotifyMask(rawValue: 0x400)
    package static let moveSelf = InotifyMask(rawValue: 0x800)
    /// The file system was unmounted.
    package static let unmount = InotifyMask(rawValue: 0x2000)
    /// Records were lost; the watch is -1.
    package static let queueOverflow = InotifyMask(rawValue: 0x4000)
    /// The kernel has forgotten the watch.
    package static let ignored = InotifyMask(rawValue: 0x8000)
    package static let onlyFolder = InotifyMask(rawValue: 0x0100_0000)
    package static let isFolder = InotifyMask(rawValue: 0x4000_0000)

    /// What a folder of a share is watched for.
    ///
    /// No ACCESS: reading is no evidence, and its records would be most of all. No EXCL_UNLINK: after somebody's save by rename a second
    /// person still holds the old file, which has no name any more, and its close is the only sign that they have finished
    /// (`writer-two-people`). No DONT_FOLLOW: watches are set through an open descriptor that was opened without following.
    package static let folder: InotifyMask = [
        .create, .delete, .open, .modify, .closeWrite, .closeNoWrite, .attributes, .movedFrom, .movedTo, .deleteSelf, .moveSelf,
        .onlyFolder,
    ]

    /// What a folder above a share is watched for while the share is there.
    package static let ancestor: InotifyMask = [.moveSelf, .deleteSelf, .onlyFolder]
    /// The same while a folder in it is missing.
    package static let ancestorOfMissing: InotifyMask = [.moveSelf, .deleteSelf, .onlyFolder, .create, .movedTo, .attributes]
}
