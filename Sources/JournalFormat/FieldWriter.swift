// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON

/// Writes the members of JSON objects in the order of the calls, straight into bytes. Nil values leave no member.
struct FieldWriter: ~Copyable {
    /// All that was written since it was emptied last.
    var bytes = ByteRoom()

    /// A second as text, up to its fraction: most entries are of the same as the one before.
    private struct Second: ~Copyable {
        var second = Int64.min
        var text = ByteRoom(capacity: 32)
    }

    private var known = Second()

    /// Opens an object, whose members follow.
    @inline(__always)
    mutating func open() { bytes.append(UInt8(ascii: "{")) }

    @inline(__always)
    mutating func close() { bytes.append(UInt8(ascii: "}")) }

    @inline(__always)
    private mutating func key(_ key: StaticString) {
        let count = key.utf8CodeUnitCount
        bytes.reserve(count + 4)
        if bytes.last != UInt8(ascii: "{") { bytes.appendReserved(UInt8(ascii: ",")) }
        bytes.appendReserved(UInt8(ascii: "\""))
        bytes.appendReserved(UnsafeBufferPointer(start: key.utf8Start, count: count))
        bytes.appendReserved(UInt8(ascii: "\""))
        bytes.appendReserved(UInt8(ascii: ":"))
    }

    mutating func add(_ key: StaticString, _ value: String?) {
        guard var value else { return }
        self.key(key)
        let isPlain = value.withUTF8 { text in
            for byte in text where byte < 0x20 || byte == 0x7f || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                return false
            }
            bytes.reserve(text.count + 2)
            bytes.appendReserved(UInt8(ascii: "\""))
            bytes.appendReserved(text)
            bytes.appendReserved(UInt8(ascii: "\""))
            return true
        }
        if !isPlain { append(JSONValue.string(value)) }
    }

    /// What is rare enough to go through an array of its own.
    private mutating func append(_ value: JSONValue) {
        var encoded: [UInt8] = []
        value.encode(into: &encoded)
        bytes.append(contentsOf: encoded)
    }

    mutating func add(_ key: StaticString, _ value: (some BinaryInteger)?) {
        guard let value else { return }
        self.key(key)
        // Through a String of its own, each number would cost an allocation.
        if let small = Int64(exactly: value), small >= 0 {
            append(UInt64(small), digits: 0)
        } else {
            bytes.append(contentsOf: Array(String(value).utf8))
        }
    }

    /// Decimal digits, with zeros in front where there are fewer than asked for.
    private mutating func append(_ value: UInt64, digits: Int) {
        var count = 1
        var limit: UInt64 = 10
        while value >= limit, count < 19 {
            count += 1
            limit *= 10
        }
        count = max(count, digits)
        bytes.append(count) { digits in
            var rest = value
            var place = count
            // Two at a time: half of the divisions.
            while place >= 2 {
                let pair = UInt8(truncatingIfNeeded: rest % 100)
                rest /= 100
                digits[place - 1] = UInt8(ascii: "0") + pair % 10
                digits[place - 2] = UInt8(ascii: "0") + pair / 10
                place -= 2
            }
            if place == 1 { digits[0] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10) }
        }
    }

    mutating func add(_ key: StaticString, number value: Double) {
        self.key(key)
        append(JSONValue.number(value))
    }

    mutating func add(_ key: StaticString, _ value: Bool) {
        self.key(key)
        let word: StaticString = value ? "true" : "false"
        bytes.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    mutating func add(_ key: StaticString, _ value: BootTime) { add(key, value.microseconds) }

    mutating func add(_ key: StaticString, _ value: WallTime?) {
        guard let value else { return }
        self.key(key)
        // Texts beyond the calendar's four-digit years would not read back.
        let inside = max(WallTime.earliest, min(WallTime.latest, value))
        let second = inside.microseconds >= 0 ? inside.microseconds / 1_000_000 : (inside.microseconds - 999_999) / 1_000_000
        if second != known.second { learn(second) }
        bytes.append(UInt8(ascii: "\""))
        known.text.withBytes { bytes.append(contentsOf: $0.bindMemory(to: UInt8.self)) }
        append(UInt64(inside.microseconds - second * 1_000_000), digits: 6)
        bytes.append(UInt8(ascii: "Z"))
        bytes.append(UInt8(ascii: "\""))
    }

    /// The same as `rfc3339` up to the fraction, which a test compares, without its dozen of texts; and once for all entries of a second.
    private mutating func learn(_ second: Int64) {
        let days = second >= 0 ? second / 86_400 : (second - 86_399) / 86_400
        let rest = second - days * 86_400
        let date = CivilDate(daysSince1970: days)
        swap(&bytes, &known.text)
        bytes.shorten(to: 0)
        append(date.year, 4, UInt8(ascii: "-"))
        append(date.month, 2, UInt8(ascii: "-"))
        append(date.day, 2, UInt8(ascii: "T"))
        append(rest / 3600, 2, UInt8(ascii: ":"))
        append(rest / 60 % 60, 2, UInt8(ascii: ":"))
        append(rest % 60, 2, UInt8(ascii: "."))
        swap(&bytes, &known.text)
        known.second = second
    }

    private mutating func append(_ value: some BinaryInteger, _ digits: Int, _ end: UInt8) {
        append(UInt64(value), digits: digits)
        bytes.append(end)
    }

    mutating func add(_ key: StaticString, _ values: [String]) { add(key, each: values) { $0.append(JSONValue.string($1)) } }

    mutating func add(_ key: StaticString, _ person: PersonID?) {
        guard let person else { return }
        add(key) { $0.add(person) }
    }

    mutating func add(_ key: StaticString, _ people: [PersonID]) {
        add(key, objects: people) { $0.add($1) }
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
        bytes.append(hexOf: salt)
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func add(_ key: StaticString, object: (inout FieldWriter) -> Void) {
        self.key(key)
        open()
        object(&self)
        close()
    }

    mutating func add<Element>(_ key: StaticString, each elements: [Element], _ write: (inout FieldWriter, Element) -> Void) {
        self.key(key)
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(&self, element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    mutating func add<Element>(_ key: StaticString, objects: [Element], _ write: (inout FieldWriter, Element) -> Void) {
        add(key, each: objects) { writer, element in
            writer.open()
            write(&writer, element)
            writer.close()
        }
    }

    private mutating func add(_ person: PersonID) {
        add("uid", person.uid)
        add("login", person.login)
    }
}

extension WallTime {
    /// 0001-01-01 and the last microsecond of 9999.
    fileprivate static let earliest = WallTime(microseconds: -62_135_596_800_000_000)
    fileprivate static let latest = WallTime(microseconds: 253_402_300_799_999_999)
}
