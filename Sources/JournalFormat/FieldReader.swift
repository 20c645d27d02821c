// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON

/// Takes the members of one JSON object with their types. Members that nobody asks for are ignored.
struct FieldReader {
    private let node: JSONNode
    /// The share of the last document: most lines name the same, and comparing is cheaper than making a text.
    private(set) var lastShare: String

    init(_ node: JSONNode, share: String) {
        self.node = node
        lastShare = share
    }

    /// Nil where the member is absent or null.
    private func optional(_ key: StaticString) -> JSONNode? {
        guard let value = node[key], !value.isNull else { return nil }
        return value
    }

    private func required(_ key: StaticString) throws(EntryError) -> JSONNode {
        guard let value = node[key] else { throw .missing(field: "\(key)") }
        return value
    }

    func has(_ key: StaticString) -> Bool { optional(key) != nil }

    func bytes(_ key: StaticString) throws(EntryError) -> UnsafeBufferPointer<UInt8> {
        guard let bytes = try required(key).stringBytes else { throw .mistyped(field: "\(key)") }
        return bytes
    }

    func text(_ key: StaticString) throws(EntryError) -> String { String(decoding: try bytes(key), as: UTF8.self) }

    func optionalText(_ key: StaticString) throws(EntryError) -> String? { has(key) ? try text(key) : nil }

    func number<Number: FixedWidthInteger>(_ key: StaticString, as type: Number.Type) throws(EntryError) -> Number {
        guard let value = try required(key).integerValue, let number = Number(exactly: value) else { throw .mistyped(field: "\(key)") }
        return number
    }

    func optionalNumber<Number: FixedWidthInteger>(_ key: StaticString, as type: Number.Type) throws(EntryError) -> Number? {
        has(key) ? try number(key, as: type) : nil
    }

    func double(_ key: StaticString) throws(EntryError) -> Double {
        guard let value = try required(key).doubleValue else { throw .mistyped(field: "\(key)") }
        return value
    }

    func bool(_ key: StaticString) throws(EntryError) -> Bool {
        guard let value = try required(key).boolValue else { throw .mistyped(field: "\(key)") }
        return value
    }

    func word<Word: RawRepresentable>(_ key: StaticString, as type: Word.Type) throws(EntryError) -> Word where Word.RawValue == String {
        guard let word = Word(rawValue: try text(key)) else { throw .unknownWord(field: "\(key)") }
        return word
    }

    func bootTime(_ key: StaticString) throws(EntryError) -> BootTime { BootTime(microseconds: try number(key, as: Int64.self)) }

    func wallTime(_ key: StaticString) throws(EntryError) -> WallTime {
        let bytes = try bytes(key)
        if let time = WallTime(journalForm: bytes) { return time }
        guard let time = WallTime(rfc3339: String(decoding: bytes, as: UTF8.self)) else { throw .mistyped(field: "\(key)") }
        return time
    }

    func optionalWallTime(_ key: StaticString) throws(EntryError) -> WallTime? { has(key) ? try wallTime(key) : nil }

    /// Seconds with a fraction, as a span that the boot clock can add.
    func span(_ key: StaticString) throws(EntryError) -> Duration {
        let microseconds = (try double(key) * 1_000_000).rounded()
        guard let whole = Int64(exactly: microseconds) else { throw .mistyped(field: "\(key)") }
        return .microseconds(whole)
    }

    func path(_ key: StaticString) throws(EntryError) -> PathBytes {
        let bytes = try bytes(key)
        if !bytes.contains(UInt8(ascii: "\\")) { return PathBytes(bytes: Array(bytes)) }
        guard let path = PathBytes(text: String(decoding: bytes, as: UTF8.self)) else { throw .mistyped(field: "\(key)") }
        return path
    }

    func person(_ key: StaticString) throws(EntryError) -> PersonID { try Self.person(try required(key), field: key) }

    func optionalPerson(_ key: StaticString) throws(EntryError) -> PersonID? { has(key) ? try person(key) : nil }

    func people(_ key: StaticString) throws(EntryError) -> [PersonID] {
        try list(key) { (node) throws(EntryError) in try Self.person(node, field: key) }
    }

