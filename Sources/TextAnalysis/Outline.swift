// SPDX-License-Identifier: Apache-2.0

/// What a document says, piece by piece and place by place, without its looks. Every reader of a format makes one; every figure comes
/// from one, so that the same text gives the same figures whatever program wrote it.
package struct Outline: Equatable, Sendable {
    package var blocks: [Block]
    /// The language the document declares, e.g. `en-GB`; nil where it says nothing.
    package var language: String?
    /// The slides of a presentation in their order; nil for any other document.
    package var slides: [Slide]?

    package init(blocks: [Block] = [], language: String? = nil, slides: [Slide]? = nil) {
        self.blocks = blocks
        self.language = language
        self.slides = slides
    }

    /// Adds a block; text without any visible character adds nothing.
    package mutating func append(_ text: String, at place: Place, language: String? = nil) {
        guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else { return }
        blocks.append(Block(text: text, place: place, language: language))
    }
}

/// One paragraph's worth of text: a block ends a sentence whether or not it has a full stop.
package struct Block: Equatable, Sendable {
    package var text: String
    package var place: Place
    /// Where it differs from the document's.
    package var language: String?

    package init(text: String, place: Place, language: String? = nil) {
        self.text = text
        self.place = place
        self.language = language
    }
}

/// Where a block stands, which decides what it counts for.
package enum Place: Hashable, Sendable, CaseIterable {
    // Body: the words of the document itself, on slides too.
    case paragraph, heading, listItem, tableCell, caption, code
    // Counted apart.
    case note, headerFooter, comment, hidden, deleted, speakerNotes

    /// True where its words are the document's own.
    package var isBody: Bool {
        switch self {
        case .paragraph, .heading, .listItem, .tableCell, .caption, .code: true
        case .note, .headerFooter, .comment, .hidden, .deleted, .speakerNotes: false
        }
    }
}

/// One slide of a presentation.
package struct Slide: Equatable, Sendable {
    /// Left out when the presentation is shown.
    package var isHidden: Bool

    package init(isHidden: Bool) { self.isHidden = isHidden }
}
