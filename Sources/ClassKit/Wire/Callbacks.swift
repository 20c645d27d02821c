// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import Dispatch
import Foundation

/// Calls the app back, and waits for what is still under way when the program ends.
enum Callbacks {
    /// Runs code of the app on a thread where it may wait for other calls of this module.
    static func run(_ body: @escaping () -> Void) {
        let body = UncheckedBox(body)
        DispatchQueue.global().async { body.value() }
    }

    /// How long a program that ends waits for its last saves.
    static let leaveLimit = DispatchTimeInterval.seconds(5)

    private static let underWay = DispatchGroup()

    /// Many a command-line program saves as the last thing it does: its end waits until the daemon has answered.
    private static let waitsAtExit: Bool = {
        // What ends with the program ends in the reverse order: the JSON library's own objects have to be there before, so that they are there until
        // the last answer has been read.
        _ = try? JSONValue(parsing: "0")
        return atexit { Callbacks.wait() } == 0
    }()

    private static func wait() { _ = underWay.wait(timeout: .now() + leaveLimit) }

    static func enter() {
        _ = waitsAtExit
        underWay.enter()
    }

    static func leave() { underWay.leave() }
}

/// Sees to it that the delegate is asked once for each path, also when several look-ups miss the same context at once.
final class Creations: @unchecked Sendable {
    // Sendable: guarded by the condition.
    private let condition = NSCondition()
    private var paths: Set<[String]> = []

    static let limit: TimeInterval = 10

    /// Runs `make` while nobody else makes the same path. Waits for another one who does, though not for ever.
    func once<Result>(_ path: [String], _ make: () -> Result) -> Result {
        condition.lock()
        let deadline = Date(timeIntervalSinceNow: Self.limit)
        while paths.contains(path), condition.wait(until: deadline) {}
        paths.insert(path)
        condition.unlock()
        defer {
            condition.lock()
            paths.remove(path)
            condition.broadcast()
            condition.unlock()
        }
        return make()
    }
}
