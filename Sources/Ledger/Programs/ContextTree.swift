// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// The contexts of one program, by their paths from below the main context.
package struct ContextTree: Equatable, Sendable {
    private(set) var contexts: [[String]: ContextFacts] = [:]
    /// About how many bytes all of them are as text.
    package private(set) var size = 0

    package init() {}

    package var count: Int { contexts.count }

    package subscript(path: [String]) -> ContextFacts? { contexts[path] }

    package mutating func put(_ facts: ContextFacts) {
        size += facts.size - (contexts[facts.ref.path]?.size ?? 0)
        contexts[facts.ref.path] = facts
    }

    /// With all below it.
    package mutating func remove(_ path: [String]) {
        contexts = contexts.filter { !$0.key.starts(with: path) }
        size = contexts.values.reduce(0) { $0 + $1.size }
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

// Sizes are for limits: bytes of texts, and some for all else.

extension ContextFacts {
    package var size: Int {
        let texts =
            ref.path + [title, customKind ?? "", topic ?? "", universalLink ?? "", summary ?? ""] + capabilities.map { $0.details ?? "" }
        return 300 + texts.size + navigation.reduce(0) { $0 + 16 + $1.size }
    }
}

extension ReportFacts {
    package var size: Int {
        let place =
            switch subject {
            case .context(let path): path.size
            case .document(let document): document.path.bytes.count
            }
        return 400 + place + attempt.ranges.count * 40
            + attempt.items.reduce(0) { $0 + 100 + $1.identifier.utf8.count + $1.title.utf8.count }
    }
}

extension [String] {
    fileprivate var size: Int { reduce(0) { $0 + $1.utf8.count + 4 } }
}
