// SPDX-License-Identifier: Apache-2.0
import Foundation

extension CLSContext {
    /// Whether this is the context that the person works at.
    public var isActive: Bool { Model.locked { store.active === self } }

    /// Makes this the context that the person works at, instead of the one that was.
    public func becomeActive() {
        Model.locked { store.active = self }
    }

    /// Makes this context inactive, if it is active.
    public func resignActive() {
        Model.locked { if store.active === self { store.active = nil } }
    }

    /// The newest attempt at this context; nil where there was none. Ask each time. It may ask the daemon, once after each look-up of the context.
    public var currentActivity: CLSActivity? {
        let unknown = Model.locked { () -> (CLSDataStore, [String])? in
            guard let savedPath, !isActivityKnown, let store = ownStoreOfRoot else { return nil }
            return (store, savedPath)
        }
        if let (store, path) = unknown { store.loadActivity(of: self, at: path) }
        return Model.locked { current }
    }

    /// Begins a new attempt. The one before it stops for good; what it has is kept for reports.
    public func createNewActivity() -> CLSActivity {
        Model.locked {
            let store = store
            current.map { store.supersede($0) }
            let activity = CLSActivity(subject: .context(WeakContext(self)), store: store)
            current = activity
            isActivityKnown = true
            store.register(activity)
            return activity
        }
    }
}
