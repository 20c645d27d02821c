// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Brings the contexts below one up to date when somebody looks for something to assign. A type needs one of the two forms.
public protocol CLSContextProvider {
    /// Provides at least the immediate children of the context, saves them, and says so. The first context asked for is the main one.
    func updateDescendants(of context: CLSContext, completion: @escaping ((any Error)?) -> Void)

    /// The same as an async function.
    func updateDescendants(of context: CLSContext) async throws
}

extension CLSContextProvider {
    /// The same by the async form.
    public func updateDescendants(of context: CLSContext, completion: @escaping ((any Error)?) -> Void) {
        // Each form stands in for the other; a type that has neither would run in circles.
        let asked = ProviderCalls.isAsked
        let (provider, completion) = (UncheckedBox(self as any CLSContextProvider), UncheckedBox(completion))
        Task {
            guard !asked else { return completion.value(CLSError(.invalidArgument, "the context provider has no updateDescendants(of:)")) }
            do {
                try await ProviderCalls.$isAsked.withValue(true) { try await provider.value.updateDescendants(of: context) }
                completion.value(nil)
            } catch {
                completion.value(error)
            }
        }
    }

    /// The same by the form with a completion.
    public func updateDescendants(of context: CLSContext) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            ProviderCalls.$isAsked.withValue(true) {
                updateDescendants(of: context) { error in
                    if let error { continuation.resume(throwing: error) } else { continuation.resume() }
                }
            }
        }
    }
}

/// Whether one form already asked the other.
private enum ProviderCalls {
    @TaskLocal static var isAsked = false
}

/// Carries a value of the app to the thread where it is called back. ClassKit's completions are not `@Sendable`, and are documented to be called
/// on any thread: each is handed over once, and its maker does not call it.
struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
