// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Glibc
import JournalFormat
import JournalStore

/// Writes the entries of a `SchoolYear` as the writer would, and the same facts as tables for SQLite.
struct SchoolJournal {
    let state: String
    private static let segmentBytes = 64 << 20

    /// With `tables` files `session`, `evidence`, `metrics` beside the journal; with `packed` segments are compressed as they come.
    func write(_ count: Int, tables: Bool = false, packed: Bool = false) throws {
        guard mkdir(state, 0o700) == 0, mkdir(state + "/journal", 0o700) == 0 else { throw BenchmarkFailure.errno("cannot make \(state)") }
        var year = SchoolYear()
        var encoder = EntryEncoder()
        var position = JournalPosition.start
        var segment: [UInt8] = []
        segment.reserveCapacity(Self.segmentBytes + (1 << 20))
        var first: UInt64 = 1
        var files = 0
        let rows = tables ? try Tables(state) : nil
        func flush() throws {
            try writeFile("\(state)/journal/\(JournalSegment.name(first: first))", segment)
            segment.removeAll(keepingCapacity: true)
            first = position.seq + 1
            files += 1
            if packed, files % 64 == 0 { try pack() }
        }
        for _ in 0..<count {
            let entry = year.entry()
            let salt = Salt(
                high: (entry.seq &+ 77) &* 0x9e37_79b9_7f4a_7c15 ^ entry.seq << 31, low: (entry.seq &+ 5) &* 0xbf58_476d_1ce4_e5b9)
            guard let line = encoder.line(for: entry, salt: salt, after: position) else { throw BenchmarkFailure("a line is too long") }
            segment += line.bytes
            segment.append(0x0a)
            position = line.position
            rows?.add(entry)
            if segment.count >= Self.segmentBytes { try flush() }
        }
        if !segment.isEmpty { try flush() }
        try rows?.close()
        if packed { try pack() }
    }

    /// By the writer's own thread for that; the newest stays plain.
    private func pack() throws {
        var options = JournalOptions()
        options.packAfter = .zero
        let writer = try JournalWriter(stateDirectory: state, boot: SchoolYear.boot, options: options, wake: nil)
        waiting: while let reports = writer.reports.takeWaiting() {
            for report in reports {
                if case .packed(_, let trouble) = report {
                    if let trouble { throw BenchmarkFailure(trouble.description) }
                    break waiting
                }
            }
        }
        _ = writer.finish()
    }

    private final class Tables {
        private let files: [UnsafeMutablePointer<FILE>]

        init(_ state: String) throws {
            files = try ["session", "evidence", "metrics"].map { name in
                guard let file = fopen("\(state)/\(name).csv", "w") else { throw BenchmarkFailure.errno("cannot make a table") }
                return file
            }
        }

        private func put(_ file: Int, _ fields: [String]) { fputs(fields.joined(separator: ",") + "\n", files[file]) }

        func add(_ entry: Entry) {
            switch entry.body {
            case .session(.started(let start), let assignment):
                put(
                    0,
                    [
                        "\(start.id.rawValue)", start.attribution.person?.login ?? "", assignment?.text ?? "", start.document.path.text,
                        "\(start.openedAt.microseconds)",
                    ])
            case .session(.evidence(let id, let sign), _):
                put(
                    1,
                    [
                        "\(id.rawValue)", sign.kind.rawValue, "\(sign.first.microseconds)", "\(sign.last.microseconds)", "\(sign.count)",
                        sign.isContinuous ? "1" : "0",
                    ])
            case .metrics(let facts):
                let values = facts.items.map { item -> String in if case .quantity(let value) = item.value { "\(value)" } else { "" } }
                put(
                    2,
                    [
                        facts.document.path.text, facts.attribution.person?.login ?? "", facts.assignment?.text ?? "",
                        "\(facts.savedAt.microseconds)",
                    ] + values)
            default: break
            }
        }

        func close() throws {
            for file in files { guard fclose(file) == 0 else { throw BenchmarkFailure.errno("cannot write a table") } }
        }
    }
}
