// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookVarlink
import EventLoop
import Ledger

/// What is remembered of programs that report, beyond the ledger.
struct ProgramsState {
    /// A timer that runs in a program: it stands when the program goes.
    struct Running {
        var client: ClientID
        var facts: ReportFacts
        /// When it was saved.
        var since: BootTime
    }

    struct Key: Hashable {
        var assignment: AssignmentID
        var person: PersonID
        var attempt: String

        init(_ facts: ReportFacts) {
            assignment = facts.assignment
            person = facts.person
            attempt = facts.attempt.id
        }
    }

    /// A call of somebody of whom it is not known yet who they are.
    struct Waiting {
        var client: ClientID
        var id: VarlinkConnection.CallID
        var call: VarlinkCall
    }

    var running: [Key: Running] = [:]
    var waiting: [Waiting] = []
    /// The class lists have been answered since the start: until then nobody is dropped.
    var isRosterKnown = false
    /// How many attempts the programs of each uid may save.
    var allowances: [UInt32: SessionAllowance] = [:]
    var contextAllowances: [UInt32: SessionAllowance] = [:]
    /// Listed programs whose word does not count at present.
    var distrusted: Set<String> = []
    /// As they are in their files, or will be once the thread has written them.
    var developers: [UInt32: DeveloperStore] = [:]
    var developerThread: DeveloperThread?
    var waitingDevelopers: [UInt64: WaitingDeveloper] = [:]
    var nextDeveloper: UInt64 = 1
    /// Stores of developers that are kept; the server is no place where many of them work.
    static let developersAtMost = 100

    /// Saves of attempts that one uid's programs may make in one go, and after which time one more. One that is larger than `attemptBytes` counts as several.
    static let saves: (burst: Int64, interval: Int64) = (600, 1_000_000)
    static let attemptBytes = 4096
    /// KiB of contexts that one uid's programs may save in one go, and after which time one more.
    static let contexts: (burst: Int64, interval: Int64) = (32 << 10, 100_000)

    /// Memory of unfinished saves, roughly, of one uid's programs and of all together.
    static let unfinishedBytes = 32 << 20
    static let unfinishedBytesInAll = 128 << 20

    enum Allowed { case all, fewerActivities, fewerContexts }

    /// Whether a uid's programs save no more than anything could have to say.
    mutating func allows(_ uid: UInt32, _ changes: [JSONValue], at now: BootTime) -> Allowed {
        var (attempts, contextBytes) = (0, 0)
        for change in changes {
            let size = change.roughSize
            if change["activity"] == nil { contextBytes += size } else { attempts += 1 + size / Self.attemptBytes }
        }
        if !Self.take(attempts, of: &allowances, uid, Self.saves, at: now) { return .fewerActivities }
        return Self.take((contextBytes + 1023) / 1024, of: &contextAllowances, uid, Self.contexts, at: now) ? .all : .fewerContexts
    }

    private static func take(
        _ count: Int, of allowances: inout [UInt32: SessionAllowance], _ uid: UInt32, _ limit: (burst: Int64, interval: Int64),
        at now: BootTime
    ) -> Bool {
        if count == 0 { return true }
        // Whoever has not called for so long that it is full again need not be remembered.
        if allowances.count > 10_000 { allowances = [:] }
        var allowance = allowances[uid] ?? SessionAllowance(at: now, burst: limit.burst, interval: limit.interval)
        defer { allowances[uid] = allowance }
        for _ in 0..<count {
            guard allowance.take(at: now) else { return false }
        }
        return true
    }
}

/// A save that comes in several messages.
struct SaveInPieces {
    var store: ProgramParameters.Store
    var changes: [JSONValue]
    var bytes: Int
    var memory: Int
}

extension JSONValue {
    /// About as many bytes as it has as text.
    var roughSize: Int { size(of: 2, eachMember: 4) }

    /// About as many bytes as it takes in memory.
    var roughMemory: Int { size(of: 32, eachMember: 48) }

    private func size(of value: Int, eachMember member: Int) -> Int {
        switch self {
        case .null, .bool, .integer, .number: max(value, 8)
        case .string(let text): text.utf8.count + value
        case .array(let values): values.reduce(value) { $0 + $1.size(of: value, eachMember: member) + 1 }
        case .object(let object):
            object.members.reduce(value) { $0 + $1.key.utf8.count + member + $1.value.size(of: value, eachMember: member) }
        }
    }
}
