// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Foundation
import Inference
import JournalFormat
import JournalStore
import Ledger
import Synchronization
import Testing

@testable import DaemonService

/// A real journal on the disk, to which anything happens.
private struct World {
    struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    static let program = "1.2.3"
    static let people = ["mia", "noah", "emil", "lena"].enumerated().map { PersonID(uid: UInt32(70_001 + $0.offset), login: $0.element) }

    let state: String
    var random: Numbers
    var number: UInt64 = 0
    var minute: Int64 = 0
    /// A snapshot of some time ago, as a file.
    var old: Data?
    var forgotten: Set<PersonID> = []

    init(seed: UInt64) throws {
        let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/var/tmp"
        var template = Array("\(place)/daybook-snapshots-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemCallError(call: "mkdtemp", code: errno) }
        state = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        random = Numbers(state: seed)
    }

    func remove() { try? FileManager.default.removeItem(atPath: state) }

    var snapshot: String { "\(state)/\(SnapshotFile.name)" }

    mutating func upTo(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    mutating func open(disk: Disk = Disk()) throws -> JournalWriter {
        var options = JournalOptions()
        options.commitDelay = .zero
        options.retryDelay = .milliseconds(1)
        options.segmentBytes = 3000 + upTo(20_000)
        options.packAfter = nil
        return try JournalWriter(
            stateDirectory: state, boot: BootID(text: "b\(upTo(2))"), options: options, wake: nil, disk: disk)
    }

    /// From some call on nothing is written any more, now and then.
    mutating func disk() -> Disk {
        guard upTo(3) == 0 else { return Disk() }
        let last = upTo(40)
        let calls = Count()
        return Disk { _ in calls.next() < last ? nil : .error(EIO) }
    }

    final class Count: Sendable {
        private let value = Mutex(0)
        func next() -> Int {
            value.withLock { value in
                defer { value += 1 }; return value
            }
        }
    }

    // MARK: What happens

    mutating func person() -> PersonID {
        let left = Self.people.filter { !forgotten.contains($0) }
        return left[upTo(left.count)]
    }

    static let assignments = ["8b/Map", "8b/Essay"].map { AssignmentID(text: $0) }

    mutating func place() -> DocumentRef {
        DocumentRef(
            share: "/srv/classes", path: PathBytes("\(Self.assignments[upTo(2)].text)/\(person().login)/\(upTo(3)).odt"))
    }

    mutating func body() -> EntryBody {
        minute += 1
        let now = BootTime(microseconds: minute * 60_000_000)
        let id = ActivityID(number / 6 + 1 - UInt64(upTo(2)) * min(1, number / 6))
        switch upTo(16) {
        case 0: return .person(PersonFacts(person: person(), displayName: "Somebody", role: .student, classes: ["8b"]))
        case 1:
            let id = Self.assignments[upTo(2)]
            return .assignmentCreated(
                AssignmentFacts(
                    id: id, title: id.text, className: "8b", share: "/srv/classes", folder: PathBytes(id.text), due: nil, by: 900,
                    rule: Rule(), students: Self.people.filter { !forgotten.contains($0) }))
        case 2: return .assignmentEnded(Self.assignments[upTo(2)], reason: "gone")
        case 3: return .viewed(ViewedFacts(by: 900, byLogin: "keller", person: person(), assignment: nil, what: "Show"))
        case 4, 5:
            return .metrics(
                MetricsFacts(
                    document: place(), assignment: Self.assignments[upTo(2)], attribution: Attribution(person: person(), source: .save),
                    savedAt: now, size: 5, items: [Item(identifier: "total_word_count", title: "W", value: .quantity(7), method: .counted)])
            )
        case 6...8:
            return .session(
                .started(
                    SessionStart(
                        id: id, document: place(), attribution: Attribution(person: person(), source: .event), presence: .held,
                        openedAt: now, notBefore: now)), assignment: Self.assignments[upTo(2)])
        case 9:
            return .session(
                .stopped(id, SessionEnd(ending: .closed, closedAt: now, notAfter: now, confidence: .good)), assignment: nil)
        case 10: return .session(.attributed(id, Attribution(person: person(), source: .holder)), assignment: nil)
        default: return .session(.evidence(id, Evidence(.saved, first: now)), assignment: nil)
        }
    }

    /// Appends what the disk takes; what was acknowledged and what was not is the journal's business.
    mutating func append() throws {
        let disk = disk()
        guard let writer = try? open(disk: disk) else { return }  // the disk ended there
        for _ in 0..<upTo(60) {
            number += 1
            _ = writer.submit(
                EntryDraft(
                    at: WallTime(microseconds: 1_773_529_140_000_000 + minute * 60_000_000),
                    mono: BootTime(microseconds: minute * 60_000_000), body: body()))
        }
        _ = writer.finish()
    }

    mutating func erase(_ selection: some EntrySelection, kind: ErasureFacts.Kind) throws {
        let disk = disk()
        if let writer = try? open(disk: disk) {  // else it ended there
            _ = writer.erase(ErasureRequest(id: 1, kind: kind, by: nil, selection: selection))
            while let reports = writer.reports.takeWaiting() {
                let isAnswered = reports.contains {
                    switch $0 {
                    case .erased, .stalled: true
                    default: false
                    }
                }
                if isAnswered { break }
            }
            _ = writer.finish()
        }
        // On a good disk, until it is done.
        let writer = try open()
        _ = writer.erase(ErasureRequest(id: 2, kind: kind, by: nil, selection: selection))
        var isDone = false
        while !isDone, let reports = writer.reports.takeWaiting() {
            isDone = reports.contains { if case .erased(let report) = $0 { report.id == 2 } else { false } }
        }
        _ = writer.finish()
        #expect(isDone)
    }

    mutating func forget() throws {
        guard forgotten.count < Self.people.count - 1 else { return }
        let person = person()
        try erase(ForgottenPerson(person), kind: .forgotten)
        forgotten.insert(person)
    }

    mutating func retention() throws {
        var aged = AgedWork(viewsBefore: WallTime(microseconds: 1_773_529_140_000_000 + minute * 30_000_000), through: try position().seq)
        aged.work.insert(Self.assignments[upTo(2)])
        try erase(AgedSelection(aged), kind: .retention)
    }

    func position() throws -> JournalPosition { JournalCheck.run(state).findings.last }

    mutating func writeSnapshot() throws {
        let position = try position()
        let loaded = try load(usesSnapshot: upTo(2) == 0)
        guard position.seq > 0, loaded.ledger.lastSeq == position.seq else { return }
        // Of both assignments, of one, of none: those that were indexed before may get a new one.
        let wanted = Self.assignments.filter { _ in upTo(2) == 0 }
        let disk = disk()
        guard let indexes = try? EvidenceIndexOutput(stateDirectory: state, disk: disk),  // else the disk ended there
            let output = try? SnapshotOutput(stateDirectory: state, disk: disk)
        else { return }
        let stamp = SnapshotFile.Stamp(
            position: position, journalBytes: loaded.journalBytes, contentVersion: Ledger.snapshotVersion, program: Self.program)
        // Where it fails, there is the one before, or none.
        _ = try? LedgerOnDisk.write(loaded.ledger, stamp, to: output, indexing: wanted, to: indexes, in: state)
    }

    mutating func spoilSnapshot() throws {
        switch upTo(7) {
        case 4...:
            // An index that the snapshot may rely on.
            guard let name = indexes.randomElement(using: &random), let bytes = FileManager.default.contents(atPath: name) else { return }
            var damaged = bytes
            damaged[upTo(bytes.count)] ^= UInt8(1 + upTo(255))
            switch upTo(3) {
            case 0: try FileManager.default.removeItem(atPath: name)
            case 1: try damaged.write(to: URL(fileURLWithPath: name))
            default: try bytes.prefix(upTo(bytes.count)).write(to: URL(fileURLWithPath: name))
            }
        case 0: try? FileManager.default.removeItem(atPath: snapshot)  // there may be none
        case 1:
            guard var bytes = try? Data(contentsOf: URL(fileURLWithPath: snapshot)) else { return }
            bytes[upTo(bytes.count)] ^= UInt8(1 + upTo(255))
            try bytes.write(to: URL(fileURLWithPath: snapshot))
        case 2: old = (try? Data(contentsOf: URL(fileURLWithPath: snapshot))) ?? old
        default: if let old { try old.write(to: URL(fileURLWithPath: snapshot)) }
        }
    }

    var indexes: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: state + "/journal")) ?? []).filter { $0.hasSuffix(".evidence") }.sorted()
            .map { "\(state)/journal/\($0)" }
    }

    /// The entries that began sessions of which index files have evidence. Of damaged ones nothing.
    func indexedSeqs() -> Set<UInt64> {
        var found: Set<UInt64> = []
        for path in indexes {
            guard let name = path.split(separator: "/").last, let index = try? StoredEvidenceIndex(String(name), stateDirectory: state)
            else { continue }
            _ = index.withContent { bytes in
                for session in 0..<Int(bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)) {
                    found.insert(bytes.loadUnaligned(fromByteOffset: 16 + session * 32 + 8, as: UInt64.self))
                }
            }
        }
        return found
    }

    func load(usesSnapshot: Bool) throws -> LedgerOnDisk {
        try LedgerOnDisk(
            stateDirectory: state, through: try position().seq, program: Self.program, erasing: usesSnapshot ? nil : [])
    }

    /// Where somebody is still named.
    func names(of person: PersonID) throws -> [String] {
        let walk = try #require(FileManager.default.enumerator(atPath: state))
        var found: [String] = []
        for case let name as String in walk {
            guard let bytes = FileManager.default.contents(atPath: "\(state)/\(name)") else { continue }
            let uid = withUnsafeBytes(of: person.uid.littleEndian) { Data($0) }
            for word in [Data(person.login.utf8), Data("\"uid\":\(person.uid)".utf8)] + (name.contains("snapshot") ? [uid] : [])
            where bytes.range(of: word) != nil {
                found.append(name)
            }
        }
        return found
    }
}

