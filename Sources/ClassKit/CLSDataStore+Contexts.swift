// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
public import Foundation

extension CLSDataStore {
    /// The contexts that a predicate is true for, those that were not saved yet among them; the main context is never one. A predicate of a format may ask
    /// for what `CLSPredicateKeyPath` names; what a format does not allow here is `CLSError.invalidArgument`. The array is empty where none fits; with an
    /// error it has what was found in memory.
    public func contexts(matching predicate: NSPredicate, completion: @escaping ([CLSContext], (any Error)?) -> Void) {
        let (predicate, completion) = (UncheckedBox(predicate), UncheckedBox(completion))
        DispatchQueue.global().async {
            let predicate = predicate.value
            if let problem = PredicateProblem.first(in: predicate, object: self.mainAppContext) { return completion.value([], problem) }
            let failure = self.wire.failure { () throws(CLSError) in try self.loadAll() }
            let all = Model.locked { Array(self.mainAppContext.subtree.dropFirst()) }
            // The predicate may be the app's own code, so the lock is not held.
            completion.value(all.filter { predicate.evaluate(with: $0) }, failure)
        }
    }

    /// The contexts that a predicate is true for.
    public func contexts(matching predicate: NSPredicate) async throws -> [CLSContext] {
        try await withCheckedThrowingContinuation { continuation in
            contexts(matching: predicate) { found, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: found) }
            }
        }
    }

    /// One context for each element of a path that begins below the main context, in order. The delegate is asked for each that is missing; without one the
    /// array ends before it.
    public func contexts(
        matchingIdentifierPath identifierPath: [String], completion: @escaping ([CLSContext], (any Error)?) -> Void
    ) {
        lookUp(from: mainAppContext, identifierPath, completion)
    }

    /// One context for each element of a path that begins below the main context, in order, as far as there are any.
    public func contexts(matchingIdentifierPath identifierPath: [String]) async throws -> [CLSContext] {
        try await withCheckedThrowingContinuation { continuation in
            contexts(matchingIdentifierPath: identifierPath) { found, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: found) }
            }
        }
    }

    /// Marks all assignments of the person with exactly the last context of this path as done, whatever the progress. The person sees a short notice; the
    /// app learns nothing. While the daemon is away, it is done with the next save.
    public func completeAllAssignedActivities(matching contextPath: [String]) {
        Model.locked { completions.append(contextPath) }
        Callbacks.enter()
        wire.queue.async {
            self.completeAssigned()
            Callbacks.leave()
        }
    }

    /// On the wire's queue.
    func completeAssigned() {
        while let path = Model.locked({ completions.first }) {
            do {
                let reply = try wire.call("org.daybook.ClassKit.CompleteAssigned", ["store": form, "context": ContextForm.list(path)])
                notices.done(ContextForm.texts(reply["done"]))
                for line in ContextForm.texts(reply["dropped"]) { notices.dropped(line) }
            } catch {
                if error.code == .databaseInaccessible { return }
            }
            // Nobody asked for an answer, so there is no one to tell of an error.
            Model.locked { if completions.first == path { completions.removeFirst() } }
        }
    }

    // MARK: Look-ups

    func lookUp(from start: CLSContext, _ identifierPath: [String], _ completion: @escaping ([CLSContext], (any Error)?) -> Void) {
        let completion = UncheckedBox(completion)
        DispatchQueue.global().async {
            var failure: CLSError?
            let whole = Model.locked { start.root.isMain ? start.path + identifierPath : nil }
            if let whole, (1...ClassKitLimits.depth).contains(whole.count) {
                failure = self.wire.failure { () throws(CLSError) in try self.load(whole) }
            }
            let (found, made) = self.walk(from: start, identifierPath)
            if !made.isEmpty {
                let plan = UncheckedBox(Model.locked { SavePlan(contexts: made) })
                let outcome = self.wire.queue.sync { UncheckedBox(self.carryOut(plan.value)) }
                failure = failure ?? outcome.value.error
            }
            // What is all here was found, whether the daemon answers or not.
            completion.value(found, found.count == identifierPath.count ? nil : failure)
        }
    }

    /// Goes down a path, and has the delegate make what is missing.
    private func walk(from start: CLSContext, _ identifierPath: [String]) -> (found: [CLSContext], made: [CLSContext]) {
        var (found, made): ([CLSContext], [CLSContext]) = ([], [])
        var context = start
        for identifier in identifierPath {
            let (known, path, delegate) = Model.locked { (context.child(identifier), context.path, self.delegate) }
            if let known {
                context = known
            } else if let delegate {
                let parent = context
                let child = creations.once(path + [identifier]) { () -> CLSContext? in
                    // Another look-up may just have had it made.
                    if let child = Model.locked({ parent.child(identifier) }) { return child }
                    guard
                        let child = delegate.createContext(forIdentifier: identifier, parentContext: parent, parentIdentifierPath: path),
                        child.identifier == identifier
                    else { return nil }
                    parent.addChildContext(child)
                    guard child.parent === parent else { return nil }
                    made.append(child)
                    return child
                }
                guard let child else { break }
                context = child
            } else {
                break
            }
            found.append(context)
        }
        return (found, made)
    }

    /// On the wire's queue.
    private func load(_ path: [String]) throws(CLSError) {
        let reply = try wire.call("org.daybook.ClassKit.GetContexts", ["store": form, "path": ContextForm.list(path)])
        let received = (reply["contexts"]?.arrayValue ?? []).compactMap(ContextForm.Received.init)
        Model.locked {
            merge(received)
            // What the daemon had and has no more was removed elsewhere.
            if received.count < path.count { forget(Array(path.prefix(received.count + 1))) }
        }
        for target in Model.locked({ unknownNavigation(of: received.map(\.path)) }) {
            let reply = try wire.call("org.daybook.ClassKit.GetContexts", ["store": form, "path": ContextForm.list(target)])
            Model.locked { merge((reply["contexts"]?.arrayValue ?? []).compactMap(ContextForm.Received.init)) }
        }
    }

    /// On the wire's queue.
    private func loadAll() throws(CLSError) {
        var received: [ContextForm.Received] = []
        var more = true
        while more {
            let after = received.last.map { ContextForm.list($0.path) } ?? .null
            let reply = try wire.call("org.daybook.ClassKit.ListContexts", ["store": form, "after": after])
            let page = (reply["contexts"]?.arrayValue ?? []).compactMap(ContextForm.Received.init)
            received += page
            more = !page.isEmpty && reply["rest"]?.boolValue == true
        }
        let paths = Set(received.map(\.path))
        Model.locked {
            merge(received)
            for context in mainAppContext.subtree.dropFirst() where !paths.contains(context.path) { forget(context.path) }
        }
    }

    // MARK: For whoever holds the lock

    private func merge(_ received: [ContextForm.Received]) {
        for one in received {
            guard let parent = find(one.path.dropLast()), let identifier = one.path.last else { continue }
            if removals.contains(where: { one.path.starts(with: $0) }) { continue }
            var known = parent.child(identifier)
            if let new = known, new.savedPath == nil, Instants.text(new.created) != Instants.text(one.created) {
                // This program made another one of the same name without looking first. The one that is there stays.
                problems.append(
                    CLSError(.invalidCreate, "there is a context \(one.path.joined(separator: " > ")) already", object: new))
                new.detach()
                known = nil
            }
            let context = known ?? CLSContext(identifier: identifier, fields: one.fields, created: one.created)
            if known == nil {
                context.above = parent
                parent.children.append(context)
                context.modified = one.modified
                context.savedRevision = context.revision
            } else if context.revision <= context.savedRevision {
                let thumbnail = context.fields.thumbnail
                context.fields = one.fields
                context.fields.thumbnail = thumbnail
                context.modified = one.modified
            }
            context.savedPath = one.path
            context.isFromDaemon = true
            if context.current.map({ !$0.needsSave && !$0.timer.isRunning }) ?? true { context.isActivityKnown = false }
        }
    }

    private func forget(_ path: [String]) {
        guard let context = find(path), context.isFromDaemon, context.savedPath == path, context.revision <= context.savedRevision else {
            return
        }
        context.above?.children.removeAll { $0 === context }
        context.above = nil
        for member in context.subtree {
            member.savedPath = nil
            member.isFromDaemon = false
        }
    }

    private func unknownNavigation(of paths: [[String]]) -> [[String]] {
        paths.compactMap(find).flatMap { context in
            context.fields.navigation.compactMap { entry -> [String]? in
                if case .path(let path) = entry, find(path) == nil { path } else { nil }
            }
        }
    }
}
