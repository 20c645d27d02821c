// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Foundation
import Testing

@Suite("Who follows the journal", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct FollowerTests {
    @Test("without reading, as one of dozens of the same user, takes nothing from the others or from answers", .timeLimit(.minutes(2)))
    func many() async throws {
        let school = try School(extra: "[limits]\nclients-per-user = 80\n")
        try await school.start()
        let call = #"{"method":"org.daybook.Journal.Tail","parameters":{"after":0,"follow":true},"more":true}"# + "\0"
        // For all of them that is more than may wait to be read.
        let streams = try (0..<50).map { _ in
            let stream = try UnixStream.connect(to: school.folder + "/daybook.sock", within: .seconds(5))
            guard case .wrote(call.utf8.count) = try Array(call.utf8).withUnsafeBytes({ try stream.write($0) }) else {
                throw School.Failed(description: "nothing was written")
            }
            return Reader(stream: stream)
        }
        let folders = 1200
        let script = "cd '\(school.share)/8b' && seq -f task%.0f \(folders) | xargs mkdir"
        #expect(try Child.run(school.command(["sh", "-c", script], as: .kelly)).status == 0)
        let last: Int = try await school.eventually("all entries are on the disk", within: 25) {
            let seq = (try school.read(["status"]) as [Status]).first?.journal.lastSeq ?? 0
            return seq > folders ? seq : nil
        }
        // None of them has read anything yet, and questions are answered.
        #expect(try school.daybook(["tail", "-n", "700", "--json"]).output.split(separator: "\n").count == 700)
        for reader in streams { try reader.read(to: last) }
        for reader in streams { #expect(reader.seen == Array(1...last), "none is missing, none comes twice") }
        #expect(!(try school.said()).contains("cut off"))
    }

    /// What somebody reads, by the numbers in it.
    private final class Reader {
        let stream: UnixStream
        private(set) var seen: [Int] = []
        private var rest: [UInt8] = []

        init(stream: consuming UnixStream) { self.stream = stream }

        func read(to last: Int) throws {
            while (seen.last ?? 0) < last {
                rest += try withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { buffer in
                    guard try stream.wait(until: .readable, within: .seconds(20)), case .bytes(let count) = try stream.read(into: buffer)
                    else { throw School.Failed(description: "nothing came after \(seen.last ?? 0) of \(last)") }
                    return Array(buffer[..<count])
                }
                while let end = rest.firstIndex(of: 0) {
                    let reply = try JSONDecoder().decode(Reply.self, from: Data(rest[..<end]))
                    rest.removeFirst(end + 1)
                    seen += reply.parameters.entries.map(\.seq)
                }
            }
        }
    }

    private struct Reply: Decodable {
        struct Parameters: Decodable {
            struct Entry: Decodable { var seq: Int }
            var entries: [Entry]
            var last: Int
            var behind: Int?
        }
        var parameters: Parameters
        var continues: Bool?
    }

    private struct Status: Decodable {
        struct Journal: Decodable { var lastSeq: Int }
        var journal: Journal
    }

    @Test("and reads nothing for a while is told how many entries came meanwhile, and gets every one of them", .timeLimit(.minutes(2)))
    func slow() async throws {
        let school = try School()
        try await school.start()
        let stream = try UnixStream.connect(to: school.folder + "/daybook.sock", within: .seconds(5))
        let call = #"{"method":"org.daybook.Journal.Tail","parameters":{"after":0,"follow":true,"names":true},"more":true}"#
        guard case .wrote(let count) = try Array((call + "\0").utf8).withUnsafeBytes({ try stream.write($0) }) else {
            throw School.Failed(description: "nothing was written")
        }
        #expect(count == call.utf8.count + 1)

        // Each folder of the teacher's is an assignment, and its entry has more than a kilobyte: together more than is held for those who
        // are a little behind.
        let folders = 4000
        let script = "cd '\(school.share)/8b' && seq -f \(String(repeating: "long", count: 45))%.0f \(folders) | xargs mkdir"
        #expect(try Child.run(school.command(["sh", "-c", script], as: .kelly)).status == 0)
        let last: Int = try await school.eventually("all entries are on the disk", within: 25) {
            let seq = (try school.read(["status"]) as [Status]).first?.journal.lastSeq ?? 0
            return seq > folders ? seq : nil
        }
        var seen: [Int] = []
        var behind = 0
        var rest: [UInt8] = []
        while (seen.last ?? 0) < last {
            let bytes = try withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { buffer in
                guard try stream.wait(until: .readable, within: .seconds(20)), case .bytes(let count) = try stream.read(into: buffer) else {
                    throw School.Failed(description: "nothing came after \(seen.last ?? 0) of \(last)")
                }
                return Array(buffer[..<count])
            }
            rest += bytes
            while let end = rest.firstIndex(of: 0) {
                let reply = try JSONDecoder().decode(Reply.self, from: Data(rest[..<end]))
                rest.removeFirst(end + 1)
                seen += reply.parameters.entries.map(\.seq)
                behind = max(behind, reply.parameters.behind ?? 0)
            }
        }
        #expect(seen == Array(1...(seen.last ?? 0)), "none is missing, none comes twice")
        #expect(behind > 100)
        #expect(try school.said().contains("somebody who follows the journal reads too slowly"))

        // Who was interrupted goes on behind the last one that they have.
        let later = try school.daybook(["tail", "--after", "\(last - 2)", "--json"]).output.split(separator: "\n")
        #expect(later.first?.contains("\"seq\":\(last - 1),") ?? false)
    }
}
