// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference

/// All sessions and measured saves, packed: texts once, evidence in 16 bytes, saves in some 60. What is asked for is unpacked then. The evidence
/// of sessions that have ended may be in an index instead: what comes after an end is nothing.
///
/// Two are equal where everything that can be unpacked is.
struct PackedWork: Sendable {
    var people = Interned<PersonID>()
    var documents = Interned<DocumentRef>()
    var assignments = Interned<AssignmentID>()
    var boots = Interned<BootID>()
    var shapes = Interned<SaveShape>()
    /// Of the save that came last: the next one mostly has the same.
    var recentShape = none

    /// Where a session went, `id` and `document` are `none`.
    var slots = Chunked<PackedSession>()
    var slotByID: [UInt64: UInt32] = [:]
    var freeSlots: [UInt32] = []
    var pool = EvidencePool()
    /// By the number of the assignment.
    var indexes: [UInt32: EvidenceIndex] = [:]
    /// What locks say inside, of the few sessions that have any.
    var lockWords: [ActivityID: [LockWords]] = [:]
    /// How far audio and video was read, of the few sessions that have any.
    var deliveries: [ActivityID: Delivery] = [:]
    /// By the number of the document, by its latest name.
    var saves: [UInt32: PackedSaves] = [:]

    static let none = UInt32.max

    init() {}

    // MARK: Sessions

    var sessionCount: Int { slotByID.count }

    func contains(_ id: ActivityID) -> Bool { slotByID[id.rawValue] != nil }

    func head(_ id: ActivityID) -> SessionHead? { slotByID[id.rawValue].flatMap { head(of: slots[Int($0)]) } }

    func session(_ id: ActivityID) -> SessionRecord? {
        guard let slot = slotByID[id.rawValue] else { return nil }
        let packed = slots[Int(slot)]
        guard let head = head(of: packed) else { return nil }
        var signs = evidence(of: packed)
        if packed.isUnsorted { signs = WorkSession.inOrder(signs) }
        let state: WorkSession.State =
            switch packed.state {
            case .running: .running
            case .paused: .paused(since: BootTime(microseconds: packed.stateAt))
            case .ended: head.end.map { .ended($0) } ?? .running
            }
        let start = SessionStart(
            id: head.id, document: head.document, attribution: head.attribution, presence: packed.presence, openedAt: head.openedAt,
            notBefore: BootTime(microseconds: packed.notBefore),
            process: packed.hasProcess
                ? ProcessID(pid: packed.pid, startedAt: BootTime(microseconds: packed.processStart)) : nil)
        return SessionRecord(
            work: WorkSession(start, evidence: signs, state: state, lockWords: lockWords[id] ?? [], delivery: deliveries[id]),
            assignment: head.assignment, boot: head.boot, seq: head.seq)
    }

    /// Of all sessions, in no order that means anything.
    func heads(where matches: (SessionHead) -> Bool) -> [SessionHead] {
        var found: [SessionHead] = []
        for slot in slotByID.values {
            if let head = head(of: slots[Int(slot)]), matches(head) { found.append(head) }
        }
        return found
    }

    private func head(of packed: PackedSession) -> SessionHead? {
        guard let document = documents[packed.document], let boot = boots[packed.boot] else { return nil }
        return SessionHead(
            id: ActivityID(packed.id), seq: packed.seq, document: document,
            attribution: Attribution(person: people[packed.person], source: packed.source), assignment: assignments[packed.assignment],
            boot: boot, openedAt: BootTime(microseconds: packed.openedAt), lastSign: BootTime(microseconds: packed.lastSign),
            end: packed.end)
    }

    /// Takes a session in whose number is new; gives its head with the texts that are kept.
    mutating func begin(_ start: SessionStart, assignment: AssignmentID?, boot: BootID, seq: UInt64) -> SessionHead? {
        var packed = PackedSession(
            id: start.id.rawValue, seq: seq, openedAt: start.openedAt.microseconds,
            notBefore: min(start.notBefore, start.openedAt).microseconds, lastSign: start.openedAt.microseconds,
            document: documents.number(adding: start.document), person: people.number(adding: start.attribution.person),
            assignment: assignments.number(adding: assignment), boot: boots.number(adding: boot), source: start.attribution.source,
            presence: start.presence)
        if let process = start.process {
            packed.hasProcess = true
            packed.pid = process.pid
            packed.processStart = process.startedAt.microseconds
        }
        if let slot = freeSlots.popLast() {
            slots[Int(slot)] = packed
            slotByID[packed.id] = slot
        } else {
            slotByID[packed.id] = UInt32(slots.count)
            slots.append(packed)
        }
        return head(of: packed)
    }

