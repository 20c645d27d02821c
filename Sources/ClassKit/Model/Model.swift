// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What all objects of this module share. Their state may be read and changed on any thread: one lock guards it all, as one change often
/// touches several objects (a child has one parent, an item belongs to an activity). Nothing slow happens under it, and no code of the app.
enum Model {
    private static let lock = NSRecursiveLock()
    /// Guarded by the lock.
    nonisolated(unsafe) private static var lastRevision: UInt64 = 0

    static func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    /// A number higher than all before it: the later of two changes has the higher one. For whoever holds the lock.
    static func nextRevision() -> UInt64 {
        lastRevision += 1
        return lastRevision
    }
}

/// Limits of ClassKit, where it has some.
enum ClassKitLimits {
    /// In UTF-16 units, as Apple counts.
    static let identifier = 256
    static let title = 256
    static let summary = 4000
    static let topic = 256
    static let link = 2048
    /// Contexts below each other, the main context left out.
    static let depth = 8
    static let navigationChildren = 100
    static let additionalItems = 100
    /// Pieces of progress that do not touch.
    static let ranges = 1000
    /// Pixels of a thumbnail's sides.
    static let thumbnailSides = 80...330
}
