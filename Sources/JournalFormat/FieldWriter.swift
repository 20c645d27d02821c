// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON

/// Writes the members of one JSON object in the order of the calls, straight into bytes. Nil values leave no member.
struct FieldWriter {
    /// The object, not closed.
    var bytes: [UInt8] = [UInt8(ascii: "{")]

    init() {}

    /// With room for a whole line, whose digest and chain follow.
    init(room: Int) { bytes.reserveCapacity(room) }

    private mutating func key(_ key: StaticString) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func add(_ key: StaticString, _ value: String?) {
        guard var value else { return }
        self.key(key)
        let isPlain = value.withUTF8 { text in
            guard text.allSatisfy({ $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) else {
                return false
            }
            bytes.append(UInt8(ascii: "\""))
            bytes.append(contentsOf: text)
            bytes.append(UInt8(ascii: "\""))
            return true
        }
        if !isPlain { JSONValue.string(value).encode(into: &bytes) }
    }

    mutating func add(_ key: StaticString, _ value: (some BinaryInteger)?) {
        guard let value else { return }
        self.key(key)
        // Through a String of its own, each number would cost an allocation.
        if let small = Int64(exactly: value), small >= 0 { append(small, digits: 0) } else { bytes.append(contentsOf: String(value).utf8) }
    }

    /// Decimal digits, with zeros in front where there are fewer than asked for.
    private mutating func append(_ value: Int64, digits: Int) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
            var rest = value
            var place = 20
            repeat {
                place -= 1
                buffer[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0 || 20 - place < digits
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[place...]))
        }
    }

    mutating func add(_ key: StaticString, number value: Double) {
        self.key(key)
        JSONValue.number(value).encode(into: &bytes)
    }

    mutating func add(_ key: StaticString, _ value: Bool) {
        self.key(key)
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    mutating func add(_ key: StaticString, _ value: BootTime) { add(key, value.microseconds) }

    mutating func add(_ key: StaticString, _ value: WallTime?) {
        guard let value else { return }
        self.key(key)
        // Texts beyond the calendar's four-digit years would not read back.
        let inside = max(WallTime.earliest, min(WallTime.latest, value))
        // The same as `rfc3339`, which a test compares, without its dozen of texts.
        let day: Int64 = 86_400_000_000
        let days = inside.microseconds >= 0 ? inside.microseconds / day : (inside.microseconds - day + 1) / day
        let rest = inside.microseconds - days * day
        let date = CivilDate(daysSince1970: days)
        bytes.append(UInt8(ascii: "\""))
        for (value, digits, end) in [
            (date.year, 4, UInt8(ascii: "-")), (date.month, 2, UInt8(ascii: "-")), (date.day, 2, UInt8(ascii: "T")),
            (rest / 3_600_000_000, 2, UInt8(ascii: ":")), (rest / 60_000_000 % 60, 2, UInt8(ascii: ":")),
            (rest / 1_000_000 % 60, 2, UInt8(ascii: ".")), (rest % 1_000_000, 6, UInt8(ascii: "Z")),
        ] {
            append(value, digits: digits)
            bytes.append(end)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func add(_ key: StaticString, _ values: [String]) { add(key, each: values) { JSONValue.string($1).encode(into: &$0) } }

    mutating func add(_ key: StaticString, _ person: PersonID?) {
        guard let person else { return }
        add(key) { $0.add(person) }
    }

    mutating func add(_ key: StaticString, _ people: [PersonID]) {
        add(key, each: people) { bytes, person in
            var inner = FieldWriter()
            inner.add(person)
            bytes.append(contentsOf: inner.closed)
        }
    }

    mutating func add(_ key: StaticString, _ document: DocumentRef) {
        add(key) {
            $0.add("share", document.share)
            $0.add("path", document.path.text)
        }
    }

    mutating func add(_ key: StaticString, _ rule: Rule) {
        add(key) {
            $0.add("name", rule.name)
            $0.add("idleContinuous", number: rule.idleContinuous.seconds)
            $0.add("idleSavesOnly", number: rule.idleSavesOnly.seconds)
            $0.add("atLeast", number: rule.atLeast.seconds)
            $0.add("atMost", number: rule.atMost.seconds)
        }
    }

    /// `person`, where somebody could be named, and `identity`.
    mutating func add(_ attribution: Attribution) {
        add("person", attribution.person)
        add("identity", attribution.source.rawValue)
    }

    mutating func add(salt: Salt) {
        key("salt")
        bytes.append(UInt8(ascii: "\""))
        salt.appendHex(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func add(_ key: StaticString, object: (inout FieldWriter) -> Void) {
        var inner = FieldWriter()
        object(&inner)
        self.key(key)
        bytes.append(contentsOf: inner.closed)
    }

    mutating func add<Element>(_ key: StaticString, each elements: [Element], _ write: (inout [UInt8], Element) -> Void) {
        self.key(key)
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(&bytes, element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func add(_ person: PersonID) {
        add("uid", person.uid)
        add("login", person.login)
    }

    var closed: [UInt8] { bytes + [UInt8(ascii: "}")] }
}

extension WallTime {
    /// 0001-01-01 and the last microsecond of 9999.
    fileprivate static let earliest = WallTime(microseconds: -62_135_596_800_000_000)
    fileprivate static let latest = WallTime(microseconds: 253_402_300_799_999_999)
}
