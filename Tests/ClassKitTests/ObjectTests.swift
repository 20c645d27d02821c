// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import ClassKit

@Suite("An object of ClassKit")
struct ObjectTests {
    @Test("has the raw values of Apple's enumerations")
    func rawValues() {
        let types: [CLSContextType] = [
            .none, .app, .chapter, .section, .level, .page, .task, .challenge, .quiz, .exercise, .lesson, .book, .game, .document, .audio,
            .video,
            .course, .custom,
        ]
        #expect(types.map(\.rawValue) == Array(0...17))
        let kinds: [CLSProgressReportingCapability.Kind] = [.duration, .percent, .binary, .quantity, .score]
        #expect(kinds.map(\.rawValue) == Array(0...4))
        let values: [CLSBinaryValueType] = [.trueFalse, .passFail, .yesNo, .correctIncorrect]
        #expect(values.map(\.rawValue) == Array(0...3))
        let codes: [CLSError.Code] = [
            .none, .classKitUnavailable, .invalidArgument, .invalidModification, .authorizationDenied, .databaseInaccessible, .limits,
            .invalidCreate,
            .invalidUpdate, .partialFailure, .invalidAccountCredentials,
        ]
        #expect(codes.map(\.rawValue) == Array(0...10))
        let keys: [CLSPredicateKeyPath] = [.dateCreated, .identifier, .title, .universalLinkURL, .topic, .parent]
        #expect(keys.map(\.rawValue) == ["dateCreated", "identifier", "title", "universalLinkURL", "topic", "parent"])
    }

    @Test("knows when it was made and changed")
    func dates() {
        let before = Date(timeIntervalSinceNow: -0.001)
        let item = CLSQuantityItem(identifier: "words", title: "Words")
        let made = item.dateCreated
        #expect(made >= before && made <= Date() && item.dateLastModified == made)
        item.quantity = 3
        #expect(item.dateLastModified >= made && item.dateCreated == made)
    }

    @Test("of a result has Apple's defaults, and those of public examples")
    func items() {
        let binary = CLSBinaryItem(identifier: "q1", title: "One", type: .passFail)
        #expect(!binary.value && binary.valueType == .passFail && binary.identifier == "q1" && binary.title == "One")
        #expect(CLSBinaryItem(identifier: "q1", title: "One").valueType == .trueFalse)
        #expect(CLSQuantityItem(identifier: "n", title: "N").quantity == 0)
        let short = CLSScoreItem(identifier: "s", title: "S")
        #expect(short.score == 0 && short.maxScore == 1)
        let score = CLSScoreItem(identifier: "s", title: "S", score: 2, maxScore: 3)
        #expect(score.score == 2 && score.maxScore == 3)
    }

