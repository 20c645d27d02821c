// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Testing

@testable import Quizzes

@Suite("A student's answers")
struct ReplyTests {
    /// Without ICU's tables: enough for these texts.
    private let fold: (String) -> String = { $0.lowercased() }

    private func key(_ text: String, _ file: String = "key.txt") throws -> QuizKey { try QuizKey(Array(text.utf8), file: file) }

    private func shares(_ lines: String, _ key: QuizKey, at place: ReplySource.Piece.Place = .text) -> [Double?] {
        let pieces = lines.split(separator: "\n", omittingEmptySubsequences: false).map { ReplySource.Piece(String($0), at: place) }
        return QuizResult(.pieces(pieces), to: key, fold: fold).questions.map(\.share)
    }

    private func share(_ reply: String, gift: String) throws -> Double? {
        let key = try key("Q" + gift, "k.gift")
        return shares("1) " + reply, key)[0]
    }

    private let three = "First?\nA) a1\nB) b1\nANSWER: B\n\nSecond?\nA) a2\nB) b2\nC) c2\nANSWER: C\n\nThird?\nA) yes\nB) no\nANSWER: A\n"

    @Test(
        "each is on a line that says to which question it belongs",
        arguments: [
            "1. B\n2. C\n3. B", "1) B\n2) C\n3) B", "Q1: B\nQ2: C\nQ3: B", "1 B\n2 C\n3 B", "1\tB\n2\tC\n3\tB",
            "Question 1 - b\nQuestion 2 - c\nQuestion 3 - b", "1. b1\n2. c2\n3. no", "1. B) b1\n2. C) c2\n3. B) no", "3. B\n2. C\n1. B",
            "1.\nB\n\n2.\nC\n\n3.\nB", "My answers\n1.B\n2.C\n3.B", "- 1. **B**\n- 2. **C**\n- 3. **B**", "1: B\n2: C\n3: B",
        ])
    func labels(text: String) throws { #expect(shares(text, try key(three)) == [1, 1, 0]) }

    @Test("cells in pairs, as a table in a document has them")
    func cells() throws { #expect(shares("No\nAnswer\n1\nB\n2\nC\n3\nB", try key(three), at: .cell) == [1, 1, 0]) }

    @Test(
        "a table, with or without a first line", arguments: ["id,answer\n1,B\n2,C\n3,B", "1;B\n2;C\n3;B", "answer\tid\nB\t1\nC\t2\nB\t3"])
    func tables(text: String) throws {
        let result = QuizResult(.table(Array(text.utf8)), to: try key(three), fold: fold)
        #expect(result.questions.map(\.share) == [1, 1, 0])
    }

    @Test("a copy of an Aiken key with its ANSWER lines filled in, or with an option marked")
    func aikenCopies() throws {
        let filled = "First?\nA) a1\nB) b1\nANSWER: B\nSecond?\nA) a2\nB) b2\nC) c2\nANSWER: A\nThird?\nA) yes\nB) no\nANSWER:\n"
        #expect(shares(filled, try key(three)) == [1, 0, nil])
        let marked = "Third?\n[x] A) yes\nB) no\n\nFirst?\nA) a1\n* B) b1\n"
        #expect(shares(marked, try key(three)) == [1, nil, 1])
        // Numbered, as people print them.
        #expect(shares("1. First?\nA) a1\nB) b1\nANSWER: B\n", try key(three)) == [1, nil, nil])
    }

    @Test("a copy of a GIFT key with the answers put into the braces")
    func giftCopies() throws {
        let key = try key(
            "::one::First?{~a =b}\n\nSecond is {=two =2} here.\n\nThird?{#5:1}\n\nFourth{=a->x =b->y}\n\nFifth?{T}\n\nSixth?{~%50%p ~%50%q ~r}",
            "k.gift")
        let copy =
            "// mine\n::one::First?{~a =b}\n\nSecond is {two} here.\n\nThird?{#9}\n\nFourth{=a->x =b->x}\n\nFifth?{T}\n\nSixth?{=p ~q ~r}"
        #expect(shares(copy, key) == [1, 1, 0, 0.5, 1, 0.5])
        // Without blank lines, as a word processor's paragraphs come.
        #expect(shares(copy.replacing("\n\n", with: "\n"), key) == [1, 1, 0, 0.5, 1, 0.5])
    }

    @Test("by the name of a question, before a colon")
    func names() throws {
        let key = try key("::Capital::Of France?{=Paris}\n\n::River::Of Paris?{=Seine}", "k.gift")
        #expect(shares("River: seine\nCapital: Lyon", key) == [0, 1])
    }

    @Test("in their order where nothing says which is which, and that is said")
    func order() throws {
        let key = try key(three)
        let result = QuizResult(.pieces([.init("B", at: .listItem), .init("C", at: .listItem)]), to: key, fold: fold)
        #expect(result.questions.map(\.share) == [1, 1, nil])
        #expect(result.areByOrder)
        #expect(result.notes.map(\.reason).contains { $0.contains("taken in their order") })
        #expect(shares("B\nC\nA", key) == [1, 1, 1])
        // Prose is no answer.
        let prose = QuizResult(.pieces([.init("Dear Sir,"), .init("I was ill.")]), to: key, fold: fold)
        #expect(prose.items.isEmpty)
        #expect(prose.notes.map(\.identifier) == ["quiz_score"])
    }

    @Test("the last of two answers counts, and is flagged; unknown numbers are named and never scored")
    func flags() throws {
        let pieces = ["1. A", "1. B", "9. C", "2. C"].map { ReplySource.Piece($0) }
        let result = QuizResult(.pieces(pieces), to: try key(three), fold: fold)
        #expect(result.questions.map(\.share) == [1, 1, nil])
        #expect(result.unknown == ["9"])
        #expect(
            result.notes == [
                MissingItem(identifier: "question_3", reason: "not answered"),
                MissingItem(identifier: "quiz_score", reason: "answered more than once, where the last answer counts: 1"),
                MissingItem(identifier: "quiz_score", reason: "answers to questions that the key does not have: 9"),
            ])
    }

    @Test("the score first, each question yes or no, and points where it is a part")
    func items() throws {
        let key = try key("A{~%50%x ~%50%y ~z}\n\nB{T}\n\nC{F}\n\nD{}\n\nE{=e}", "k.gift")
        let result = QuizResult(.pieces(["1. x", "2. T", "3. T"].map { .init($0) }), to: key, fold: fold)
        func binary(_ id: String, _ value: Bool) -> Item {
            Item(identifier: "question_\(id)", title: "Question \(id)", value: .binary(value, type: .correctIncorrect), method: .counted)
        }
        #expect(
            result.items == [
                // An essay lowers the best score: it is no zero.
                Item(identifier: "quiz_score", title: "Score", value: .score(1.5, max: 4), method: .counted),
                Item(identifier: "questions_answered", title: "Questions Answered", value: .quantity(3), method: .counted),
                binary("1", false),
                Item(identifier: "question_1_points", title: "Question 1, Points", value: .score(0.5, max: 1), method: .counted),
                binary("2", true), binary("3", false),
            ])
    }

