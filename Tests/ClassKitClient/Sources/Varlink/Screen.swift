// SPDX-License-Identifier: Apache-2.0
import ClassKit
import Foundation

/// A screen of an app, as tutorials have them: all on the main actor, with completions that change its state, and with async functions.
@MainActor
public final class Screen {
    /// What it shows.
    public private(set) var title = ""
    /// How often something was saved.
    public private(set) var saves = 0
    private var context: CLSContext?
    private var activity: CLSActivity?
    private let store = CLSDataStore.shared
    private let url: URL

    /// A screen for a document.
    public init(url: URL) { self.url = url }

    /// Somebody opened the document.
    public func opened() {
        store.fetchActivity(for: url) { activity, error in
            if let activity = activity {
                activity.start()
            } else {
                self.title = error?.localizedDescription ?? ""
            }
        }
        store.contexts(matching: NSPredicate(format: "parent = %@", store.mainAppContext)) { contexts, _ in
            self.context = contexts.first
        }
    }

    /// Somebody saved it.
    public func saved(words: Int, done: () -> Void) {
        store.fetchActivity(for: url) { activity, _ in
            guard let activity = activity else { return }
            let count = CLSQuantityItem(identifier: "total_word_count", title: "Word Count")
            count.quantity = Double(words)
            activity.primaryActivityItem = count
            activity.stop()
            self.store.save { error in
                if error == nil { self.saves += 1 }
            }
        }
        done()
    }

    /// Somebody closed it.
    public func closed() async throws {
        let activity = try await store.fetchActivity(for: url)
        activity.progress = 0.75
        activity.stop()
        self.activity = activity
        try await store.save()
        let path = try await store.contexts(matchingIdentifierPath: ["chapter"])
        context = path.last
        if let context = context {
            context.becomeActive()
            self.context = try await context.descendant(matchingIdentifierPath: ["page"])
        }
        let predicate = NSPredicate(format: "%K = %@", CLSPredicateKeyPath.parent as CVarArg, store.mainAppContext)
        context = try await store.contexts(matching: predicate).first
    }
}
