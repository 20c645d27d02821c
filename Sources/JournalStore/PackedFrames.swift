// SPDX-License-Identifier: Apache-2.0
import CZstd
import DaybookLinux

/// The frames of a compressed segment, and the table at its end, as zstd's seekable format has it: a frame that every decoder skips, with the
/// compressed and the plain size of each frame before it.
enum PackedFrames {
    /// A frame holds whole lines of about so many bytes; what must be unpacked to find one line.
    static let frameBytes = 256 << 10
    /// A line has 4 MiB at most, and a frame at least one line.
    static let windowLog = 23
    private static let skippable: UInt32 = 0x184D_2A5E
    private static let seekable: UInt32 = 0x8F92_EAB1
    private static let footerBytes = 9
    /// A terabyte of journal in one segment has no more.
    private static let mostFrames = 1 << 23

    /// The table as bytes.
    static func encode(_ frames: [(packed: Int, plain: Int)]) -> [UInt8] {
        var bytes: [UInt8] = []
        func add(_ value: Int) { for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) } }
        add(Int(skippable))
        add(frames.count * 8 + footerBytes)
        for frame in frames {
            add(frame.packed)
            add(frame.plain)
        }
        add(frames.count)
        bytes.append(0)
        add(Int(seekable))
        return bytes
    }

    /// Where each frame begins, and last where the table does; empty where there is no table that fits the file.
    static func table(of file: borrowing OwnedDescriptor) -> [Int] {
        guard let size = try? file.status().size, size > footerBytes + 8,  // without a table, reading says what is wrong
            let footer = bytes(of: file, at: size - footerBytes, count: footerBytes), number(footer, 5) == Int(seekable), footer[4] == 0
        else { return [] }
        let count = number(footer, 0)
        let tableBytes = count * 8 + footerBytes + 8
        guard count <= mostFrames, tableBytes <= size, let table = bytes(of: file, at: size - tableBytes, count: tableBytes),
            number(table, 0) == Int(skippable), number(table, 4) == tableBytes - 8
        else { return [] }
        var starts = [0]
        for index in 0..<count { starts.append(starts[index] + number(table, 8 + index * 8)) }
        return starts[count] == size - tableBytes ? starts : []
    }

    /// Whether exactly this table stands at a place of the file, up to its end.
    static func isTable(of frames: some Collection<(packed: Int, plain: Int)>, at place: Int, in file: borrowing OwnedDescriptor) -> Bool {
        let wanted = encode(Array(frames))
        return bytes(of: file, at: place, count: wanted.count) == wanted && (try? file.status().size) == place + wanted.count
    }

    private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }

    private static func bytes(of file: borrowing OwnedDescriptor, at offset: Int, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                try? file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]), at: offset + done)
            }
            guard let got, got > 0 else { return nil }
            done += got
        }
        return bytes
    }
}
