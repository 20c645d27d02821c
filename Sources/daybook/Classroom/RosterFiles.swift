// SPDX-License-Identifier: Apache-2.0
import CZip
import ClassLists
import DaybookLinux
import Glibc

/// The files of an export, from a folder or out of a zip file, by their plain names. What is in them is not looked at here.
enum RosterFiles {
    static let mostMembers = 1000

    static func read(_ path: String) throws(CommandFailure) -> [String: [UInt8]] {
        let files = try isFolder(path) ? readFolder(path) : readZip(path)
        if files.isEmpty {
            throw CommandFailure("\(path) has none of \(OneRoster.files.joined(separator: ", ")); is it a OneRoster export?")
        }
        return files
    }

    private static func isFolder(_ path: String) throws(CommandFailure) -> Bool {
        do throws(SystemCallError) {
            let raw = try systemCall("open") { Int(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) }
            return try OwnedDescriptor(adopting: Int32(raw)).status().isFolder
        } catch {
            throw CommandFailure("cannot read \(path): \(errnoText(error.code)); name the folder or zip file of a OneRoster export")
        }
    }

    private static func readFolder(_ path: String) throws(CommandFailure) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in OneRoster.files {
            do throws(SystemCallError) {
                files[name] = try SmallFile.read("\(path)/\(name)", limit: CSVTable.longestFile)
            } catch {
                if error.code == ENOENT { continue }
                throw CommandFailure("cannot read \(path)/\(name): \(error.code == EFBIG ? "larger than 64 MiB" : errnoText(error.code))")
            }
        }
        return files
    }

    private static func readZip(_ path: String) throws(CommandFailure) -> [String: [UInt8]] {
        var code: Int32 = 0
        guard let archive = zip_open(path, ZIP_RDONLY, &code) else {
            throw CommandFailure("\(path) is neither a folder nor a zip file that can be opened; name the export of OneRoster")
        }
        defer { zip_discard(archive) }
        let count = zip_get_num_entries(archive, 0)
        guard count <= mostMembers else { throw CommandFailure("\(path) has more than \(mostMembers) files in it; an export has a dozen") }
        var files: [String: [UInt8]] = [:]
        for index in 0..<max(0, count) {
            guard let raw = zip_get_name(archive, zip_uint64_t(index), 0) else { continue }
            // Some put the files into a folder of the archive.
            let name = String(cString: raw).split(separator: "/").last.map(String.init) ?? ""
            guard OneRoster.files.contains(name) else { continue }
            guard files[name] == nil else { throw CommandFailure("\(path) has two files called \(name)") }
            files[name] = try unpack(archive, zip_uint64_t(index), "\(path): \(name)")
        }
        return files
    }

    private static func unpack(_ archive: OpaquePointer, _ index: zip_uint64_t, _ what: String) throws(CommandFailure) -> [UInt8] {
        guard let file = zip_fopen_index(archive, index, 0) else {
            throw CommandFailure("\(what) cannot be unpacked; is the zip file damaged, or has it a password?")
        }
        defer { zip_fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let got = Int(zip_fread(file, &part, zip_uint64_t(part.count)))
            if got < 0 { throw CommandFailure("\(what) cannot be unpacked; the zip file is damaged") }
            if got == 0 { return bytes }
            // The sizes in a zip file are claims, so what comes out is counted.
            guard bytes.count + got <= CSVTable.longestFile else { throw CommandFailure("\(what) is larger than 64 MiB unpacked") }
            bytes.append(contentsOf: part[..<got])
        }
    }
}
