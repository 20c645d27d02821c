// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import Inference

/// What the administrator configured, checked. `Settings()` holds the defaults, here and nowhere else; `config.example.toml` documents them.
package struct Settings: Equatable, Sendable {
    package var server = Server()
    package var recording = Recording()
    package var watch = Watch()
    /// `[sessions]`: the limits by which evidence becomes time.
    package var rule = Rule()
    package var journal = Journal()
    package var retention = Retention()
    package var analyzer = Analyzer()
    package var limits = Limits()
    package var access = Access()
    package var pages = Pages()
    package var classKit = ClassKit()
    package var live = Live()
    package var identity = Identity()
    package var metrics = Metrics()
    package var school = School()
    package var shares: [Share] = []
    package var classes: [SchoolClass] = []
    package var people: [RosterPerson] = []

    package init() {}

    package struct Server: Equatable, Sendable {
        /// Where the daemon listens when systemd hands it no socket.
        package var socket = "/run/daybook/daybook.sock"
        /// The folder of the journal and of all that the daemon keeps.
        package var state = "/var/lib/daybook"
        /// Whether the daemon's own messages name people and paths below a class.
        package var logNames = false

        package init() {}
    }

    package struct Recording: Equatable, Sendable {
        package enum When: String, CaseIterable, Sendable {
            case always
            case schoolHours = "school-hours"
        }

        package var enabled = false
        package var when = When.always

        package init() {}
    }

    package struct Watch: Equatable, Sendable {
        package enum Source: String, CaseIterable, Sendable { case auto, inotify, fanotify }

        package var source = Source.auto
        /// How long a wake-up waits before it reads, so that it takes many events at once.
        package var batchDelay = Duration.milliseconds(10)
        /// How often folders are tried again that could not be watched.
        package var retry = Duration.seconds(30)
        /// How often shares on network file systems are looked at for what other machines did.
        package var pollInterval = Duration.seconds(60)
        /// Folder names that are never entered; a trailing `*` matches any rest. Already part of each share's layouts.
        package var excluded = LayoutSet.defaultExclusions

        package init() {}
    }

    package struct Journal: Equatable, Sendable {
        /// How long an entry may wait for others, so that one sync serves them all.
        package var commitDelay = Duration.milliseconds(200)
        /// Bytes after which a new segment begins.
        package var segmentSize = 64 << 20
        /// How long a segment rests before it is compressed.
        package var compressAfter = Duration.seconds(86_400)
        /// Entries are covered by a signed checkpoint after this time at the latest.
        package var checkpointInterval = Duration.seconds(86_400)
        /// The snapshot of the ledger is written anew after so many entries.
        package var snapshotEntries = 200_000

        package init() {}
    }

    /// How long what is kept; each of them ends with an erasure of entries.
    package struct Retention: Equatable, Sendable {
        /// Sessions, their evidence and all but the last results of each document, after the end of work on their assignment.
        package var evidence = Duration.seconds(60 * 86_400)
        /// What is left of them, after the same end; not shorter than `evidence`.
        package var totals = Duration.seconds(400 * 86_400)
        /// Everything of a student, after they left every class.
        package var leavers = Duration.seconds(90 * 86_400)
        /// Who looked, after they did.
        package var viewed = Duration.seconds(400 * 86_400)

        /// As long as anything may be kept, and what stands for ever.
        package static let longest = Duration.seconds(36_500 * 86_400)

        package init() {}
    }

    package struct Analyzer: Equatable, Sendable {
        /// Where the analyzer service listens; nil: the daemon starts its own.
        package var socket: String? = "/run/daybook-analyze.sock"
        /// Bytes; a larger document is not analyzed.
        package var documentSizeLimit = 64 << 20
        /// For one document.
        package var timeLimit = Duration.seconds(20)
        /// Bytes, for one document.
        package var memoryLimit = 512 << 20
        /// How long a document must rest after a save.
        package var settle = Duration.seconds(2)
        /// Programs that measure documents beside the built-in analyzers.
        package var external: [External] = []

        package init() {}
    }

    package struct Limits: Equatable, Sendable {
        package var clients = 512
        package var clientsPerUser = 64
        /// Bytes of one message from a client.
        package var messageSize = 256 << 10
        /// Bytes that may wait for a client that does not read.
        package var outputSize = 4 << 20
        /// How long a client may leave a message half sent, or what waits for it unread.
        package var clientTimeout = Duration.seconds(30)
        /// Changes that may wait between the watcher and the loop; beyond that the watcher waits and the kernel's own queue fills.
        package var queuedChanges = 65_536
        /// Entries that may wait for a disk that does not take them; beyond that a gap is journaled.
        package var queuedEntries = 16_384
        /// Documents that may wait for the analyzer.
        package var queuedDocuments = 4_096

        package init() {}
    }

    package struct Access: Equatable, Sendable {
        /// Who sees everything and alone may follow the journal; root always may.
        package var administrators: [Member] = [.group("daybook-admin")]
        /// Whether an administrator may look through another person's eyes (`daybook me --as`), for demonstrations.
        package var viewAs = false

        package init() {}
    }

    /// Published pages: files that a read-only share shows to teachers and students.
    package struct Pages: Equatable, Sendable {
        /// The folder they are written into; nil: none are written.
        package var directory: String?
        /// A page that was changed is written anew after this time at the earliest.
        package var interval = Duration.seconds(300)

        package init() {}
    }

    /// Programs that report by themselves.
    package struct ClassKit: Equatable, Sendable {
        /// Executables whose word counts like what Daybook saw; all others stand beside it.
        package var trusted: [String] = []

        package init() {}
    }

    /// Who is working at this moment.
    package struct Live: Equatable, Sendable {
        /// Whether teachers may see it of their classes.
        package var enabled = false

        package init() {}
    }

    /// Figures for monitoring, as a file in the form of Prometheus.
    package struct Metrics: Equatable, Sendable {
        /// Nil: none is written.
        package var file: String?
        package var interval = Duration.seconds(30)

        package init() {}
    }

    package struct Identity: Equatable, Sendable {
        /// Accounts that stand for nobody in particular, e.g. the `force user` of a Samba share: where a file or a process shows one of
        /// them, that says nothing about who worked, and the path decides, marked `assumed`.
        package var sharedAccounts: [Account] = []

        package init() {}
    }

    /// A login, or everybody in a Unix group (`"@group"`).
    package enum Member: Hashable, Sendable {
        case login(String)
        case group(String)

        /// As configured.
        package var text: String {
            switch self {
            case .login(let name): name
            case .group(let name): "@\(name)"
            }
        }
    }

    /// An account by its login or by its number.
    package enum Account: Hashable, Sendable {
        case login(String)
        case uid(UInt32)
    }

    /// A watched folder tree.
    package struct Share: Equatable, Sendable {
        /// Absolute, without a trailing slash, `.` or `..`; only with `Options.allowRelativeShares` as it was written.
        package var path: String
        package var layouts: LayoutSet

        package init(path: String, layouts: LayoutSet) {
            self.path = path
            self.layouts = layouts
        }
    }

    package struct School: Equatable, Sendable {
        package var time = SchoolTime.usual
        /// Figures over fewer people are shown to nobody who cannot see the rows.
        package var smallGroup = 5

        package init() {}
    }

    package struct SchoolClass: Equatable, Sendable {
        /// The name at `{class}` in a layout.
        package var name: String
        package var students: [Member]
        package var teachers: [Member]
        /// As teachers, and named so in lists.
        package var coteachers: [Member] = []
        /// As teachers until a day.
        package var covers: [Cover] = []
        /// Who sees the class's figures without names.
        package var coordinators: [Member] = []

        package init(name: String, students: [Member] = [], teachers: [Member] = []) {
            self.name = name
            self.students = students
            self.teachers = teachers
        }
    }

    /// Somebody who teaches a class for a while.
    package struct Cover: Equatable, Sendable {
        package var login: String
        /// The last day.
        package var until: CivilDate

        package init(login: String, until: CivilDate) {
            self.login = login
            self.until = until
        }
    }

    /// A person whom the server's own account lists do not know, e.g. on a file server that sees numbers only.
    package struct RosterPerson: Equatable, Sendable {
        package var id: PersonID
        /// As in reports, e.g. `Berg, Jonas`; nil: the login.
        package var name: String?

        package init(id: PersonID, name: String? = nil) {
            self.id = id
            self.name = name
        }
    }
}
