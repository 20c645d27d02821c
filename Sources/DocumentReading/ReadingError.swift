// SPDX-License-Identifier: Apache-2.0

/// Why a document has no figures, in words for the people who own it. Nothing of its text is repeated.
package enum ReadingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// We know what it is, or that it is nothing we know.
    case noAnalyzer(kind: String)
    case encrypted
    case empty
    case damaged(what: String)
    /// One of `ReadingLimits` was crossed.
    case tooLarge(what: String)

    package var description: String {
        switch self {
        case .noAnalyzer(let kind): "no analyzer for \(kind)"
        case .encrypted: "protected by a password, so it cannot be read; save it without one to have it measured"
        case .empty: "the file is empty"
        case .damaged(let what): "the document is damaged: \(what)"
        case .tooLarge(let what): "not measured, since it goes beyond a limit: \(what)"
        }
    }
}
