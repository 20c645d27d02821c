// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc
import Testing

@Suite("An open folder")
struct FolderTests {
    /// A folder that goes away with the test.
    private final class Place {
        let path: String

        init() throws {
            var template = Array("/var/tmp/daybook-folder-XXXXXX".utf8CString)
            let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } }
            path = try #require(made)
        }

        deinit {
            var pid = pid_t()
            let arguments = ["rm", "-rf", path].map { (text: String) in strdup(text) } + [nil]
            if posix_spawnp(&pid, "rm", nil, nil, arguments, environ) == 0 { waitpid(pid, nil, 0) }
            for argument in arguments { free(argument) }
        }
    }

    private func bytes(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

    private func code(_ body: () throws -> Void) -> Int32? {
        do {
            try body()
            return nil
        } catch let error as SystemCallError {
            return error.code
        } catch {
            return -1
        }
    }

    @Test("is never reached through a link, through its parent, or through a name that is cut short", arguments: [false, true])
    func refusals(bySteps: Bool) throws {
        let place = try Place()
        mkdir(place.path + "/in", 0o755)
        mkdir(place.path + "/in/deep", 0o755)
        #expect(symlink("in", place.path + "/link") == 0)
        #expect(mkfifo(place.path + "/fifo", 0o600) == 0)
        let folder = try Folder.open(path: place.path, for: .place)
        let expected: [(String, Int32?)] = [
            ("in", nil), ("in/deep", nil), ("link", ENOTDIR), ("link/deep", ELOOP), ("fifo", ENOTDIR), ("none", ENOENT), ("", EINVAL),
            ("in\0x", EINVAL), ("in/none/deep", ENOENT), ("fifo/deep", ENOTDIR), ("in//deep/", nil),
            (String(repeating: "n", count: 256), ENAMETOOLONG),
            ("..", EXDEV), ("in/../..", EXDEV), ("/etc", EXDEV),
        ]
        for (name, code) in expected {
            let found = self.code { _ = try Folder.open(bytes(name), in: folder, for: .listing, bySteps: bySteps) }
            #expect(found == code, "\(name)")
        }
    }

    @Test("is the one that was meant, and never one in another mount", arguments: [false, true])
    func places(bySteps: Bool) throws {
        let place = try Place()
        mkdir(place.path + "/in", 0o755)
        mkdir(place.path + "/in/deep", 0o755)
        let folder = try Folder.open(path: place.path, for: .place)
        for purpose in [Folder.Purpose.listing, .place] {
            let opened = try Folder.open(bytes("in/deep"), in: folder, for: purpose, bySteps: bySteps)
            let there = try Folder.open(path: place.path + "/in/deep", for: .place)
            #expect(try FileStatus(of: opened).inode == FileStatus(of: there).inode)
        }
        // /proc is a mount of its own on every Linux.
        let root = try Folder.open(path: "/", for: .place)
        #expect(code { _ = try Folder.open(bytes("proc"), in: root, for: .listing, bySteps: bySteps) } == EXDEV)
    }

    @Test("tells of a name without following it, with its owner and times")
    func status() throws {
        let place = try Place()
        #expect(symlink("/etc/passwd", place.path + "/link") == 0)
        let folder = try Folder.open(path: place.path, for: .place)
        let link = try FileStatus(of: bytes("link"), in: folder)
        #expect(link.type == .symbolicLink && link.owner == getuid() && link.size == 11)
        let own = try FileStatus(of: folder)
        #expect(own.type == .folder && own.device == link.device && own.inode != link.inode && own.mode == 0o700)
        #expect(abs(own.changed - Clocks.wallMicroseconds()) < 60_000_000)
        #expect(code { _ = try FileStatus(of: bytes("none"), in: folder) } == ENOENT)
    }

    @Test("lists every entry once, over many pieces, names as bytes")
    func listing() throws {
        let place = try Place()
        var expected: Set<[UInt8]> = []
        for number in 0..<500 {
            let file = open(place.path + "/file \(number)", O_CREAT | O_WRONLY, 0o600)
            close(file)
            expected.insert(Array("file \(number)".utf8))
        }
        let strange: [CChar] = (place.path + "/").utf8CString.dropLast() + [-1, 0x0a, 0]
        #expect(mkdir(strange, 0o700) == 0)
        let folder = try Folder.open(path: place.path, for: .listing)
        var listing = FolderListing(size: 1024)
        var files: [[UInt8]] = []
        var folders: [[UInt8]] = []
        var pieces = 0
        while try listing.readNext(folder) {
            pieces += 1
            for entry in listing.entries {
                let name = Array(listing.bytes[entry.name])
                if entry.type == .folder { folders.append(name) } else { files.append(name) }
            }
        }
        #expect(Set(files) == expected && files.count == 500 && folders == [[0xff, 0x0a]] && pieces > 10)
    }
}
