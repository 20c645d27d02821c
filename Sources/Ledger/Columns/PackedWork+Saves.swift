// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// A measured save without what was measured.
struct SaveHead: Sendable {
    var seq: UInt64
    /// The name that the document had then.
    var document: DocumentRef
    var attribution: Attribution
    var assignment: AssignmentID?
}

extension PackedWork {
    mutating func add(_ point: SavePoint) {
        let facts = point.facts
        let document = documents.number(adding: facts.document)
        if shapes[recentShape]?.matches(facts) != true { recentShape = shapes.number(adding: SaveShape(facts)) }
        let head = PackedSaves.Head(
            seq: point.seq, document: document, person: people.number(adding: facts.attribution.person),
            assignment: assignments.number(adding: facts.assignment), boot: boots.number(adding: point.boot),
            source: facts.attribution.source, savedAt: facts.savedAt.microseconds, at: point.at.microseconds, size: facts.size,
            shape: recentShape)
        saves[document, default: PackedSaves()].append(head, values: facts.items)
    }

    /// How many there are of a document.
    func saveCount(of document: DocumentRef) -> Int { list(of: document)?.count ?? 0 }

    func save(_ index: Int, of document: DocumentRef) -> SavePoint? { list(of: document).flatMap { point(index, $0) } }

    /// Those that match, oldest first.
    func saves(of document: DocumentRef, where matches: (SaveHead) -> Bool = { _ in true }) -> [SavePoint] {
        guard let list = list(of: document) else { return [] }
        var found: [SavePoint] = []
        for index in 0..<list.count {
            if let head = head(index, list), matches(head), let point = point(index, list) { found.append(point) }
        }
        return found
    }

    func saveHeads(of document: DocumentRef) -> [SaveHead] {
        guard let list = list(of: document) else { return [] }
        return (0..<list.count).compactMap { head($0, list) }
    }

    /// Every document with saves, by its latest name.
    var savedDocuments: [DocumentRef] { saves.keys.compactMap { documents[$0] } }

    mutating func removeSaves(of document: DocumentRef, where matches: (SaveHead) -> Bool) {
        guard let number = documents.number(of: document), let list = saves[number] else { return }
        let gone = Set((0..<list.count).filter { head($0, list).map(matches) ?? true })
        guard !gone.isEmpty else { return }
        var kept = PackedSaves()
        for index in 0..<list.count where !gone.contains(index) { kept.append(index, of: list) }
        saves[number] = kept.count == 0 ? nil : kept
    }

    /// The document goes on under another name, and may have saves under that already.
    mutating func moveSaves(from old: DocumentRef, to new: DocumentRef) {
        guard let from = documents.number(of: old), let earlier = saves.removeValue(forKey: from) else { return }
        let to = documents.number(adding: new)
        guard let later = saves[to], later.count > 0 else {
            saves[to] = earlier
            return
        }
        let sources = (0..<earlier.count).map { (earlier.seq($0), $0, true) } + (0..<later.count).map { (later.seq($0), $0, false) }
        var joined = PackedSaves()
        for (_, index, isEarlier) in sources.sorted(by: { $0.0 < $1.0 }) { joined.append(index, of: isEarlier ? earlier : later) }
        saves[to] = joined
    }

    private func list(of document: DocumentRef) -> PackedSaves? { documents.number(of: document).flatMap { saves[$0] } }

    private func head(_ index: Int, _ list: PackedSaves) -> SaveHead? {
        guard let (head, _) = list.head(index), let document = documents[head.document] else { return nil }
        return SaveHead(
            seq: head.seq, document: document, attribution: Attribution(person: people[head.person], source: head.source),
            assignment: assignments[head.assignment])
    }

    private func point(_ index: Int, _ list: PackedSaves) -> SavePoint? {
        guard let (head, reader) = list.head(index), let document = documents[head.document], let boot = boots[head.boot],
            let shape = shapes[head.shape]
        else { return nil }
        var values = reader
        guard let items = PackedSaves.items(shape, &values) else { return nil }
        let facts = MetricsFacts(
            document: document, assignment: assignments[head.assignment],
            attribution: Attribution(person: people[head.person], source: head.source), savedAt: BootTime(microseconds: head.savedAt),
            size: head.size, format: shape.format, language: shape.language, items: items,
            notes: shape.notes.map { MissingItem(identifier: $0.identifier, reason: $0.reason) }, error: shape.error)
        return SavePoint(seq: head.seq, at: WallTime(microseconds: head.at), boot: boot, facts: facts)
    }
}

/// A measured save as far as it shows whether something was changed.
struct MeasuredSave: Sendable {
    var seq: UInt64
    var savedAt: BootTime
    fileprivate var size: Int64
    fileprivate var shape: UInt32
    fileprivate var values: ArraySlice<UInt8>
}

extension PackedWork {
    /// A person's saves of a document up to `through`, in the order of their entries from `seq` on; not beyond the first one that was made
    /// after `latest`, or in another run of the machine.
    func measured(
        _ document: DocumentRef, from seq: UInt64, boot: BootID, through last: BootTime, latest: BootTime, by person: PersonID?
    ) -> [MeasuredSave] {
        guard let list = list(of: document), let boot = boots.number(of: boot) else { return [] }
        let person = person.map { people.number(of: $0) ?? Self.none - 1 } ?? Self.none
        // By number: nothing is measured before the session began.
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if list.seq(middle) < seq { low = middle + 1 } else { high = middle }
        }
        var found: [MeasuredSave] = []
        for index in low..<list.count {
            guard let (head, values) = list.head(index) else { continue }
            let savedAt = BootTime(microseconds: head.savedAt)
            guard head.boot == boot, savedAt <= latest else { break }
            if savedAt <= last, head.person == person {
                found.append(
                    MeasuredSave(
                        seq: head.seq, savedAt: savedAt, size: head.size, shape: head.shape, values: list.rest(index, after: values)))
            }
        }
        return found
    }

    /// By size and figures: the texts themselves are not kept.
    func changesNothing(_ save: MeasuredSave, after before: MeasuredSave) -> Bool {
        guard save.size == before.size, let shape = shapes[save.shape], shape.error == nil, !shape.fields.isEmpty else { return false }
        if save.shape != before.shape {
            guard let other = shapes[before.shape], other.format == shape.format, other.fields == shape.fields else { return false }
        }
        return save.values == before.values
    }
}

extension PackedWork: Equatable {
    static func == (left: PackedWork, right: PackedWork) -> Bool {
        guard left.sessionCount == right.sessionCount, left.saves.count == right.saves.count else { return false }
        for id in left.slotByID.keys where left.session(ActivityID(id)) != right.session(ActivityID(id)) { return false }
        for document in left.savedDocuments where left.saves(of: document) != right.saves(of: document) { return false }
        return true
    }
}
