// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Foundation
import JournalFormat
import JournalStore
import Testing

@Suite("A writer that is killed", .serialized)
struct KilledWriterTests {
    /// `DAYBOOK_KILLS=1000` (or `make test-kills`) for the long run.
    private static let kills = ProcessInfo.processInfo.environment["DAYBOOK_KILLS"].flatMap { Int($0) } ?? 40

    /// A process that writes, and what it said.
    private struct Hammer {
        let process = Process()
        let output = Pipe()

        init(_ state: StateDirectory, first: Int) throws {
            let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            process.executableURL = own.appendingPathComponent("benchmarks")
            process.arguments = ["hammer", state.path, "\(first)"]
            process.standardOutput = output
            try process.run()
        }

        /// Waits for so many acknowledgements, kills, and gives the last number that was acknowledged.
        func kill(afterAcknowledgements wanted: Int, delay: UInt32) throws -> Int? {
            var text: [UInt8] = []
            let raw = output.fileHandleForReading.fileDescriptor
            func more() -> Bool {
                var part = [UInt8](repeating: 0, count: 4096)
                let count = Foundation.read(raw, &part, part.count)
                if count > 0 { text.append(contentsOf: part.prefix(count)) }
                return count > 0
            }
            while text.count(where: { $0 == 0x0a }) < wanted, more() {}
            // The moment of the kill is what is tested; nothing waits for this time to pass.
            usleep(delay)
            #expect(Foundation.kill(process.processIdentifier, SIGKILL) == 0)
            while more() {}
            process.waitUntilExit()
            #expect(process.terminationReason == .uncaughtSignal)
            return text.split(separator: 0x0a).last.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        }
    }

    @Test("at any moment loses nothing that it acknowledged, doubles nothing, and the next one goes on")
    func kills() throws {
        var random = SeededGenerator(seed: UInt64(getpid()))
        var state = try StateDirectory(inMemory: true)
        var next = 1
        var seen: UInt64 = 0
        var (acknowledged, entries, repairs) = (0, 0, 0)
        for round in 0..<Self.kills {
            if round % 25 == 24 {
                state = try StateDirectory(inMemory: true)
                (next, seen) = (1, 0)
            }
            let hammer = try Hammer(state, first: next)
            let last = try hammer.kill(
                afterAcknowledgements: Bool.random(using: &random) ? Int.random(in: 0...60, using: &random) : 0,
                delay: UInt32.random(in: 0...15_000, using: &random))
            // Recovery itself is among the moments: mostly the next hammer does it, and now and then this test, for a whole check.
            if round % 10 == 9 || round + 1 == Self.kills {
                _ = try state.open(.withCheckpoints).finish()
                let check = JournalCheck.run(state.path)
                #expect(check.isGood, "round \(round): \(check.text)")
            }
            guard access(state.journal, F_OK) == 0 else {
                #expect(last == nil, "round \(round)")
                continue
            }
            var isInOrder = true
            let before = next
            try JournalReader(stateDirectory: state.path).replay(after: seen) { entry, _ in
                isInOrder = isInOrder && entry.seq == seen + 1
                seen = entry.seq
                if case .repaired = entry.body { repairs += 1 }
                guard case .stopped(let reason) = entry.body else { return true }
                isInOrder = isInOrder && reason == "\(next)"
                next += 1
                return true
            }
            #expect(isInOrder, "round \(round): an entry is missing, doubled or misplaced")
            if let last {
                #expect(last < next, "round \(round): entry \(last) was acknowledged and is not there")
                acknowledged += max(0, last + 1 - before)
            }
            entries += next - before
        }
        #expect(acknowledged > Self.kills * 10)
        print("killed \(Self.kills) times: \(acknowledged) entries acknowledged, \(entries) kept, \(repairs) repairs")
    }
}

/// The same numbers each time for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
