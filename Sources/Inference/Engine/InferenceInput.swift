// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// A share as inference needs to know it.
package struct ShareLayout: Equatable, Sendable {
    /// As configured, e.g. `/srv/classes`; stands in `DocumentRef.share`.
    package var path: String
    package var layouts: LayoutSet

    package init(path: String, layouts: LayoutSet) {
        self.path = path
        self.layouts = layouts
    }
}

/// uid and login as far as they are known now. A value: whoever asks the directory service hands in a new one.
package struct PeopleDirectory: Equatable, Sendable {
    package private(set) var logins: [UInt32: String]
    private var uids: [String: UInt32]
    /// Accounts that stand for nobody in particular (Samba's `force user`): as owner or holder they say nothing, and the path decides.
    package var sharedAccounts: Set<UInt32> = []

    package init(_ people: some Sequence<PersonID> = []) {
        logins = [:]
        uids = [:]
        for person in people { insert(person) }
    }

    package mutating func insert(_ person: PersonID) {
        if let old = logins.updateValue(person.login, forKey: person.uid), old != person.login { uids[old] = nil }
        uids[person.login] = person.uid
    }

    package func person(uid: UInt32) -> PersonID? { logins[uid].map { PersonID(uid: uid, login: $0) } }

    package func person(login: String) -> PersonID? { uids[login].map { PersonID(uid: $0, login: login) } }
}

/// An open descriptor that `/proc` showed.
package struct Holder: Hashable, Sendable {
    package enum Mode: Hashable, Sendable { case reading, writing }

    package var pid: Int32
    /// The file-system uid of the process.
    package var uid: UInt32
    package var share: Int
    package var path: PathBytes
    package var mode: Mode

    package init(pid: Int32, uid: UInt32, share: Int, path: PathBytes, mode: Mode) {
        self.pid = pid
        self.uid = uid
        self.share = share
        self.path = path
        self.mode = mode
    }
}

/// Everything that reaches inference. Time comes inside; inputs come in the order of their times, as far as the kernel keeps it.
package enum InferenceInput: Sendable {
    case change(Change)
    /// The deadline has come, or any later moment; harmless at any time.
    case timer(BootTime)
    /// The answer to `InferenceEffect.inspect`: the first bytes (at most `InferenceLimits.companionBytes`) and facts of a companion, empty
    /// and nil where it was gone. For a symbolic link, the bytes are its target.
    case companion(share: Int, path: PathBytes, facts: FileFacts?, bytes: [UInt8], at: BootTime)
    /// The answer to `InferenceEffect.watchProcess`: the process has ended, at this instant or not long before.
    case processEnded(pid: Int32, at: BootTime)
    /// The answer to `InferenceEffect.lookAtHandle`: how the process holds the file now; nil where it does not.
    case handle(pid: Int32, share: Int, path: PathBytes, mode: Holder.Mode?, at: BootTime)
    /// Accounts became known, e.g. the answer to `InferenceEffect.lookUpUID`; replaces the directory.
    case directory(PeopleDirectory, at: BootTime)
    /// All descriptors open below the shares: at the start and after a gap. What is not among them is not held.
    case holders([Holder], at: BootTime)
    /// Sessions that were open in the journal of this boot when the daemon ended. Comes first, before any change.
    case resume([WorkSession], at: BootTime)
    /// Something may be lost between the two instants, in one share or (nil) all. A rescan follows as `found` and `missing` changes.
    case gap(share: Int?, from: BootTime, at: BootTime)
    /// The share's folder is gone from its place, or its file system is not mounted any more. Its return comes as a `gap` of that share.
    case unavailable(share: Int, at: BootTime)
    /// Other limits from now on.
    case rule(Rule, at: BootTime)
    /// The configuration changed. Shares are known by `path`: what goes on in a share that stays, goes on.
    case shares([ShareLayout], at: BootTime)
    /// The daemon stops. Sessions that go on are not ended by it: the next start resumes them. Evidence that is still being folded is
    /// written out.
    case shutdown(at: BootTime)
    /// Watching ends for good, e.g. recording is switched off or a recorded trace is over: every session ends here as `censored`, unless
    /// its end was already known.
    case end(at: BootTime)
}
