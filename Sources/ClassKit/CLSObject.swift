// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What contexts, activities and their items have in common. Apps make those, never a bare one of these.
///
/// Objects may be used on any thread. Changes are kept in memory until `CLSDataStore.save`.
open class CLSObject: NSObject, NSSecureCoding, @unchecked Sendable {
    // Sendable: `created` is constant, all else is guarded by `Model.lock`, here and in the classes below.
    let created: Date
    var modified: Date
    /// When it was changed last, in the order of all changes.
    var revision: UInt64
    /// The revision that the daemon has answered for. Lower than `revision`: a save has to send the object.
    var savedRevision: UInt64 = 0

    /// When the object was made.
    open var dateCreated: Date { created }

    /// When the object was changed last.
    open var dateLastModified: Date { Model.locked { modified } }

    init(created: Date? = nil) {
        // In microseconds: as it is told to the daemon, and comes back from there.
        let created = created ?? Instants.now()
        self.created = created
        modified = created
        revision = Model.locked { Model.nextRevision() }
        super.init()
    }

    /// Notes a change. For whoever holds the lock.
    func touch() {
        modified = max(created, Instants.now())
        revision = Model.nextRevision()
    }

    // MARK: Coding

    /// Always true.
    open class var supportsSecureCoding: Bool { true }

    /// Reads what `encode(with:)` wrote. The object is new to the store.
    public required init?(coder: NSCoder) {
        guard let created = coder.decodeObject(of: NSDate.self, forKey: "dateCreated") else { return nil }
        self.created = created as Date
        modified = coder.decodeObject(of: NSDate.self, forKey: "dateLastModified").map { $0 as Date } ?? self.created
        revision = Model.locked { Model.nextRevision() }
        super.init()
    }

    /// Writes the object's own properties; not where it hangs, nor what hangs below it.
    open func encode(with coder: NSCoder) {
        coder.encode(created as NSDate, forKey: "dateCreated")
        coder.encode(dateLastModified as NSDate, forKey: "dateLastModified")
    }
}

// On Apple's systems every object may stand in a predicate's list of arguments.
extension CLSObject: CVarArg {
    /// Only for lists of arguments of `NSPredicate(format:_:)`, which takes the object itself.
    public var _cVarArgEncoding: [Int] { [] }
}
