// SPDX-License-Identifier: Apache-2.0

/// Which figures are wanted. What is not wanted is not computed either.
package struct MetricChoice: Equatable, Sendable {
    /// Nil where all are wanted that are given without being asked for.
    private let identifiers: Set<String>?

    /// All figures but `uax29_word_count`, which has another rule for what is a word.
    package static let standard = MetricChoice(identifiers: nil)

    private init(identifiers: Set<String>?) { self.identifiers = identifiers }

    /// These alone; an empty list is all.
    package init(only list: [String]) { identifiers = list.isEmpty ? nil : Set(list) }

    package func wants(_ identifier: String) -> Bool { identifiers?.contains(identifier) ?? (identifier != "uax29_word_count") }

    /// The rest, where only some are wanted.
    package var list: [String]? { identifiers.map { $0.sorted() } }

    /// False where nothing but the words and characters of the document as a whole is wanted: then nobody needs to know its paragraphs.
    package var needsBlocks: Bool { identifiers.map { !$0.isSubset(of: Self.ofCharacters) } ?? true }

    /// True where running prose is read: sentences, syllables, language.
    package var needsProse: Bool { identifiers.map { !$0.isSubset(of: Self.ofCharacters.union(Self.ofBlocks)) } ?? true }

    private static let ofCharacters: Set<String> = ["total_word_count", "character_count", "page_count"]
    private static let ofBlocks: Set<String> = [
        "paragraph_count", "uax29_word_count", "slide_count", "hidden_slide_count", "notes_word_count", "footnote_word_count",
        "header_footer_word_count", "comment_word_count", "deleted_word_count", "hidden_word_count", "sheet_count", "cell_count",
        "chapter_count", "duration_seconds", "code_line_count", "comment_line_count", "blank_line_count",
    ]
}
