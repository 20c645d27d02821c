// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import ClassKit

@Suite("A predicate of a format")
struct PredicateTests {
    private let store = emptyStore()

    /// Identifiers of the contexts that a predicate is true for, or what is wrong with it.
    private func found(_ format: String, _ arguments: Any...) async -> [String] {
        await search(NSPredicate(format: format, argumentArray: arguments))
    }

    private func search(_ predicate: NSPredicate) async -> [String] {
        if let problem = PredicateProblem.first(in: predicate, object: store.mainAppContext) {
            return ["! \(problem.localizedDescription)"]
        }
        let all = Model.locked { store.mainAppContext.subtree.dropFirst() }
        return all.filter { predicate.evaluate(with: $0) }.map(\.identifier)
    }

    init() {
        let one = store.add("one", .chapter, title: "The Éclair")
        let two = store.add("two", .chapter, title: "A second")
        store.add("three", .quiz, title: "third_1", below: one)
        one.topic = .math
        two.universalLinkURL = URL(string: "https://school.example/two")
        one.displayOrder = -1
    }

    @Test("finds by each of the six key paths, written out and as an argument")
    func keyPaths() async {
        let main = store.mainAppContext
        #expect(await found("parent = %@", main) == ["one", "two"])
        #expect(await found("%K = %@", CLSPredicateKeyPath.parent as any CVarArg, main as any CVarArg) == ["one", "two"])
        #expect(await found("%K == %@", "parent", store.mainAppContext.child("one") as Any) == ["three"])
        #expect(await found("identifier = 'two'") == ["two"])
        #expect(await found("title == \"A second\"") == ["two"])
        #expect(await found("topic = %@", CLSContextTopic.math) == ["one"])
        #expect(await found("topic = %@", CLSContextTopic.math.rawValue as NSString) == ["one"])
        #expect(await found("topic = nil") == ["three", "two"])
        #expect(await found("universalLinkURL = %@", URL(filePath: "/") as Any) == [])
        #expect(await found("universalLinkURL = %@", URL(string: "https://school.example/two") as Any) == ["two"])
        #expect(await found("dateCreated <= %@", Date()) == ["one", "three", "two"])
        #expect(await found("dateCreated > %@", Date() as NSDate) == [])
        let none: CLSContext? = nil
        #expect(await found("parent = %@", none as Any) == [])
    }

    @Test(
        "knows every operator",
        arguments: [
            ("identifier != 'one'", ["three", "two"]), ("identifier <> 'one'", ["three", "two"]), ("identifier < 'three'", ["one"]),
            ("identifier <= 'three'", ["one", "three"]), ("identifier =< 'three'", ["one", "three"]), ("identifier > 'three'", ["two"]),
            ("identifier >= 'three'", ["three", "two"]), ("identifier => 'three'", ["three", "two"]),
            ("identifier IN {'one', 'two', 'nine'}", ["one", "two"]), ("identifier in {}", []),
            ("identifier BEGINSWITH 't'", ["three", "two"]),
            ("identifier ENDSWITH 'e'", ["one", "three"]), ("identifier CONTAINS 'w'", ["two"]),
            ("identifier CONTAINS ''", ["one", "three", "two"]),
            ("identifier LIKE 't*'", ["three", "two"]), ("identifier LIKE '?n?'", ["one"]), ("title LIKE '*_?'", ["three"]),
            ("title LIKE 'third\\\\*'", []), ("title = 'the eclair'", []), ("title ==[c] 'the éclair'", ["one"]),
            ("title =[cd] 'the eclair'", ["one"]), ("title LIKE[cd] 'THE *CLAIR'", ["one"]), ("title BEGINSWITH[d] 'The E'", ["one"]),
            ("title IN[cd] {'a SECOND'}", ["two"]), ("'two' = identifier", ["two"]), ("TRUEPREDICATE", ["one", "three", "two"]),
            ("FALSEPREDICATE", []),
            ("1 < 2", ["one", "three", "two"]), ("-1.5 > 2e3", []), ("YES = TRUE and no = false", ["one", "three", "two"]),
        ])
    func operators(format: String, expected: [String]) async {
        #expect(await found(format) == expected)
    }

    @Test(
        "joins and negates, AND before OR",
        arguments: [
            ("identifier = 'one' OR identifier = 'two' AND title = 'x'", ["one"]),
            ("(identifier = 'one' || identifier = 'two') && title = 'x'", []),
            ("NOT identifier = 'one'", ["three", "two"]), ("!(identifier = 'one' or identifier = 'two')", ["three"]),
            ("not not 1 = 1", ["one", "three", "two"]),
        ])
    func joins(format: String, expected: [String]) async {
        #expect(await found(format) == expected)
    }

