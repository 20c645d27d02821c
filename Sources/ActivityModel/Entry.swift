// SPDX-License-Identifier: Apache-2.0

/// One entry of the journal, without what its line adds (`v`, `salt`, `digest`, `chain`).
package struct Entry: Equatable, Sendable {
    /// From 1, without holes.
    package var seq: UInt64
    package var at: WallTime
    package var boot: BootID
    package var mono: BootTime
    package var body: EntryBody

    package init(seq: UInt64, at: WallTime, boot: BootID, mono: BootTime, body: EntryBody) {
        self.seq = seq
        self.at = at
        self.boot = boot
        self.mono = mono
        self.body = body
    }

    /// The wall time of an instant of the same boot, by this entry's pair of clocks.
    package func wallTime(of instant: BootTime) -> WallTime { at + (instant - mono) }
}

/// What happened. `Documentation/Journal.md` has every kind and field; kinds that this version does not know stay `unknown`.
package enum EntryBody: Equatable, Sendable {
    case started(version: String)
    case stopped(reason: String)
    case settings(SettingsFacts)
    case recording(RecordingChange)
    case watching(WatchingFacts)
    case gap(GapFacts)
    case clock(ClockFacts)
    case person(PersonFacts)
    /// `activity.started`, `evidence`, `activity.paused` … by the event's case. `assignment` is set on a start.
    case session(SessionEvent, assignment: AssignmentID?)
    case metrics(MetricsFacts)
    case assignmentCreated(AssignmentFacts)
    case assignmentChanged(AssignmentFacts)
    case assignmentEnded(AssignmentID, reason: String)
    case done(DoneFacts)
    case note(NoteFacts)
    case bookmarkCreated(BookmarkFacts)
    case bookmarkRemoved(number: UInt64, by: UInt32)
    case imported(ImportFacts)
    /// A program's tree of content was changed, by somebody who may.
    case contextSaved(ContextFacts)
    /// With all below it.
    case contextRemoved(ContextRef, by: UInt32)
    /// `activity.saved`: what a program reported of a student.
    case reported(ReportFacts)
    case viewed(ViewedFacts)
    case totals(TotalsFacts)
    case repaired(RepairFacts)
    /// A signed note of the position before this entry.
    case checkpoint(note: String)
    /// Answers for entries that were emptied.
    case erasure(ErasureFacts)
    case erased
    case base
    /// A kind of a later version: kept, and ignored.
    case unknown(kind: String)
}

/// The settings in force from this entry on, as far as the journal's readers need them.
package struct SettingsFacts: Equatable, Sendable {
    package var rule: Rule
    package var shares: [String]
    package var classes: [String]

    package init(rule: Rule, shares: [String], classes: [String]) {
        self.rule = rule
        self.shares = shares
        self.classes = classes
    }
}

/// Recording switched, for everybody or for one person.
package struct RecordingChange: Equatable, Sendable {
    package enum State: String, Sendable { case on, off, paused }

    package var state: State
    /// Nil for everybody.
    package var person: PersonID?
    /// Who switched it: a uid, or nil for the configuration.
    package var by: UInt32?
    /// School ended or began: paused until then, or on again, on the word of whoever had switched it on.
    package var isScheduled: Bool

    package init(state: State, person: PersonID? = nil, by: UInt32? = nil, isScheduled: Bool = false) {
        self.state = state
        self.person = person
        self.by = by
        self.isScheduled = isScheduled
    }
}

/// How well a share is watched from now on.
package struct WatchingFacts: Equatable, Sendable {
    package enum State: String, Sendable { case complete, partial, unavailable }

    package var share: String
    package var state: State
    /// The kernel interface: `inotify` or `fanotify`.
    package var source: String
    package var folders: Int
    /// Why it is partial or unavailable, or why it is inotify although fanotify was to be used, in words for an administrator; no names
    /// below a class.
    package var reason: String?

    package init(share: String, state: State, source: String, folders: Int, reason: String? = nil) {
        self.share = share
        self.state = state
        self.source = source
        self.folders = folders
        self.reason = reason
    }
}

/// A stretch in which something may have been missed.
package struct GapFacts: Equatable, Sendable {
    package enum Cause: String, Sendable { case overflow, restart, unavailable, storage, suspended, switchedOff = "switched-off" }

    package var cause: Cause
    /// Nil for all shares.
    package var share: String?
    /// Wall times, since a gap may reach over a reboot.
    package var from: WallTime
    package var to: WallTime
    /// How many changes were lost where that is known.
    package var lost: Int?

    package init(cause: Cause, share: String? = nil, from: WallTime, to: WallTime, lost: Int? = nil) {
        self.cause = cause
        self.share = share
        self.from = from
        self.to = to
        self.lost = lost
    }
}

/// The wall clock stepped, or the machine slept.
package struct ClockFacts: Equatable, Sendable {
    package enum Cause: String, Sendable { case stepped, suspended }

    package var cause: Cause
    /// Microseconds: forward is positive; for a suspend its length.
    package var by: Int64

    package init(cause: Cause, by: Int64) {
        self.cause = cause
        self.by = by
    }
}

/// An account seen for the first time, or with another name.
package struct PersonFacts: Equatable, Sendable {
    package var person: PersonID
    /// For people, from NSS; the login where there is none.
    package var displayName: String
    package var role: Role
    /// The classes in which the role holds.
    package var classes: [String]

    package init(person: PersonID, displayName: String, role: Role, classes: [String]) {
        self.person = person
        self.displayName = displayName
        self.role = role
        self.classes = classes
    }
}

