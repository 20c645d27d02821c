// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
import DaybookJSON
import DaybookLinux
import Glibc
package import JournalFormat

/// Says which entries are to be emptied. Asked on the writer's thread, in two walks over the whole journal.
package protocol EntrySelection: Sendable {
    /// Before the walks, where `wantsList`: numbers and digests of all entries that were ever forgotten here.
    mutating func use(list: [UInt64: Digest])
    var wantsList: Bool { get }
    /// The first walk: every entry in order, but `evidence`, which is most of a journal and says no more than whose number it has.
    mutating func learn(_ entry: Entry, digest: Digest)
    /// The second walk.
    func selects(_ entry: Entry, digest: Digest) -> Bool
    /// What has to be in the journal before anything is emptied; asked after the first walk, and only where something is.
    func replacements() -> [EntryBody]
    /// Whatever has one of these words is made unreadable, where bytes are no entry (damage, and what repairs set aside).
    var words: [String] { get }
    /// After the walks: who is to be forgotten in memory, too. Stays in memory.
    var people: [PersonID] { get }
}

extension EntrySelection {
    package mutating func use(list: [UInt64: Digest]) {}
    package var wantsList: Bool { false }
    package var people: [PersonID] { [] }
}

/// Asks the writer to empty entries.
package struct ErasureRequest: Sendable {
    /// The caller's own number, which comes back with the report.
    package var id: UInt64
    package var kind: ErasureFacts.Kind
    /// The uid on whose order.
    package var by: UInt32?
    package var selection: any EntrySelection
    /// Only the segments whose entries are all older are looked at, and afterwards those at the old end go in which nothing is left. Nil: the
    /// whole journal, and no segment goes.
    package var before: WallTime?

    package init(id: UInt64, kind: ErasureFacts.Kind, by: UInt32?, selection: any EntrySelection, before: WallTime? = nil) {
        self.before = before
        self.id = id
        self.kind = kind
        self.by = by
        self.selection = selection
    }
}

/// What became of a request.
package struct ErasureReport: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        /// So many entries are emptied, and entries that say so are on the disk.
        case done(entries: Int)
        /// Nothing was begun, so nothing has changed.
        case refused(StorageTrouble)
        /// It was begun and is tried again until it is done, also after the next start.
        case unfinished(StorageTrouble)
    }

    /// Nil for one that a daemon before this one began.
    package var id: UInt64?
    package var outcome: Outcome
    /// Whom the selection found.
    package var people: [PersonID]
    /// The last entry that was looked at; later ones came meanwhile, and stay.
    package var through: UInt64

    package init(id: UInt64?, outcome: Outcome, people: [PersonID] = [], through: UInt64 = 0) {
        self.id = id
        self.outcome = outcome
        self.people = people
        self.through = through
    }
}

/// What an erasure has decided to do. On the disk from before its first change until after its last: whoever finds it, finishes it.
struct ErasurePlan: Equatable {
    /// The entries that will answer for it; several where one line could not hold all ranges.
    var facts: [ErasureFacts]
    /// The last entry before it.
    var last: UInt64
    var words: [String]

    static let name = "erasing"
    /// A line has room for far more.
    static let rangesPerEntry = 50_000
    private static let limit = 1 << 30

    var count: Int { facts.reduce(0) { $0 + $1.count } }
    var ranges: [ClosedRange<UInt64>] { facts.flatMap(\.ranges) }

    var json: JSONValue {
        [
            "last": .integer(Int64(clamping: last)), "words": .array(words.map { .string($0) }),
            "entries": .array(
                facts.map { facts in
                    var object: JSONObject = [
                        "kind": .string(facts.kind.rawValue), "count": .integer(Int64(facts.count)), "digests": .string(facts.digests),
                        "ranges": .array(
                            facts.ranges.map {
                                .array([.integer(Int64(clamping: $0.lowerBound)), .integer(Int64(clamping: $0.upperBound))])
                            }),
                    ]
                    if let by = facts.by { object["by"] = .integer(Int64(by)) }
                    return .object(object)
                }),
        ]
    }

    init(facts: [ErasureFacts], last: UInt64, words: [String]) {
        self.facts = facts
        self.last = last
        self.words = words
    }

    init?(json: JSONValue) {
        guard let last = json["last"]?.integerValue.flatMap({ UInt64(exactly: $0) }), let entries = json["entries"]?.arrayValue else {
            return nil
        }
        self.last = last
        words = json["words"]?.arrayValue?.compactMap(\.stringValue) ?? []
        facts = []
        for entry in entries {
            guard let kind = entry["kind"]?.stringValue.flatMap(ErasureFacts.Kind.init(rawValue:)),
                let count = entry["count"]?.integerValue, let digests = entry["digests"]?.stringValue,
                let ranges = entry["ranges"]?.arrayValue
            else { return nil }
            var read: [ClosedRange<UInt64>] = []
            for range in ranges {
                guard let bounds = range.arrayValue, bounds.count == 2, let first = bounds[0].integerValue,
                    let last = bounds[1].integerValue, first > 0, last >= first
                else { return nil }
                read.append(UInt64(first)...UInt64(last))
            }
            facts.append(
                ErasureFacts(
                    kind: kind, ranges: read, count: Int(count), digests: digests,
                    by: entry["by"]?.integerValue.flatMap { UInt32(exactly: $0) }))
        }
    }

    /// What a damaged plan is called once it was set aside; others have a number behind it.
    static let damagedName = "erasing.damaged"

    /// Plans that were found damaged and set aside.
    static func damaged(in state: String) -> [String] {
        guard let folder = try? OwnedDescriptor.openFolder(state), let names = try? folder.names() else { return [] }  // said by others
        return names.filter { $0 == damagedName || $0.hasPrefix(damagedName + "-") }.sorted()
    }

    /// The plan that somebody left; nil where nobody did.
    static func stored(in state: String) throws(JournalError) -> ErasurePlan? {
        let bytes: [UInt8]
        do { bytes = try SmallFile.read("\(state)/\(name)", limit: limit) } catch {
            if error.code == ENOENT { return nil }
            throw .unreadable(segment: name, reason: errnoText(error.code))
        }
        guard let value = try? JSONValue(parsing: bytes, limits: JSONLimits(bytes: limit, depth: 8, members: 1 << 26)),  // said below
            let plan = ErasurePlan(json: value)
        else { throw .damagedPlan }
        return plan
    }
}
