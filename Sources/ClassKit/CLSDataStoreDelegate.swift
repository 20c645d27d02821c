// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Makes contexts when somebody asks for them.
public protocol CLSDataStoreDelegate: NSObjectProtocol {
    /// The context for one element of an identifier path that is not there yet, nil where the app has none. Called from the top down, once
    /// for each element that is missing, on any thread. The store puts the context below its parent and saves it.
    func createContext(forIdentifier identifier: String, parentContext: CLSContext, parentIdentifierPath: [String]) -> CLSContext?
}
