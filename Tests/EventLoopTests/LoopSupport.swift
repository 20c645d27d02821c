// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import EventLoop
import Glibc

extension EventLoop {
    /// Turns until `isDone`, which may act for the other side; false where that did not happen in time.
    func turn(within limit: Duration = .seconds(10), until isDone: () throws -> Bool) throws -> Bool {
        let deadline = Deadline(after: limit)
        while try !isDone() {
            if deadline.hasPassed { return false }
            _ = try step(within: .milliseconds(10))
        }
        return true
    }

    /// Serves everything that is ready now.
    func settle() throws {
        while try step(within: .zero) {}
    }
}

/// A pipe whose reader does not block.
final class Pipe {
    let reader: OwnedDescriptor
    let writer: OwnedDescriptor

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw TestFailure("pipe: errno \(errno)") }
        reader = OwnedDescriptor(adopting: ends[0])
        writer = OwnedDescriptor(adopting: ends[1])
    }

    func put() { _ = writer.withRaw { write($0, "x", 1) } }

    func take() {
        var byte: UInt8 = 0
        _ = reader.withRaw { read($0, &byte, 1) }
    }
}

/// What a handler and its test both hold.
final class Box<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}
