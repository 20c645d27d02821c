// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference

extension SnapshotValue where Self: FixedWidthInteger {
    func write(to writer: inout SnapshotWriter) { writer.number(self) }
    init(from reader: inout SnapshotReader) throws(SnapshotError) { self = try reader.number() }
}

extension UInt8: SnapshotValue {}
extension Int32: SnapshotValue {}
extension UInt32: SnapshotValue {}
extension Int64: SnapshotValue {}
extension UInt64: SnapshotValue {}

extension Int: SnapshotValue {}

extension Bool: SnapshotValue {
    func write(to writer: inout SnapshotWriter) { writer.number(UInt8(self ? 1 : 0)) }
    init(from reader: inout SnapshotReader) throws(SnapshotError) { self = try reader.number(UInt8.self) != 0 }
}

extension Double: SnapshotValue {
    func write(to writer: inout SnapshotWriter) { writer.number(bitPattern) }
    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(bitPattern: try reader.number(UInt64.self)) }
}

extension String: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        var copy = self
        copy.withUTF8 { bytes in
            writer.count(bytes.count)
            writer.raw(UnsafeRawBufferPointer(bytes))
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(decoding: try reader.raw(try reader.count()), as: UTF8.self)
    }
}

extension Optional: SnapshotValue where Wrapped: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(self != nil)
        if let value = self { writer.value(value) }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self = try reader.value(Bool.self) ? try reader.value(Wrapped.self) : nil
    }
}

extension Array: SnapshotValue where Element: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.count(count)
        for element in self { writer.value(element) }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        let count = try reader.count()
        self.init()
        reserveCapacity(count)
        for _ in 0..<count { append(try reader.value()) }
    }
}

extension Set: SnapshotValue where Element: SnapshotValue {
    func write(to writer: inout SnapshotWriter) { writer.value(Array(self)) }
    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(try reader.value([Element].self)) }
}

extension Dictionary: SnapshotValue where Key: SnapshotValue, Value: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.count(count)
        for (key, value) in self {
            writer.value(key)
            writer.value(value)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        let count = try reader.count()
        self.init(minimumCapacity: count)
        for _ in 0..<count {
            let key = try reader.value(Key.self)
            self[key] = try reader.value(Value.self)
        }
    }
}

/// Words by what stands in the journal.
extension SnapshotValue where Self: RawRepresentable, RawValue == String {
    func write(to writer: inout SnapshotWriter) { writer.value(rawValue) }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        guard let value = Self(rawValue: try reader.value()) else { throw SnapshotReader.senseless }
        self = value
    }
}

extension BootTime: SnapshotValue {
    func write(to writer: inout SnapshotWriter) { writer.number(microseconds) }
    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(microseconds: try reader.number()) }
}

extension WallTime: SnapshotValue {
    func write(to writer: inout SnapshotWriter) { writer.number(microseconds) }
    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(microseconds: try reader.number()) }
}

extension Duration: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.number(components.seconds)
        writer.number(components.attoseconds)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(secondsComponent: try reader.number(), attosecondsComponent: try reader.number())
    }
}

extension BootID: SnapshotValue {
    func write(to writer: inout SnapshotWriter) { writer.value(text) }
    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(text: try reader.value()) }
}

extension ActivityID: SnapshotValue {
    func write(to writer: inout SnapshotWriter) { writer.number(rawValue) }
    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(try reader.number()) }
}

extension AssignmentID: SnapshotValue {
    func write(to writer: inout SnapshotWriter) { writer.value(text) }
    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(text: try reader.value()) }
}

extension PathBytes: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.count(bytes.count)
        bytes.withUnsafeBytes { writer.raw($0) }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(bytes: Array(try reader.raw(try reader.count()))) }
}

extension DocumentRef: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(share)
        writer.value(path)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(share: try reader.value(), path: try reader.value()) }
}

extension PersonID: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(uid)
        writer.value(login)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(uid: try reader.value(), login: try reader.value()) }
}

extension IntervalSet: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.count(stretches.count)
        for stretch in stretches {
            writer.value(stretch.lowerBound)
            writer.value(stretch.upperBound)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        var stretches: [Range<BootTime>] = []
        for _ in 0..<(try reader.count(size: 16)) {
            let (from, to) = (try reader.value(BootTime.self), try reader.value(BootTime.self))
            guard from <= to else { throw SnapshotReader.senseless }
            stretches.append(from..<to)
        }
        self.init(stretches)
    }
}
