// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A line of `daybook sessions --json`.
struct SessionLine: Decodable {
    var document: String
    var person: String?
    var uid: UInt32?
    var openedAt: String
    var closedAt: String?
    var openSeconds: Double
    var atLeastSeconds: Double
    var lockSays: [LockWords]?

    struct LockWords: Decodable {
        var program: String
        var login: String?
        var name: String?
    }

    var atMostSeconds: Double
    var saves: Int
    var confidence: String
    var ended: String?
}

/// Of `daybook show PERSON --json`, what these tests look at.
struct StudentLine: Decodable {
    struct Item: Decodable { var value: Double? }
    struct Save: Decodable {
        var document: String
        var item: Item?
    }
    struct Count: Decodable, Equatable {
        var name: String
        var count: Int
    }
    struct Evidence: Decodable { var kinds: [Count] }
    struct Gap: Decodable { var cause: String }
    struct Assignment: Decodable {
        var saves: [Save]
        var evidence: Evidence
        var gaps: [Gap]
    }
    var assignments: [Assignment]
}

/// When somebody asked for a document, when it was in front of them, when the keys went down that left it, and when the program was seen to
/// be gone from it.
struct TrueTimes {
    var opened: Date
    /// Only for a program that takes its time to start: it has the document somewhere between the two.
    var shown: Date?
    var quit: Date
    var gone: Date

    var seconds: Double { quit.timeIntervalSince(opened) }
    /// The true time is within these.
    var range: ClosedRange<Double> { quit.timeIntervalSince(shown ?? opened)...seconds }
}

/// Compares one session with what its person really did.
func expect(
    _ session: SessionLine, by person: School.Person, took times: TrueTimes, in program: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    print("\(program): open \(times.range) s in truth, \(session.openSeconds) s by Daybook")
    #expect(session.person == person.login, sourceLocation: sourceLocation)
    #expect(session.uid == person.rawValue, sourceLocation: sourceLocation)
    let nearest = min(max(session.openSeconds, times.range.lowerBound), times.range.upperBound)
    #expect(abs(session.openSeconds - nearest) < 1, "\(session), in truth \(times.range) s", sourceLocation: sourceLocation)
    // A program closes a document a moment after it is told to; and the kernel tells its start in steps of 10 ms.
    #expect(
        session.atLeastSeconds <= times.gone.timeIntervalSince(times.opened) + 0.01, "\(session), in truth \(times.range) s",
        sourceLocation: sourceLocation)
    #expect(session.atMostSeconds >= times.range.lowerBound, "\(session), in truth \(times.range) s", sourceLocation: sourceLocation)
    #expect(session.confidence == "good", sourceLocation: sourceLocation)
}
