// SPDX-License-Identifier: Apache-2.0

/// Reads the interface definition language of varlink.org.
struct InterfaceParser {
    struct Members {
        var name = ""
        var methods: [InterfaceDescription.Method] = []
        var types: [String: InterfaceDescription.TypeExpression] = [:]
        var errors: [String: [InterfaceDescription.Field]] = [:]
    }

    /// Types within types; a text from a stranger must not exhaust the stack.
    static let nestingLimit = 32

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var nesting = 0
    /// Comment lines since the last member, without `#` and one space.
    private var comment: [String] = []
    private var taken: Set<String> = []
    /// Names of types that are used, with the line, to be checked at the end.
    private var used: [(name: String, line: Int)] = []

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func parse() throws(InterfaceProblem) -> Members {
        var members = Members()
        skipSpace()
        try keyword("interface")
        members.name = try interfaceName()
        while true {
            comment = []
            skipSpace()
            let comment = self.comment.joined(separator: "\n")
            guard position < bytes.count else { break }
            let place = line
            switch word() {
            case "type":
                let name = try typeName()
                try claim(name, place)
                members.types[name] = try body()
            case "method":
                let name = try typeName()
                try claim(name, place)
                let input = try structure()
                try symbol("->")
                let output = try structure()
                members.methods.append(.init(name: name, input: input, output: output, comment: comment))
            case "error":
                let name = try typeName()
                try claim(name, place)
                members.errors[name] = try structure()
            case let other: throw problem("expected type, method or error, found '\(other)'", at: place)
            }
        }
        for (name, line) in used where members.types[name] == nil { throw problem("type \(name) is not defined", at: line) }
        return members
    }

    /// Types, methods and errors share one set of names; other implementations take the last of two for both.
    private mutating func claim(_ name: String, _ place: Int) throws(InterfaceProblem) {
        guard taken.insert(name).inserted else { throw problem("the name \(name) stands twice", at: place) }
    }

    // MARK: Types

    private mutating func type() throws(InterfaceProblem) -> InterfaceDescription.TypeExpression {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Self.nestingLimit else { throw problem("types are nested more than \(Self.nestingLimit) deep") }
        skipSpace()
        if take("?") {
            if peek == UInt8(ascii: "?") { throw problem("'?' stands twice") }
            return .optional(try type())
        }
        if take("[") {
            if take("]") { return .array(try type()) }
            try keyword("string")
            try symbol("]")
            return .map(try type())
        }
        if peek == UInt8(ascii: "(") { return try body() }
        let name = word()
        switch name {
        case "bool": return .bool
        case "int": return .int
        case "float": return .float
        case "string": return .string
        case "object": return .object
        default:
            guard isTypeName(name) else { throw problem("expected a type, found '\(name)'") }
            used.append((name, line))
            return .named(name)
        }
    }

    /// `(a: int, b: string)` or `(one, two)`.
    private mutating func body() throws(InterfaceProblem) -> InterfaceDescription.TypeExpression {
        try symbol("(")
        skipSpace()
        if take(")") { return .structure([]) }
        var fields: [InterfaceDescription.Field] = []
        var cases: [String] = []
        repeat {
            let name = try fieldName()
            guard !cases.contains(name), !fields.contains(where: { $0.name == name }) else { throw problem("'\(name)' stands twice") }
            skipSpace()
            if take(":") { fields.append(.init(name, try type())) } else { cases.append(name) }
            skipSpace()
        } while take(",")
        try symbol(")")
        guard fields.isEmpty || cases.isEmpty else { throw problem("some members have a type and some have none") }
        return fields.isEmpty ? .enumeration(cases) : .structure(fields)
    }

    private mutating func structure() throws(InterfaceProblem) -> [InterfaceDescription.Field] {
        guard case .structure(let fields) = try body() else { throw problem("every member here needs a type") }
        return fields
    }

    // MARK: Names

    /// Parts of letters, digits and inner dashes, joined by dots, at least two.
    private mutating func interfaceName() throws(InterfaceProblem) -> String {
        skipSpace()
        let begin = position
        while let byte = peek, isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") { position += 1 }
        let name = bytes[begin..<position]
        let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let good = parts.allSatisfy { $0.first != nil && $0.first != UInt8(ascii: "-") && $0.last != UInt8(ascii: "-") }
        guard parts.count >= 2, good, name.first.map(isLetter) == true else {
            throw problem("'\(String(decoding: name, as: UTF8.self))' is no interface name")
        }
        return String(decoding: name, as: UTF8.self)
    }

    private mutating func typeName() throws(InterfaceProblem) -> String {
        skipSpace()
        let name = word()
        guard isTypeName(name) else { throw problem("'\(name)' must begin with a capital and have letters and digits only") }
        return name
    }

    private mutating func fieldName() throws(InterfaceProblem) -> String {
        skipSpace()
        let name = word()
        let letters = Array(name.utf8)
        let underscore = UInt8(ascii: "_")
        let doubled = zip(letters, letters.dropFirst()).contains { $0 == underscore && $1 == underscore }
        guard let first = letters.first, isLetter(first), letters.last != underscore, !doubled else {
            throw problem("'\(name)' is no member name")
        }
        return name
    }

    private func isTypeName(_ name: String) -> Bool {
        guard let first = name.utf8.first, first >= UInt8(ascii: "A"), first <= UInt8(ascii: "Z") else { return false }
        return !name.utf8.contains(UInt8(ascii: "_"))
    }

    // MARK: Tokens

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func word() -> String {
        let begin = position
        while let byte = peek, isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_") { position += 1 }
        return String(decoding: bytes[begin..<position], as: UTF8.self)
    }

    private mutating func keyword(_ expected: String) throws(InterfaceProblem) {
        let found = word()
        guard found == expected else { throw problem("expected '\(expected)', found '\(found)'") }
    }

    private mutating func symbol(_ expected: String) throws(InterfaceProblem) {
        skipSpace()
        guard take(expected) else { throw problem("expected '\(expected)'") }
    }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\n"):
                line += 1
                position += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
            case UInt8(ascii: "#"):
                let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
                var text = bytes[(position + 1)..<end]
                if text.first == UInt8(ascii: " ") { text = text.dropFirst() }
                comment.append(String(decoding: text, as: UTF8.self))
                position = end
            default: return
            }
        }
    }

    private func problem(_ what: String, at place: Int? = nil) -> InterfaceProblem { InterfaceProblem(line: place ?? line, what: what) }
}

private func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}

private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