    func texts(_ key: StaticString) throws(EntryError) -> [String] {
        try list(key) { (node) throws(EntryError) in
            guard let text = node.stringValue else { throw .mistyped(field: "\(key)") }
            return text
        }
    }

    func attribution() throws(EntryError) -> Attribution {
        Attribution(person: try optionalPerson("person"), source: try word("identity", as: IdentitySource.self))
    }

    mutating func document() throws(EntryError) -> DocumentRef {
        let inner = try object("document")
        let name = try inner.bytes("share")
        if !name.elementsEqual(lastShare.utf8) { lastShare = String(decoding: name, as: UTF8.self) }
        return DocumentRef(share: lastShare, path: try inner.path("path"))
    }

    func assignment() throws(EntryError) -> AssignmentID? { try optionalText("assignment").map { AssignmentID(text: $0) } }

    func rule(_ key: StaticString) throws(EntryError) -> Rule {
        let inner = try object(key)
        return Rule(
            name: try inner.text("name"), idleContinuous: try inner.span("idleContinuous"), idleSavesOnly: try inner.span("idleSavesOnly"),
            atLeast: try inner.span("atLeast"), atMost: try inner.span("atMost"))
    }

    func object(_ key: StaticString) throws(EntryError) -> FieldReader {
        let value = try required(key)
        guard value.isObject else { throw .mistyped(field: "\(key)") }
        return FieldReader(value, share: "")
    }

    func objects<Element>(_ key: StaticString, _ read: (FieldReader) throws(EntryError) -> Element) throws(EntryError) -> [Element] {
        try list(key) { (node) throws(EntryError) in
            guard node.isObject else { throw .mistyped(field: "\(key)") }
            return try read(FieldReader(node, share: ""))
        }
    }

    /// `[[first, last], …]`.
    func ranges(_ key: StaticString) throws(EntryError) -> [ClosedRange<UInt64>] {
        try list(key) { (node) throws(EntryError) in
            var bounds: [UInt64] = []
            if node.isArray { node.forEachElement { bounds.append($0.integerValue.flatMap { UInt64(exactly: $0) } ?? 0) } }
            guard bounds.count == 2, bounds[0] > 0, bounds[0] <= bounds[1] else { throw .mistyped(field: "\(key)") }
            return bounds[0]...bounds[1]
        }
    }

    private func list<Element>(_ key: StaticString, _ read: (JSONNode) throws(EntryError) -> Element) throws(EntryError) -> [Element] {
        let value = try required(key)
        guard value.isArray else { throw .mistyped(field: "\(key)") }
        var elements: [Element] = []
        try value.forEachElement { (node) throws(EntryError) in elements.append(try read(node)) }
        return elements
    }

    private static func person(_ node: JSONNode, field: StaticString) throws(EntryError) -> PersonID {
        guard node.isObject else { throw .mistyped(field: "\(field)") }
        let inner = FieldReader(node, share: "")
        return PersonID(uid: try inner.number("uid", as: UInt32.self), login: try inner.text("login"))
    }
}

extension WallTime {
    /// `2026-03-14T22:59:00.000000Z`, exactly as the journal writes it; nil for every other spelling. A tenth of the cost of the general reader.
    fileprivate init?(journalForm bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count == 27, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"), bytes[19] == UInt8(ascii: "."), bytes[26] == UInt8(ascii: "Z"),
            let year = Self.digits(bytes[0..<4]), let month = Self.digits(bytes[5..<7]), let day = Self.digits(bytes[8..<10]),
            let hour = Self.digits(bytes[11..<13]), let minute = Self.digits(bytes[14..<16]), let second = Self.digits(bytes[17..<19]),
            let fraction = Self.digits(bytes[20..<26]), hour < 24, minute < 60, second < 60,
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        self.init(microseconds: (date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second) * 1_000_000 + fraction)
    }

    private static func digits(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
        var value: Int64 = 0
        for byte in bytes {
            guard byte >= 48, byte <= 57 else { return nil }
            value = value * 10 + Int64(byte - 48)
        }
        return value
    }
}
