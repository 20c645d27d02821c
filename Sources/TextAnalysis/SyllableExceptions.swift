// SPDX-License-Identifier: Apache-2.0

/// Common English words that the rules would get wrong. Plurals and regular forms of listed words need no line of their own.
enum SyllableExceptions {
    static let counts: [String: Int] = {
        var counts: [String: Int] = [:]
        for (number, words) in lists { for word in words.split(whereSeparator: \.isWhitespace) { counts[String(word)] = number } }
        return counts
    }()

    private static let lists: [(Int, String)] = [
        (1, "george isle whose queue"),
        (
            2,
            """
            evening business creature william senior junior sacred naked wicked wretched ragged crooked rugged hatred fashion cushion giant \
            hedgehog devilish thereby whereby thereof whereof hereby therein wherein diamond soldier maybe safety guideline framework gateway \
            oneself reuse sovereign celia henceforth thenceforth typeset widespread frontier falsehood fireplace \
            alleged leant inbred
            """
        ),
        (
            3,
            """
            everything everyone wherever whenever whatever forever whoever anyone area idea deity familiar valuable vegetable museum theatre \
            scientist quietly peculiar convenience convenient heroic behavior behaviour imagery moreover genuine reuses poetry vehement \
            preamble atheist messiah alien unforeseen nobody
            """
        ),
        (4, "everybody california scientific initiate initiative nevertheless laboratory facsimile etc whatsoever genuinely reevaluate"),
    ]
}
