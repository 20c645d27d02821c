// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import Glibc

/// Who a process works as, from `/proc/PID/status`, as fast as it goes.
package struct ProcessIdentity: Equatable, Sendable {
    /// At most 15 bytes, chosen by the process; escaped as the kernel escapes them.
    package var command: String
    /// The uid that the process accesses files with.
    package var fileUID: UInt32
    /// True where the process cannot be working for several people: all its uids are one, and that is not root's.
    package var isSteady: Bool

    package init(command: String, fileUID: UInt32, isSteady: Bool) {
        self.command = command
        self.fileUID = fileUID
        self.isSteady = isSteady
    }

    /// Nil where the beginning of a status does not say it.
    package init?(parsing text: UnsafeRawBufferPointer) {
        var words = Words(text)
        // The name is the first line. The kernel escapes line breaks in it, so that it cannot forge the lines below.
        guard let name = words.line(after: "Name:\t"), words.skip(to: "\nUid:\t") else { return nil }
        guard let real = words.number(), let effective = words.number(), let saved = words.number(), let file = words.number(),
            let fileUID = UInt32(exactly: file)
        else { return nil }
        command = name
        self.fileUID = fileUID
        isSteady = real == effective && effective == saved && saved == file && file != 0
    }
}

/// A process's start in `/proc/PID/stat`, which tells it from an earlier one of its number.
package enum ProcessStart {
    /// Microseconds on the boot clock, in steps of 10 ms; nil where the line is none.
    package static func microseconds(parsing text: UnsafeRawBufferPointer) -> Int64? {
        // The name, in brackets, may hold anything, also brackets; behind its last one there are only numbers and a letter.
        guard let bracket = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        var words = Words(UnsafeRawBufferPointer(rebasing: text[(bracket + 1)...]))
        // Field 22, and the first behind the name is field 3, a letter.
        for _ in 3..<22 where !words.skipWord() { return nil }
        return words.number().flatMap { ticks in
            let (micros, overflows) = ticks.multipliedReportingOverflow(by: 1_000_000 / ticksPerSecond)
            return overflows ? nil : micros
        }
    }

    /// USER_HZ, which is part of the kernel's interface.
    private static let ticksPerSecond: Int64 = 100
}

/// Reads what `/proc` says of single processes, each with one open and one read.
package final class ProcessReader: Sendable {
    private let proc: OwnedDescriptor
    /// More than the lines up to `Uid:`, and than the numbers up to the start.
    private static let size = 768

    package init() throws(SystemCallError) {
        proc = OwnedDescriptor(adopting: Int32(try systemCall("open /proc") { Int(daybook_open_proc()) }))
    }

    /// Nil where there is no such process any more, or we may not see it.
    package func identity(of pid: Int32) -> ProcessIdentity? { read(pid, "status") { ProcessIdentity(parsing: $0) } }

    /// Microseconds on the boot clock, in steps of 10 ms.
    package func start(of pid: Int32) -> Int64? { read(pid, "stat") { ProcessStart.microseconds(parsing: $0) } }

    private func read<R>(_ pid: Int32, _ name: StaticString, _ body: (UnsafeRawBufferPointer) -> R?) -> R? {
        withUnsafeTemporaryAllocation(byteCount: Self.size, alignment: 8) { buffer in
            let number = proc.withRaw { $0 }
            let count = name.withUTF8Buffer { name in
                // A StaticString ends in a zero byte.
                name.withMemoryRebound(to: CChar.self) { daybook_read_process(number, pid, $0.baseAddress, buffer.baseAddress, Self.size) }
            }
            guard count > 0 else { return nil }
            return body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }
}

/// A process as such, not its number: nobody else is taken for it when it has ended.
package final class ForeignProcess: Sendable {
    /// Readable once it has ended.
    package let descriptor: OwnedDescriptor

    private init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

    /// Nil where there is none with this number.
    package static func open(_ pid: Int32) throws(SystemCallError) -> ForeignProcess? {
        guard let descriptor = try ProcessHandle.open(pid) else { return nil }
        return ForeignProcess(descriptor)
    }

    package var hasEnded: Bool { descriptor.withRaw { daybook_has_ended($0) } > 0 }
}

/// Goes through text of the kernel's, word by word.
private struct Words {
    private let text: UnsafeRawBufferPointer
    private var place = 0

    init(_ text: UnsafeRawBufferPointer) { self.text = text }

    private func isHere(_ word: StaticString) -> Bool {
        guard text.count - place >= word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { $0.elementsEqual(text[place..<place + word.utf8CodeUnitCount]) }
    }

    /// The rest of the line, where this begins it.
    mutating func line(after key: StaticString) -> String? {
        guard isHere(key) else { return nil }
        let start = place + key.utf8CodeUnitCount
        guard let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        place = end
        return String(decoding: text[start..<end], as: UTF8.self)
    }

    mutating func skip(to word: StaticString) -> Bool {
        while place < text.count {
            if isHere(word) {
                place += word.utf8CodeUnitCount
                return true
            }
            place += 1
        }
        return false
    }

    private mutating func skipSpace() {
        while place < text.count, text[place] == UInt8(ascii: " ") || text[place] == UInt8(ascii: "\t") { place += 1 }
    }

    mutating func skipWord() -> Bool {
        skipSpace()
        let start = place
        while place < text.count, text[place] > UInt8(ascii: " ") { place += 1 }
        return place > start
    }

    /// A whole number that something follows: one at the very end may be cut.
    mutating func number() -> Int64? {
        skipSpace()
        let start = place
        var value: Int64 = 0
        while place < text.count, text[place] >= UInt8(ascii: "0"), text[place] <= UInt8(ascii: "9") {
            guard value < Int64.max / 10 - 10 else { return nil }
            value = value * 10 + Int64(text[place] - UInt8(ascii: "0"))
            place += 1
        }
        return place > start && place < text.count ? value : nil
    }
}
