// SPDX-License-Identifier: Apache-2.0
package import DaybookLinux
import Glibc

/// A document to be measured: its bytes, its name as a hint, and what it may cost.
package final class Document {
    /// Bytes at the beginning that are always at hand, to see what it is.
    package static let headBytes = 64 << 10

    /// Without folders. What the document is comes from its bytes; the name only tells Markdown from other text.
    package let name: String
    package let limits: ReadingLimits
    package let size: Int
    /// The first `headBytes`, or all.
    let head: [UInt8]

    private enum Source {
        case memory([UInt8])
        /// It can neither shrink nor change, so it may be mapped.
        case sealed(Int32)
        /// It may change and shrink at any time, so it is only ever read.
        case file(Int32)
    }

    private let source: Source
    private var whole: UnsafeRawBufferPointer?
    private var isMapped = false
    private var unpackedLeft: Int
    private var textLeft: Int
    private var openedArchive: Result<ZipArchive, ReadingError>?
    private var describedPackage: Result<OfficePackage, ReadingError>?

    private init(_ source: Source, size: Int, head: [UInt8], name: String, limits: ReadingLimits) {
        self.source = source
        self.size = size
        self.head = head
        self.name = name
        self.limits = limits
        unpackedLeft = limits.unpackedBytes
        textLeft = limits.textBytes
    }

    /// A document of these bytes.
    package convenience init(_ bytes: [UInt8], name: String, limits: ReadingLimits = .standard) {
        self.init(.memory(bytes), size: bytes.count, head: Array(bytes.prefix(Self.headBytes)), name: name, limits: limits)
    }

    /// A document in sealed memory: the seals promise that it neither shrinks nor changes. The descriptor stays the caller's.
    package convenience init(sealed raw: Int32, name: String, limits: ReadingLimits = .standard) throws(SystemCallError) {
        guard SealedMemory.isSealed(raw) else { throw SystemCallError(call: "fcntl", code: EPERM) }
        let (size, head) = try Self.look(raw)
        self.init(.sealed(raw), size: size, head: head, name: name, limits: limits)
    }

    /// A file that is read where it lies. Whoever opened it must see to it that it did not change meanwhile. The descriptor stays the caller's.
    package convenience init(file raw: Int32, name: String, limits: ReadingLimits = .standard) throws(SystemCallError) {
        let (size, head) = try Self.look(raw)
        self.init(.file(raw), size: size, head: head, name: name, limits: limits)
    }

    deinit {
        openedArchive = nil
        describedPackage = nil
        guard let whole, let base = whole.baseAddress else { return }
        if isMapped { munmap(UnsafeMutableRawPointer(mutating: base), whole.count) } else { free(UnsafeMutableRawPointer(mutating: base)) }
    }

    private static func look(_ raw: Int32) throws(SystemCallError) -> (size: Int, head: [UInt8]) {
        var status = stat()
        _ = try systemCall("fstat") { Int(fstat(raw, &status)) }
        let size = Int(status.st_size)
        var head = [UInt8](repeating: 0, count: min(size, headBytes))
        let got = head.withUnsafeMutableBytes { readAll(raw, at: 0, into: $0) }
        return (size, Array(head.prefix(got)))
    }

    private static func readAll(_ raw: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var got = 0
        while got < buffer.count, let base = buffer.baseAddress {
            let count = pread(raw, base + got, buffer.count - got, off_t(offset + got))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            got += count
        }
        return got
    }

    /// Reads from a place on, as much as the buffer takes; less only at the end.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch source {
        case .memory(let bytes):
            let part = bytes[min(offset, bytes.count)..<min(bytes.count, offset + buffer.count)]
            buffer.copyBytes(from: part)
            return part.count
        case .sealed(let raw), .file(let raw): return Self.readAll(raw, at: offset, into: buffer)
        }
    }

    /// All of it in memory, until this object ends. What can be read from start to end is better read piece by piece.
    func bytes() throws(ReadingError) -> UnsafeRawBufferPointer {
        if let whole { return whole }
        guard size > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        if case .sealed(let raw) = source {
            guard let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, raw, 0), address != MAP_FAILED else {
                throw .tooLarge(what: "no memory for it")
            }
            isMapped = true
            let all = UnsafeRawBufferPointer(start: address, count: size)
            whole = all
            return all
        }
        // Not `allocate`, which ends the process where there is no memory.
        guard let memory = malloc(size) else { throw .tooLarge(what: "no memory for it") }
        let buffer = UnsafeMutableRawBufferPointer(start: memory, count: size)
        let got = read(at: 0, into: buffer)
        let all = UnsafeRawBufferPointer(start: memory, count: got)
        whole = all
        return all
    }

    /// The part of the name after its last dot, in small letters; empty where there is none.
    package var nameExtension: String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    /// Within the head.
    func starts(with prefix: [UInt8], at offset: Int = 0) -> Bool {
        head.count >= offset + prefix.count && head[offset..<(offset + prefix.count)].elementsEqual(prefix)
    }

    /// True for what begins like a zip container, also an empty one.
    var looksLikeZip: Bool { starts(with: [0x50, 0x4b, 3, 4]) || starts(with: [0x50, 0x4b, 5, 6]) }

    /// The document as a zip container. Opened once.
    func archive() throws(ReadingError) -> ZipArchive {
        if let openedArchive { return try openedArchive.get() }
        let result: Result<ZipArchive, ReadingError>
        do { result = .success(try ZipArchive(self)) } catch { result = .failure(error) }
        openedArchive = result
        return try result.get()
    }

    /// The document as an office package. Looked through once.
    func officePackage() throws(ReadingError) -> OfficePackage {
        if let describedPackage { return try describedPackage.get() }
        let result: Result<OfficePackage, ReadingError>
        do { result = .success(try OfficePackage(archive())) } catch { result = .failure(error) }
        describedPackage = result
        return try result.get()
    }

    func spendUnpacked(_ count: Int) throws(ReadingError) {
        guard count <= unpackedLeft else { throw .tooLarge(what: "more than \(limits.unpackedBytes) bytes when unpacked") }
        unpackedLeft -= count
    }

    func spendText(_ count: Int) throws(ReadingError) {
        guard count <= textLeft else { throw .tooLarge(what: "more than \(limits.textBytes) bytes of text") }
        textLeft -= count
    }

    func refundText() { textLeft = limits.textBytes }
}
