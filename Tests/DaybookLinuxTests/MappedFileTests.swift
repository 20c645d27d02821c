// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Foundation
import Testing

@Suite("A mapped file")
struct MappedFileTests {
    private static let page = Int(sysconf(Int32(_SC_PAGESIZE)))

    private static func make(_ pages: Int) throws -> (path: String, file: MappedFile) {
        let path = "/var/tmp/daybook-mapped-\(UUID().uuidString)"
        let bytes = (0..<(pages * page)).map { UInt8(truncatingIfNeeded: $0 / page + 1) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let folder = try OwnedDescriptor.openFolder("/var/tmp")
        let file = try OwnedDescriptor.open(String(path.dropFirst("/var/tmp/".count)), in: folder, flags: O_RDONLY)
        return (path, try MappedFile(file, size: pages * page))
    }

    @Test("shows its bytes, also after the file has lost its name")
    func bytes() throws {
        let (path, file) = try Self.make(3)
        try FileManager.default.removeItem(atPath: path)
        #expect(file.withBytes { [$0[0], $0[Self.page], $0[3 * Self.page - 1]] } == [1, 2, 3])
        #expect(!file.isTorn && file.size == 3 * Self.page)
    }

    @Test("that was made shorter reads as zeros and says so; another one, made since, is whole")
    func shorter() throws {
        let (path, file) = try Self.make(4)
        let (other, whole) = try Self.make(4)
        defer { for path in [path, other] { try? FileManager.default.removeItem(atPath: path) } }
        #expect(truncate(path, off_t(Self.page)) == 0)
        #expect(file.withBytes { $0[0] } == 1)
        #expect(!file.isTorn, "of what was looked at, nothing is missing")
        #expect(file.withBytes { $0[2 * Self.page + 9] } == 0)
        #expect(file.isTorn)
        #expect(file.withBytes { $0[3 * Self.page] + $0[Self.page] } == 0)
        #expect(whole.withBytes { $0[3 * Self.page] } == 4 && !whole.isTorn)
        // Its number is given again, without its mark.
        for _ in 0..<3 {
            let (path, next) = try Self.make(2)
            #expect(next.withBytes { $0[Self.page] } == 2 && !next.isTorn)
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test("of fewer bytes than are wanted is refused, as is one of none")
    func tooShort() throws {
        let (path, file) = try Self.make(1)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try OwnedDescriptor.openFolder("/var/tmp")
        let name = String(path.dropFirst("/var/tmp/".count))
        for size in [0, Self.page + 1] {
            let descriptor = try OwnedDescriptor.open(name, in: folder, flags: O_RDONLY)
            #expect(throws: SystemCallError(call: "mmap", code: ENODATA)) { try MappedFile(descriptor, size: size) }
        }
        #expect(!file.isTorn)
    }

    @Test("elsewhere: a bus error that is none of ours ends the program as ever")
    func others() async {
        await #expect(processExitsWith: .signal(SIGBUS)) {
            let (path, file) = try MappedFileTests.make(1)
            try FileManager.default.removeItem(atPath: path)
            _ = file.withBytes { $0[0] }
            // Ours is in use; this one is mapped by itself.
            let name = "/var/tmp/daybook-bus-\(getpid())"
            let raw = open(name, O_RDWR | O_CREAT, 0o600)
            unlink(name)
            ftruncate(raw, 4096)
            let place = mmap(nil, 4096, PROT_READ, MAP_SHARED, raw, 0)
            ftruncate(raw, 0)
            let byte = place?.load(as: UInt8.self)
            exit(Int32(byte ?? 0))
        }
    }
}