    @Test("takes arguments of all types in their order")
    func arguments() async {
        #expect(await found("identifier IN %@", ["one", "three"]) == ["one", "three"])
        #expect(await found("identifier IN %@", Set(["two"])) == ["two"])
        #expect(await found("%d = %ld AND %f > %i", 3, Int64(3), 2.5, UInt8(2)) == ["one", "three", "two"])
        #expect(await found("%@ = %d", NSNumber(value: 7), 7) == ["one", "three", "two"])
        #expect(await found("title = %@ OR identifier = %@", NSNull(), "one") == ["one"])
        #expect(await search(NSPredicate(format: "identifier = %@ AND %K = %@", "two", CLSPredicateKeyPath.title, "A second")) == ["two"])
    }

    @Test(
        "outside of what contexts can be searched by is refused, and named",
        arguments: [
            ("summary = 'x'", "searched by 'summary'"), ("parent.title = 'x'", "searched by 'parent.title'"),
            ("identifier MATCHES 'x'", "'MATCHES' is no comparison"),
            ("title BETWEEN {1, 2}", "'BETWEEN' is no comparison"), ("ANY title = 'x'", "searched by 'ANY'"),
            ("title = 3", "a text is never a number"),
            ("parent < 'x'", "have no order"), ("title IN 'x'", "no list"), ("parent CONTAINS 'x'", "for texts"),
            ("title =[l] 'x'", "only c and d"),
            ("title = ", "it ends"), ("title", "it ends before a comparison"), ("", "it ends"), ("(title = 'x'", "not closed"),
            ("title = 'x", "not closed"),
            ("title = 'x' title = 'y'", "nothing is expected before"), ("title = %@", "more places than arguments"),
            ("title = %s", "%s cannot be used"),
            ("title = $name", "'$' cannot be used"), ("title + 1 = 2", "'+' cannot be used"), ("title = {'x'}", "goes with IN"),
            ("title IN {title}", "values only"),
            ("title = 1.2.3", "is no number"),
        ])
    func refused(format: String, part: String) async {
        let result = await found(format)
        #expect(
            result.count == 1 && result.first?.hasPrefix("! the predicate '\(format)'") == true && result.first?.contains(part) == true,
            "\(result)")
    }

    @Test("with arguments of no use is refused")
    func badArguments() async {
        #expect(await found("title = %@", Pipe()).first?.contains("no context has a") == true)
        #expect(await found("%K = 'x'", 3).first?.contains("no name") == true)
        #expect(await found("%d = 3", "x").first?.contains("no number") == true)
    }

    @Test("nests 64 levels deep and no deeper")
    func depth() async {
        let good = String(repeating: "(", count: 63) + "1 = 1" + String(repeating: ")", count: 63)
        #expect(await found(good).count == 3)
        #expect(await found("(\(good))").first?.contains("deeper than 64") == true)
        #expect(await found(String(repeating: "NOT ", count: 100_000) + "1 = 1").first?.contains("deeper than 64") == true)
    }

    @Test("of any bytes never crashes")
    func hostile() async {
        let format = Array("NOT (title =[cd] 'a\\\\b' AND %K IN {%@, 1.5, nil})")
        for length in format.indices { _ = NSPredicate(format: String(format[..<length]), CLSPredicateKeyPath.title, "x") }
        for length in format.indices { _ = NSPredicate(format: String(format[length...])) }
    }

    @Test("is one among others: blocks, values, and predicates made of predicates")
    func others() async {
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
            NSPredicate(value: true), NSPredicate(format: "identifier BEGINSWITH 't'"),
            NSPredicate { object, _ in (object as? CLSContext)?.type == .quiz },
        ])
        #expect(await search(both) == ["three"])
        let bad = NSCompoundPredicate(orPredicateWithSubpredicates: [NSPredicate(value: true), NSPredicate(format: "bogus = 1")])
        #expect(await search(bad).first?.contains("searched by 'bogus'") == true)
    }

    @Test("that is wrong is an error of the look-up")
    func error() async {
        #expect(await code { _ = try await store.contexts(matching: NSPredicate(format: "bogus = 1")) } == .invalidArgument)
    }

    @Test("LIKE takes no more steps than text times pattern")
    func like() {
        let text = Array(String(repeating: "a", count: 2000))
        let pattern = Array(String(repeating: "*a", count: 100) + "b")
        let before = ContinuousClock.now
        #expect(!PredicateOperator.isLike(text, pattern))
        #expect(before.duration(to: .now) < .seconds(20))
        #expect(PredicateOperator.isLike(Array("a*c"), Array("a\\*?")) && !PredicateOperator.isLike(Array("abc"), Array("a\\*c")))
        #expect(PredicateOperator.isLike([], Array("**")) && !PredicateOperator.isLike([], Array("?")))
    }
}
