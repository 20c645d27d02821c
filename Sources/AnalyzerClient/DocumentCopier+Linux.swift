// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux
import DaybookLinux
import Glibc

extension DocumentCopier {
    func status(path: [UInt8], in folder: Int32, follow: Bool) throws(CopyError) -> stat {
        var result = stat()
        let flags = follow ? 0 : AT_SYMLINK_NOFOLLOW
        do {
            _ = try systemCall("fstatat") { withCString(path) { Int(fstatat(folder, $0, &result, flags)) } }
        } catch {
            throw Self.meaning(of: error)
        }
        return result
    }

    func status(of file: borrowing OwnedDescriptor) throws(CopyError) -> stat {
        var result = stat()
        do {
            _ = try file.withRaw { raw throws(SystemCallError) in try systemCall("fstat") { Int(fstat(raw, &result)) } }
        } catch {
            throw .failed(error)
        }
        return result
    }

    func open(path: [UInt8], in folder: Int32, follow: Bool) throws(CopyError) -> OwnedDescriptor {
        let flags = O_NONBLOCK | (follow ? 0 : O_NOFOLLOW)
        do {
            let raw = try systemCall("openat") { withCString(path) { Int(daybook_open_for_reading(folder, $0, flags)) } }
            return OwnedDescriptor(adopting: Int32(raw))
        } catch {
            throw Self.meaning(of: error)
        }
    }

    private static func meaning(of error: SystemCallError) -> CopyError {
        switch error.code {
        case ENOENT, ENOTDIR: .notFound
        case ELOOP: .symbolicLink
        case ENXIO: .notRegular(kind: "a socket or FIFO")
        default: .failed(error)
        }
    }

    private func withCString<R>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> R) -> R {
        (bytes + [0]).withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { characters in
                // Never nil: there is at least the ending zero.
                guard let base = characters.baseAddress else { return "".withCString(body) }
                return body(base)
            }
        }
    }
}
