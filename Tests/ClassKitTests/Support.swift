// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import ClassKit

/// A store of its own, without a daemon.
func emptyStore(app: String = "org.example.Test", socket: String = "/nowhere/daybook.sock") -> CLSDataStore {
    CLSDataStore(StoreSettings(socket: socket, app: app, title: "Test"))
}

extension CLSDataStore {
    /// A context below the main one.
    @discardableResult
    func add(_ identifier: String, _ type: CLSContextType = .chapter, title: String = "", below parent: CLSContext? = nil) -> CLSContext {
        let context = CLSContext(type: type, identifier: identifier, title: title)
        (parent ?? mainAppContext).addChildContext(context)
        return context
    }

    /// What a save would send, and what it would complain about.
    var plan: SavePlan { Model.locked { SavePlan(of: self) } }
}

extension SavePlan {
    /// What would be sent, in order.
    var names: [String] {
        steps.map { step in
            switch step.subject {
            case .removal(let path): "-" + path.joined(separator: "/")
            case .context(_, let path): "+" + path.joined(separator: "/")
            case .activity(let activity, _): "activity " + activity.id
            }
        }
    }

    var codes: [CLSError.Code] { problems.map(\.code) }
}

/// Takes the code of what an operation throws; nil where it throws none.
func code(_ body: () async throws -> Void) async -> CLSError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? CLSError)?.code
    }
}
