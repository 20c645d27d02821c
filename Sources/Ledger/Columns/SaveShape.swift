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

    init(format: String?, language: String?, error: String?, fields: [Field], notes: [Note]) {
        self.format = format
        self.language = language
        self.error = error
        self.fields = fields
        self.notes = notes
    }
}