    @Test("weights of a CSV key are points")
    func points() throws {
        let key = try key("id,answer,weight\n1,B,3\n2,C,1\n3,A,", "k.csv")
        let result = QuizResult(.table(Array("1,B\n2,A\n3,A".utf8)), to: key, fold: fold)
        #expect(result.items.first?.value == .score(4, max: 5))
    }

    @Test("texts are the same whatever capitals, spaces, quotes and a last full stop")
    func texts() throws {
        for reply in ["No one", "no  one", "NO ONE.", "\tno one "] { #expect(try share(reply, gift: "{=no one}") == 1, "\(reply)") }
        #expect(try share("it\u{2019}s", gift: "{=it's}") == 1)
        #expect(try share("\u{201c}so\u{201d}", gift: "{=\"so\"}") == 1)
        #expect(try share("noone", gift: "{=no one}") == 0)
        #expect(try share("nobody", gift: "{=no one =%50%nobody}") == 0.5)
        #expect(try share("e\u{301}te\u{301}", gift: "{=\u{e9}t\u{e9}}") == 1)
    }

    @Test("* accepts anything")
    func wildcards() throws {
        #expect(try share("Ulysses S. Grant", gift: "{=Ulysses * Grant}") == 1)
        #expect(try share("Ulysses Grant", gift: "{=Ulysses * Grant}") == 0)
        #expect(try share("the red fox ran", gift: "{=*red*fox*}") == 1)
        #expect(try share("fox red", gift: "{=*red*fox*}") == 0)
        #expect(try share("2*3", gift: #"{=2\*3}"#) == 1)
        #expect(try share("2x3", gift: #"{=2\*3}"#) == 0)
    }

    @Test("numbers in any way of writing")
    func numbers() throws {
        for reply in ["3.5", "3,5", "+3.5", "35e-1", "3.50", "3.5."] { #expect(try share(reply, gift: "{#3.5:0.01}") == 1, "\(reply)") }
        for reply in ["1000000", "1,000,000", "1.000.000", "1 000 000", "1'000'000", "1e6", "1,000,000.0"] {
            #expect(try share(reply, gift: "{#1000000}") == 1, "\(reply)")
        }
        for reply in ["\u{2212}2", "-2", "\u{2013}2"] { #expect(try share(reply, gift: "{#-2}") == 1, "\(reply)") }
        for reply in ["four", "3.5 m", "1,00,0", "--3.5", ""] { #expect((try share(reply, gift: "{#3.5}") ?? 0) == 0, "\(reply)") }
        #expect(try share("0.3", gift: "{#0.1..0.3}") == 1)
        #expect(try share("1821", gift: "{#1822:0 =%25%1822:2}") == 0.25)
    }

    @Test("one choice is one: a letter, the text, or both")
    func choices() throws {
        let gift = "{~red =green ~blue}"
        for reply in ["B", "b", "(b)", "B.", "green", "GREEN", "b) green"] { #expect(try share(reply, gift: gift) == 1, "\(reply)") }
        for reply in ["A", "A, B", "AB", "D", "yellow"] { #expect(try share(reply, gift: gift) == 0, "\(reply)") }
        // An option that is a letter goes before the letter of an option.
        #expect(try share("C", gift: "{=C ~D ~A}") == 1)
    }

    @Test("of several, weights add up and stay between nothing and all")
    func several() throws {
        let gift = "{~%50%red ~%50%green ~%-100%blue}"
        for reply in ["A, B", "AB", "a b", "red, green", "red; green", "A and B".replacing("and", with: "&")] {
            #expect(try share(reply, gift: gift) == 1, "\(reply)")
        }
        #expect(try share("A", gift: gift) == 0.5)
        #expect(try share("A, C", gift: gift) == 0)
        #expect(try share("A, A", gift: gift) == 0.5)
    }

    @Test("true and false, also in other languages")
    func trueFalse() throws {
        for reply in ["T", "true", "Wahr", "vrai", "yes"] { #expect(try share(reply, gift: "{T}") == 1, "\(reply)") }
        for reply in ["F", "FALSE", "falsch", "perhaps"] { #expect(try share(reply, gift: "{T}") == 0, "\(reply)") }
        #expect(try share("F", gift: "{F}") == 1)
    }

    @Test("pairs count by how many are right")
    func pairs() throws {
        let gift = "{=cat -> fish =dog -> bone =cow -> grass = -> stone}"
        #expect(try share("cat -> fish; dog -> bone; cow -> grass", gift: gift) == 1)
        #expect(try share("cat: fish, dog: stone, cow: grass", gift: gift).map { ($0 * 3).rounded() } == 2)
        #expect(try share("cat -> fish\ndog \u{2192} bone", gift: gift).map { ($0 * 3).rounded() } == 2)
        #expect(try share("fish", gift: gift) == 0)
    }

    @Test("a CSV key takes letters, numbers and texts")
    func csvAnswers() throws {
        let key = try key("id,answer\n1,B\n2,3.5\n3,Paris\n4,\"A,C\"", "k.csv")
        #expect(shares("1. b)\n2. 3,50\n3. paris\n4. C A", key) == [1, 1, 1, 1])
        #expect(shares("1. C\n2. 3\n3. Lyon\n4. A", key) == [0, 0, 0, 0])
        #expect(shares("1. B) the second\n", key) == [1, nil, nil, nil])
    }

    @Test("nothing that a student writes makes it crash")
    func hostile() throws {
        let keys = [try key(three), try key("A{~%50%x ~%50%y}\n\nB{#1}\n\nC{=a->b =c->d}\n\nD{=x*y}", "k.gift")]
        let text = "Q1: B\n{=a}->\n2) *x*\n::n::{~ = # }\nANSWER: \n3.\tc -> d\n[x] A) q\n4 \u{2212}1e999"
        var scored = 0
        for key in keys {
            for cut in text.indices {
                scored += shares(String(text[..<cut]), key).count
                scored += shares(String(text[cut...]), key).count
                scored += QuizResult(.table(Array(text[cut...].utf8)), to: key, fold: fold).questions.count
            }
        }
        #expect(scored == text.count * 3 * (3 + 4))
    }
}
