// SPDX-License-Identifier: Apache-2.0

/// What a document says, piece by piece and place by place, without its looks. Every reader of a format makes one; every figure comes
/// from one, so that the same text gives the same figures whatever program wrote it.
package struct Outline: Equatable, Sendable {
    package var blocks: [Block]
    package var facts: DocumentFacts

    package init(blocks: [Block] = [], facts: DocumentFacts = DocumentFacts()) {
        self.blocks = blocks
        self.facts = facts
    }

    package init(blocks: [Block] = [], language: String? = nil, slides: [Slide]? = nil) {
        self.init(blocks: blocks, facts: DocumentFacts(language: language, slides: slides))
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

/// What a document is besides its text.
package struct DocumentFacts: Equatable, Sendable {
    /// The language the document declares, e.g. `en-GB`; nil where it says nothing.
    package var language: String?
    /// The slides of a presentation in their order; nil for any other document.
    package var slides: [Slide]?
    package var pages: Pages?
    /// Sheets and filled cells of a spreadsheet.
    package var sheets: Int?
    package var cells: Int?
    /// Documents in the reading order of a book.
    package var chapters: Int?
    package var lines: CodeLines?
    /// The character set of a text that is not in UTF-8.
    package var encoding: String?
    /// True where that character set is a guess from the bytes.
    package var isEncodingGuessed = false
    /// Why no words can be given; nil where they can.
    package var noWordsBecause: String?
    /// True where the reader of this format cannot tell every word from layout.
    package var areWordsEstimated = false

    package init(language: String? = nil, slides: [Slide]? = nil) {
        self.language = language
        self.slides = slides
    }
}

/// How many pages a document has, as far as can be known without laying it out.
package enum Pages: Equatable, Sendable {
    case counted(Int)
    /// Text flows: hard page breaks, and what the program that saved it last wrote down.
    case flowing(breaks: Int, declared: Int?)
}

/// Lines of a program.
package struct CodeLines: Equatable, Sendable {
    package var code = 0
    /// Lines that hold a comment and no code.
    package var comment = 0
    package var blank = 0

    package init() {}
}

/// One slide of a presentation.
package struct Slide: Equatable, Sendable {
    /// Left out when the presentation is shown.
    package var isHidden: Bool

    package init(isHidden: Bool) { self.isHidden = isHidden }
}
