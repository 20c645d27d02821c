// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Quizzes

/// One test for each rule of the published description of GIFT.
@Suite("A key in GIFT")
struct GIFTTests {
    private func read(_ text: String) throws -> [QuizQuestion] { try QuizKey(Array(text.utf8), file: "key.gift").questions }
    private func kinds(_ text: String) throws -> [QuizQuestion.Kind] { try read(text).map(\.kind) }
    private func kind(_ text: String) throws -> QuizQuestion.Kind { try #require(try kinds(text).first) }
    private func mistake(_ text: String) -> String {
        do {
            _ = try read(text)
            return "no mistake"
        } catch let error as UnusableKey { return error.description } catch { return "another error" }
    }

    private let yes = QuizQuestion.Kind.text([.init(["yes"], weight: 1)])

    @Test("questions are parted by blank lines, of whatever line ends and spaces")
    func blankLines() throws {
        #expect(try read("One?{=yes}\n\nTwo?{=yes}\r\n \t\r\nThree?{=yes}\n\n\n").map(\.stem) == ["One?", "Two?", "Three?"])
        #expect(try read("One?{=yes}\n\nTwo?{=yes}").map(\.line) == [1, 3])
    }

    @Test("a line that begins with // is a comment, also within a question")
    func comments() throws {
        #expect(try read("// first\nOne?{\n // ~no\n=yes\n}\n\n// last").map(\.kind) == [yes])
        #expect(try read("See http://x.org{=yes}").map(\.stem) == ["See http://x.org"])
    }

    @Test("a $CATEGORY: line is no question")
    func category() throws { #expect(try read("$CATEGORY: tom/dick\n\nOne?{=yes}").map(\.stem) == ["One?"]) }

    @Test("a name stands between double colons")
    func names() throws {
        let question = try #require(try read("::Grant's tomb:: Who is there?{=yes}").first)
        #expect(question.name == "Grant's tomb")
        #expect(question.stem == "Who is there?")
        #expect(try read("No name?{=yes}").first?.name == nil)
    }

    @Test("a name in square brackets is the format of the text", arguments: ["html", "moodle", "plain", "markdown"])
    func formats(name: String) throws {
        #expect(try read("[\(name)]Who?{=yes}").first?.stem == "Who?")
        #expect(try kind("Who?{=[\(name)]yes}") == yes)
    }

    @Test("brackets around another word are text")
    func otherBrackets() throws { #expect(try read("[sic] Who?{=yes}").first?.stem == "[sic] Who?") }

    @Test("text without braces is a description, which asks nothing")
    func description() throws { #expect(try read("Read this first.\n\nOne?{=yes}").map(\.id) == ["1"]) }

    @Test("nothing between the braces is an essay, which only a person can judge")
    func essay() throws {
        let questions = try read("Write.{}\n\nAgain.{ }\n\nOne?{=yes}")
        #expect(questions.map(\.isScorable) == [false, false, true])
        #expect(questions.map(\.id) == ["1", "2", "3"])
    }

    @Test("text after the braces makes a gap")
    func missingWord() throws {
        #expect(try read("Grant is {~buried =entombed ~living} in Grant's tomb.").first?.stem == "Grant is _____ in Grant's tomb.")
        #expect(try read("Two plus two is {=four}").first?.stem == "Two plus two is")
    }

    @Test("of several choices, = is the right one and ~ are wrong")
    func choice() throws {
        let options: [QuizQuestion.Option] = [.init("Grant", weight: 0), .init("no one", weight: 1), .init("Jefferson", weight: 0)]
        #expect(try kind("Who?{~Grant =no one ~Jefferson}") == .choice(options, several: false))
        #expect(try kind("Who?{\n\t~Grant\n\t=no one\n\t~Jefferson\n}") == .choice(options, several: false))
    }

    @Test("a share in percent follows ~, also below zero and with decimals")
    func shares() throws {
        #expect(
            try kind("Who?{~%33.333%a ~%33.333%b ~%33.334%c ~%-50%d}")
                == .choice(
                    [
                        .init("a", weight: 33.333 / 100), .init("b", weight: 33.333 / 100), .init("c", weight: 33.334 / 100),
                        .init("d", weight: -0.5),
                    ],
                    several: true))
    }

    @Test("without = several may be chosen; with it one, and others may give a part")
    func several() throws {
        #expect(
            try kind("Who?{~%50%a ~%50%b ~c}")
                == .choice([.init("a", weight: 0.5), .init("b", weight: 0.5), .init("c", weight: 0)], several: true))
        #expect(try kind("Who?{=a ~%50%b}") == .choice([.init("a", weight: 1), .init("b", weight: 0.5)], several: false))
    }

    @Test("true or false is exactly T, TRUE, F or FALSE")
    func trueFalse() throws {
        for (word, value) in [("T", true), ("TRUE", true), ("F", false), ("FALSE", false)] {
            #expect(try kind("Sun?{\(word)}") == .trueFalse(value))
            #expect(try kind("Sun?{ \(word) #no, wrong #yes, right}") == .trueFalse(value))
        }
        #expect(try kind("Sun?{true}") == .text([.init(["true"], weight: 1)]))
    }

    @Test("a short answer has one or more that are right, some for a part of the points")
    func shortAnswer() throws {
        #expect(
            try kind("Who?{=no one =%50%nobody =nobody at all}")
                == .text([.init(["no one"], weight: 1), .init(["nobody"], weight: 0.5), .init(["nobody at all"], weight: 1)]))
        #expect(try kind("Who?{no one}") == .text([.init(["no one"], weight: 1)]))
    }

    @Test("* in a short answer stands for anything, and with a backslash for itself")
    func wildcards() throws {
        #expect(try kind("Who?{=Ulysses * Grant}") == .text([.init(["Ulysses ", " Grant"], weight: 1)]))
        #expect(try kind(#"What?{=2\*3}"#) == .text([.init(["2*3"], weight: 1)]))
    }

    @Test("pairs are written = left -> right; one without a left side belongs to nothing")
    func matching() throws {
        #expect(
            try kind("Match.{=Canada -> Ottawa =Italy->Rome = -> Tokyo}")
                == .pairs([.init("Canada", "Ottawa"), .init("Italy", "Rome"), .init("", "Tokyo")]))
    }

