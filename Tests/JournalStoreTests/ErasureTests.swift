// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Foundation
import JournalFormat
import JournalStore
import Synchronization
import Testing

/// Selects what `draft` made of some numbers; and, as a person's entries do, replaces them by another.
struct Numbers: EntrySelection {
    var wanted: Set<Int>
    var words: [String] = []
    var replaces = true
    private var seen = 0

    init(_ wanted: some Sequence<Int>, words: [String] = [], replaces: Bool = true) {
        self.replaces = replaces
        self.wanted = Set(wanted)
        self.words = words
    }

    mutating func learn(_ entry: Entry, digest: Digest) { if selects(entry, digest: digest) { seen += 1 } }
    func selects(_ entry: Entry, digest: Digest) -> Bool {
        if case .stopped(let reason) = entry.body, let number = Int(reason) { wanted.contains(number) } else { false }
    }
    func replacements() -> [EntryBody] { replaces && seen > 0 ? [.stopped(reason: "replaced \(seen)")] : [] }
}

extension StateDirectory {
    /// Of the entries that `draft` made of some numbers.
    fileprivate func seqs(of numbers: [Int]) throws -> [UInt64] {
        var seqs: [UInt64] = []
        try JournalReader(stateDirectory: path).replay { entry, _ in
            if case .stopped(let reason) = entry.body, let number = Int(reason), numbers.contains(number) { seqs.append(entry.seq) }
            return true
        }
        return seqs
    }
}

@Suite("Emptying entries", .serialized)
struct ErasureTests {
    private static let wanted = [2, 3, 7, 11]

    private func options(_ change: (inout JournalOptions) -> Void = { _ in }) -> JournalOptions {
        var options = JournalOptions.withCheckpoints
        options.segmentBytes = 900
        change(&options)
        return options
    }

    /// A journal of twelve entries in several segments; the numbers stand in their reasons.
    private func filled(packed: Bool = false) throws -> StateDirectory {
        let state = try StateDirectory(inMemory: true)
        for part in 0..<3 {
            let writer = try state.open(options())
            for number in part * 4..<part * 4 + 4 {
                #expect(writer.submit(draft(number)))
                _ = take(writer) { $0.flatMap(\.entries).contains { $0.entry.body == draft(number).body } }
            }
            _ = writer.finish()
        }
        if packed { try state.pack() }
        // What the entries add up to, and another one that is being written.
        try state.writeSnapshot(of: "2 3 7 11")
        // The evidence of two assignments that have ended; one was about some of those.
        try state.writeIndex(of: try state.seqs(of: [1, 7]), "mine")
        try state.writeIndex(of: try state.seqs(of: [5]), "another's")
        try FileManager.default.createDirectory(
            atPath: "\(state.journal)/\(EvidenceIndexFile.temporaryFolder)", withIntermediateDirectories: false)
        try state.write("\(EvidenceIndexFile.temporaryFolder)/1", Array("mine".utf8))
        try Data("2 3 7 11".utf8).write(to: URL(fileURLWithPath: "\(state.path)/\(SnapshotFile.temporaryName)"))
        return state
    }

    private func request(_ numbers: some Sequence<Int> = wanted, words: [String] = []) -> ErasureRequest {
        ErasureRequest(id: 5, kind: .forgotten, by: 0, selection: Numbers(numbers, words: words))
    }

    private func outcome(_ reports: [JournalReport]) -> ErasureReport? {
        reports.compactMap { if case .erased(let report) = $0 { report } else { nil } }.last
    }

    @discardableResult
    private func erase(_ state: StateDirectory, _ request: ErasureRequest, disk: Disk = Disk()) throws -> ErasureReport? {
        let writer = try state.open(options(), disk: disk)
        #expect(writer.erase(request))
        let reports = take(writer) { outcome($0) != nil }
        let rest = writer.finish()
        return outcome(reports + rest)
    }

