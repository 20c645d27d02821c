// SPDX-License-Identifier: Apache-2.0

/// Short forms whose full stop does not end a sentence, in small letters and without the last stop.
enum Abbreviations {
    /// Always followed by what they belong to.
    static let beforeNames: Set<String> = [
        "dr", "mr", "mrs", "ms", "mx", "messrs", "prof", "rev", "fr", "st", "gen", "sen", "rep", "capt", "cpt", "lt", "col", "sgt", "cpl",
        "maj", "adm", "gov", "pres", "hon", "supt", "mt", "ft", "e.g", "eg", "i.e", "ie", "cf", "viz", "vs", "v", "ca", "approx", "incl",
        "esp", "resp", "mme", "mlle", "hr", "z.b", "d.h", "u.a", "bzw", "sra", "srta", "dra", "p.ej", "ph", "asst", "attn", "m.m",
    ]

    /// Followed by a number where they are short forms; else they are words or end a sentence ("he said no.").
    static let beforeNumbers: Set<String> = [
        "no", "nos", "nr", "fig", "figs", "p", "pp", "vol", "vols", "ch", "chap", "sec", "art", "eq", "ed", "ref", "col", "l", "ll", "pt",
        "op", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "tel", "ext", "min", "max", "ver",
    ]

    /// Whether any short form has this first letter, small, and so many bytes: most words that end a sentence need no further look.
    static func mayBe(first: UInt8, length: Int) -> Bool { length < longest && shapes[Int(first & 0x1f) * longest + length] }

    private static let longest = 16
    private static let shapes: [Bool] = {
        var shapes = [Bool](repeating: false, count: 32 * longest)
        for form in beforeNames.union(beforeNumbers) {
            if let first = form.utf8.first, form.utf8.count < longest { shapes[Int(first & 0x1f) * longest + form.utf8.count] = true }
        }
        return shapes
    }()

    /// Words that seldom follow an initial or a country's short form, but often start a sentence.
    static let sentenceStarters: Set<String> = [
        "the", "this", "that", "these", "those", "there", "then", "they", "their", "he", "she", "it", "its", "his", "her", "we", "our",
        "you", "your", "i", "in", "on", "at", "as", "if", "when", "while", "where", "what", "who", "why", "how", "but", "and", "so", "or",
        "because", "although", "after", "before", "for", "from", "with", "however", "many", "most", "some", "all", "one", "no", "not",
        "to", "by", "also", "another", "my", "a", "an", "besides", "every", "each",
    ]
}
