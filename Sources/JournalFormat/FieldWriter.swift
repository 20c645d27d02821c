// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON

/// Writes the members of one JSON object in the order of the calls, straight into bytes. Nil values leave no member.
struct FieldWriter {
    /// The object, not closed.
    private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

    private mutating func key(_ key: StaticString) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func add(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        self.key(key)
        JSONValue.string(value).encode(into: &bytes)
    }

    mutating func add(_ key: StaticString, _ value: (some BinaryInteger)?) {
        guard let value else { return }
        self.key(key)
        bytes.append(contentsOf: String(value).utf8)
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
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: inside.rfc3339.utf8)
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
