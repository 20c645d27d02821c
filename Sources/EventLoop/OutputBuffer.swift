// SPDX-License-Identifier: Apache-2.0

/// Bytes on their way to a client. Taking from the front costs no copy of the rest, and an empty buffer holds no memory.
struct OutputBuffer {
    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }

    mutating func append(_ more: [UInt8]) {
        if bytes.isEmpty {
            bytes = more
            return
        }
        // Moves what is left at most once for each time half of it was taken.
        if start > bytes.count / 2 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    mutating func removeFirst(_ taken: Int) {
        start += taken
        if start == bytes.count { removeAll() }
    }

    mutating func removeAll() {
        bytes = []
        start = 0
    }

    func withFirst<R, E: Error>(_ limit: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        let range = start..<min(bytes.count, start + limit)
        return try bytes.withUnsafeBufferPointer { all throws(E) in
            try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: all[range])))
        }
    }
}
