// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What a context can tell about a student's work, so that teachers see it when they choose.
open class CLSProgressReportingCapability: CLSObject, @unchecked Sendable {
    /// The kinds of figures.
    public enum Kind: Int, Sendable {
        /// How long it took. Every context has this one.
        case duration = 0
        /// How much of it was done.
        case percent = 1
        /// Whether something was reached.
        case binary = 2
        /// A count.
        case quantity = 3
        /// Points.
        case score = 4
    }

    /// The kind of figure.
    public let kind: Kind
    /// What it means here, for teachers.
    public let details: String?

    /// A capability of this kind.
    public init(kind: Kind, details: String?) {
        self.kind = kind
        self.details = details
        super.init()
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let kind = Kind(rawValue: coder.decodeInteger(forKey: "kind")) else { return nil }
        self.kind = kind
        details = coder.decodeObject(of: NSString.self, forKey: "details").map { String(describing: $0) }
        super.init(coder: coder)
    }

    /// Writes the kind and the details.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(kind.rawValue, forKey: "kind")
        if let details { coder.encode(details as NSString, forKey: "details") }
    }

    /// Two capabilities are equal when kind and details are, so that a set has each once.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLSProgressReportingCapability else { return false }
        return other.kind == kind && other.details == details
    }

    /// Goes with `isEqual`.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(kind)
        hasher.combine(details)
        return hasher.finalize()
    }
}
