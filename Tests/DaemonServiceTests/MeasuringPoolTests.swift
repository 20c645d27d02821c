// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import DaybookLinux
import Foundation
import JournalFormat
import Testing

@testable import DaemonService

/// With the analyzer as it was built beside these tests, and external analyzers that are real programs.
@Suite("Measuring saves", .serialized)
struct MeasuringPoolTests {
    private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(
        path: "daybook-analyze"
    ).path

    private final class Rig {
        let answers = HandOver<FileAnswer>(capacity: 200, wake: nil)
        let pool: MeasuringPool
        let folder: String

        init() throws {
            pool = try MeasuringPool(
                .init(analyzerSocket: nil, analyzerProgram: MeasuringPoolTests.program, seconds: 5, megabytes: 512), answers: answers)
            folder = NSTemporaryDirectory() + "daybook-pool-\(UUID().uuidString)"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        }

        deinit {
            pool.stop()
            try? FileManager.default.removeItem(atPath: folder)  // a folder for temporary files is cleared anyway
        }

        func analyzer(_ script: String, seconds: Int = 2) throws -> ExternalAnalyzer {
            let path = "\(folder)/\(UUID().uuidString)"
            try "#!/bin/sh\n\(script)\n".write(toFile: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            return ExternalAnalyzer(name: "probe", command: [path], seconds: seconds)
        }

        func job(_ text: String, _ name: String, by uid: UInt32, external: [ExternalAnalyzer] = []) throws -> MeasuringPool.Job {
            let request = MeasureRequest(
                share: 0, document: DocumentRef(share: "/srv/classes", path: PathBytes("8b/essay/\(name)")),
                assignment: AssignmentID(text: "a"),
                attribution: Attribution(person: PersonID(uid: uid, login: "p\(uid)"), source: .event),
                savedAt: BootTime(microseconds: 0))
            var hash = SHA256()
            let bytes = Array(text.utf8)
            bytes.withUnsafeBytes { hash.add($0) }
            return .init(request: request, copy: try SealedMemory(bytes), name: name, external: external, digest: hash.finish())
        }

        /// The next answers' documents and words.
        func next(_ count: Int) -> [(name: String, measurement: ActivityModel.Measurement)] {
            var found: [(String, ActivityModel.Measurement)] = []
            while found.count < count, let batch = answers.takeWaiting() {
                for case .measured(let request, let measurement, _) in batch {
                    found.append((String(decoding: request.document.path.name, as: UTF8.self), measurement))
                }
            }
            return found
        }
    }

    private func words(_ measurement: ActivityModel.Measurement) -> Item.Value? {
        measurement.items.first { $0.identifier == "total_word_count" }?.value
    }

    @Test("a document that takes all its time delays its own person's next one, and nobody else's")
    func hostile() throws {
        let rig = try Rig()
        let hanging = try rig.analyzer("sleep 1000", seconds: 3)
        #expect(rig.pool.measure(try rig.job("one two", "slow.txt", by: 1, external: [hanging])) == nil)
        #expect(rig.pool.measure(try rig.job("one", "mine.txt", by: 1)) == nil)
        for number in 0..<6 { #expect(rig.pool.measure(try rig.job("a b c", "other\(number).txt", by: 2)) == nil) }
        let found = rig.next(8)
        #expect(found.prefix(6).map(\.name) == (0..<6).map { "other\($0).txt" })
        #expect(found.suffix(2).map(\.name) == ["slow.txt", "mine.txt"])
        #expect(found.prefix(6).allSatisfy { words($0.measurement) == .quantity(3) })
        // The built-in figures of the slow one stand, and the reason is there for whoever reads the journal.
        let slow = try #require(found.first { $0.name == "slow.txt" }?.measurement)
        #expect(words(slow) == .quantity(2))
        #expect(slow.notes.contains { $0.identifier == "probe" && $0.reason.contains("took longer than 3 s") })
    }

    @Test("bytes that were measured are not measured again, unless something else is asked of them")
    func unchanged() throws {
        let rig = try Rig()
        // An analyzer that never gives the same answer twice.
        let random = try rig.analyzer(
            "printf '{\"version\":1,\"items\":[{\"identifier\":\"number\",\"kind\":\"quantity\",\"value\":%s}]}' \"$(date +%N | sed 's/^0*//')\""
        )
        #expect(rig.pool.measure(try rig.job("one two", "a.txt", by: 1, external: [random])) == nil)
        let first = try #require(rig.next(1).first?.measurement)
        #expect(first.items.contains { $0.identifier == "number" }, "\(first.notes)")
        guard case .measured(_, let again, let size)? = rig.pool.measure(try rig.job("one two", "a.txt", by: 1, external: [random])) else {
            Issue.record("the same bytes were measured again")
            return
        }
        #expect(again == first)
        #expect(size == 7)
        // Another content, another document, another choice of analyzers: all of that is measured.
        #expect(rig.pool.measure(try rig.job("one two three", "a.txt", by: 1, external: [random])) == nil)
        #expect(rig.pool.measure(try rig.job("one two", "b.txt", by: 1, external: [random])) == nil)
        #expect(rig.pool.measure(try rig.job("one two", "a.txt", by: 1)) == nil)
        let others = rig.next(3)
        #expect(others.map { words($0.measurement) } == [.quantity(3), .quantity(2), .quantity(2)])
    }

    @Test("what failed is measured again with the same bytes")
    func failed() throws {
        let rig = try Rig()
        let failing = try rig.analyzer("exit 3")
        for _ in 0..<2 {
            #expect(rig.pool.measure(try rig.job("one two", "a.txt", by: 1, external: [failing])) == nil)
            #expect(rig.next(1).first?.measurement.notes.contains { $0.reason.contains("status 3") } == true)
        }
    }

    @Test("one person's saves wait in a bounded queue of their own, and what finds no room is asked for again")
    func bounded() throws {
        let rig = try Rig()
        let hanging = try rig.analyzer("sleep 1000", seconds: 2)
        #expect(rig.pool.measure(try rig.job("x", "slow.txt", by: 1, external: [hanging])) == nil)
        var refused = 0
        for number in 0..<12 {
            if case .busy? = rig.pool.measure(try rig.job("x y", "n\(number).txt", by: 1)) { refused += 1 }
        }
        // Eight wait; the slow one may still be among them.
        #expect((4...5).contains(refused))
        #expect(rig.pool.measure(try rig.job("free", "free.txt", by: 2)) == nil)
        #expect(rig.next(1).first?.name == "free.txt")
    }

    @Test("ends at once with the daemon, whatever is being measured")
    func stop() throws {
        let rig = try Rig()
        let hanging = try rig.analyzer("sleep 1000", seconds: 600)
        #expect(rig.pool.measure(try rig.job("one two", "slow.txt", by: 1, external: [hanging])) == nil)
        #expect(rig.pool.measure(try rig.job("a b c", "other.txt", by: 2)) == nil)
        // The other one's answer shows that the pool is at work.
        #expect(rig.next(1).first?.name == "other.txt")
        let before = Clocks.bootMicroseconds()
        rig.pool.stop()
        #expect(Clocks.bootMicroseconds() - before < 60_000_000)
        #expect(rig.answers.takeAll().allSatisfy { if case .measured = $0 { false } else { true } })
    }
}
