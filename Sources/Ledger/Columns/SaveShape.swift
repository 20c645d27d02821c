// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// What a measured save says besides its numbers; most saves share one of a few.
struct SaveShape: Hashable, Sendable {
    struct Field: Hashable, Sendable {
        enum Kind: Hashable, Sendable { case binary(Item.BinaryType), quantity, score }

        var identifier: String
        var title: String
        var kind: Kind
        var method: Item.Method
    }

    struct Note: Hashable, Sendable {
        var identifier: String
        var reason: String
    }

    var format: String?
    var language: String?
    var error: String?
    var fields: [Field]
    var notes: [Note]

    init(_ facts: MetricsFacts) {
        format = facts.format
        language = facts.language
        error = facts.error
        notes = facts.notes.map { Note(identifier: $0.identifier, reason: $0.reason) }
        fields = facts.items.map { item in
            let kind: Field.Kind =
                switch item.value {
                case .binary(_, let type): .binary(type)
                case .quantity: .quantity
                case .score: .score
                }
            return Field(identifier: item.identifier, title: item.title, kind: kind, method: item.method)
        }
    }

    /// Whether it is the shape of these facts; cheaper than making theirs.
    func matches(_ facts: MetricsFacts) -> Bool {
        guard format == facts.format, language == facts.language, error == facts.error, fields.count == facts.items.count,
            notes.count == facts.notes.count
        else { return false }
        for (field, item) in zip(fields, facts.items) {
            guard field.method == item.method, field.identifier == item.identifier, field.title == item.title else { return false }
            switch (field.kind, item.value) {
            case (.quantity, .quantity), (.score, .score): break
            case (.binary(let type), .binary(_, let other)): if type != other { return false }
            default: return false
            }
        }
        return zip(notes, facts.notes).allSatisfy { $0.identifier == $1.identifier && $0.reason == $1.reason }
    }

    init(format: String?, language: String?, error: String?, fields: [Field], notes: [Note]) {
        self.format = format
        self.language = language
        self.error = error
        self.fields = fields
        self.notes = notes
    }
}
