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
    var developers: [UInt32: DeveloperStore] = [:]
    /// Stores of developers that are kept; the server is no place where many of them work.
    static let developersAtMost = 100

    /// Saves of attempts that one uid's programs may make in one go, and after which time one more.
    static let saves: (burst: Int64, interval: Int64) = (600, 1_000_000)

    /// False where a uid's programs save more than anything could have to say.
    mutating func allows(_ uid: UInt32, attempts: Int, at now: BootTime) -> Bool {
        // Whoever has not called for so long that it is full again need not be remembered.
        if allowances.count > 10_000 { allowances = [:] }
        var allowance = allowances[uid] ?? SessionAllowance(at: now, burst: Self.saves.burst, interval: Self.saves.interval)
        defer { allowances[uid] = allowance }
        for _ in 0..<attempts {
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
}

extension JSONValue {
    /// About as many bytes as it has as text.
    var roughSize: Int {
        switch self {
        case .null, .bool, .integer, .number: 8
        case .string(let text): text.utf8.count + 2
        case .array(let values): values.reduce(2) { $0 + $1.roughSize + 1 }
        case .object(let object): object.members.reduce(2) { $0 + $1.key.utf8.count + 4 + $1.value.roughSize }
        }
    }
}
