// SPDX-License-Identifier: Apache-2.0
public import Foundation

// Foundation has these two on Apple's systems only; elsewhere it declares them as unavailable, and the compiler takes those of this module.
extension NSPredicate {
    /// A predicate for `CLSDataStore.contexts(matching:)` of a format: comparisons of what `CLSPredicateKeyPath` names by `=`, `==`, `!=`, `<`, `<=`, `>`, `>=`,
    /// `IN`, `BEGINSWITH`, `ENDSWITH`, `CONTAINS` and `LIKE` (with `[c]`, `[d]`, `[cd]`), joined by `AND`, `OR`, `NOT` and parentheses; arguments for `%@`, `%K` and `%d`.
    /// Another format is true for nothing, and the look-up says why.
    public convenience init(format predicateFormat: String, _ arguments: Any...) {
        self.init(format: predicateFormat, argumentArray: arguments)
    }

    /// The same with the arguments in an array.
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        let parsed: UncheckedBox<Result<PredicateTerm, PredicateProblem>>
        do {
            parsed = UncheckedBox(.success(try PredicateParser.parse(predicateFormat, arguments ?? [])))
        } catch {
            parsed = UncheckedBox(.failure(error))
        }
        self.init(block: { object, bindings in
            switch parsed.value {
            case .success(let term): return (object as? CLSContext).map(term.isTrue) ?? false
            case .failure(let problem):
                (bindings?[PredicateReport.key] as? PredicateReport)?.problem = problem
                return false
            }
        })
    }
}

/// What is wrong with a format.
struct PredicateProblem: Error {
    var format: String
    var reason: String

    var error: CLSError { CLSError(.invalidArgument, "the predicate '\(format)' cannot be used here: \(reason)") }

    /// The first problem of a predicate or of those it is made of. Asked by evaluating it once, as a predicate keeps its block to itself.
    static func first(in predicate: NSPredicate, object: CLSContext) -> CLSError? {
        if let compound = predicate as? NSCompoundPredicate {
            return compound.subpredicates.lazy.compactMap { first(in: $0, object: object) }.first
        }
        let report = PredicateReport()
        _ = predicate.evaluate(with: object, substitutionVariables: [PredicateReport.key: report])
        return report.problem?.error
    }
}

/// Where a predicate of a bad format says what is wrong with it.
final class PredicateReport {
    static let key = "org.daybook.ClassKit.report"
    var problem: PredicateProblem?
}
