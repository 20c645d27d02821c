// SPDX-License-Identifier: Apache-2.0

/// A name as lists have it: `Jonas Berg` is `Berg, Jonas`. A name with a comma, or of one word, stays as it is, and so do Chinese, Japanese
/// and Korean names, whose surname comes first.
package func listedName(_ name: String) -> String {
    let words = name.split(separator: " ")
    let isEastAsian = name.unicodeScalars.contains { $0.value >= 0x2e80 && $0.value < 0xfb00 && $0.properties.isAlphabetic }
    guard !isEastAsian, !name.contains(","), let last = words.last, words.count > 1 else { return words.joined(separator: " ") }
    return last + ", " + words.dropLast().joined(separator: " ")
}

/// The surname of a listed name.
package func surname(_ listed: String) -> String {
    String(listed.prefix { $0 != "," })
}

/// What names are sorted by: capitals and accents make no difference, so that Öberg stands beside Oberg and not behind Z.
package func sortKey(_ listed: String) -> String { foldedAccents(listed).lowercased() }

/// Text for a terminal that knows ASCII only: accents go, dashes become hyphens, what is left becomes `?`.
func asciiText(_ text: String) -> String {
    String(
        String.UnicodeScalarView(
            foldedAccents(text).unicodeScalars.compactMap { scalar in
                switch scalar {
                case "–", "—", "─", "·", "−": "-"
                case "’", "‘": "'"
                case "“", "”", "„": "\""
                case "≈": "~"
                default:
                    scalar.properties.generalCategory == .nonspacingMark ? nil : scalar.isASCII ? scalar : "?"
                }
            }))
}

private func foldedAccents(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        if scalar.isASCII {
            result.unicodeScalars.append(scalar)
        } else if scalar.properties.generalCategory == .nonspacingMark {
            continue
        } else if let plain = plainLetters[scalar] {
            result += plain
        } else {
            result.unicodeScalars.append(scalar)
        }
    }
    return result
}

/// Latin-1 and Latin Extended-A, which the names of European registers are written in.
private let plainLetters: [Unicode.Scalar: String] = {
    let groups: [(String, String)] = [
        ("A", "ÀÁÂÃÄÅĀĂĄ"), ("a", "àáâãäåāăą"), ("C", "ÇĆĈĊČ"), ("c", "çćĉċč"), ("D", "ÐĎĐ"), ("d", "ðďđ"), ("E", "ÈÉÊËĒĔĖĘĚ"),
        ("e", "èéêëēĕėęě"), ("G", "ĜĞĠĢ"), ("g", "ĝğġģ"), ("H", "ĤĦ"), ("h", "ĥħ"), ("I", "ÌÍÎÏĨĪĬĮİ"), ("i", "ìíîïĩīĭįı"),
        ("J", "Ĵ"), ("j", "ĵ"), ("K", "Ķ"), ("k", "ķĸ"), ("L", "ĹĻĽĿŁ"), ("l", "ĺļľŀł"), ("N", "ÑŃŅŇŊ"), ("n", "ñńņňŉŋ"),
        ("O", "ÒÓÔÕÖØŌŎŐ"), ("o", "òóôõöøōŏő"), ("R", "ŔŖŘ"), ("r", "ŕŗř"), ("S", "ŚŜŞŠȘ"), ("s", "śŝşšș"), ("T", "ŢŤŦȚ"), ("t", "ţťŧț"),
        ("U", "ÙÚÛÜŨŪŬŮŰŲ"), ("u", "ùúûüũūŭůűų"), ("W", "Ŵ"), ("w", "ŵ"), ("Y", "ÝŶŸ"), ("y", "ýÿŷ"), ("Z", "ŹŻŽ"), ("z", "źżž"),
        ("AE", "Æ"), ("ae", "æ"), ("OE", "Œ"), ("oe", "œ"), ("Th", "Þ"), ("th", "þ"), ("ss", "ß"),
    ]
    var table: [Unicode.Scalar: String] = [:]
    for (plain, letters) in groups {
        for letter in letters.unicodeScalars { table[letter] = plain }
    }
    return table
}()
