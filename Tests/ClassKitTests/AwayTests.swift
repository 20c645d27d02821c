// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import ClassKit

/// Makes contexts of any name but "nothing", and notes what it was asked for.
final class Maker: NSObject, CLSDataStoreDelegate, @unchecked Sendable {
    // Sendable: guarded by its lock.
    private let lock = NSLock()
    private var paths: [[String]] = []
    var asked: [[String]] { lock.withLock { paths } }

    func createContext(forIdentifier identifier: String, parentContext: CLSContext, parentIdentifierPath: [String]) -> CLSContext? {
        lock.withLock { paths.append(parentIdentifierPath + [identifier]) }
        guard identifier != "nothing" else { return nil }
        return CLSContext(type: .chapter, identifier: identifier, title: identifier.capitalized)
    }
}

@Suite("While the daemon is away")
struct AwayTests {
    private let store = emptyStore()

    @Test("a save says so, and everything stays for the next one")
    func save() async {
        let context = store.add("a")
        let activity = context.createNewActivity()
        activity.progress = 0.5
        #expect(await code { try await store.save() } == .databaseInaccessible)
        #expect(store.plan.names == ["+a", "activity \(activity.id)"])
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            store.save { error in
                #expect((error as? CLSError)?.code == .databaseInaccessible)
                continuation.resume()
            }
        }
        store.remove(context)
        #expect(await code { try await store.save() } == nil, "there is nothing to send")
    }

    @Test("with nothing to save, a save has nothing to complain about")
    func nothing() async {
        #expect(await code { try await store.save() } == nil)
    }

    @Test("what is in memory is found all the same; what is missing is an error")
    func lookUps() async throws {
        let book = store.add("book")
        let page = store.add("page", below: book)
        #expect(try await store.contexts(matchingIdentifierPath: ["book", "page"]) == [book, page])
        #expect(try await book.descendant(matchingIdentifierPath: ["page"]) === page)
        #expect(await code { _ = try await store.contexts(matchingIdentifierPath: ["book", "other"]) } == .databaseInaccessible)
        let found = await withCheckedContinuation { continuation in
            store.contexts(matching: NSPredicate(format: "parent = %@", book)) { found, error in
                continuation.resume(returning: (found, (error as? CLSError)?.code))
            }
        }
        #expect(found.0 == [page] && found.1 == .databaseInaccessible)
    }

    @Test("the delegate makes what is missing, once each, from the top down")
    func delegate() async throws {
        let maker = Maker()
        store.delegate = maker
        let found = try await store.contexts(matchingIdentifierPath: ["one", "two"])
        #expect(found.map(\.identifierPath) == [["one"], ["one", "two"]] && found.map(\.title) == ["One", "Two"])
        #expect(maker.asked == [["one"], ["one", "two"]])
        let three = try await found[1].descendant(matchingIdentifierPath: ["three"])
        #expect(three.parent === found[1])
        _ = try await store.contexts(matchingIdentifierPath: ["one", "two", "three"])
        #expect(maker.asked.count == 3)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            store.contexts(matchingIdentifierPath: ["one", "nothing", "more"]) { found, _ in
                #expect(found.map(\.identifier) == ["one"])
                continuation.resume()
            }
        }
        #expect(maker.asked.last == ["one", "nothing"])
    }

    @Test("many look-ups at once ask the delegate once")
    func together() async throws {
        let maker = Maker()
        store.delegate = maker
        let store = store
        let found = try await withThrowingTaskGroup(of: [CLSContext].self) { group in
            for _ in 0..<20 { group.addTask { try await store.contexts(matchingIdentifierPath: ["one", "two"]) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(maker.asked == [["one"], ["one", "two"]] && Set(found.map { ObjectIdentifier($0[1]) }).count == 1)
    }

    @Test("a document's activity cannot be had, nor said whether it is assigned")
    func documents() async {
        let file = URL(filePath: "/tmp/essay.txt")
        #expect(await code { _ = try await store.fetchActivity(for: file) } == .databaseInaccessible)
        #expect(await code { _ = try await store.isAssignedDocument(file) } == .databaseInaccessible)
        #expect(await code { try await store.submitAssignedDocument(file) } == .databaseInaccessible)
        #expect(await code { _ = try await store.fetchActivity(for: #require(URL(string: "https://x/y"))) } == .invalidArgument)
    }

    @Test("a file is known by its path without links, there or not")
    func paths() throws {
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appending(path: "classkit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appending(path: "real"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data().write(to: folder.appending(path: "real/essay.txt"))
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "real")
        #expect(try CLSDataStore.path(of: folder.appending(path: "link/essay.txt")) == folder.path + "/real/essay.txt")
        #expect(try CLSDataStore.path(of: folder.appending(path: "link/new.txt")) == folder.path + "/real/new.txt")
        #expect(try CLSDataStore.path(of: folder.appending(path: "real/../link/essay.txt")) == folder.path + "/real/essay.txt")
        #expect(try CLSDataStore.path(of: URL(filePath: "/no/such/file")) == "/no/such/file")
    }

    @Test("completing assigned activities waits for it")
    func completing() async {
        store.completeAllAssignedActivities(matching: ["a"])
        #expect(await code { try await store.save() } == nil)
        #expect(Model.locked { store.completions } == [["a"]])
    }

    @Test("a context provider's two forms stand in for each other")
    func provider() async throws {
        struct ByCompletion: CLSContextProvider {
            func updateDescendants(of context: CLSContext, completion: @escaping ((any Error)?) -> Void) { completion(CLSError(.limits)) }
        }
        struct ByAsync: CLSContextProvider {
            func updateDescendants(of context: CLSContext) async throws { throw CLSError(.invalidUpdate) }
        }
        struct ByNone: CLSContextProvider {}
        #expect(await code { try await ByCompletion().updateDescendants(of: store.mainAppContext) } == .limits)
        #expect(await code { try await ByNone().updateDescendants(of: store.mainAppContext) } == .invalidArgument)
        let error = await withCheckedContinuation { continuation in
            ByAsync().updateDescendants(of: store.mainAppContext) { continuation.resume(returning: $0 as? CLSError) }
        }
        #expect(error?.code == .invalidUpdate)
    }
}