    @Test("numbers follow #, with a tolerance or a range")
    func numbers() throws {
        #expect(try kind("When?{#1822}") == .numbers([.init(1822...1822, weight: 1)]))
        #expect(try kind("When?{#1822:5}") == .numbers([.init(1817...1827, weight: 1)]))
        #expect(try kind("How much?{#-1.5..2}") == .numbers([.init(-1.5...2, weight: 1)]))
    }

    @Test("several numbers, some for a part; what follows ~ is said of all others")
    func moreNumbers() throws {
        #expect(
            try kind("When?{#=1822:0 =%50%1822:2 ~no, later}")
                == .numbers([.init(1822...1822, weight: 1), .init(1820...1824, weight: 0.5)]))
    }

    @Test("feedback follows # at each answer, and #### at the question")
    func feedback() throws {
        #expect(
            try kind("Who?{=a#good! ~b#bad, it is a\n####Think of the alphabet.}")
                == .choice([.init("a", weight: 1), .init("b", weight: 0)], several: false))
        #expect(try kind("When?{#5#right ####It was five}") == .numbers([.init(5...5, weight: 1)]))
        #expect(try kind("Write.{####Well done}\n\nOne?{=yes}") == .essay)
    }

    @Test("a backslash makes a sign mean nothing but itself", arguments: ["~", "=", "#", "{", "}", ":"])
    func escapes(sign: String) throws {
        let question = try #require(try read("What is \\\(sign)?{=a\\\(sign)b}").first)
        #expect(question.stem == "What is \(sign)?")
        #expect(question.kind == .text([.init(["a\(sign)b"], weight: 1)]))
    }

    @Test("\\n is a line break and \\\\ a backslash; any other backslash is text")
    func otherEscapes() throws {
        #expect(try read(#"One\nTwo?{=yes}"#).first?.stem == "One\nTwo?")
        #expect(try kind(#"Where?{=C:\\temp}"#) == .text([.init([#"C:\temp"#], weight: 1)]))
        #expect(try kind(#"Where?{=a\tb}"#) == .text([.init([#"a\tb"#], weight: 1)]))
    }

    @Test("a colon and an equals sign in the question need no backslash")
    func plainStem() throws { #expect(try read("Note: 1+1=?{=2 =two}").first?.stem == "Note: 1+1=?") }

    @Test("every mistake is told with its line")
    func mistakes() {
        let cases: [(String, String)] = [
            ("One?{=yes}\n\nTwo?{=yes", "key.gift:3: a '{' without a '}'"),
            ("One?=yes}", "key.gift:1: a '}' without a '{'"),
            ("One?{=yes}\nTwo?{=yes}", "key.gift:1: a second '{'"),
            ("Who?{~a ~b}", "key.gift:1: no answer is right"),
            ("Who?{=a ~}\n\nWho?{~a}", "key.gift:3: a question to choose from"),
            ("Who?{~%50%a ~%20%b}", "key.gift:1: the shares of right answers add up to 70 %"),
            ("Who?{~%half%a =b}", "key.gift:1: no mistake"),
            ("Who?{~%50a =b}", "key.gift:1: '%50a' begins like a share"),
            ("When?{#soon}", "key.gift:1: 'soon' is no number"),
            ("When?{#5..2}", "key.gift:1: the range '5..2'"),
            ("When?{#5:-1}", "key.gift:1: the tolerance"),
            ("Match.{=a -> b =c}", "key.gift:1: 'c' has no '->'"),
            ("Match.{=a -> b}", "key.gift:1: a question of pairs"),
            ("Who?{=%50%a}", "key.gift:1: no answer gives full points"),
            ("Write.{}", "key.gift: has no question that a program can score"),
        ]
        for (text, message) in cases {
            let found = mistake(text)
            #expect(message.hasSuffix("no mistake") ? found == "no mistake" : found.hasPrefix(message), "\(text): \(found)")
        }
        #expect(mistake("A?{~a ~b}\n\nB?{#x}").split(separator: "\n").count == 2)
    }

    @Test("a key that is no text, too large, or has too many questions is refused")
    func refused() {
        func refusal(_ bytes: [UInt8], _ file: String = "k.gift") -> String {
            do {
                _ = try QuizKey(bytes, file: file)
                return ""
            } catch { return error.description }
        }
        #expect(refusal([0xff, 0xfe, 0x41, 0]).hasPrefix("k.gift: is UTF-16"))
        #expect(refusal([0x41, 0xe9, 0x42]).hasPrefix("k.gift: is not text"))
        #expect(refusal(Array("  \n".utf8)) == "k.gift: is empty")
        let full = [UInt8](repeating: 0x20, count: QuizKey.longestFile - 9) + Array("Q?{=yes}\n".utf8)
        #expect(refusal(full).isEmpty)
        #expect(refusal(full + [0x20]).hasPrefix("k.gift: is larger than 64 KiB"))
        let most = String(repeating: "Q?{T}\n\n", count: QuizKey.mostQuestions)
        #expect(refusal(Array(most.utf8)).isEmpty)
        #expect(refusal(Array((most + "Q?{T}").utf8)).hasPrefix("k.gift:401: a key has at most 200"))
        #expect(refusal(Array("Dear class,".utf8), "k.txt").hasPrefix("k.txt: is no key in GIFT, Aiken or CSV"))
    }

    @Test("no bytes make it crash: a key cut anywhere, and with any byte changed")
    func hostile() {
        let text = Array("::n::[html]W \\{ho?{~%50%a#f ~%-50%b =c\n####g} x\n\nM{=a->b =c->d}\n\n{#1..2 =%5%3:1 ~}\n\nT{T#a#b}".utf8)
        var read = 0
        for cut in 0...text.count { read += (try? QuizKey(Array(text[..<cut]), file: "k.gift")) == nil ? 0 : 1 }
        for place in text.indices {
            for byte in [UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "="), UInt8(ascii: "#"), 0x5c, 0x0a, 0xff] {
                var changed = text
                changed[place] = byte
                read += (try? QuizKey(changed, file: "k.gift")) == nil ? 0 : 1
            }
        }
        #expect(read > 0)
    }
}
