// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// What inference wants done, in order.
package enum InferenceEffect: Equatable, Sendable {
    /// To be journaled. Mere touches never come here. For each id: one `started`, then any others, at most one `stopped`, last.
    /// Instants inside may lie before those of earlier events, since a close is believed only after a while.
    case session(SessionEvent)
    /// A save has settled: nothing wrote to the document for `InferenceLimits.settle`. Time to measure it. `since`: where only a rescan
    /// found it, it was written at some time from then to `at`; else the same as `at`.
    case saved(share: Int, document: DocumentRef, placement: Placement, attribution: Attribution, since: BootTime, at: BootTime)
    /// Read this companion's facts and, without following a link, its first bytes; answer with `InferenceInput.companion`.
    case inspect(share: Int, path: PathBytes)
    /// Say when this process ends, with `InferenceInput.processEnded`; at once where it has ended, or where another one, started at another
    /// time, has its number now.
    case watchProcess(pid: Int32, startedAt: BootTime?)
    /// Nobody waits for the end of this process any more.
    case forgetProcess(pid: Int32)
    /// See whether this process holds the file open now; answer with `InferenceInput.handle`. For what the kernel told as one event. A file
    /// that was deleted or replaced while it is held (`/proc` shows `NAME (deleted)`) counts under the name that it had.
    case lookAtHandle(pid: Int32, share: Int, path: PathBytes)
    /// An owner without a login yet; answer with `InferenceInput.directory`.
    case lookUpUID(UInt32)
    /// A path names this login, which has no uid yet.
    case lookUpLogin(String)
    /// A folder that stands exactly at `{assignment}`.
    case assignmentFolder(share: Int, path: PathBytes, placement: Placement, owner: UInt32?, event: AssignmentFolderEvent, at: BootTime)
    /// A mere touch, as `daybook replay` shows it; only with `InferenceLimits.reportsTouches`. Not to be journaled.
    case touched(DocumentRef, Attribution, from: BootTime, to: BootTime)
    /// A table was full, and its oldest quiet member was given up; at most once a minute for each.
    case overflowed(InferenceTable, at: BootTime)
}

/// What happened to an assignment's folder.
package enum AssignmentFolderEvent: Equatable, Sendable {
    case appeared
    case vanished
    case renamed(from: PathBytes)
}

/// The tables whose size is limited.
package enum InferenceTable: String, Sendable {
    /// Documents with evidence.
    case documents
    /// Temporary files that may be renamed over a document.
    case temporaries
    /// Processes whose end is waited for.
    case processes
}
