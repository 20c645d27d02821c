// SPDX-License-Identifier: Apache-2.0

/// Says which entries were emptied, never whose they were: a `forgotten` or a `retention` entry.
package struct ErasureFacts: Equatable, Sendable {
    /// The raw value is the kind of the entry.
    package enum Kind: String, Sendable { case forgotten, retention }

    package var kind: Kind
    /// Their numbers, ascending and apart.
    package var ranges: [ClosedRange<UInt64>]
    /// How many lines in these ranges are emptied.
    package var count: Int
    /// SHA-256 over the digests of these lines, one after another, in hexadecimal digits.
    package var digests: String
    /// The uid on whose order; nil where the configuration asked for it.
    package var by: UInt32?
    /// Entries up to this one were removed altogether: nothing was left in them. There are no ranges then, and `digests` is the SHA-256 of the
    /// digest of this entry.
    package var base: UInt64?

    package init(kind: Kind, ranges: [ClosedRange<UInt64>], count: Int, digests: String, by: UInt32?, base: UInt64? = nil) {
        self.base = base
        self.kind = kind
        self.ranges = ranges
        self.count = count
        self.digests = digests
        self.by = by
    }
}
