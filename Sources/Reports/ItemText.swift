// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// How items read in a table.
enum ItemText {
    static let level = "readability_grade_level"

    /// What a quiz key gives.
    static let score = "quiz_score"

    /// Which item is the primary one where the teacher named none: the first of these that most documents have.
    static let primaries = [score, "slide_count", "total_word_count", "page_count", "delivered_percent", "duration_seconds"]

    /// What two more columns show on a wide terminal, in this order.
    static let more = ["sentence_count", "paragraph_count", "page_count", "hidden_slide_count", "total_word_count", "character_count"]

    /// A head that fits a column; the item's own title where there is no shorter name.
    static func heading(_ identifier: String, title: String) -> String {
        headings[identifier] ?? title
    }

    static func value(_ item: Item, isUTF8: Bool) -> String {
        let text: String
        switch item.value {
        case .quantity(let value):
            switch item.identifier {
            case level, "flesch_reading_ease", "gunning_fog", "smog_index", "automated_readability_index", "coleman_liau_index",
                "dale_chall",
                "lix":
                text = number(value, digits: 1)
            case "duration_seconds": text = duration(value)
            default: text = number(value, digits: isWhole(value) ? 0 : 1)
            }
        case .score(let score, let max):
            text = number(score, digits: isWhole(score) ? 0 : 1) + "/" + number(max, digits: isWhole(max) ? 0 : 1)
        case .binary(let value, let type): text = word(value, type)
        }
        return (item.method == .estimated ? (isUTF8 ? "≈" : "~") : "") + text
    }

    /// The figure to calculate with; nil for a yes or no.
    static func figure(_ item: Item) -> Double? {
        switch item.value {
        case .quantity(let value): value.isFinite ? value : nil
        case .score(let score, _): score.isFinite ? score : nil
        case .binary: nil
        }
    }

    /// A number without locale: `8.0`, `-3.5`, `612`.
    static func number(_ value: Double, digits: Int) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "?" }
        if digits == 0 { return String(nearest(value)) }
        let tenths = nearest(value * 10)
        return (tenths < 0 ? "-" : "") + "\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    /// A median or an average: of a score of ten every tenth counts, of words none.
    static func summary(_ value: Double, of column: String?) -> String {
        number(value, digits: column == "quiz_score" && !isWhole(value) ? 1 : 0)
    }

    static func isWhole(_ value: Double) -> Bool { abs(value) < 1e15 && Double(Int64(value)) == value }

    private static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e9 else { return "?" }
        let whole = Int(nearest(max(0, seconds)))
        return "\(whole / 60):" + twoDigits(whole % 60)
    }

    private static func word(_ value: Bool, _ type: Item.BinaryType) -> String {
        switch type {
        case .trueFalse: value ? "true" : "false"
        case .passFail: value ? "passed" : "failed"
        case .yesNo: value ? "yes" : "no"
        case .correctIncorrect: value ? "correct" : "incorrect"
        }
    }

    private static let headings = [
        "total_word_count": "Words", "character_count": "Chars", "sentence_count": "Sentences", "paragraph_count": "Paragraphs",
        "page_count": "Pages", "slide_count": "Slides", "hidden_slide_count": "Hidden", "duration_seconds": "Length", "quiz_score": "Score",
        "questions_answered": "Answered", "delivered_percent": "Delivered",
        level: "Level", "flesch_reading_ease": "Ease", "worked_minutes": "Minutes",
    ]

    /// What an item is called where only its identifier is known: no text for people shows the identifier itself.
    static func name(_ identifier: String) -> String {
        if let known = names[identifier] ?? headings[identifier] { return known }
        if identifier.hasPrefix("question_"), identifier.hasSuffix("_points") {
            return "Question \(identifier.dropFirst("question_".count).dropLast("_points".count)), points"
        }
        if identifier.hasPrefix("question_") { return "Question " + identifier.dropFirst("question_".count) }
        let words = identifier.split(separator: "_").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static let names = [
        level: "Reading level (Flesch-Kincaid)", "flesch_reading_ease": "Reading ease (Flesch)", "gunning_fog": "Gunning fog index",
        "smog_index": "SMOG index", "automated_readability_index": "Automated readability index",
        "coleman_liau_index": "Coleman-Liau index",
        "dale_chall": "Dale-Chall index", "lix": "LIX", "hidden_slide_count": "Hidden slides", "notes_word_count": "Words in notes",
        "footnote_word_count": "Words in footnotes", "header_footer_word_count": "Words in headers and footers",
        "comment_word_count": "Words in comments", "deleted_word_count": "Deleted words", "hidden_word_count": "Hidden words",
        "character_count": "Characters", "syllable_count": "Syllables",
    ]
}
