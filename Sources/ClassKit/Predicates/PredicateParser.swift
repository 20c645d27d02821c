// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Reads the part of predicate formats that contexts can be searched by.
struct PredicateParser {
    /// Terms in parentheses or under NOT, one in the other.
    static let depthLimit = 64

    private enum Token: Equatable {
        case word(String)
        case text(String)
        case number(Double)
        case sign(String)
        case argument(Character)
    }

    private let format: String
    private var tokens: [Token] = []
    private var position = 0
    private var arguments: ArraySlice<Any>
    private var depth = 0

    static func parse(_ format: String, _ arguments: [Any]) throws(PredicateProblem) -> PredicateTerm {
        var parser = PredicateParser(format: format, arguments: arguments[...])
        parser.tokens = try parser.split()
        let term = try parser.anyOf()
        if let rest = parser.tokens.dropFirst(parser.position).first {
            throw parser.problem("nothing is expected before \(parser.name(rest))")
        }
        return term
    }

    private init(format: String, arguments: ArraySlice<Any>) {
        self.format = format
        self.arguments = arguments
    }

    private func problem(_ reason: String) -> PredicateProblem { PredicateProblem(format: format, reason: reason) }

    // MARK: Terms

    private mutating func anyOf() throws(PredicateProblem) -> PredicateTerm {
        var terms = [try allOf()]
        while take("OR", "||") { terms.append(try allOf()) }
        return terms.count == 1 ? terms[0] : .any(terms)
    }

    private mutating func allOf() throws(PredicateProblem) -> PredicateTerm {
        var terms = [try term()]
        while take("AND", "&&") { terms.append(try term()) }
        return terms.count == 1 ? terms[0] : .all(terms)
    }

    private mutating func term() throws(PredicateProblem) -> PredicateTerm {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { throw problem("it nests deeper than \(Self.depthLimit) levels") }
        if take("NOT", "!") { return .not(try term()) }
        if take("TRUEPREDICATE") { return .constant(true) }
        if take("FALSEPREDICATE") { return .constant(false) }
        if take("(") {
            let inner = try anyOf()
            guard take(")") else { throw problem("a parenthesis is not closed") }
            return inner
        }
        return try comparison()
    }

    private mutating func comparison() throws(PredicateProblem) -> PredicateTerm {
        let left = try operand()
        guard let token = next() else { throw problem("it ends before a comparison") }
        guard let how = Self.how(token) else { throw problem("\(name(token)) is no comparison that can be used here") }
        var options: PredicateOptions = []
        if take("[") {
            guard case .word(let letters)? = next(), take("]"), letters.allSatisfy({ "cdCD".contains($0) }) else {
                throw problem("in brackets only c and d can be used here")
            }
            if letters.lowercased().contains("c") { options.insert(.ignoresCase) }
            if letters.lowercased().contains("d") { options.insert(.ignoresAccents) }
        }
        let right = try operand()
        if let objection = how.objection(left.kind, right.kind) { throw problem(objection) }
        return .comparison(left, how, options, right)
    }

    private static func how(_ token: Token) -> PredicateOperator? {
        switch token {
        case .sign("=="): .equal
        case .sign("<>"): .notEqual
        case .sign("=<"): .atMost
        case .sign("=>"): .atLeast
        case .sign(let sign): PredicateOperator(rawValue: sign)
        case .word(let word): PredicateOperator(rawValue: word.uppercased())
        default: nil
        }
    }

    // MARK: Sides

    private mutating func operand() throws(PredicateProblem) -> PredicateOperand {
        guard let token = next() else { throw problem("it ends where a name or a value should be") }
        switch token {
        case .text(let text): return .value(.text(text))
        case .number(let number): return .value(.number(number))
        case .argument(let kind): return try argument(kind)
        case .sign("{"): return .value(.list(try list()))
        case .word(let word):
            switch word.uppercased() {
            case "TRUE", "YES": return .value(.number(1))
            case "FALSE", "NO": return .value(.number(0))
            case "NULL", "NIL": return .value(.null)
            default: return try key(word)
            }
        case .sign: throw problem("\(name(token)) stands where a name or a value should be")
        }
    }

    private mutating func list() throws(PredicateProblem) -> [PredicateValue] {
        var values: [PredicateValue] = []
        if take("}") { return values }
        repeat {
            guard case .value(let value) = try operand() else { throw problem("a list has values only") }
            values.append(value)
        } while take(",")
        guard take("}") else { throw problem("a list is not closed") }
        return values
    }

