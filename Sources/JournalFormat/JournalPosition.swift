// SPDX-License-Identifier: Apache-2.0

/// A place in the journal: the last entry, and the chain up to it.
package struct JournalPosition: Hashable, Sendable {
    /// 0 before the first entry.
    package var seq: UInt64
    package var chain: Digest

    package init(seq: UInt64, chain: Digest) {
        self.seq = seq
        self.chain = chain
    }

    /// Before the first entry.
    package static let start = JournalPosition(seq: 0, chain: .zero)
}
