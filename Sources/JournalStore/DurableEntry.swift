// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import JournalFormat

/// An entry that survives a power loss from now on.
package struct DurableEntry: Equatable, Sendable {
    package var entry: Entry
    package var position: JournalPosition
    /// The lines of its whole group, of which one is its own: a copy for each entry would cost more than its hash does.
    private let lines: GroupLines
    private let place: Range<Int>

    init(entry: Entry, position: JournalPosition, lines: GroupLines, place: Range<Int>) {
        self.entry = entry
        self.position = position
        self.lines = lines
        self.place = place
    }

    /// One whose line stands alone.
    package init(entry: Entry, line: [UInt8], position: JournalPosition) {
        self.init(entry: entry, position: position, lines: GroupLines(line), place: 0..<line.count)
    }

    /// The stored line without its line end.
    package var line: [UInt8] { Array(lines.bytes[place]) }

    /// How many bytes that is.
    package var lineLength: Int { place.count }

    package static func == (left: DurableEntry, right: DurableEntry) -> Bool {
        left.entry == right.entry && left.position == right.position && left.lines.bytes[left.place] == right.lines.bytes[right.place]
    }
}

/// The bytes of a group of lines.
final class GroupLines: @unchecked Sendable {
    // Owner: whoever encodes the group, and sets them once, before anybody else has it.
    fileprivate(set) var bytes: [UInt8]

    init(_ bytes: [UInt8] = []) { self.bytes = bytes }
}

/// Entries that are written in one go, and the lines that they become.
struct LineGroup: Sendable {
    let drafts: [EntryDraft]
    /// Where the journal has to stand before it, and the number of its first entry: else it must be encoded anew.
    let after: JournalPosition
    let first: UInt64
    fileprivate(set) var bytes: [UInt8] = []
    fileprivate(set) var entries: [DurableEntry] = []
    /// Where the journal stands once it is durable, and the next number.
    fileprivate(set) var position: JournalPosition
    fileprivate(set) var next: UInt64
}

/// Numbers, encodes, hashes and chains entries. For one thread.
struct GroupEncoder: ~Copyable {
    private let boot: BootID
    private var random = SaltSource()
    private var encoder = EntryEncoder()

    init(boot: BootID) { self.boot = boot }

    /// `repair`, where there is one, comes first. After damage the numbers go on above those in doubt, while the chain goes on from the last
    /// good entry.
    mutating func group(
        _ drafts: [EntryDraft], repair: EntryDraft? = nil, after position: JournalPosition, first: UInt64
    ) -> LineGroup {
        var group = LineGroup(drafts: drafts, after: position, first: first, position: position, next: first)
        let lines = GroupLines()
        group.entries.reserveCapacity(drafts.count + 1)
        if let repair { add(repair, to: &group, lines) }
        for draft in drafts { add(draft, to: &group, lines) }
        lines.bytes = encoder.takeLines()
        group.bytes = lines.bytes
        return group
    }

    private mutating func add(_ draft: EntryDraft, to group: inout LineGroup, _ lines: GroupLines) {
        var entry = Entry(seq: group.next, at: draft.at, boot: boot, mono: draft.mono, body: draft.body)
        let salt = random.next()
        var line = encoder.add(entry, salt: salt, after: group.position)
        if line == nil {
            // Longer than the format allows: it cannot be kept, and that is said in its place.
            entry.body = .gap(GapFacts(cause: .storage, from: draft.at, to: draft.at, lost: 1))
            line = encoder.add(entry, salt: salt, after: group.position)
        }
        guard let line else { return }
        group.entries.append(DurableEntry(entry: entry, position: line.position, lines: lines, place: line.place))
        group.position = line.position
        group.next += 1
    }
}
