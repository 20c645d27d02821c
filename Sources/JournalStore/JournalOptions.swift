// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import JournalFormat

/// How the journal is kept. Every limit of the store is here.
package struct JournalOptions: Equatable, Sendable {
    /// A segment that has reached this many bytes is followed by a new one.
    package var segmentBytes = 64 << 20
    /// Entries wait this long for others, so that one flush to the disk serves them all.
    package var commitDelay = Duration.milliseconds(200)
    /// Entries that may wait for the disk; one more is refused.
    package var maximumWaiting = 16_384
    /// Entries in one write, so that a long queue does not become one long write.
    package var maximumGroup = 1024
    /// After the disk has refused, the next try comes this much later.
    package var retryDelay = Duration.seconds(5)
    /// Groups that the receiver may leave untaken before the writer waits for it.
    package var maximumReports = 1024
    /// A segment is compressed once it has rested for so long; nil: never.
    package var packAfter: Duration? = .seconds(86_400)
    /// Whether checkpoints are signed, and with which key.
    package var signing: Signing?
    /// Entries are covered by a checkpoint after this time at the latest.
    package var checkpointInterval = Duration.seconds(86_400)

    package struct Signing: Equatable, Sendable {
        /// The folder of the service's credentials (systemd's `$CREDENTIALS_DIRECTORY`); the key in it comes before one of the state directory.
        package var credentials: String?

        package init(credentials: String? = nil) { self.credentials = credentials }
    }

    package init() {}
}

/// What is to be journaled: everything but what only the writer knows.
package struct EntryDraft: Equatable, Sendable {
    package var at: WallTime
    package var mono: BootTime
    package var body: EntryBody

    package init(at: WallTime, mono: BootTime, body: EntryBody) {
        self.at = at
        self.mono = mono
        self.body = body
    }
}

/// What the writer thread tells the loop, in order.
package enum JournalReport: Equatable, Sendable {
    /// One group: on the disk, in the order of `seq`. Entries that the writer made itself (`repaired`) are among them.
    case durable([DurableEntry])
    /// The disk refuses; nothing is acknowledged from here on. Said once; further tries that fail are silent.
    case stalled(StorageTrouble)
    /// The disk accepts again. What waited is written; `refused` entries found no room meanwhile and are lost: journal a `gap(.storage)`.
    case resumed(since: WallTime, refused: Int)
    /// Segments were compressed, or why one could not be; it stays as it is, and the next try comes with the next segment.
    case packed(Int, trouble: StorageTrouble?)
    /// What became of an erasure. Where it is done, the entries that answer for it have been reported before.
    case erased(ErasureReport)
}

/// Why the disk does not take entries, in words for an administrator; no path below a share.
package struct StorageTrouble: Error, Equatable, Sendable, CustomStringConvertible {
    /// The call that failed, as in section 2 of the manual.
    package var call: String
    package var code: Int32
    package var description: String

    package init(call: String, code: Int32, description: String) {
        self.call = call
        self.code = code
        self.description = description
    }
}

/// Why a journal cannot be opened or read.
package enum JournalError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Another daemon writes it.
    case inUse(state: String)
    /// There is no journal below this state directory.
    case absent(state: String)
    case storage(StorageTrouble)
    case folderUnreadable(reason: String)
    /// A segment of the journal's folder cannot be read as one.
    case unreadable(segment: String, reason: String)
    /// The plan of an erasure is none.
    case damagedPlan
    /// A file of the journal's folder is not there any more.
    case vanished(segment: String)
    /// A later version wrote it in a format that this one does not know.
    case newer(segment: String, version: Int64)

    package var description: String {
        switch self {
        case .inUse(let state):
            "another daybookd writes the journal in \(state); two would break it, so this one does not start; stop the other, or name another "
                + "state folder"
        case .absent(let state): "there is no journal in \(state); name the state folder of the configuration (server.state)"
        case .storage(let trouble): trouble.description
        case .folderUnreadable(let reason): "the journal's folder cannot be read: \(reason)"
        case .unreadable(let segment, let reason): "segment \(segment) of the journal cannot be read: \(reason)"
        case .damagedPlan:
            "the plan of an erasure (\(ErasurePlan.name) in the state directory) is damaged, and the server wrote it whole, so the disk changed "
                + "it; it is set aside as \(ErasurePlan.damagedName): whoever was to be forgotten is to be forgotten once more"
        case .vanished(let segment): "segment \(segment) of the journal is not there any more"
        case .newer(let segment, let version):
            "segment \(segment) of the journal has format \(version), and this version of Daybook knows formats up to "
                + "\(JournalFormat.version); it writes nothing into it: install the version that wrote it, or a later one"
        }
    }
}
