// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// An audio or video document that somebody has open.
struct MediaLook: Sendable {
    var session: ActivityID
    var share: Int
    var path: PathBytes
    /// The program that was found to hold it; nil before that.
    var pid: Int32?
    /// Whose program, where that is known.
    var uid: UInt32?
}

/// Which program holds it, and how far it is; nil where it has read nothing yet.
struct MediaPosition: Equatable, Sendable {
    var pid: Int32
    var delivery: Delivery?
}