    private func files(_ state: StateDirectory) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        let walk = try #require(FileManager.default.enumerator(atPath: state.path))
        for case let name as String in walk {
            if let data = FileManager.default.contents(atPath: "\(state.path)/\(name)") { files[name] = Array(data) }
        }
        return files
    }

    /// The journal has every number but those, says that they are replaced, and a check of it and of earlier notes is good.
    private func expectErased(_ state: StateDirectory, since: [JournalPosition] = [], _ what: String) throws {
        let check = JournalCheck.run(state.path, since: since)
        #expect(check.isGood, "\(what): \(check.text)")
        #expect(check.findings.erased == 4, "\(what)")
        #expect(try state.numbers() == (0..<12).filter { !Self.wanted.contains($0) }, "\(what)")
        let covers = try state.bodies().compactMap { if case .erasure(let facts) = $0 { facts } else { nil } }
        #expect(covers.count == 1 && covers.first?.count == 4 && covers.first?.by == 0, "\(what)")
        let names = try files(state).keys.filter {
            $0.contains("erasing") || $0.contains(".erase") || $0.hasSuffix(".new") || $0.contains("snapshot")
        }
        #expect(names.isEmpty, "\(what): \(names)")
        let indexes = try state.indexes.map { name in
            try StoredEvidenceIndex(name, stateDirectory: state.path).withContent { String(decoding: $0, as: UTF8.self) }
        }
        #expect(indexes == ["another's"], "\(what): \(indexes)")
    }

    @Test("keeps numbers, seals and earlier notes good, in plain and compressed segments", arguments: [false, true])
    func chain(packed: Bool) throws {
        let state = try filled(packed: packed)
        let before = JournalCheck.run(state.path)
        #expect(before.isGood && before.findings.segments >= 3)
        #expect(try erase(state, request())?.outcome == .done(entries: 4))
        try expectErased(state, since: [before.findings.last], "packed \(packed)")
        #expect(try state.bodies().contains(.stopped(reason: "replaced 4")))
        // Nothing of them is left in any file, compressed ones unpacked.
        try state.pack()
        for line in try state.lines() {
            let text = String(decoding: line, as: UTF8.self)
            for number in Self.wanted { #expect(!text.contains("\"reason\":\"\(number)\"")) }
        }
        // Once more finds nothing, and says so without a new entry.
        #expect(try erase(state, request())?.outcome == .done(entries: 0))
        try expectErased(state, "twice")
        // What was emptied by one is answered for by that one alone.
        #expect(try erase(state, request([1, 4, 8]))?.outcome == .done(entries: 3))
        #expect(JournalCheck.run(state.path).findings.erased == 7)
        #expect(JournalCheck.run(state.path).isGood)
    }

    @Test("does not hide that an earlier plan was damaged: it is kept, told of, and goes once its person is forgotten")
    func damagedPlan() throws {
        let state = try filled()
        // Left by a daemon that ended in between, and changed by the disk.
        let plan = "\(state.path)/erasing"
        try Data("{\"last\":9,\"words\":[\"mia\"],\"entr".utf8).write(to: URL(fileURLWithPath: plan))
        let found = try state.open(options())
        #expect(!found.finish().contains { if case .erased = $0 { true } else { false } })
        _ = consume found
        let names = { try FileManager.default.contentsOfDirectory(atPath: state.path).filter { $0.hasPrefix("erasing") }.sorted() }
        #expect(try names() == ["erasing.damaged"])
        #expect(JournalLosses.found(in: state.path, cutOff: nil).map { $0.contains("(erasing.damaged)") } == [true])
        let check = JournalCheck.run(state.path)
        #expect(check.damagedPlans == ["erasing.damaged"] && check.text.contains("The plan of an erasure was damaged"))
        // Another one, while the disk refuses to rename it: nobody writes over it.
        try Data("{}".utf8).write(to: URL(fileURLWithPath: plan))
        // The second one is of `current.jsonl`, without which nothing is written.
        let renames = Atomic(0)
        let disk = Disk { call in
            call == .rename && renames.wrappingAdd(1, ordering: .relaxed).oldValue != 1 ? Disk.Fault.error(EIO) : nil
        }
        let writer = try state.open(options(), disk: disk)
        let wanted = Numbers(Self.wanted, words: ["mia"], replaces: false)
        #expect(writer.erase(ErasureRequest(id: 5, kind: .forgotten, by: 0, selection: wanted)))
        var refused: ErasureReport?
        _ = take(writer) { reports in
            refused = outcome(reports.filter { if case .erased(let report) = $0 { report.id == 5 } else { false } })
            return refused != nil
        }
        _ = writer.finish()
        _ = consume writer
        if case .refused = refused?.outcome {} else { Issue.record("\(String(describing: refused))") }
        #expect(try Data(contentsOf: URL(fileURLWithPath: plan)) == Data("{}".utf8))
        // Somebody else is forgotten: both stay. Then the person whom the first one names.
        #expect(try erase(state, request([1], words: ["ben"]))?.outcome == .done(entries: 1))
        #expect(try names() == ["erasing.damaged", "erasing.damaged-2"])
        #expect(try erase(state, request(words: ["mia"]))?.outcome == .done(entries: 4))
        #expect(try names() == ["erasing.damaged-2"])
    }

    @Test(
        "is finished, whichever call fails, at once or by the next start",
        arguments: [.error(EIO), .error(ENOSPC), .short(40, ENOSPC)] as [Disk.Fault])
    func eachCall(fault: Disk.Fault) throws {
        let whole = try filled(packed: true)
        let counting = Faults(0..<0, fault)
        try erase(try whole.copy(), request(), disk: counting.disk)
        #expect(counting.calls > 30)
        var unfinished = 0
        for number in 0..<counting.calls {
            let state = try whole.copy()
            guard let report = try? erase(state, request(), disk: Faults(number..<(number + 1), fault).disk) else { continue }
            if case .unfinished = report.outcome { unfinished += 1 }
            if case .refused = report.outcome {
                #expect(JournalCheck.run(state.path).isGood, "refused at \(number)")
                try erase(state, request())
                // What replaces them may have been journaled twice, which means the same.
            }
            // The next start finishes what was left.
            _ = try state.open(options()).finish()
            try expectErased(state, "\(fault) at \(number)")
        }
        #expect(unfinished > 5)
    }

    @Test("is finished by the next start, wherever it was killed")
    func killed() throws {
        let whole = try filled(packed: true)
        let counting = Faults(0..<0, .error(EIO))
        try erase(try whole.copy(), request(), disk: counting.disk)
        var finished = 0
        for number in 0..<counting.calls {
            let state = try whole.copy()
            // From one call on nothing works any more: what is on the disk then is what a kill leaves.
            guard let writer = try? state.open(options(), disk: Faults(number..<Int.max, .error(EIO)).disk) else { continue }
            _ = writer.erase(request())
            _ = take(writer) { reports in
                outcome(reports) != nil || reports.contains { if case .stalled = $0 { true } else { false } }
            }
            _ = writer.finish()
            let hadPlan = FileManager.default.fileExists(atPath: state.path + "/erasing")
            let next = try state.open(options())
            if hadPlan {
                finished += 1
                #expect(outcome(take(next) { outcome($0) != nil })?.outcome == .done(entries: 4))
            } else if try state.numbers().count == 12 {
                _ = next.erase(request())
                #expect(outcome(take(next) { outcome($0) != nil })?.outcome == .done(entries: 4))
            }
            _ = next.finish()
            try expectErased(state, "killed at \(number)")
        }
        #expect(finished > 8)
    }

    @Test("reaches damaged lines and what repairs set aside, and leaves the damage visible")
    func damage() throws {
        let state = try filled()
        let name = state.segments[1]
        var bytes = try state.read(name)
        // A changed line that still names somebody, and after it a good one.
        let place = try #require(bytes.firstIndex(of: UInt8(ascii: "p")))
        bytes[place] = UInt8(ascii: "q")
        let line = Array(#"{"login":"mia","uid":2001}"#.utf8) + [0x0a]
        // A line beyond what any line may be, and bytes without an end.
        let long = Array("mia".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: JournalFormat.longestLine + 10) + [0x0a]
        try state.write(name, bytes + line + long + Array("mia and no end".utf8))
        let size = try state.read(name).count
        try state.write("00000000000000000001.jsonl.torn-4", Array(#"{"v":1,"seq":4,"login":"mia"#.utf8))
        let before = JournalCheck.run(state.path)
        #expect(!before.isGood)
        #expect(try erase(state, request([0], words: ["mia"]))?.outcome == .done(entries: 1))
        for (file, bytes) in try files(state) { #expect(!String(decoding: bytes, as: UTF8.self).contains("mia"), "\(file)") }
        let after = JournalCheck.run(state.path)
        #expect(after.findings.firstBad?.place.line == before.findings.firstBad?.place.line)
        #expect(after.findings.firstBad?.place.segment == name)
        #expect(try state.read("00000000000000000001.jsonl.torn-4").count == 27)
        #expect(try state.read(name).count == size, "nothing moved")
    }

    @Test("takes what was submitted before into account, and goes on beside new entries")
    func order() throws {
        let state = try StateDirectory(inMemory: true)
        let writer = try state.open(options())
        for number in 0..<200 {
            #expect(writer.submit(draft(number)))
            if number == 150 { #expect(writer.erase(request(0..<100))) }
        }
        let reports = take(writer) { outcome($0) != nil && $0.flatMap(\.entries).contains { $0.entry.body == draft(199).body } }
        _ = writer.finish()
        #expect(outcome(reports)?.outcome == .done(entries: 100))
        #expect(try state.numbers() == Array(100..<200))
        #expect(JournalCheck.run(state.path).isGood)
        // Who follows the newest segment by its name is led to the next one.
        #expect(state.segments.count >= 2)
    }
}
