// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import Foundation

@testable import ClassKit

/// What notices were shown.
final class Shown: @unchecked Sendable {
    // Sendable: guarded by its lock.
    private let lock = NSLock()
    private var lines: [String] = []

    func add(_ line: String) { lock.withLock { lines.append(line) } }

    var all: [String] { lock.withLock { lines } }
}

/// Stores of an app as its launches have them, with a real daemon, in the development environment of whoever runs the tests.
final class Development {
    enum Role: String { case teacher, student }

    let school: School
    let app: String

    init(_ school: School, app: String = "org.example.\(UUID().uuidString.prefix(8))") {
        self.school = school
        self.app = app
    }

    /// The app is started (once more).
    func launch() -> CLSDataStore {
        CLSDataStore(StoreSettings(socket: school.folder + "/daybook.sock", app: app, title: "Test", environment: .development))
    }

    func become(_ role: Role) throws {
        let wire = Wire(path: school.folder + "/daybook.sock")
        let failure = wire.failure { () throws(CLSError) in
            _ = try wire.call("org.daybook.ClassKit.DeveloperRole", ["role": .string(role.rawValue)])
        }
        if let failure { throw failure }
    }
}

extension CLSDataStore {
    /// A context below the main one.
    @discardableResult
    func add(_ identifier: String, _ type: CLSContextType = .chapter, below parent: CLSContext? = nil) -> CLSContext {
        let context = CLSContext(type: type, identifier: identifier, title: identifier.capitalized)
        (parent ?? mainAppContext).addChildContext(context)
        return context
    }
}

/// Takes the error of ClassKit that an operation throws; nil where it throws none.
func classKitError(_ body: () async throws -> Void) async -> CLSError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? CLSError
    }
}
