// SPDX-License-Identifier: Apache-2.0

/// Which language a text is in, by its commonest small words, or by its script.
package enum LanguageGuess {
    /// Fewer words than this say too little.
    package static let leastWords = 20

    /// What the text shows, else what the document declares.
    static func language(sample: [UInt8], declared: String?) -> String? {
        let text = ClassifiedText(bytes: sample)
        if let guess = guess(text) { return guess }
        guard let declared = declared?.split(whereSeparator: { $0 == "-" || $0 == "_" }).first?.lowercased(), declared.count >= 2,
            declared != "zxx", declared != "und", declared != "none"
        else { return nil }
        // Templates declare English for whatever is typed into them.
        return declared == "en" && !couldBeEnglish(text) ? nil : declared
    }

    /// A two-letter code; nil where the text is too short or looks like nothing we know.
    package static func guess(_ text: ClassifiedText) -> String? {
        var counts: [String: Int] = [:]
        var words = 0
        var letters = 0
        var asciiLetters = 0
        var kana = 0
        var han = 0
        var hangul = 0
        var index = 0
        while index < text.count, words < 5000 {
            let kind = text.classOf(index)
            guard kind.isLetter else {
                index = text.index(after: index)
                continue
            }
            let start = index
            while index < text.count {
                let kind = text.classOf(index)
                guard kind.isLetter || kind == .mark else { break }
                letters += 1
                if text.bytes[index] < 0x80 { asciiLetters += 1 }
                if kind == .kana { kana += 1 }
                if kind == .ideograph { han += 1 }
                if kind == .hangul { hangul += 1 }
                index = text.index(after: index)
            }
            words += 1
            // The function words below have 12 bytes at most.
            if index - start <= 12 { counts[text.text(start..<index).lowercased(), default: 0] += 1 }
        }
        if letters > 0 {
            if kana * 10 > letters { return "ja" }
            if (han + kana) * 2 > letters { return kana > 0 ? "ja" : "zh" }
            if hangul * 2 > letters { return "ko" }
        }
        guard words >= leastWords else { return nil }
        let scores = functionWords.map { language, list in (language, list.reduce(0) { $0 + (counts[$1] ?? 0) }) }
            .sorted { ($0.1, $1.0) > ($1.1, $0.0) }
        // In running text of these languages every fourth word or so is in its list; a tenth is little, and a near tie says nothing.
        guard let best = scores.first, scores.count > 1, best.1 * 10 >= words, best.1 * 4 >= scores[1].1 * 5 else { return nil }
        return best.0 == "en" && !isMostlyASCII(asciiLetters, of: letters) ? nil : best.0
    }

    /// English has hardly a letter outside ASCII; a text in another script never is English, whatever it declares.
    package static func couldBeEnglish(_ text: ClassifiedText) -> Bool {
        var letters = 0
        var ascii = 0
        for index in 0..<text.count where text.classOf(index).isLetter {
            letters += 1
            if text.bytes[index] < 0x80 { ascii += 1 }
        }
        return isMostlyASCII(ascii, of: letters)
    }

    private static func isMostlyASCII(_ ascii: Int, of letters: Int) -> Bool { ascii * 20 >= letters * 19 }

    private static let functionWords: [(String, [String])] = [
        (
            "en",
            words(
                "the of and to a in is that it was for on are as with his they at be this have from or had by but what were we when "
                    + "your can said there an each which she do how their if will he not been who its you has her my would about")
        ),
        (
            "de",
            words(
                "der die das und ist in den von zu mit sich des auf für nicht ein eine als auch es an werden aus er hat dass sie nach "
                    + "wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr ich wir")
        ),
        (
            "fr",
            words(
                "le la les de des du et est un une en que qui dans il elle pour pas sur au aux ce cette se sont avec plus par je ne "
                    + "ou mais nous vous ils on son sa ses leur comme était été")
        ),
        (
            "es",
            words(
                "el la los las de y que en un una es por con no se su para al lo como más pero sus le ha me si sin sobre este ya "
                    + "entre cuando todo esta ser son dos también fue había era muy del")
        ),
        (
            "it",
            words(
                "il lo la i gli le di e che è un una in per con non si del della dei da al come più ma anche sono nel alla ha dal "
                    + "questo delle era suo sua nella ci loro")
        ),
        (
            "nl",
            words(
                "de het een en van in is dat op te zijn voor met die niet aan er om ook als dan maar bij uit hij zij door naar heeft "
                    + "worden wordt over ik wij we nog was werd")
        ),
        (
            "pt",
            words(
                "o a os as de do da dos das e que em um uma é por com não se para no na como mais mas ao foi ele ela são seu sua ou "
                    + "quando muito nos já também pelo pela até isso")
        ),
        (
            "sv",
            words(
                "och att det som en är av för på den med inte till har de ett om var men sig från vi så kan man när hade eller jag "
                    + "också han hon")
        ),
        (
            "da",
            words(
                "og at det som en er af for på den med ikke til har de et om var men sig fra vi så kan man når havde eller jeg også "
                    + "han hun blev")
        ),
        ("pl", words("i w na z do się nie to że jest o jak po co tak za od ale dla czy był być przez jego są tym tego już tylko który")),
    ]

    private static func words(_ list: String) -> [String] { list.split(separator: " ").map(String.init) }
}
