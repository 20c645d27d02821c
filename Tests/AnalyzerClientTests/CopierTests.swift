// SPDX-License-Identifier: Apache-2.0
import AnalyzerClient
import DaybookLinux
import Glibc
import Testing

@Suite("A copied document")
struct CopierTests {
    private func bytes(_ memory: SealedMemory) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: Int(memory.size))
        let got = memory.descriptor.withRaw { pread($0, &buffer, buffer.count, 0) }
        return Array(buffer.prefix(max(0, got)))
    }

    @Test("has the file's bytes and can never change")
    func copy() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("essay.txt", "some words")
        let copied = try DocumentCopier().copy(Array("essay.txt".utf8), in: folder.descriptor())
        #expect(bytes(copied) == Array("some words".utf8))
        #expect(copied.descriptor.withRaw { SealedMemory.isSealed($0) })
        #expect(copied.descriptor.withRaw { write($0, "x", 1) } == -1)
        #expect(copied.descriptor.withRaw { ftruncate($0, 0) } == -1)
    }

    @Test("is bracketed around its open and close, and where nothing is opened there is no bracket")
    func brackets() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("essay.txt", "some words")
        var calls: [String] = []
        _ = try DocumentCopier().copy(
            Array("essay.txt".utf8), in: folder.descriptor(), beforeOpen: { calls.append("before") }, afterClose: { calls.append("after") })
        #expect(calls == ["before", "after"])
        calls = []
        #expect(throws: CopyError.notFound) {
            try DocumentCopier().copy(
                Array("essay.txt".utf8), in: folder.descriptor(),
                beforeOpen: {
                    calls.append("before")
                    unlink(path)
                }, afterClose: { calls.append("after") })
        }
        #expect(calls == ["before", "after"])
        calls = []
        #expect(throws: CopyError.notFound) {
            try DocumentCopier().copy(Array("essay.txt".utf8), in: folder.descriptor(), beforeOpen: { calls.append("before") })
        }
        #expect(calls.isEmpty)
    }

    @Test("is never made of a FIFO, socket, device, folder or link, and never waits for one")
    func kinds() throws {
        let folder = try TemporaryFolder()
        let target = try folder.file("target", "secret")
        mkfifo("\(folder.path)/fifo", 0o600)
        mkdir("\(folder.path)/folder", 0o700)
        symlink(target, "\(folder.path)/link")
        let copier = DocumentCopier()
        let expected: [(String, CopyError)] = [
            ("fifo", .notRegular(kind: "a FIFO")), ("folder", .notRegular(kind: "a folder")), ("link", .symbolicLink), ("none", .notFound),
            ("..", .badName), ("", .badName), ("a/b", .badName),
        ]
        for (name, error) in expected {
            #expect(throws: error) { try copier.copy(Array(name.utf8), in: folder.descriptor()) }
        }
        #expect(throws: CopyError.notRegular(kind: "a device")) { try copier.copy(path: Array("/dev/zero".utf8)) }
    }

    @Test("is as large as the limit and not one byte larger, also if the file is all holes")
    func limit() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("a", "1234")
        _ = try folder.file("b", "12345")
        let copier = DocumentCopier(limit: 4)
        #expect(try copier.copy(Array("a".utf8), in: folder.descriptor()).size == 4)
        #expect(throws: CopyError.tooLarge(bytes: 5, limit: 4)) { try copier.copy(Array("b".utf8), in: folder.descriptor()) }
        let sparse = try folder.file("sparse")
        try #require(truncate(sparse, 10 << 30) == 0)
        #expect(throws: CopyError.tooLarge(bytes: 10 << 30, limit: DocumentCopier.standardLimit)) {
            try DocumentCopier().copy(Array("sparse".utf8), in: folder.descriptor())
        }
    }

    @Test("is refused where the file changed while it was read, or became another one")
    func changes() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("essay.txt", String(repeating: "x", count: 4 << 20))
        let other = try folder.file("new", "other")
        let writer = try WorkerThread(name: "writer") {
            // Until it is replaced below: a write that keeps the size still is a change.
            let raw = open(path, O_WRONLY | O_CLOEXEC)
            var status = stat()
            while fstat(raw, &status) == 0, status.st_nlink > 0 { _ = pwrite(raw, "y", 1, 0) }
            close(raw)
        }
        let seen: Bool? = eventually {
            do {
                _ = try DocumentCopier().copy(Array("essay.txt".utf8), in: folder.descriptor())
                return nil
            } catch {
                return error as? CopyError == .changedWhileRead ? true : nil
            }
        }
        #expect(seen == true)
        #expect(throws: CopyError.changedWhileRead) {
            try DocumentCopier().copy(Array("essay.txt".utf8), in: folder.descriptor(), beforeOpen: { rename(other, path) })
        }
        writer.join()
    }
}