    private func key(_ name: String) throws(PredicateProblem) -> PredicateOperand {
        let path = CLSPredicateKeyPath(name)
        guard PredicateOperand.keys[path] != nil else {
            let known = PredicateOperand.keys.keys.map(\.rawValue).sorted().joined(separator: ", ")
            throw problem("contexts cannot be searched by '\(name)', only by \(known)")
        }
        return .key(path)
    }

    private mutating func argument(_ kind: Character) throws(PredicateProblem) -> PredicateOperand {
        guard let argument = arguments.popFirst() else { throw problem("it has more places than arguments") }
        switch kind {
        case "K":
            if let path = argument as? CLSPredicateKeyPath { return try key(path.rawValue) }
            guard case .text(let name)? = PredicateValue(argument) else { throw problem("the argument for %K is no name") }
            return try key(name)
        case "@":
            guard let value = PredicateValue(argument) else { throw problem("no context has a \(type(of: argument)) to compare with") }
            return .value(value)
        default:
            guard let value = PredicateValue(argument), value.kind == .number else {
                throw problem("the argument for %\(kind) is no number")
            }
            return .value(value)
        }
    }

    // MARK: Tokens

    private mutating func next() -> Token? {
        guard position < tokens.count else { return nil }
        position += 1
        return tokens[position - 1]
    }

    /// Takes the next token if it is one of these words, in any case, or signs.
    private mutating func take(_ wanted: String...) -> Bool {
        guard position < tokens.count else { return false }
        switch tokens[position] {
        case .word(let word) where wanted.contains(word.uppercased()): break
        case .sign(let sign) where wanted.contains(sign): break
        default: return false
        }
        position += 1
        return true
    }

    private func name(_ token: Token) -> String {
        switch token {
        case .word(let word), .sign(let word): "'\(word)'"
        case .text(let text): "the text '\(text)'"
        case .number(let number): "the number \(number)"
        case .argument(let kind): "%\(kind)"
        }
    }

    private func split() throws(PredicateProblem) -> [Token] {
        let characters = Array(format)
        var tokens: [Token] = []
        var index = 0
        func piece(while isPart: (Character) -> Bool) -> String {
            let start = index
            while index < characters.count, isPart(characters[index]) { index += 1 }
            return String(characters[start..<index])
        }
        while index < characters.count {
            let character = characters[index]
            let pair = index + 1 < characters.count ? String(characters[index...index + 1]) : ""
            switch character {
            case _ where character.isWhitespace: index += 1
            case "'", "\"": tokens.append(.text(try quoted(characters, &index)))
            case "%":
                index += 1
                let kind = piece { $0.isLetter && $0.isASCII || $0 == "@" }
                switch kind {
                case "@", "K": tokens.append(.argument(Character(kind)))
                case "d", "i", "u", "f", "g", "ld", "li", "lu", "lld", "lf": tokens.append(.argument(kind.last ?? "d"))
                default: throw problem("%\(kind) cannot be used here")
                }
            case _ where character.isLetter || character == "_":
                tokens.append(.word(piece { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }))
            case _ where character.isNumber || (character == "-" && pair.last?.isNumber == true):
                let text = (character == "-" ? "-" : "")
                if character == "-" { index += 1 }
                let digits = text + piece { $0.isNumber || $0 == "." || $0 == "e" || $0 == "E" }
                guard let number = Double(digits) else { throw problem("\(digits) is no number") }
                tokens.append(.number(number))
            default:
                let signs = ["==", "!=", "<>", "<=", ">=", "=<", "=>", "&&", "||"]
                let sign = signs.contains(pair) ? pair : String(character)
                guard signs.contains(pair) || "=<>!()[]{},".contains(character) else { throw problem("'\(character)' cannot be used here") }
                tokens.append(.sign(sign))
                index += sign.count
            }
        }
        return tokens
    }

    private func quoted(_ characters: [Character], _ index: inout Int) throws(PredicateProblem) -> String {
        let quote = characters[index]
        var text = ""
        index += 1
        while index < characters.count {
            switch characters[index] {
            case quote:
                index += 1
                return text
            case "\\" where index + 1 < characters.count:
                text.append(characters[index + 1])
                index += 2
            case let character:
                text.append(character)
                index += 1
            }
        }
        throw problem("a text is not closed")
    }
}
