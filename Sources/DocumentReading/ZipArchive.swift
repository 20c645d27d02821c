// SPDX-License-Identifier: Apache-2.0
import CZip

/// The parts of a zip container, within the limits of its document. Nothing is written to disk.
final class ZipArchive {
    private let handle: OpaquePointer
    // The document owns the bytes that libzip reads and outlives this object, which it owns.
    unowned let document: Document

    init(_ document: Document) throws(ReadingError) {
        self.document = document
        var error = zip_error_t()
        zip_error_init(&error)
        defer { zip_error_fini(&error) }
        let bytes = try document.bytes()
        guard let source = zip_source_buffer_create(bytes.baseAddress, zip_uint64_t(bytes.count), 0, &error) else {
            throw .damaged(what: "its zip container cannot be opened (\(Self.words(&error)))")
        }
        guard let opened = zip_open_from_source(source, ZIP_RDONLY, &error) else {
            zip_source_free(source)
            throw .damaged(what: "its zip container cannot be opened (\(Self.words(&error)))")
        }
        handle = opened
        let members = zip_get_num_entries(opened, 0)
        guard members <= document.limits.members else {
            throw .tooLarge(what: "more than \(document.limits.members) files in its container")
        }
    }

    deinit { zip_discard(handle) }

    private static func words(_ error: inout zip_error_t) -> String {
        // Newer headers promise that it is never nil.
        let words: UnsafePointer<CChar>? = zip_error_strerror(&error)
        return words.map { String(cString: $0) } ?? "unknown"
    }

    /// The names of all members; what is not UTF-8 is mended.
    var names: [String] {
        (0..<max(0, zip_get_num_entries(handle, 0))).compactMap { index in
            zip_get_name(handle, zip_uint64_t(index), zip_flags_t(ZIP_FL_ENC_GUESS)).map { String(cString: $0) }
        }
    }

    func contains(_ name: String) -> Bool { index(of: name) != nil }

    /// Names of parts do not differ by case alone; an exact match goes first.
    private func index(of name: String) -> zip_uint64_t? {
        guard !name.utf8.contains(0) else { return nil }
        for flags in [0, ZIP_FL_NOCASE] {
            let found = zip_name_locate(handle, name, zip_flags_t(flags))
            if found >= 0 { return zip_uint64_t(found) }
        }
        return nil
    }

    /// Unpacks a part piece by piece; nil where there is none of that name.
    func read(_ name: String, _ piece: (UnsafeRawBufferPointer) throws(ReadingError) -> Void) throws(ReadingError) -> Void? {
        guard let index = index(of: name) else { return nil }
        var status = zip_stat_t()
        zip_stat_init(&status)
        guard zip_stat_index(handle, index, 0, &status) == 0 else { throw damage(name) }
        if status.encryption_method != 0 { throw .encrypted }
        guard let file = zip_fopen_index(handle, index, 0) else { throw damage(name) }
        defer { zip_fclose(file) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        guard let start = buffer.baseAddress else { throw damage(name) }
        let limits = document.limits
        // The sizes in the container are claims, so what comes out is counted.
        let packed = Int(clamping: status.comp_size)
        var unpacked = 0
        while true {
            let got = Int(zip_fread(file, start, zip_uint64_t(buffer.count)))
            if got < 0 { throw damage(name) }
            if got == 0 { return () }
            unpacked += got
            try document.spendUnpacked(got)
            if unpacked > limits.ratioFreeBytes, unpacked / limits.packingRatio > packed {
                throw .tooLarge(what: "a part that is more than \(limits.packingRatio) times larger unpacked than packed")
            }
            try piece(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
        }
    }

    /// A whole part, for small ones; nil where there is none of that name.
    func contents(_ name: String, limit: Int) throws(ReadingError) -> [UInt8]? {
        var all: [UInt8] = []
        let found: Void? = try read(name) { piece throws(ReadingError) in
            guard all.count + piece.count <= limit else { throw .tooLarge(what: "a part of more than \(limit) bytes") }
            all.append(contentsOf: piece)
        }
        return found == nil ? nil : all
    }

    private func damage(_ name: String) -> ReadingError {
        // A part's name comes from the document; of a strange one only its kind is said.
        let plain = name.utf8.count <= 80 && name.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        return .damaged(what: "its part \(plain ? name : "with a strange name") cannot be unpacked")
    }
}
