// SPDX-License-Identifier: Apache-2.0
import Foundation

extension CLSContext {
    /// The context above; nil for the main context and for one that hangs nowhere.
    public var parent: CLSContext? { Model.locked { above } }

    /// The identifiers from below the main context down to this one: what `CLSDataStore.contexts(matchingIdentifierPath:)` takes.
    public var identifierPath: [String] { Model.locked { path } }

    /// Puts a context below this one; it leaves its former parent. Where a sibling has its identifier already, nothing changes, and the next save says so
    /// (`CLSError.invalidCreate`).
    public func addChildContext(_ child: CLSContext) {
        Model.locked {
            guard !child.isMain, !chain.contains(where: { $0 === child }) else {
                return note(.invalidArgument, "'\(child.identifier)' cannot be below '\(identifier)', which is itself or below it", child)
            }
            guard child.above !== self else { return }
            if let sibling = children.first(where: { $0.identifier == child.identifier }) {
                guard let store = ownStoreOfRoot, store.isDoomed(sibling) else {
                    return note(.invalidCreate, "there is a context '\(child.identifier)' below '\(identifier)' already", child)
                }
                sibling.detach()
            }
            child.detach()
            child.above = self
            children.append(child)
        }
    }

    /// Takes the context out of the tree. Unless it is put elsewhere, the next save deletes it and all below it.
    public func removeFromParent() {
        Model.locked { detach() }
    }

    /// The context at a path that begins below this one. The store's delegate is asked for what is missing. Nil where it is not there. The completion is
    /// called on any thread.
    public func descendant(matchingIdentifierPath identifierPath: [String], completion: @escaping (CLSContext?, (any Error)?) -> Void) {
        let store = Model.locked { self.store }
        store.lookUp(from: self, identifierPath) { found, error in
            let whole = found.count == identifierPath.count ? found.last : nil
            completion(identifierPath.isEmpty ? nil : whole, error)
        }
    }

    /// The context at a path that begins below this one; `CLSError.invalidArgument` where it is not there.
    public func descendant(matchingIdentifierPath identifierPath: [String]) async throws -> CLSContext {
        try await withCheckedThrowingContinuation { continuation in
            descendant(matchingIdentifierPath: identifierPath) { found, error in
                if let found, error == nil { return continuation.resume(returning: found) }
                let missing = CLSError(.invalidArgument, "there is no context \(identifierPath.joined(separator: " > "))", object: self)
                continuation.resume(throwing: error ?? missing)
            }
        }
    }

    // MARK: Navigation

    /// Contexts that are shown below this one, wherever they hang. Those that have been looked up, or that were added here.
    public var navigationChildContexts: [CLSContext] {
        Model.locked {
            fields.navigation.compactMap { child in
                switch child {
                case .context(let context): context
                case .path(let path): ownStoreOfRoot?.find(path)
                }
            }
        }
    }

    /// Shows a context below this one, too. Identifier paths do not change.
    public func addNavigationChildContext(_ child: CLSContext) {
        Model.locked {
            guard !fields.navigation.contains(where: { isSame($0, child) }) else { return }
            guard fields.navigation.count < ClassKitLimits.navigationChildren else {
                return note(.limits, "'\(identifier)' has at most \(ClassKitLimits.navigationChildren) contexts for navigation", self)
            }
            fields.navigation.append(.context(child))
            touch()
        }
    }

    /// Shows a context below this one no more.
    public func removeNavigationChildContext(_ child: CLSContext) {
        Model.locked {
            fields.navigation.removeAll { isSame($0, child) }
            touch()
        }
    }

    private func isSame(_ entry: ContextFields.Navigation, _ child: CLSContext) -> Bool {
        switch entry {
        case .context(let context): context === child
        case .path(let path): path == child.path && child.root.isMain
        }
    }

    // MARK: For whoever holds the lock

    var isMain: Bool { ownStore != nil }

    /// This context and all above it, from below upwards.
    var chain: [CLSContext] {
        var chain = [self]
        while let above = chain.last?.above { chain.append(above) }
        return chain
    }

    var root: CLSContext { chain.last ?? self }

    var path: [String] {
        var chain = chain
        if chain.last?.isMain == true { chain.removeLast() }
        return chain.reversed().map(\.identifier)
    }

    var ownStoreOfRoot: CLSDataStore? { root.ownStore }

    /// The store whose tree it hangs in, else the shared one.
    var store: CLSDataStore { ownStoreOfRoot ?? CLSDataStore.shared }

    func child(_ identifier: String) -> CLSContext? { children.first { $0.identifier == identifier } }

    /// Children as they are shown.
    var orderedChildren: [CLSContext] {
        children.enumerated().sorted { ($0.element.fields.displayOrder, $0.offset) < ($1.element.fields.displayOrder, $1.offset) }.map(
            \.element)
    }

    /// This context and all below it, each after the one above it.
    var subtree: [CLSContext] {
        var all: [CLSContext] = []
        var next = [self]
        while let context = next.popLast() {
            all.append(context)
            next.append(contentsOf: context.orderedChildren.reversed())
        }
        return all
    }

    func detach() {
        guard let above else { return }
        store.noteDeparture(of: self)
        above.children.removeAll { $0 === self }
        self.above = nil
    }

    func note(_ code: CLSError.Code, _ reason: String, _ object: CLSObject? = nil) {
        Model.locked { store.problems.append(CLSError(code, reason, object: object ?? self)) }
    }
}
