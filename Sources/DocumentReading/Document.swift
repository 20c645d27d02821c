// SPDX-License-Identifier: Apache-2.0
package import DaybookLinux
import Glibc

/// A document to be measured: its bytes, its name as a hint, and what it may cost.
package final class Document {
    /// Without folders. What the document is comes from its bytes; the name only tells Markdown from other text.
    package let name: String
    package let limits: ReadingLimits
    let bytes: UnsafeRawBufferPointer
    private let isMapped: Bool
    private var unpackedLeft: Int
    private var textLeft: Int
    private var openedArchive: Result<ZipArchive, ReadingError>?
    private var describedPackage: Result<OfficePackage, ReadingError>?

    /// A document of these bytes.
    package init(_ bytes: [UInt8], name: String, limits: ReadingLimits = .standard) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        copy.copyBytes(from: bytes)
        self.bytes = UnsafeRawBufferPointer(copy)
        isMapped = false
        self.name = name
        self.limits = limits
        unpackedLeft = limits.unpackedBytes
        textLeft = limits.textBytes
    }

    /// A document in sealed memory, which is mapped, not copied: the seals promise that it neither shrinks nor changes.
    package init(sealed raw: Int32, name: String, limits: ReadingLimits = .standard) throws(SystemCallError) {
        guard SealedMemory.isSealed(raw) else { throw SystemCallError(call: "fcntl", code: EPERM) }
        var status = stat()
        _ = try systemCall("fstat") { Int(fstat(raw, &status)) }
        if status.st_size == 0 {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
        } else {
            guard let address = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, raw, 0), address != MAP_FAILED else {
                throw SystemCallError(call: "mmap", code: errno)
            }
            bytes = UnsafeRawBufferPointer(start: address, count: Int(status.st_size))
        }
        isMapped = true
        self.name = name
        self.limits = limits
        unpackedLeft = limits.unpackedBytes
        textLeft = limits.textBytes
    }

    deinit {
        openedArchive = nil
        describedPackage = nil
        if !isMapped {
            bytes.deallocate()
        } else if let base = bytes.baseAddress {
            munmap(UnsafeMutableRawPointer(mutating: base), bytes.count)
        }
    }

    /// The part of the name after its last dot, in small letters; empty where there is none.
    package var nameExtension: String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    func starts(with prefix: [UInt8], at offset: Int = 0) -> Bool {
        bytes.count >= offset + prefix.count && bytes[offset..<(offset + prefix.count)].elementsEqual(prefix)
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
}
