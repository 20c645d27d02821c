// SPDX-License-Identifier: Apache-2.0

/// The sizes and waiting times of inference. Not part of the `Rule`: they decide what counts as evidence, not how much time it is worth.
package struct InferenceLimits: Equatable, Sendable {
    /// A handle held at least this long is presence, a shorter pair of open and close is a touch.
    package var hold = Duration.seconds(2)
    /// How long a close or a vanished lock is doubted: editors close and reopen while saving (LibreOffice up to 0.6 s, vim over smbnetfs 4 s).
    package var closeDebounce = Duration.seconds(5)
    /// A document without writes for this long is at rest.
    package var settle = Duration.seconds(2)
    /// Evidence is journaled at most this often for one session.
    package var fold = Duration.seconds(30)
    /// The longest list of documents with evidence that is kept.
    package var documents = 20_000
    /// The longest list of temporary files, and of other names that are remembered for some seconds.
    package var temporaries = 4096
    /// The most evidence values that one session keeps apart; later ones are folded into the last of their kind.
    package var evidencePerSession = 4096
    /// How many bytes of a companion are read.
    package var companionBytes = 4096

    package init() {}
}
