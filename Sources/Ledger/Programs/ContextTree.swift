// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// The contexts of one program, by their paths from below the main context.
package struct ContextTree: Equatable, Sendable {
    var contexts: [[String]: ContextFacts] = [:]

    package init() {}

    package var count: Int { contexts.count }

    package subscript(path: [String]) -> ContextFacts? { contexts[path] }

    package mutating func put(_ facts: ContextFacts) { contexts[facts.ref.path] = facts }

    /// With all below it.
    package mutating func remove(_ path: [String]) {
        contexts = contexts.filter { !$0.key.starts(with: path) }
    }

    /// One context for each element of the path, from the top down, as far as they exist.
    package func chain(to path: [String]) -> [ContextFacts] {
        var found: [ContextFacts] = []
        for length in path.indices {
            guard let facts = contexts[Array(path[...length])] else { break }
            found.append(facts)
        }
        return found
    }

    /// All, each after the one above it.
    package var all: [ContextFacts] { contexts.values.sorted { $0.ref < $1.ref } }
}

extension Ledger {
    /// A program's content, as teachers' and administrators' programs saved it.
    package func contextTree(of app: String) -> ContextTree? { contextTrees[app] }

    package var contextApps: [String] { contextTrees.keys.sorted() }

    mutating func removeContext(_ ref: ContextRef) {
        contextTrees[ref.app]?.remove(ref.path)
        if contextTrees[ref.app]?.count == 0 { contextTrees[ref.app] = nil }
    }
}
