// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A predicate of a format, ready to be asked.
indirect enum PredicateTerm {
    case constant(Bool)
    case not(PredicateTerm)
    case all([PredicateTerm])
    case any([PredicateTerm])
    case comparison(PredicateOperand, PredicateOperator, PredicateOptions, PredicateOperand)

    func isTrue(of context: CLSContext) -> Bool {
        switch self {
        case .constant(let value): value
        case .not(let term): !term.isTrue(of: context)
        case .all(let terms): terms.allSatisfy { $0.isTrue(of: context) }
        case .any(let terms): terms.contains { $0.isTrue(of: context) }
        case .comparison(let left, let how, let options, let right): how.holds(left.value(of: context), right.value(of: context), options)
        }
    }
}

/// A side of a comparison.
enum PredicateOperand {
    case key(CLSPredicateKeyPath)
    case value(PredicateValue)

    func value(of context: CLSContext) -> PredicateValue {
        switch self {
        case .value(let value): value
        case .key(.dateCreated): .date(context.dateCreated)
        case .key(.identifier): .text(context.identifier)
        case .key(.title): .text(context.title)
        case .key(.topic): context.topic.map { .text($0.rawValue) } ?? .null
        case .key(.universalLinkURL): context.universalLinkURL.map { .text($0.absoluteString) } ?? .null
        case .key(.parent): context.parent.map(PredicateValue.context) ?? .null
        case .key: .null
        }
    }

    static let keys: [CLSPredicateKeyPath: PredicateValue.Kind] = [
        .dateCreated: .date, .identifier: .text, .title: .text, .topic: .text, .universalLinkURL: .text, .parent: .context,
    ]

    var kind: PredicateValue.Kind {
        switch self {
        case .key(let path): Self.keys[path] ?? .null
        case .value(let value): value.kind
        }
    }
}

/// What is compared.
enum PredicateValue {
    enum Kind: String { case text, number, date, context, list, null }

    case text(String)
    case number(Double)
    case date(Date)
    case context(CLSContext)
    case list([PredicateValue])
    case null

    var kind: Kind {
        switch self {
        case .text: .text
        case .number: .number
        case .date: .date
        case .context: .context
        case .list: .list
        case .null: .null
        }
    }

    /// An argument; nil where it is of a type that no context has.
    init?(_ argument: Any) {
        switch argument {
        case let value as CLSContext: self = .context(value)
        case let value as CLSContextTopic: self = .text(value.rawValue)
        case let value as String: self = .text(value)
        case let value as NSString: self = .text(String(describing: value))
        case let value as Bool: self = .number(value ? 1 : 0)
        case let value as any BinaryInteger: self = .number(Double(value))
        case let value as any BinaryFloatingPoint: self = .number(Double(value))
        case let value as NSNumber: self = .number(value.doubleValue)
        case let value as Date: self = .date(value)
        case let value as NSDate: self = .date(value as Date)
        case let value as URL: self = .text(value.absoluteString)
        case let value as NSURL: self = .text(value.absoluteString)
        case is NSNull: self = .null
        case let value as any Collection:
            let elements = value.map { PredicateValue($0 as Any) }
            self = .list(elements.compactMap { $0 })
            if elements.contains(where: { $0 == nil }) { return nil }
        default:
            // An Optional inside an Any: what is in it, or nothing.
            let mirror = Mirror(reflecting: argument)
            guard mirror.displayStyle == .optional else { return nil }
            guard let inner = mirror.children.first?.value else {
                self = .null
                return
            }
            self.init(inner)
        }
    }
}

/// `[c]`: capitals do not matter; `[d]`: nor do accents.
struct PredicateOptions: OptionSet {
    let rawValue: Int
    static let ignoresCase = PredicateOptions(rawValue: 1)
    static let ignoresAccents = PredicateOptions(rawValue: 2)

    func folded(_ text: String) -> String {
        var options: String.CompareOptions = []
        if contains(.ignoresCase) { options.insert(.caseInsensitive) }
        if contains(.ignoresAccents) { options.insert(.diacriticInsensitive) }
        return options.isEmpty ? text : text.folding(options: options, locale: nil)
    }
}

