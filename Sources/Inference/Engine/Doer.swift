// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// The process behind a change, as far as inference knows it.
struct Doer: Equatable, Sendable {
    var pid: Int32
    /// Nil where it is not known: the process had gone, or a file server was itself again.
    var uid: UInt32?
    var role: ProgramRole
    var startedAt: BootTime?
    /// True where it is known to have ended.
    var hasEnded = false
    /// The first document that it took up. What it took up later may have been closed before the process ends.
    var first: InferenceEngine.Key?
    /// True for root, services and noise: what they read is nothing, what they write is no person's work.
    var isNobody = false

    /// A connection of a file server that still stands.
    var isConnection: Bool { role == .fileServer && !hasEnded }

    /// Its life can be the sign that somebody has a document open.
    var isPresence: Bool { role == .program && !hasEnded && !isNobody && uid != nil }
}

/// A process by which a session's person has the document open.
struct Opener: Equatable, Sendable {
    enum Tie: Equatable, Sendable {
        /// It read the document and keeps nothing open: it is open as long as the process lives.
        case process
        /// It made a lock beside the document, and that lock's end is the close.
        case lock
        /// It holds the document, and the handle's end is the close.
        case handle
        /// A connection of a file server. Proves nothing by living.
        case connection
    }

    let pid: Int32
    var startedAt: BootTime?
    var tie: Tie
}
