// SPDX-License-Identifier: Apache-2.0

/// What an analyzer says of one document.
package struct Measurement: Equatable, Sendable {
    /// What the bytes are, e.g. `docx`, whatever the name says; nil where that could not be told.
    package var format: String?
    /// A two- or three-letter code; nil where it is not known.
    package var language: String?
    /// The first is the one that people look at first.
    package var items: [Item]
    package var notes: [MissingItem]
    /// Why nothing could be measured, in words for people; nil where it could.
    package var error: String?

    /// The character set of a text that is not in UTF-8, e.g. `WINDOWS-1252`.
    package var encoding: String?

    package init(
        format: String? = nil, language: String? = nil, items: [Item] = [], notes: [MissingItem] = [], error: String? = nil,
        encoding: String? = nil
    ) {
        self.format = format
        self.language = language
        self.items = items
        self.notes = notes
        self.error = error
        self.encoding = encoding
    }
}