    @Test("survives being archived, with all it has")
    func archived() throws {
        let context = CLSContext(type: .custom, identifier: "c", title: "Title")
        context.customTypeName = "Maze"
        context.displayOrder = 7
        context.topic = .science
        context.universalLinkURL = URL(string: "https://school.example/c")
        context.summary = "A maze."
        context.isAssignable = false
        context.suggestedAge = NSRange(8...12)
        context.suggestedCompletionTime = NSRange(5...Int.max - 1)
        context.addProgressReportingCapabilities([CLSProgressReportingCapability(kind: .score, details: "Points")])
        let copy = try #require(try again(context))
        #expect(
            copy.identifier == "c" && copy.title == "Title" && copy.type == .custom && copy.customTypeName == "Maze"
                && copy.displayOrder == 7)
        #expect(
            copy.topic == .science && copy.universalLinkURL == context.universalLinkURL && copy.summary == "A maze." && !copy.isAssignable)
        #expect(copy.suggestedAge == NSRange(8...12) && copy.suggestedCompletionTime == NSRange(5...Int.max - 1))
        #expect(copy.progressReportingCapabilities == context.progressReportingCapabilities)
        #expect(copy.dateCreated == context.dateCreated && copy.dateLastModified == context.dateLastModified)

        let activity = context.createNewActivity()
        activity.progress = 0.25
        activity.addProgressRange(fromStart: 0.5, toEnd: 0.75)
        activity.primaryActivityItem = CLSScoreItem(identifier: "s", title: "S", score: 2, maxScore: 3)
        let binary = CLSBinaryItem(identifier: "b", title: "B", type: .yesNo)
        binary.value = true
        activity.addAdditionalActivityItem(binary)
        let second = try #require(try again(activity))
        #expect(second.progress == 0.5 && second.duration == 0 && !second.isStarted)
        let primary = try #require(second.primaryActivityItem as? CLSScoreItem)
        #expect(primary.score == 2 && primary.maxScore == 3 && primary.title == "S")
        let item = try #require(second.additionalActivityItems.first as? CLSBinaryItem)
        #expect(item.value && item.valueType == .yesNo)
        let quantity = CLSQuantityItem(identifier: "q", title: "Q")
        quantity.quantity = 2.5
        #expect(try again(quantity)?.quantity == 2.5)
    }

    private func again<Object: CLSObject>(_ object: Object) throws -> Object? {
        #expect(Object.supportsSecureCoding)
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data)
    }

    @Test("Its instants go to the daemon and come back as they were")
    func instants() {
        for text in [
            "2026-11-30T14:36:00.123456Z", "1970-01-01T00:00:00.000000Z", "2024-02-29T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z",
            "2000-03-01T00:00:00.000001Z", "2100-02-28T12:00:00.500000Z",
        ] {
            #expect(Instants.date(text).map(Instants.text) == text)
        }
        let now = Instants.now()
        #expect(Instants.date(Instants.text(now)) == now)
        #expect(Instants.date("2026-11-30T14:36:00Z") == Instants.date("2026-11-30T14:36:00.000000Z"))
        #expect(Instants.date("2026-11-30T14:36:00.5Z").map(Instants.text) == "2026-11-30T14:36:00.500000Z")
        for text in [
            "", "2026-11-30", "2026-13-30T14:36:00Z", "2026-11-30T14:36:00+01:00", "2026-11-30T14:36:00.Z", "x026-11-30T14:36:00Z",
        ] {
            #expect(Instants.date(text) == nil, "\(text)")
        }
        #expect(Instants.text(.distantFuture) < Instants.text(Date(timeIntervalSince1970: .greatestFiniteMagnitude)))
    }

    @Test("An error has domain, code and what it is about, and is caught by its kind")
    func errors() {
        let context = CLSContext(type: .quiz, identifier: "q", title: "Q")
        let error: any Error = CLSError(.limits, "too long", object: context)
        #expect((error as NSError).domain == CLSErrorCodeDomain && (error as NSError).code == CLSError.limits.rawValue)
        #expect((error as NSError).userInfo[CLSErrorUserInfoKey.objectKey.rawValue] as? CLSContext === context)
        #expect(error.localizedDescription == "too long")
        do { throw error } catch CLSError.invalidCreate { Issue.record("the wrong kind") } catch CLSError.limits {} catch {
            Issue.record("not caught")
        }
        do { throw NSError(domain: CLSErrorCodeDomain, code: 4) } catch CLSError.authorizationDenied {} catch { Issue.record("not caught") }
        #expect(CLSError(.limits) == CLSError(.limits, userInfo: ["x": 1]) && CLSError(.limits) != CLSError(.none))
        #expect(
            CLSErrorUserInfoKey("x") == CLSErrorUserInfoKey(rawValue: "x") && CLSPredicateKeyPath("x") == CLSPredicateKeyPath(rawValue: "x")
        )
    }

    @Test("A link that opens a context becomes an activity with its path")
    func deepLinks() {
        let activity = NSUserActivity(deepLink: "daybook://org.example.Quiz/Chapter%201/a%2Fb/")
        #expect(activity?.isClassKitDeepLink == true && activity?.contextIdentifierPath == ["Chapter 1", "a/b"])
        #expect(NSUserActivity(deepLink: "DAYBOOK://app")?.contextIdentifierPath == [])
        for link in [
            "https://x/y", "daybook:", "daybook://", "daybook://a//b", "daybook://a/%ff",
            "daybook://a/" + String(repeating: "x/", count: 9),
        ] {
            #expect(NSUserActivity(deepLink: link) == nil, "\(link)")
        }
        let plain = NSUserActivity(activityType: "org.example.read")
        #expect(!plain.isClassKitDeepLink && plain.contextIdentifierPath == nil && plain.activityType == "org.example.read")
        #expect(NSUserActivity.atLaunch(arguments: ["quiz", "--fast", "daybook://app/one"])?.contextIdentifierPath == ["one"])
        #expect(NSUserActivity.atLaunch(arguments: ["daybook://app/one"]) == nil)
    }
}
