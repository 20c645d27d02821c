// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

// The evidence of assignments that are over stands in index files, one for each, and in memory only while nobody has written one.
extension Ledger {
    /// How long nobody has worked on an ended assignment before its evidence moves to an index.
    package static let quietAfterEnd = Duration.seconds(86_400)
    /// The same where its folder stays and its due day is over.
    package static let quietAfterDue = Duration.seconds(14 * 86_400)
    /// Fewer evidences than this are not worth a file.
    package static let fewestIndexed = 256
    /// More files than this are not made; the evidence of further assignments stays in memory.
    package static let mostIndexes = 8192

    /// The assignments for which an index should be written: those that are over and whose evidence in memory is worth it, and those whose
    /// index is damaged or has sessions that were forgotten since. Costs a walk over all sessions, and one over those of each candidate.
    package func evidenceToIndex(now: WallTime) -> [AssignmentID] {
        var found: [AssignmentID] = []
        var room = Self.mostIndexes - work.indexes.count
        for (number, layout) in work.layouts.sorted(by: { $0.key < $1.key }) {
            guard let id = work.assignments[number] else { continue }
            if let index = work.indexes[number], index.sessionCount > layout.sessions || !index.bytes.isSound {
                found.append(id)
                continue
            }
            // What came late is added once it is a quarter, so that all writing together stays a small multiple of the evidence.
            guard layout.inMemory >= Self.fewestIndexed, layout.inMemory * 4 >= layout.indexed, let record = assignments[id],
                let end = endOfWork(on: record),
                end + (record.ended == nil ? Self.quietAfterDue : Self.quietAfterEnd) <= now
            else { continue }
            if work.indexes[number] == nil {
                guard room > 0 else { continue }
                room -= 1
            }
            found.append(id)
        }
        return found
    }

    /// Gives what an index of each of these assignments would hold now, of those with anything to hold, one after the other until `body` says
    /// false. The same sessions always give the same bytes.
    package func evidenceIndexContents<Failure: Error>(
        of wanted: some Sequence<AssignmentID>, _ body: (AssignmentID, EvidenceIndexContent) throws(Failure) -> Bool
    ) throws(Failure) {
        let slots = work.slotsToIndex(of: wanted)
        for id in slots.keys.sorted() { if try !body(id, work.indexContent(of: slots[id] ?? [])) { return } }
    }

    /// Takes evidence from index files instead of memory; answers stay the same. What does not fit is left alone. The room of what went is
    /// free then, and the caller may give it back to the kernel.
    package mutating func use(_ indexes: [AssignmentID: any EvidenceIndexBytes]) {
        work.use(indexes.compactMapValues { EvidenceIndex($0) })
    }

    /// The index files that answers are taken from.
    package var evidenceIndexes: [AssignmentID: EvidenceIndexID] {
        work.indexes.reduce(into: [:]) { all, pair in if let id = work.assignments[pair.key] { all[id] = pair.value.id } }
    }

    /// How many evidences are in memory, and how many in index files.
    package var evidenceCounts: (inMemory: Int, indexed: Int) {
        var counts = (inMemory: 0, indexed: 0)
        for piece in work.slots.pieces {
            for slot in piece where slot.document != PackedWork.none {
                if slot.isIndexed { counts.indexed += Int(slot.evidence.count) } else { counts.inMemory += Int(slot.evidence.count) }
            }
        }
        return counts
    }
}
