// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Quizzes

/// One test for each rule of the published description of Aiken.
@Suite("A key in Aiken")
struct AikenTests {
    private func read(_ text: String, file: String = "key.txt") throws -> QuizKey { try QuizKey(Array(text.utf8), file: file) }
    private func mistake(_ text: String) -> String {
        do {
            _ = try read(text, file: "key.aiken")
            return "no mistake"
        } catch let error as UnusableKey { return error.description } catch { return "another error" }
    }

    private let capital = "What is the capital of France?\nA) Lyon\nB) Paris\nANSWER: B\n"

    @Test("a question on one line, options below, and the line ANSWER: names the right one")
    func question() throws {
        let key = try read(capital)
        #expect(key.form == .aiken)
        #expect(
            key.questions == [
                QuizQuestion(
                    id: "1", stem: "What is the capital of France?",
                    kind: .choice([.init("Lyon", weight: 0), .init("Paris", weight: 1)], several: false), line: 1)
            ])
    }

    @Test("an option begins with a capital, then ')' or '.', then a space or tab")
    func options() throws {
        #expect(
            try read("Q?\nA. Lyon\nB) Paris\nC.\tNice\nANSWER: C").questions.first?.kind
                == .choice([.init("Lyon", weight: 0), .init("Paris", weight: 0), .init("Nice", weight: 1)], several: false))
    }

    @Test("lines end in LF, CR LF or CR", arguments: ["\n", "\r\n", "\r"])
    func lineEnds(end: String) throws {
        #expect(try read(capital.replacing("\n", with: end)).questions.map(\.stem) == ["What is the capital of France?"])
    }

    @Test("lines shorter than two characters are skipped, and blank lines part nothing that is not parted")
    func shortLines() throws {
        #expect(try read("-\n" + capital + "\n\n.\n" + capital).questions.map(\.line) == [2, 9])
        #expect(try read(capital + capital).questions.map(\.line) == [1, 5])
    }

    @Test("signs that mean something in GIFT are text")
    func noEscapes() throws {
        #expect(
            try read("Is {1} = ~1 # \\?\nA) a=b\nB) no\nANSWER: A").questions.first?.kind
                == .choice([.init("a=b", weight: 1), .init("no", weight: 0)], several: false))
    }

    @Test("a byte order mark is no part of the first question")
    func mark() throws { #expect(try read("\u{feff}" + capital).questions.first?.stem == "What is the capital of France?") }

    @Test("every mistake is told with its line")
    func mistakes() {
        let cases: [(String, String)] = [
            ("A) Lyon\nANSWER: A", "key.aiken:1: an option without a question"),
            ("Q?\nmore\nA) x\nB) y\nANSWER: A", "key.aiken:2: a question stands on one line"),
            ("Q?\nA) x\nb) y\nANSWER: A", "key.aiken:3: the question of line 1 has no line 'ANSWER:' yet"),
            ("Q?\nA) x\nB)y\nANSWER: A", "key.aiken:3: the question of line 1"),
            ("Q?\nA) x\nC) y\nANSWER: A", "key.aiken:3: options go on from A in order: this is C, and B was to come"),
            ("Q?\nA) x\nANSWER: A", "key.aiken:1: a question has at least two options"),
            ("Q?\nA) x\nB) y\nANSWER: C", "key.aiken:4: 'ANSWER:' names one of the letters A to B, not 'C'"),
            ("Q?\nA) x\nB) y\nANSWER: AB", "key.aiken:4: 'ANSWER:' names one"),
            ("Q?\nA) x\nB) y\nANSWER:", "key.aiken:4: 'ANSWER:' names one"),
            ("Q?\nA) x\nB) y\nAnswer: A", "key.aiken:4: the right answer is written 'ANSWER: B', in capitals"),
            ("Q?\nA) x\nB) y\n", "key.aiken:1: the question has no line 'ANSWER:'"),
            ("ANSWER: A", "key.aiken:1: 'ANSWER:' without a question"),
        ]
        for (text, message) in cases { #expect(mistake(text).hasPrefix(message), "\(text): \(mistake(text))") }
    }
}

@Suite("A key in CSV")
struct CSVKeyTests {
    private func read(_ text: String) throws -> [QuizQuestion] { try QuizKey(Array(text.utf8), file: "key.csv").questions }
    private func mistake(_ text: String) -> String {
        do {
            _ = try read(text)
            return "no mistake"
        } catch let error as UnusableKey { return error.description } catch { return "another error" }
    }

    @Test("columns by name, separated by comma, semicolon or tab", arguments: [",", ";", "\t"])
    func separators(separator: String) throws {
        let text = "\u{feff}Weight,ID,Answer\r\n2,1,B\r\n,2,\"Paris, France\"\r\n".replacing(",", with: separator)
        let answer = "Paris, France".replacing(",", with: separator)
        #expect(
            try read(text) == [
                QuizQuestion(id: "1", kind: .cells(["B"]), points: 2, line: 2), QuizQuestion(id: "2", kind: .cells([answer]), line: 3),
            ])
    }

    @Test("another row of the same id is another right answer")
    func alternatives() throws {
        #expect(try read("id,answer\n1,grey\n1,gray").map(\.kind) == [.cells(["grey", "gray"])])
    }

    @Test("every mistake is told with its line")
    func mistakes() {
        let cases: [(String, String)] = [
            ("number,answer\n1,B", "key.csv:1: the first line names the columns"),
            ("id,answer\n1", "key.csv:2: has 1 fields"),
            ("id,answer\n1,", "key.csv:2: question 1 has no answer"),
            ("id,answer\na b,C", "key.csv:2: an id has"),
            ("id,answer,weight\n1,B,0", "key.csv:2: a weight is a number"),
            ("id,answer,weight\n1,B,2\n1,C,3", "key.csv:3: question 1 has another weight in line 2"),
            ("id,answer\n1,\"B", "key.csv:2: a quoted field"),
        ]
        for (text, message) in cases { #expect(mistake(text).hasPrefix(message), "\(text): \(mistake(text))") }
    }
}