@Suite("The ledger at a start")
struct SnapshotModelTests {
    @Test(
        "is the same with the snapshot and without, after any mixture of appends, crashes, segments, erasures, snapshots and damage",
        arguments: 1...5 as ClosedRange<UInt64>)
    func mixture(seed: UInt64) throws {
        var world = try World(seed: seed)
        defer { world.remove() }
        var used = 0
        var refused: Set<String> = []
        var indexed = 0
        _ = try world.open().finish()
        for step in 0..<45 {
            switch world.upTo(20) {
            case ..<8: try world.append()
            case ..<13: try world.writeSnapshot()
            case ..<16: try world.spoilSnapshot()
            case ..<18: try world.forget()
            default: try world.retention()
            }
            // An orderly start and stop mends what a crash left.
            _ = try world.open().finish()
            let (with, without) = (try world.load(usesSnapshot: true), try world.load(usesSnapshot: false))
            #expect(with.ledger == without.ledger, "seed \(seed), step \(step)")
            #expect(with.ledger.lastSeq == without.ledger.lastSeq)
            if with.snapshotSeq != nil { used += 1 } else { refused.insert(with.refusal?.description ?? "") }
            // The start itself throws away what is of no use.
            if let refusal = with.refusal, refusal != .absent { SnapshotFile.discard(in: world.state) }
            if with.snapshotSeq != nil { indexed += with.ledger.evidenceCounts.indexed }
            // Nothing is left in an index that the journal has no more.
            let known = Set(without.ledger.sessions(SessionFilter()).map(\.seq))
            #expect(world.indexedSeqs().subtracting(known) == [], "seed \(seed), step \(step)")
            for person in world.forgotten { #expect(try world.names(of: person) == [], "seed \(seed), step \(step): \(person.login)") }
        }
        #expect(used > 8, "\(used)")
        #expect(!refused.isEmpty && indexed > 0)
    }

    @Test(
        "leaves out what an earlier daemon had begun to empty, whether it is emptied already or not",
        arguments: 1...4 as ClosedRange<UInt64>)
    func begun(seed: UInt64) throws {
        var world = try World(seed: seed)
        defer { world.remove() }
        for _ in 0..<8 { try world.append() }
        _ = try world.open().finish()
        let person = world.person()
        // The disk ends somewhere between the plan and its end.
        var pending: [ClosedRange<UInt64>]?
        for last in stride(from: 40, to: 4, by: -1) where pending == nil {
            let calls = World.Count()
            guard let writer = try? world.open(disk: Disk { _ in calls.next() < last ? nil : .error(EIO) }) else { continue }
            _ = writer.erase(ErasureRequest(id: 1, kind: .forgotten, by: nil, selection: ForgottenPerson(person)))
            while let reports = writer.reports.takeWaiting() {
                if reports.contains(where: { if case .erased = $0 { true } else { false } }) { break }
            }
            _ = writer.finish()
            pending = SnapshotFile.pendingErasure(world.state)
        }
        let erasing = try #require(pending)
        let before = try LedgerOnDisk(
            stateDirectory: world.state, through: try world.position().seq, program: World.program, erasing: erasing)
        let last = before.ledger.lastSeq
        // Now it is finished.
        _ = try world.open().finish()
        #expect(SnapshotFile.pendingErasure(world.state) == nil)
        let after = try LedgerOnDisk(stateDirectory: world.state, through: last, program: World.program)
        #expect(before.ledger == after.ledger)
        #expect(before.refusal == .erasing)
        #expect(before.ledger.person(person) == nil && before.ledger.sessions(SessionFilter(person: person)).isEmpty)
    }

    @Test("reads all entries where a snapshot from before an erasure was put back")
    func putBack() throws {
        var world = try World(seed: 5)
        defer { world.remove() }
        for _ in 0..<8 { try world.append() }
        _ = try world.open().finish()
        while !FileManager.default.fileExists(atPath: world.snapshot) { try world.writeSnapshot() }
        let old = try #require(FileManager.default.contents(atPath: world.snapshot))
        #expect(try world.load(usesSnapshot: true).snapshotSeq != nil)
        try world.forget()
        let person = try #require(world.forgotten.first)
        #expect(!FileManager.default.fileExists(atPath: world.snapshot))
        try old.write(to: URL(fileURLWithPath: world.snapshot))
        let loaded = try world.load(usesSnapshot: true)
        #expect(loaded.refusal == .emptied && loaded.snapshotSeq == nil)
        #expect(loaded.ledger.person(person) == nil)
        #expect(loaded.ledger == (try world.load(usesSnapshot: false)).ledger)
    }
}