/// How two sides are compared.
enum PredicateOperator: String {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="
    case isIn = "IN"
    case begins = "BEGINSWITH"
    case ends = "ENDSWITH"
    case contains = "CONTAINS"
    case like = "LIKE"

    /// Why sides of these kinds cannot be compared so; nil where they can.
    func objection(_ left: PredicateValue.Kind, _ right: PredicateValue.Kind) -> String? {
        switch self {
        case .equal, .notEqual:
            if left == .list || right == .list { return "a list goes with IN" }
            return left == right || left == .null || right == .null ? nil : "a \(left) is never a \(right)"
        case .less, .atMost, .greater, .atLeast:
            return left == right && [.text, .number, .date].contains(left) || left == .null || right == .null
                ? nil : "a \(left) and a \(right) have no order"
        case .isIn: return right == .list ? nil : "what follows IN is no list"
        case .begins, .ends, .contains, .like:
            return [left, right].allSatisfy { $0 == .text || $0 == .null } ? nil : "\(rawValue) is for texts"
        }
    }

    func holds(_ left: PredicateValue, _ right: PredicateValue, _ options: PredicateOptions) -> Bool {
        switch self {
        case .equal: return isEqual(left, right, options)
        case .notEqual: return !isEqual(left, right, options)
        case .isIn:
            guard case .list(let values) = right else { return false }
            return values.contains { isEqual(left, $0, options) }
        case .less: return order(left, right, options).map { $0 < 0 } ?? false
        case .atMost: return order(left, right, options).map { $0 <= 0 } ?? false
        case .greater: return order(left, right, options).map { $0 > 0 } ?? false
        case .atLeast: return order(left, right, options).map { $0 >= 0 } ?? false
        case .begins, .ends, .contains, .like:
            guard case (.text(let left), .text(let right)) = (left, right) else { return false }
            let (text, part) = (options.folded(left), options.folded(right))
            return switch self {
            case .begins: text.hasPrefix(part)
            case .ends: text.hasSuffix(part)
            case .contains: part.isEmpty || text.contains(part)
            default: Self.isLike(Array(text), Array(part))
            }
        }
    }

    private func isEqual(_ left: PredicateValue, _ right: PredicateValue, _ options: PredicateOptions) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        // A context has one object in a program, but somebody may have kept an old one.
        case (.context(let left), .context(let right)):
            left === right || (left.identifierPath == right.identifierPath && left.type == right.type)
        default: order(left, right, options) == 0
        }
    }

    /// Below 0, 0 or above; nil where one is nothing.
    private func order(_ left: PredicateValue, _ right: PredicateValue, _ options: PredicateOptions) -> Int? {
        func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int { left < right ? -1 : left == right ? 0 : 1 }
        switch (left, right) {
        case (.text(let left), .text(let right)): return order(options.folded(left), options.folded(right))
        case (.number(let left), .number(let right)): return order(left, right)
        case (.date(let left), .date(let right)): return order(left, right)
        default: return nil
        }
    }

    /// `*` stands for any text, `?` for one character, and a backslash takes that away. In steps of text × pattern at most.
    static func isLike(_ text: [Character], _ pattern: [Character]) -> Bool {
        enum Piece: Equatable { case one(Character), any, rest }
        var pieces: [Piece] = []
        var escaped = false
        for character in pattern {
            switch character {
            case _ where escaped:
                pieces.append(.one(character))
                escaped = false
            case "\\": escaped = true
            case "*": pieces.append(.rest)
            case "?": pieces.append(.any)
            default: pieces.append(.one(character))
            }
        }
        var (place, piece, star) = (0, 0, nil as (piece: Int, place: Int)?)
        while place < text.count {
            if piece < pieces.count, pieces[piece] == .rest {
                star = (piece, place)
                piece += 1
            } else if piece < pieces.count, pieces[piece] == .any || pieces[piece] == .one(text[place]) {
                (place, piece) = (place + 1, piece + 1)
            } else if let last = star {
                // The last star takes one character more.
                star = (last.piece, last.place + 1)
                (piece, place) = (last.piece + 1, last.place + 1)
            } else {
                return false
            }
        }
        return pieces[piece...].allSatisfy { $0 == .rest }
    }
}
