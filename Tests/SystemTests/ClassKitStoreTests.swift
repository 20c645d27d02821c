// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import Foundation
import Testing

@testable import ClassKit

@Suite("The ClassKit library with a daemon", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct ClassKitStoreTests {
    private let school: School
    private let here: Development

    init() async throws {
        school = try School()
        try await school.start()
        here = Development(school)
    }

    private func paths(_ store: CLSDataStore, _ format: String, _ arguments: Any...) async throws -> [[String]] {
        try await store.contexts(matching: NSPredicate(format: format, argumentArray: arguments)).map(\.identifierPath)
    }

    @Test("finds at the next launch what a teacher's run saved, by path and by predicate, with all that was said of it")
    func contexts() async throws {
        try here.become(.teacher)
        let first = here.launch()
        let book = first.add("book", .book)
        let page = first.add("page 1", .custom, below: book)
        page.customTypeName = "Map"
        page.title = "Über Karten"
        page.displayOrder = -3
        page.topic = .socialScience
        page.universalLinkURL = URL(string: "https://school.example/karten?x=1")
        page.summary = String(repeating: "x", count: 4000)
        page.isAssignable = false
        page.suggestedAge = NSRange(8...12)
        page.suggestedCompletionTime = NSRange(5...Int.max - 1)
        page.addProgressReportingCapabilities([CLSProgressReportingCapability(kind: .quantity, details: "Places found")])
        let other = first.add("other")
        other.addNavigationChildContext(page)
        #expect(try await paths(first, "TRUEPREDICATE") == [["book"], ["book", "page 1"], ["other"]], "also before a save")
        try await first.save()

        let second = here.launch()
        let found = try await second.contexts(matchingIdentifierPath: ["book", "page 1"])
        #expect(found.map(\.identifierPath) == [["book"], ["book", "page 1"]])
        let same = try #require(found.last)
        #expect(
            same !== page && same.type == .custom && same.customTypeName == "Map" && same.title == "Über Karten" && same.displayOrder == -3)
        #expect(same.topic == .socialScience && same.universalLinkURL == page.universalLinkURL && same.summary == page.summary)
        #expect(!same.isAssignable && same.suggestedAge == NSRange(8...12) && same.suggestedCompletionTime == NSRange(5...Int.max - 1))
        #expect(same.progressReportingCapabilities == page.progressReportingCapabilities)
        #expect(same.dateCreated == page.dateCreated && same.dateLastModified == page.dateLastModified)
        #expect(try await paths(second, "parent = %@", second.mainAppContext) == [["book"], ["other"]])
        #expect(try await paths(second, "%K BEGINSWITH[cd] 'uber'", CLSPredicateKeyPath.title) == [["book", "page 1"]])
        #expect(try await second.contexts(matchingIdentifierPath: ["book", "page 1"]).last === same, "one object for each context")
        // What is shown for navigation is found along with it.
        let third = here.launch()
        let withNavigation = try await third.contexts(matchingIdentifierPath: ["other"])
        #expect(withNavigation.last?.navigationChildContexts.map(\.identifierPath) == [["book", "page 1"]])
        let deep = try await third.mainAppContext.descendant(matchingIdentifierPath: ["book", "page 1"])
        #expect(deep.title == "Über Karten")
        // What is missing is no error of a look-up of contexts, and one of a descendant.
        #expect(try await third.contexts(matchingIdentifierPath: ["book", "no", "such"]).map(\.identifier) == ["book"])
        #expect(try await third.contexts(matchingIdentifierPath: ["nothing"]).isEmpty)
        #expect(
            await classKitError { _ = try await third.mainAppContext.descendant(matchingIdentifierPath: ["nothing"]) }?.code
                == .invalidArgument)
    }

    @Test("changes, moves and removes with a save, with all that is below, and other launches see it")
    func changes() async throws {
        try here.become(.teacher)
        let (one, two) = (here.launch(), here.launch())
        let book = one.add("book")
        let page = one.add("page", below: book)
        one.add("line", below: page)
        let shelf = one.add("shelf")
        try await one.save()
        let seen = try await two.contexts(matchingIdentifierPath: ["book", "page"])
        #expect(seen.count == 2)
        page.title = "Another"
        #expect(try await two.contexts(matchingIdentifierPath: ["book", "page"]).last?.title == "Page", "not before the save")
        shelf.addChildContext(page)
        try await one.save()
        #expect(try await paths(two, "TRUEPREDICATE") == [["book"], ["shelf"], ["shelf", "page"], ["shelf", "page", "line"]])
        #expect(seen[1].parent == nil)
        #expect(try await two.contexts(matchingIdentifierPath: ["shelf", "page"]).last?.title == "Another")
        one.remove(shelf)
        #expect(try await paths(two, "TRUEPREDICATE").count == 4, "not before the save")
        book.removeFromParent()
        try await one.save()
        #expect(try await paths(two, "TRUEPREDICATE") == [])
        #expect(try await paths(here.launch(), "TRUEPREDICATE") == [])
    }

    @Test("saves good objects beside bad ones, and says which are which")
    func partial() async throws {
        try here.become(.teacher)
        let (one, two) = (here.launch(), here.launch())
        let theirs = one.add("page")
        try await one.save()
        #expect(theirs.parent != nil)
        // This run did not look, and made another one.
        let mine = two.add("page")
        let good = two.add("good")
        let error = try #require(await classKitError { try await two.save() })
        #expect(error.code == .partialFailure)
        let errors = try #require(error.userInfo[CLSErrorUserInfoKey.underlyingErrorsKey.rawValue] as? [any Error])
        #expect(errors.compactMap { ($0 as? CLSError)?.code } == [.invalidCreate])
        #expect((errors.first as? CLSError)?.userInfo[CLSErrorUserInfoKey.objectKey.rawValue] as? CLSContext === mine)
        #expect((error.userInfo[CLSErrorUserInfoKey.successfulObjectsKey.rawValue] as? [CLSObject]) == [good])
        // A look-up has the one that is there take its place.
        let found = try await two.contexts(matchingIdentifierPath: ["page"])
        #expect(found.first !== mine && found.first?.dateCreated == theirs.dateCreated && mine.parent == nil)
        #expect(await classKitError { try await two.save() }?.code == .invalidCreate, "what was found out by the look-up")
        #expect(await classKitError { try await two.save() } == nil)
    }

    @Test("has the delegate make what is missing, saves that by itself, and does not ask again")
    func delegate() async throws {
        try here.become(.teacher)
        let maker = NamingDelegate()
        let first = here.launch()
        first.delegate = maker
        let found = try await first.contexts(matchingIdentifierPath: ["one", "two"])
        #expect(found.map(\.title) == ["One", "Two"] && maker.asked == [["one"], ["one", "two"]])
        let second = here.launch()
        second.delegate = maker
        #expect(try await second.contexts(matchingIdentifierPath: ["one", "two"]).map(\.title) == ["One", "Two"])
        #expect(maker.asked.count == 2)
        #expect(try await second.mainAppContext.descendant(matchingIdentifierPath: ["one", "three"]).identifierPath == ["one", "three"])
        #expect(maker.asked.last == ["one", "three"])
        #expect(try await paths(here.launch(), "TRUEPREDICATE") == [["one"], ["one", "three"], ["one", "two"]])
    }

    @Test("keeps contexts that a student's run makes in its memory")
    func students() async throws {
        try here.become(.student)
        let first = here.launch()
        let page = first.add("page")
        try await first.save()
        #expect(try await first.contexts(matchingIdentifierPath: ["page"]) == [page])
        #expect(try await paths(first, "TRUEPREDICATE") == [["page"]])
        #expect(try await paths(here.launch(), "TRUEPREDICATE") == [])
    }

    @Test("goes on with a student's attempt at the next launch, and begins another one")
    func attempts() async throws {
        try here.become(.teacher)
        let teacher = here.launch()
        teacher.add("quiz", .quiz)
        try await teacher.save()
        try here.become(.student)
        let first = here.launch()
        let quiz = try #require(try await first.contexts(matchingIdentifierPath: ["quiz"]).last)
        #expect(quiz.currentActivity == nil)
        let activity = quiz.createNewActivity()
        activity.start()
        let item = CLSBinaryItem(identifier: "q1", title: "One", type: .correctIncorrect)
        item.value = true
        activity.addAdditionalActivityItem(item)
        activity.primaryActivityItem = CLSScoreItem(identifier: "score", title: "Score", score: 2, maxScore: 3)
        activity.progress = 0.25
        activity.stop()
        try await first.save()

        let second = here.launch()
        let again = try #require(try await second.contexts(matchingIdentifierPath: ["quiz"]).last)
        let same = try #require(again.currentActivity)
        #expect(same.id == activity.id && same.duration == activity.duration && same.progress == 0.25 && !same.isStarted)
        #expect((same.primaryActivityItem as? CLSScoreItem)?.score == 2)
        #expect((same.additionalActivityItems.first as? CLSBinaryItem)?.valueType == .correctIncorrect)
        same.addProgressRange(fromStart: 0.5, toEnd: 0.75)
        try await second.save()
        // The first run looks again, and sees it.
        _ = try await first.contexts(matchingIdentifierPath: ["quiz"])
        #expect(quiz.currentActivity === activity && activity.progress == 0.5)
        let new = again.createNewActivity()
        try await second.save()
        _ = try await first.contexts(matchingIdentifierPath: ["quiz"])
        #expect(quiz.currentActivity?.id == new.id && quiz.currentActivity?.progress == 0)
    }

    @Test("has one activity for a document, from opening to closing and over launches, by any name of the file")
    func documents() async throws {
        try here.become(.student)
        let file = try school.put("one two three", "essay.txt", for: .berg)
        let link = school.folder + "/link.txt"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        let first = here.launch()
        let activity = try await first.fetchActivity(for: URL(filePath: file))
        activity.start()
        let closing = try await first.fetchActivity(for: URL(filePath: link))
        #expect(closing === activity)
        closing.progress = 0.5
        closing.stop()
        try await first.save()
        let later = try await here.launch().fetchActivity(for: URL(filePath: file))
        #expect(later.id == activity.id && later.progress == 0.5 && later.duration == activity.duration)
        #expect(try await first.isAssignedDocument(URL(filePath: file)))
        let isAssigned = await withCheckedContinuation { continuation in
            first.checkIsAssignedDocument(URL(filePath: file)) { isAssigned, error in
                continuation.resume(returning: isAssigned && error == nil)
            }
        }
        #expect(isAssigned)
    }

    @Test("a teacher's activities are dropped without a word to the app, and explained to the developer")
    func dropped() async throws {
        try here.become(.teacher)
        let store = here.launch()
        let quiz = store.add("quiz", .quiz)
        let activity = quiz.createNewActivity()
        activity.progress = 0.5
        #expect(await classKitError { try await store.save() } == nil)
        #expect(store.mainAppContext.currentActivity == nil && quiz.currentActivity === activity)
        #expect(try await here.launch().contexts(matchingIdentifierPath: ["quiz"]).last?.currentActivity == nil)
    }

    @Test("says when an activity starts that it is recorded, before anything is saved; once, however often it starts")
    func startingNotice() async throws {
        try here.become(.teacher)
        let teacher = here.launch()
        teacher.add("quiz", .quiz)
        teacher.add("shelf").isAssignable = false
        try await teacher.save()
        try here.become(.student)
        let shown = Shown()
        let store = here.launch()
        store.notices.show = { shown.add($0) }
        let quiz = try #require(try await store.contexts(matchingIdentifierPath: ["quiz"]).last)
        let activity = quiz.createNewActivity()
        activity.start()
        try await school.eventually("it was shown") { shown.all.count == 1 }
        #expect(shown.all.first?.contains("shares your progress with the teachers of Development") == true, "\(shown.all)")
        #expect(try await here.launch().contexts(matchingIdentifierPath: ["quiz"]).last?.currentActivity == nil, "nothing is saved")
        activity.stop()
        activity.start()
        try await store.save()
        // Of what is not recorded nothing is said, and what goes on at the next launch was said.
        try #require(try await store.contexts(matchingIdentifierPath: ["shelf"]).last).createNewActivity().start()
        let later = here.launch()
        later.notices.show = { shown.add($0) }
        let again = try #require(try await later.contexts(matchingIdentifierPath: ["quiz"]).last?.currentActivity)
        again.start()
        again.stop()
        try await later.save()
        try await store.save()
        let file = try await store.fetchActivity(for: URL(filePath: "/tmp/essay.txt"))
        file.start()
        try await school.eventually("the next one was shown") { shown.all.count == 2 }
    }

    @Test("says once for each activity that it is recorded")
    func notice() async throws {
        try here.become(.teacher)
        let teacher = here.launch()
        teacher.add("quiz", .quiz)
        try await teacher.save()
        try here.become(.student)
        let shown = Shown()
        let store = here.launch()
        store.notices.show = { shown.add($0) }
        let quiz = try #require(try await store.contexts(matchingIdentifierPath: ["quiz"]).last)
        let activity = quiz.createNewActivity()
        for step in 1...3 {
            activity.progress = Double(step) / 4
            try await store.save()
        }
        try await school.eventually("it was shown") { shown.all.count == 1 }
        #expect(shown.all.first?.contains("shares your progress with the teachers of Development") == true, "\(shown.all)")
        _ = quiz.createNewActivity()
        try await store.save()
        try await school.eventually("the next one was shown") { shown.all.count == 2 }
    }

    @Test("marks what is assigned as done, whatever the progress, of exactly the last context of a path; the student sees it")
    func completes() async throws {
        try here.become(.teacher)
        let teacher = here.launch()
        let book = teacher.add("book")
        teacher.add("page", .page, below: book)
        try await teacher.save()
        try here.become(.student)
        let shown = Shown()
        let store = here.launch()
        store.notices.show = { shown.add($0) }
        let page = try #require(try await store.contexts(matchingIdentifierPath: ["book", "page"]).last)
        page.createNewActivity().progress = 0.5
        store.completeAllAssignedActivities(matching: ["book", "page"])
        store.completeAllAssignedActivities(matching: ["book", "nothing"])
        try await school.eventually("it was shown") { shown.all.contains("marked as done: Page") }
        try await store.save()
        #expect(page.currentActivity?.progress == 0.5)
        #expect(!shown.all.contains { $0.contains("marked as done: Book") || $0.contains("marked as done: Nothing") })
    }

    @Test("loses nothing while the daemon is away, and needs no new store when it is back")
    func restart() async throws {
        try here.become(.teacher)
        let store = here.launch()
        store.add("before")
        try await store.save()
        school.end(SIGKILL)
        let page = store.add("page")
        page.title = "Kept"
        #expect(await classKitError { try await store.save() }?.code == .databaseInaccessible)
        #expect(await classKitError { try await store.save() }?.code == .databaseInaccessible)
        try await school.start()
        #expect(await classKitError { try await store.save() } == nil)
        #expect(try await here.launch().contexts(matchingIdentifierPath: ["page"]).last?.title == "Kept")
        #expect(try await here.launch().contexts(matchingIdentifierPath: ["before"]).count == 1)
    }

    @Test("a program that ends waits for its last save")
    func leaving() async throws {
        try here.become(.teacher)
        let outcome = try Child.run([
            "env", "DAYBOOK_SOCKET=\(school.folder)/daybook.sock", "DAYBOOK_CLASSKIT_ENVIRONMENT=development",
            try Clients.folder.get() + "/Settings", "leave",
        ])
        #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
        let again = Development(school, app: "Settings").launch()
        #expect(try await again.contexts(matchingIdentifierPath: ["page"]).last?.title == "Saved on leaving")
    }

    @Test("saves as many contexts as there are, in messages that the daemon takes")
    func large() async throws {
        try here.become(.teacher)
        let store = here.launch()
        for chapter in 0..<20 {
            let chapter = store.add("chapter \(chapter)")
            for page in 0..<20 { store.add("page \(page)", .page, below: chapter).summary = String(repeating: "ä", count: 2000) }
        }
        #expect(await classKitError { try await store.save() } == nil)
        let again = here.launch()
        #expect(try await paths(again, "identifier = 'page 7'").count == 20)
        #expect(try await paths(again, "TRUEPREDICATE").count == 420)
    }

    @Test("many stores of many apps save at once and lose nothing")
    func together() async throws {
        try here.become(.teacher)
        let launches = (0..<40).map { _ in here.launch() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, store) in launches.enumerated() {
                group.addTask {
                    store.add("page \(number)")
                    try await store.save()
                }
            }
            try await group.waitForAll()
        }
        #expect(try await paths(here.launch(), "TRUEPREDICATE").count == 40)
    }

    @Test("completions come on another thread, and may wait for other calls")
    func completions() async throws {
        try here.become(.teacher)
        let store = here.launch()
        store.add("page")
        let count = await withCheckedContinuation { continuation in
            store.save { error in
                let done = DispatchSemaphore(value: 0)
                nonisolated(unsafe) var count = error == nil && !Thread.isMainThread ? 0 : -1
                store.contexts(matching: NSPredicate(value: true)) { found, _ in
                    count += found.count
                    done.signal()
                }
                done.wait()
                continuation.resume(returning: count)
            }
        }
        #expect(count == 1)
    }
}

/// Makes whatever it is asked for.
private final class NamingDelegate: NSObject, CLSDataStoreDelegate, @unchecked Sendable {
    // Sendable: guarded by its lock.
    private let lock = NSLock()
    private var paths: [[String]] = []
    var asked: [[String]] { lock.withLock { paths } }

    func createContext(forIdentifier identifier: String, parentContext: CLSContext, parentIdentifierPath: [String]) -> CLSContext? {
        lock.withLock { paths.append(parentIdentifierPath + [identifier]) }
        return CLSContext(type: .chapter, identifier: identifier, title: identifier.capitalized)
    }
}
