// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import ClassKit

@Suite("A context")
struct ContextTests {
    private let store = emptyStore()

    @Test("begins with Apple's defaults")
    func defaults() {
        let context = CLSContext(type: .quiz, identifier: "q", title: "Quiz")
        #expect(context.identifier == "q" && context.title == "Quiz" && context.type == .quiz && context.displayOrder == 0)
        #expect(
            context.topic == nil && context.universalLinkURL == nil && context.summary == nil && context.thumbnail == nil
                && context.customTypeName == nil)
        #expect(context.isAssignable && context.parent == nil && !context.isActive && context.currentActivity == nil)
        #expect(context.suggestedAge == NSRange(0...Int.max - 1) && context.suggestedCompletionTime == NSRange(0...Int.max - 1))
        #expect(context.progressReportingCapabilities.map(\.kind) == [.duration] && context.navigationChildContexts.isEmpty)
        context.setType(.lesson)
        #expect(context.type == .lesson)
    }

    @Test("at the root is the app's: made by itself, of type app, without a parent")
    func main() {
        let main = store.mainAppContext
        #expect(main.identifier == "org.example.Test" && main.type == .app && main.parent == nil && main.identifierPath == [])
        store.remove(main)
        store.add("a").addChildContext(main)
        #expect(store.plan.codes == [.invalidArgument, .invalidArgument] && main.parent == nil)
    }

    @Test("has the bundle's identifier for a root, else the program's name")
    func appName() {
        func app(_ bundle: String?, _ program: String) -> String { StoreSettings(variables: [:], bundle: bundle, program: program).app }
        #expect(
            app("org.example.Quiz", "/usr/bin/quiz") == "org.example.Quiz" && app(nil, "/usr/bin/quiz") == "quiz"
                && app("", "quiz") == "quiz")
        #expect(app("a/b", "x") == "a-b" && app(nil, "") == "program")
        let settings = StoreSettings(
            variables: ["DAYBOOK_SOCKET": "/x", "DAYBOOK_CLASSKIT_ENVIRONMENT": "development"], bundle: nil, program: "x")
        #expect(settings.socket == "/x" && settings.environment == .development)
        let other = StoreSettings(variables: ["DAYBOOK_CLASSKIT_ENVIRONMENT": "Development"], bundle: nil, program: "x")
        #expect(other.socket == "/run/daybook/daybook.sock" && other.environment == .production)
    }

    @Test("has one parent, and a path from below the root")
    func tree() {
        let chapter = store.add("chapter")
        let section = store.add("section", below: chapter)
        #expect(section.parent === chapter && section.identifierPath == ["chapter", "section"])
        let other = store.add("other")
        other.addChildContext(section)
        #expect(section.parent === other && section.identifierPath == ["other", "section"])
        chapter.addChildContext(chapter)
        section.addChildContext(other)
        #expect(store.plan.codes == [.invalidArgument, .invalidArgument])
        let loose = CLSContext(type: .page, identifier: "loose", title: "")
        #expect(loose.identifierPath == ["loose"])
    }

    @Test("with the identifier of a sibling is refused at the next save")
    func duplicate() {
        let first = store.add("one")
        let second = store.add("one")
        #expect(second.parent == nil && first.parent != nil)
        let plan = store.plan
        #expect(plan.codes == [.invalidCreate] && plan.names == ["+one"])
        #expect(plan.problems.first?.userInfo[CLSErrorUserInfoKey.objectKey.rawValue] as? CLSContext === second)
        // Below another context it may have it.
        store.add("one", below: first)
        #expect(store.plan.codes.isEmpty)
    }

    @Test("takes capabilities by kind, never another duration, and gives them up again")
    func capabilities() {
        let context = store.add("c")
        context.addProgressReportingCapabilities([
            CLSProgressReportingCapability(kind: .score, details: "Points"),
            CLSProgressReportingCapability(kind: .duration, details: "never seen"),
        ])
        context.addProgressReportingCapabilities([CLSProgressReportingCapability(kind: .score, details: "Better points")])
        #expect(
            context.progressReportingCapabilities == [
                CLSProgressReportingCapability(kind: .duration, details: nil),
                CLSProgressReportingCapability(kind: .score, details: "Better points"),
            ])
        // Of two of one kind one wins.
        context.addProgressReportingCapabilities([
            CLSProgressReportingCapability(kind: .percent, details: "a"), CLSProgressReportingCapability(kind: .percent, details: "b"),
        ])
        #expect(context.progressReportingCapabilities.count { $0.kind == .percent } == 1)
        context.resetProgressReportingCapabilities()
        #expect(context.progressReportingCapabilities.map(\.kind) == [.duration])
    }

    @Test("is active alone")
    func active() {
        let (one, two) = (store.add("one"), store.add("two"))
        one.becomeActive()
        one.becomeActive()
        #expect(one.isActive && store.activeContext === one)
        two.becomeActive()
        #expect(!one.isActive && two.isActive)
        one.resignActive()
        #expect(store.activeContext === two)
        two.resignActive()
        #expect(store.activeContext == nil && !two.isActive)
    }

    @Test("shows others for navigation, and their paths stay")
    func navigation() {
        let (one, two) = (store.add("one"), store.add("two"))
        one.addNavigationChildContext(two)
        one.addNavigationChildContext(two)
        #expect(one.navigationChildContexts == [two] && two.identifierPath == ["two"] && two.parent === store.mainAppContext)
        one.removeNavigationChildContext(two)
        #expect(one.navigationChildContexts.isEmpty)
        for index in 0..<100 { one.addNavigationChildContext(CLSContext(type: .page, identifier: "\(index)", title: "")) }
        #expect(store.plan.codes.isEmpty)
        one.addNavigationChildContext(two)
        #expect(one.navigationChildContexts.count == 100 && store.plan.codes == [.limits])
    }

    @Test("is as long and deep as it may be, and not by one more")
    func limits() {
        func codes(_ change: (CLSContext) -> Void, identifier: String = "x", title: String = "") -> [CLSError.Code] {
            let store = emptyStore()
            change(store.add(identifier, title: title))
            return store.plan.codes
        }
        func long(_ count: Int) -> String { String(repeating: "é", count: count) }
        #expect(codes({ _ in }, identifier: long(256)) == [] && codes({ _ in }, identifier: long(257)) == [.limits])
        #expect(codes({ _ in }, identifier: "") == [.invalidArgument])
        #expect(codes({ _ in }, title: long(256)) == [] && codes({ $0.title = long(257) }) == [.limits])
        #expect(codes { $0.summary = long(4000) } == [] && codes { $0.summary = long(4001) } == [.limits])
        #expect(codes { $0.customTypeName = long(256) } == [] && codes { $0.customTypeName = long(257) } == [.limits])
        #expect(
            codes { $0.topic = CLSContextTopic(rawValue: long(256)) } == []
                && codes { $0.topic = CLSContextTopic(rawValue: long(257)) } == [.limits])
        func link(_ count: Int) -> URL? { URL(string: "https://x/" + String(repeating: "a", count: count - 10)) }
        #expect(codes { $0.universalLinkURL = link(2048) } == [] && codes { $0.universalLinkURL = link(2049) } == [.limits])
        #expect(codes { $0.setType(.app) } == [.invalidArgument])
        #expect(codes { $0.suggestedAge = NSRange(location: -1, length: 3) } == [.invalidArgument])
        var deepest = store.mainAppContext
        for level in 1...8 { deepest = store.add("\(level)", below: deepest) }
        #expect(store.plan.codes == [])
        store.add("9", below: deepest)
        #expect(store.plan.codes == [.limits] && store.plan.names.count == 8)
    }

    @Test("has a thumbnail of 80 to 330 pixels; a larger one is scaled down, a smaller one refused")
    func thumbnail() throws {
        func picture(_ width: Int, _ height: Int, _ pixel: [UInt8] = [200, 100, 50, 255]) -> CGImage? {
            CGImage(width: width, height: height, pixels: Data((0..<width * height).flatMap { _ in pixel }))
        }
        let context = store.add("c")
        context.thumbnail = picture(330, 80)
        #expect(context.thumbnail?.width == 330 && context.thumbnail?.height == 80)
        context.thumbnail = picture(661, 330)
        let scaled = try #require(context.thumbnail)
        #expect(scaled.width == 330 && scaled.height == 164 && Array(scaled.pixels.prefix(4)) == [200, 100, 50, 255])
        #expect(Array(scaled.pixels.suffix(4)) == [200, 100, 50, 255])
        #expect(store.plan.codes == [])
        context.thumbnail = picture(79, 79)
        #expect(store.plan.codes == [.invalidArgument] && context.thumbnail === scaled)
        context.thumbnail = picture(79, 80)
        #expect(context.thumbnail?.width == 79)
        context.thumbnail = nil
        #expect(
            context.thumbnail == nil && CGImage(width: 2, height: 2, pixels: Data(count: 15)) == nil
                && CGImage(width: 0, height: 1, pixels: Data()) == nil)
    }

    @Test("goes to the daemon and comes back as it was")
    func form() throws {
        let context = store.add("c", .custom, title: "Title")
        context.customTypeName = "Maze"
        context.displayOrder = -7
        context.topic = .artsAndMusic
        context.universalLinkURL = URL(string: "https://school.example/c")
        context.summary = "A maze."
        context.isAssignable = false
        context.suggestedAge = NSRange(18...Int.max - 1)
        context.suggestedCompletionTime = NSRange(5...10)
        context.addProgressReportingCapabilities([CLSProgressReportingCapability(kind: .binary, details: nil)])
        context.addNavigationChildContext(store.add("d"))
        let back = try #require(ContextForm.Received(Model.locked { ContextForm.value(of: context) }))
        #expect(back.path == ["c"] && back.created == context.dateCreated && back.modified == context.dateLastModified)
        let fields = back.fields
        #expect(fields.type == .custom && fields.title == "Title" && fields.customTypeName == "Maze" && fields.displayOrder == -7)
        #expect(
            fields.topic == .artsAndMusic && fields.universalLinkURL == context.universalLinkURL && fields.summary == "A maze."
                && !fields.isAssignable)
        #expect(fields.suggestedAge == NSRange(18...Int.max - 1) && fields.suggestedCompletionTime == NSRange(5...10))
        #expect(fields.capabilities[.binary]?.details == nil && fields.capabilities.count == 1 && fields.navigation.count == 1)
        let plain = try #require(ContextForm.Received(Model.locked { ContextForm.value(of: store.add("e")) }))
        #expect(plain.fields.suggestedAge == NSRange(0...Int.max - 1) && plain.fields.isAssignable)
        for type in 0...17 where type != 1 {
            let type = try #require(CLSContextType(rawValue: type))
            #expect(ContextForm.Received(Model.locked { ContextForm.value(of: store.add("type \(type)", type)) })?.fields.type == type)
        }
    }
}
