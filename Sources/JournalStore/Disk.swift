// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc

/// Where the writer's system calls pass, so that a test can let the N-th of them fail. The calls themselves are always the real ones.
package struct Disk: Sendable {
    package enum Call: String, Sendable, CaseIterable {
        case makeFolder, openSegment, openTail, openFile, write, flush, syncFolder, truncate, rename, link, unlink, setMode
    }

    package enum Fault: Equatable, Sendable {
        case error(Int32)
        /// A write that takes so many bytes and then fails.
        case short(Int, Int32)
    }

    private let fault: (@Sendable (Call) -> Fault?)?

    package init(fault: (@Sendable (Call) -> Fault?)? = nil) { self.fault = fault }

    /// What would happen to the next call of this kind.
    package func fault(of call: Call) -> Fault? { fault?(call) }

    func perform<Result: ~Copyable>(_ call: Call, _ body: () throws(SystemCallError) -> Result) throws(SystemCallError) -> Result {
        switch fault?(call) {
        case nil: return try body()
        case .error(let code), .short(_, let code): throw SystemCallError(call: call.rawValue, code: code)
        }
    }

    func write(_ bytes: [UInt8], to file: borrowing OwnedDescriptor, at offset: Int) throws(SystemCallError) {
        switch fault?(.write) {
        case nil: try Self.writeAll(bytes, to: file, at: offset)
        case .error(let code): throw SystemCallError(call: "pwrite", code: code)
        case .short(let count, let code):
            try Self.writeAll(Array(bytes.prefix(count)), to: file, at: offset)
            throw SystemCallError(call: "pwrite", code: code)
        }
    }

    private static func writeAll(_ bytes: [UInt8], to file: borrowing OwnedDescriptor, at offset: Int) throws(SystemCallError) {
        // Through a pointer of our own: typed errors do not pass `withUnsafeBytes` on a borrowed descriptor.
        let span = bytes.span.bytes
        try span.withUnsafeBytes { (buffer) throws(SystemCallError) in try file.writeAll(buffer, at: offset) }
    }
}

extension StorageTrouble {
    init(_ error: SystemCallError) {
        self.init(call: error.call, code: error.code, description: Self.text(error))
    }

    private static func text(_ error: SystemCallError) -> String {
        let remedy =
            switch error.code {
            case ENOSPC: "its file system is full; free some space and recording goes on by itself"
            case EDQUOT: "the daemon's disk quota is used up; raise it and recording goes on by itself"
            case EROFS: "its file system has become read-only, often after a disk error; look at the kernel's messages"
            case EIO: "the disk reports an error; look at the kernel's messages and replace the disk if it says so again"
            case EACCES, EPERM: "the daemon has no right to it; it must own its state directory"
            default: "entries wait in memory meanwhile, within a limit"
            }
        return "the journal in the state directory cannot be written (\(error)): \(remedy)"
    }
}