    /// As `WorkSession.apply`; nothing for a session that is not there or has ended.
    mutating func apply(_ event: SessionEvent) {
        guard let slot = slotByID[event.id.rawValue].map(Int.init), slots[slot].isOpen else { return }
        switch event {
        case .started: break
        case .evidence(_, let sign):
            add(sign, to: slot)
        case .attributed(_, let better):
            slots[slot].person = people.number(adding: better.person)
            slots[slot].source = better.source
        case .moved(_, let place): slots[slot].document = documents.number(adding: place)
        case .paused(_, let at):
            slots[slot].state = .paused
            slots[slot].stateAt = at.microseconds
        case .resumed: slots[slot].state = .running
        case .stopped(_, let end): slots[slot].stop(end)
        case .lockSays(_, let words, _): WorkSession.keep(words, in: &lockWords[event.id, default: []])
        case .delivered(_, let new, _): deliveries[event.id] = Delivery.further(deliveries[event.id], new)
        }
    }

    private mutating func add(_ sign: Evidence, to slot: Int) {
        if let presence = WorkSession.presence(slots[slot].presence, after: sign) { slots[slot].presence = presence }
        // Signs come in their order but for what a scan finds; then they are sorted when asked for.
        if let before = pool.last(slots[slot].evidence), WorkSession.precedes(sign, before) { slots[slot].isUnsorted = true }
        slots[slot].lastSign = max(slots[slot].lastSign, sign.last.microseconds)
        pool.append(sign, to: &slots[slot].evidence)
    }

    /// Somebody whom locks name is forgotten.
    mutating func forgetLockWords(of names: Set<String>) {
        for (id, words) in lockWords where words.contains(where: { $0.names(names) }) {
            let kept = words.filter { !$0.names(names) }
            lockWords[id] = kept.isEmpty ? nil : kept
        }
    }

    mutating func remove(_ id: ActivityID) {
        guard let slot = slotByID.removeValue(forKey: id.rawValue) else { return }
        let packed = slots[Int(slot)]
        if !packed.isIndexed { pool.remove(packed.evidence) }
        lockWords[id] = nil
        deliveries[id] = nil
        slots[Int(slot)].document = Self.none
        slots[Int(slot)].person = Self.none
        slots[Int(slot)].evidence = EvidencePool.Chain()
        slots[Int(slot)].isIndexed = false
        freeSlots.append(slot)
    }

    /// Lets texts go that nothing speaks of any more. Costs a walk over everything, so it is for erasures, not for entries.
    mutating func dropUnused() {
        var used = (
            people: Set<UInt32>(), documents: Set<UInt32>(), assignments: Set<UInt32>(), boots: Set<UInt32>(), shapes: Set<UInt32>()
        )
        var indexed: Set<UInt32> = []
        for slot in slotByID.values {
            let packed = slots[Int(slot)]
            if packed.isIndexed { indexed.insert(packed.assignment) }
            used.people.insert(packed.person)
            used.documents.insert(packed.document)
            used.assignments.insert(packed.assignment)
            used.boots.insert(packed.boot)
        }
        for (document, list) in saves {
            used.documents.insert(document)
            for index in 0..<list.count {
                guard let (head, _) = list.head(index) else { continue }
                used.people.insert(head.person)
                used.documents.insert(head.document)
                used.assignments.insert(head.assignment)
                used.boots.insert(head.boot)
                used.shapes.insert(head.shape)
            }
        }
        indexes = indexes.filter { indexed.contains($0.key) }
        people.keep(only: used.people)
        documents.keep(only: used.documents)
        assignments.keep(only: used.assignments)
        boots.keep(only: used.boots)
        shapes.keep(only: used.shapes)
    }
}