/// Names an assignment for as long as the journal lives, e.g. `8b/2026-03-14 Hamlet`: class, slash, folder name as text.
/// The nameless assignment of a share without `{class}` or `{assignment}` is the share's path.
package struct AssignmentID: Hashable, Comparable, Sendable {
    package let text: String

    package init(text: String) { self.text = text }

    package static func < (left: AssignmentID, right: AssignmentID) -> Bool { left.text < right.text }
}

/// An assignment as it stands from this entry on.
package struct AssignmentFacts: Equatable, Sendable {
    package var id: AssignmentID
    package var title: String
    /// Empty where the layout has no class.
    package var className: String
    package var share: String
    /// The folder at `{assignment}`, relative to the share; nil where the layout names none.
    package var folder: PathBytes?
    /// The day's end in the server's zone, as an instant.
    package var due: WallTime?
    /// The uid of the teacher who made it; nil for the nameless one.
    package var by: UInt32?
    /// The rule that stays with it.
    package var rule: Rule
    package var students: [PersonID]
    /// Students of whom the teacher asks nothing this time.
    package var excused: [PersonID]
    /// What the teacher asks for; nil where no target is set.
    package var target: Target?
    /// What else the teacher said.
    package var plan = AssignmentPlan()
    /// Set in the one entry that changed the rule for good.
    package var ruleChange: RuleChange?
    /// Set in an entry that takes the place of one that was emptied: when that one was written.
    package var asOf: WallTime?

    package init(
        id: AssignmentID, title: String, className: String, share: String, folder: PathBytes?, due: WallTime?, by: UInt32?, rule: Rule,
        students: [PersonID], excused: [PersonID] = [], target: Target? = nil, ruleChange: RuleChange? = nil, asOf: WallTime? = nil
    ) {
        self.id = id
        self.title = title
        self.className = className
        self.share = share
        self.folder = folder
        self.due = due
        self.by = by
        self.rule = rule
        self.students = students
        self.excused = excused
        self.target = target
        self.ruleChange = ruleChange
        self.asOf = asOf
    }
}

/// A figure to reach, e.g. 500 of `total_word_count`; its item is the assignment's primary one.
package struct Target: Equatable, Sendable {
    package var identifier: String
    package var value: Double

    package init(identifier: String, value: Double) {
        self.identifier = identifier
        self.value = value
    }
}

/// How a student's work on an assignment stands: the student's own statement, or a teacher's answer to it; a later one replaces it.
package struct DoneFacts: Equatable, Sendable {
    package enum State: String, Sendable, CaseIterable {
        case done
        case handedIn = "handed-in"
        /// As if nothing had been said.
        case withdrawn
        /// By a teacher: looked at, and given back.
        case returned
        /// By a teacher: given back to go on with.
        case tryAgain = "try-again"
    }

    package var assignment: AssignmentID
    package var person: PersonID
    package var state: State
    /// The document handed in.
    package var document: DocumentRef?
    /// As it was then; nil where it could not be read, or nothing was handed in.
    package var file: HandedInFile?
    /// Who said so, where it was not the student.
    package var by: UInt32?
    /// What a teacher wrote to the student.
    package var text: String?

    package init(
        assignment: AssignmentID, person: PersonID, state: State, document: DocumentRef? = nil, file: HandedInFile? = nil,
        by: UInt32? = nil, text: String? = nil
    ) {
        self.assignment = assignment
        self.person = person
        self.state = state
        self.document = document
        self.file = file
        self.by = by
        self.text = text
    }
}

/// What an analyzer measured after a save.
package struct MetricsFacts: Equatable, Sendable {
    package var document: DocumentRef
    package var assignment: AssignmentID?
    /// Who saved it.
    package var attribution: Attribution
    /// When it was saved, on the boot clock.
    package var savedAt: BootTime
    package var size: Int64
    package var format: String?
    package var language: String?
    package var items: [Item]
    package var notes: [MissingItem]
    /// Why nothing could be measured.
    package var error: String?
    /// The entry whose save was measured anew, as the assignment asks for something else since; nil for a save's first measuring.
    package var again: UInt64?

    package init(
        document: DocumentRef, assignment: AssignmentID?, attribution: Attribution, savedAt: BootTime, size: Int64,
        format: String? = nil, language: String? = nil, items: [Item] = [], notes: [MissingItem] = [], error: String? = nil,
        again: UInt64? = nil
    ) {
        self.document = document
        self.assignment = assignment
        self.attribution = attribution
        self.savedAt = savedAt
        self.size = size
        self.format = format
        self.language = language
        self.items = items
        self.notes = notes
        self.error = error
        self.again = again
    }
}

/// Somebody looked at what is recorded of others.
package struct ViewedFacts: Equatable, Sendable {
    package var by: UInt32
    package var byLogin: String
    /// Whose figures were shown; empty for a whole class table.
    package var person: PersonID?
    package var assignment: AssignmentID?
    /// The method, e.g. `Report`.
    package var what: String

    package init(by: UInt32, byLogin: String, person: PersonID?, assignment: AssignmentID?, what: String) {
        self.by = by
        self.byLogin = byLogin
        self.person = person
        self.assignment = assignment
        self.what = what
    }
}

/// What recovery did at the start.
package struct RepairFacts: Equatable, Sendable {
    /// The last entry that is certain.
    package var lastGoodSeq: UInt64
    package var lastGoodChain: String
    /// The name under which the damaged bytes were set aside, in the journal's folder.
    package var setAside: String?
    package var bytes: Int64
    package var reason: String

    package init(lastGoodSeq: UInt64, lastGoodChain: String, setAside: String?, bytes: Int64, reason: String) {
        self.lastGoodSeq = lastGoodSeq
        self.lastGoodChain = lastGoodChain
        self.setAside = setAside
        self.bytes = bytes
        self.reason = reason
    }
}
