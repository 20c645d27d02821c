// SPDX-License-Identifier: Apache-2.0

/// `Status` of `org.daybook.Reports`: how the server is.
package struct ServerStatus: Equatable, Sendable {
    package enum RecordingState: String, Sendable { case on, off, paused }
    package enum ShareState: String, Sendable { case crawling, complete, partial, unavailable }
    package enum AnalyzerState: String, Sendable { case idle, working, failing, off }
    package enum CallerRole: String, Sendable { case administrator, coordinator, teacher, student, nobody }

    /// Why recording is in its state.
    package enum RecordingReason: String, Sendable, CaseIterable {
        case configuration, switched
        /// It follows the school's hours: it is on for lessons, or paused outside of hours or in holidays.
        case lessons, hours, holidays
    }

    package struct Recording: Equatable, Sendable {
        package var state: RecordingState
        /// RFC 3339, like all instants here.
        package var since: String?
        package var exceptions: Int
        /// Nil where nothing was ever switched, or a server of an earlier version does not say.
        package var reason: RecordingReason?
        /// When it goes on or pauses by itself next.
        package var until: String?
        /// Who switched it; for administrators.
        package var by: String?

        package init(
            state: RecordingState, since: String?, exceptions: Int, reason: RecordingReason? = nil, until: String? = nil, by: String? = nil
        ) {
            self.state = state
            self.since = since
            self.exceptions = exceptions
            self.reason = reason
            self.until = until
            self.by = by
        }
    }

    package struct Share: Equatable, Sendable {
        package var path: String
        package var state: ShareState
        package var percent: Int?
        package var folders: Int
        package var watches: Int
        /// `inotify` or `fanotify`.
        package var source: String
        /// Why it is inotify although fanotify was to be used.
        package var sourceReason: String?
        package var fileSystem: String?
        package var reason: String?
        package var unreadable: Int

        package init(
            path: String, state: ShareState, percent: Int? = nil, folders: Int, watches: Int, source: String, sourceReason: String? = nil,
            fileSystem: String? = nil, reason: String? = nil, unreadable: Int = 0
        ) {
            self.path = path
            self.state = state
            self.percent = percent
            self.folders = folders
            self.watches = watches
            self.source = source
            self.sourceReason = sourceReason
            self.fileSystem = fileSystem
            self.reason = reason
            self.unreadable = unreadable
        }
    }

    package struct Limit: Equatable, Sendable {
        /// How many records the kernel's queue should hold: some seconds of a school that saves all at once.
        package static let queuedEventsWanted = 65_536

        /// As the administrator knows it, e.g. `fs.inotify.max_user_watches`.
        package var name: String
        package var need: Int
        package var have: Int
        package var stops: Bool
        package var mend: String?

        package init(name: String, need: Int, have: Int, stops: Bool, mend: String?) {
            self.name = name
            self.need = need
            self.have = have
            self.stops = stops
            self.mend = mend
        }
    }

    package struct SelfTest: Equatable, Sendable {
        package var name: String
        package var passed: Bool
        package var meaning: String
        package var stops: Bool
        package var mend: String?

        package init(name: String, passed: Bool, meaning: String, stops: Bool, mend: String?) {
            self.name = name
            self.passed = passed
            self.meaning = meaning
            self.stops = stops
            self.mend = mend
        }
    }

    package struct Queue: Equatable, Sendable {
        package var name: String
        package var depth: Int
        package var capacity: Int

        package init(name: String, depth: Int, capacity: Int) {
            self.name = name
            self.depth = depth
            self.capacity = capacity
        }
    }

    package struct Gap: Equatable, Sendable {
        package var cause: String
        package var share: String?
        package var from: String
        package var to: String
        package var lost: Int?

        package init(cause: String, share: String?, from: String, to: String, lost: Int?) {
            self.cause = cause
            self.share = share
            self.from = from
            self.to = to
            self.lost = lost
        }
    }

    package struct Journal: Equatable, Sendable {
        package var lastSeq: Int64
        package var bytes: Int64
        package var segments: Int
        package var writable: Bool
        package var reason: String?
        /// The newest signed note of where it stands; nil where none was made yet.
        package var checkpoint: Checkpoint?

        package struct Checkpoint: Equatable, Sendable {
            /// The last entry that it covers.
            package var seq: Int64
            /// When it was signed; nil where its entry is not to be found.
            package var at: String?
            /// Name and id of the key, with which the text of the public key begins.
            package var key: String

            package init(seq: Int64, at: String?, key: String) {
                self.seq = seq
                self.at = at
                self.key = key
            }
        }
        /// The last entry in the snapshot that the start used; nil where it read the whole journal.
        package var snapshot: Int64?
        /// Why it did.
        package var snapshotReason: String?
        /// What it has lost, in words for an administrator.
        package var losses: [String]
        /// Where it lies; nil where that could not be asked.
        package var freeBytes: Int64?

        package init(
            lastSeq: Int64, bytes: Int64, segments: Int, writable: Bool, reason: String? = nil, checkpoint: Checkpoint? = nil,
            snapshot: Int64? = nil, snapshotReason: String? = nil, losses: [String] = [], freeBytes: Int64? = nil
        ) {
            self.freeBytes = freeBytes
            self.losses = losses
            self.checkpoint = checkpoint
            self.snapshot = snapshot
            self.snapshotReason = snapshotReason
            self.lastSeq = lastSeq
            self.bytes = bytes
            self.segments = segments
            self.writable = writable
            self.reason = reason
        }
    }

    package struct Settings: Equatable, Sendable {
        package var file: String?
        package var loadedAt: String?
        package var problem: String?

        package init(file: String?, loadedAt: String?, problem: String? = nil) {
            self.file = file
            self.loadedAt = loadedAt
            self.problem = problem
        }
    }

    package struct Analyzer: Equatable, Sendable {
        package var state: AnalyzerState
        package var waiting: Int
        package var reason: String?

        package init(state: AnalyzerState, waiting: Int, reason: String? = nil) {
            self.state = state
            self.waiting = waiting
            self.reason = reason
        }
    }

    package var version: String
    package var now: String
    package var startedAt: String
    package var pid: Int
    package var isDemo: Bool
    package var role: CallerRole
    package var recording: Recording
    package var shares: [Share]
    package var openSessions: Int
    package var connections: Int
    package var queues: [Queue]
    package var journal: Journal
    package var analyzer: Analyzer
    package var gaps: [Gap]
    package var limits: [Limit]
    package var selfTests: [SelfTest]
    package var settings: Settings
    package var pages: Pages?
    package var counts: Counts?

    package init(
        version: String, now: String, startedAt: String, pid: Int, isDemo: Bool, role: CallerRole, recording: Recording, shares: [Share],
        openSessions: Int, connections: Int, queues: [Queue], journal: Journal, analyzer: Analyzer, gaps: [Gap], limits: [Limit],
        selfTests: [SelfTest], settings: Settings, pages: Pages? = nil, counts: Counts? = nil
    ) {
        self.version = version
        self.now = now
        self.startedAt = startedAt
        self.pid = pid
        self.isDemo = isDemo
        self.role = role
        self.recording = recording
        self.shares = shares
        self.openSessions = openSessions
        self.connections = connections
        self.queues = queues
        self.journal = journal
        self.analyzer = analyzer
        self.gaps = gaps
        self.limits = limits
        self.selfTests = selfTests
        self.settings = settings
        self.pages = pages
        self.counts = counts
    }

    /// What was counted since the start, of nobody in particular.
    package struct Counts: Equatable, Sendable {
        /// How many entries were on the disk within so many seconds after they were made, and in no narrower bound; nil: later than all others.
        package struct CommitLatency: Equatable, Sendable {
            package var atMostSeconds: Double?
            package var entries: Int64

            package init(atMostSeconds: Double?, entries: Int64) {
                self.atMostSeconds = atMostSeconds
                self.entries = entries
            }
        }

        /// Memory that the server holds now.
        package var residentBytes: Int64?
        package var gaps: Int64
        /// That are known to be lost.
        package var lostEvents: Int64
        package var measured: Int64
        /// Documents that could not be measured.
        package var unmeasured: Int64
        /// From the narrowest bound on.
        package var commitLatency: [CommitLatency]

        package init(
            residentBytes: Int64?, gaps: Int64, lostEvents: Int64, measured: Int64, unmeasured: Int64, commitLatency: [CommitLatency]
        ) {
            self.residentBytes = residentBytes
            self.gaps = gaps
            self.lostEvents = lostEvents
            self.measured = measured
            self.unmeasured = unmeasured
            self.commitLatency = commitLatency
        }
    }

    /// Published pages; absent where none are configured.
    package struct Pages: Equatable, Sendable {
        package var directory: String
        /// How many there are.
        package var pages: Int
        /// How many are to be written.
        package var waiting: Int
        /// False: none are written, for this reason.
        package var published: Bool
        package var reason: String?

        package init(directory: String, pages: Int, waiting: Int, published: Bool, reason: String?) {
            self.directory = directory
            self.pages = pages
            self.waiting = waiting
            self.published = published
            self.reason = reason
        }
    }
}
