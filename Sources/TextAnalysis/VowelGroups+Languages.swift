// SPDX-License-Identifier: Apache-2.0

// Rules of our own, from the languages' own spelling: which vowels are spoken together.
extension VowelGroups {
    static let german = VowelGroups(
        vowels: set("aeiouäöüyáàâéèêëïîóôúû"),
        together: groups("ai au ei eu äu ie aa ee oo ey ay oi ui ieh you io"),
        silentAfter: ["u": ["q"]], silentEndings: [])

    /// An e at the end, also before -s and -nt of verbs, is not spoken.
    static let french = VowelGroups(
        vowels: set("aeiouyàâäéèêëîïôöùûüœæ"),
        together: groups(
            "ai aî au eau eu eû oeu œu oi oî ou où oû ei ie iè ié io ia iou ieu ui uî oui oy ay aie oie aou ueu ue ée"),
        silentAfter: ["u": ["q", "g"]], silentEndings: ["e", "es", "ent"])

    /// Two open vowels are two syllables; a written accent on i or u parts them too.
    static let spanish = VowelGroups(
        vowels: set("aeiouáéíóúüy"),
        together: groups(
            "ai ei oi au eu ou ia ie io ua ue uo iu ui ái éi ói áu éu óu iá ié ió uá ué uó iú uí üe üi üé ay ey oy uy áy éy óy uay uey iai iei uai uei"
        ),
        silentAfter: ["u": ["q", "g"]], silentEndings: [])

    static let italian = VowelGroups(
        vowels: set("aeiouàèéìíòóùú"),
        together: groups("ai ei oi ui au eu ia ie io iu ua ue uo ià iè ié iò ìù uà uè uò iai iei iuo uoi uai"),
        silentAfter: ["i": ["c", "g"], "u": ["q"]], silentEndings: [])

    static let dutch = VowelGroups(
        vowels: set("aeiouyáàâäéèêëíïóöúü"),
        together: groups("aa ee oo uu ie oe eu ui ou au ij ei ai oi aai ooi oei eeu ieu ey ay oy eau"),
        silentAfter: ["u": ["q"]], silentEndings: [])

    private static func set(_ letters: String) -> Set<Character> { Set(letters) }

    private static func groups(_ list: String) -> Set<String> { Set(list.split(separator: " ").map(String.init)) }
}
