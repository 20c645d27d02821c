// SPDX-License-Identifier: Apache-2.0
import ClassKit
import Foundation

/// Makes what is asked for.
public final class Maker: NSObject, CLSDataStoreDelegate {
    /// A chapter.
    public func createContext(forIdentifier identifier: String, parentContext: CLSContext, parentIdentifierPath: [String]) -> CLSContext? {
        CLSContext(type: .chapter, identifier: identifier, title: "\(parentIdentifierPath.count) \(parentContext.identifier)")
    }
}

/// An extension's provider, in both forms.
public struct Provider: CLSContextProvider {
    /// Nothing is needed.
    public init() {}

    /// There is nothing to bring up to date.
    public func updateDescendants(of context: CLSContext, completion: @escaping (Error?) -> Void) { completion(nil) }
}

/// The other form.
public struct AsyncProvider: CLSContextProvider {
    /// Nothing is needed.
    public init() {}

    /// There is nothing to bring up to date.
    public func updateDescendants(of context: CLSContext) async throws {
        if context.parent == nil { try await CLSDataStore.shared.save() }
    }
}

/// Every function of the store, from a function that does not wait.
public func useStore(delegate: Maker) {
    let store: CLSDataStore = CLSDataStore.shared
    store.delegate = delegate
    let kept: CLSDataStoreDelegate? = store.delegate
    let main: CLSContext = store.mainAppContext
    let active: CLSContext? = store.activeContext
    let running: CLSActivity? = store.runningActivity
    _ = (kept, active, running)
    store.save()
    store.save(completion: nil)
    store.save { (error: Error?) in
        guard error == nil else { return }
    }
    store.save(completion: { error in _ = error?.localizedDescription })
    store.completeAllAssignedActivities(matching: ["chapter", "page"])
    // A public demo counts in a variable that the completion changes.
    var counts: [String: Int] = [:]
    store.contexts(matching: NSPredicate(format: "parent = %@", main)) { (contexts: [CLSContext], error: Error?) in
        counts["children"] = contexts.count
        for context in contexts { store.remove(context) }
    }
    store.contexts(matching: NSPredicate(format: "%K = %@", CLSPredicateKeyPath.parent as CVarArg, main)) { _, _ in }
    store.contexts(matching: NSPredicate(format: "%K = %@ AND %d < 2", argumentArray: [CLSPredicateKeyPath.title, "x", 1])) { _, _ in }
    store.contexts(matchingIdentifierPath: ["chapter", "page"]) { contexts, error in
        guard error == nil, let page = contexts.last else { return }
        page.becomeActive()
        let activity = page.currentActivity ?? page.createNewActivity()
        activity.start()
        activity.stop()
    }
    main.descendant(matchingIdentifierPath: ["chapter"]) { (context: CLSContext?, error: Error?) in _ = (context, error) }
    let file = URL(fileURLWithPath: "/tmp/essay.txt")
    store.fetchActivity(for: file) { (activity: CLSActivity?, error: Error?) in
        guard let activity = activity else { return }
        activity.start()
        activity.stop()
    }
    store.checkIsAssignedDocument(file) { (isAssigned: Bool, error: Error?) in _ = (isAssigned, error) }
    Provider().updateDescendants(of: main) { (error: Error?) in _ = error }
    AsyncProvider().updateDescendants(of: main) { (error: Error?) in _ = error }
}

/// Every function of the store, from one that waits.
public func useStoreAsync() async -> [String] {
    let store = CLSDataStore.shared
    let file = URL(fileURLWithPath: "/tmp/essay.txt")
    var failed: [String] = []
    do { try await store.save() } catch { failed.append("save") }
    do { let _: [CLSContext] = try await store.contexts(matching: NSPredicate(format: "title BEGINSWITH 'x'")) } catch {
        failed.append("matching")
    }
    do { let _: [CLSContext] = try await store.contexts(matchingIdentifierPath: ["chapter"]) } catch { failed.append("path") }
    do { let _: CLSContext = try await store.mainAppContext.descendant(matchingIdentifierPath: ["none"]) } catch {
        failed.append("descendant")
    }
    do { let _: CLSActivity = try await store.fetchActivity(for: file) } catch { failed.append("fetch") }
    do { let _: Bool = try await store.isAssignedDocument(file) } catch { failed.append("assigned") }
    do { try await store.submitAssignedDocument(file) } catch { failed.append("submit") }
    do { try await store.withdrawAssignedDocument(file) } catch { failed.append("withdraw") }
    do { try await Provider().updateDescendants(of: store.mainAppContext) } catch { failed.append("provider") }
    do { try await AsyncProvider().updateDescendants(of: store.mainAppContext) } catch { failed.append("async provider") }
    // A completion is taken here, too.
    store.save { error in _ = error }
    return failed
}

/// Every key path.
public func useKeyPaths() -> [String] {
    let paths: [CLSPredicateKeyPath] = [
        .dateCreated, .identifier, .title, .universalLinkURL, .topic, .parent, CLSPredicateKeyPath("own"),
        CLSPredicateKeyPath(rawValue: "own"),
    ]
    return paths.map(\.rawValue)
}

/// What deep links add to user activities.
public func useLinks(_ activity: NSUserActivity) -> [String] {
    let isLink: Bool = activity.isClassKitDeepLink
    let path: [String]? = activity.contextIdentifierPath
    activity.title = "A page"
    activity.userInfo = ["page": 1]
    activity.webpageURL = URL(string: "https://school.example/page")
    let texts: [String] = [
        activity.activityType, activity.title ?? "-", "\(activity.userInfo?.count ?? 0)", "\(activity.webpageURL != nil)",
    ]
    return ["\(isLink)"] + (path ?? []) + texts
}

/// What is not in Apple's SDK.
public func useMore(_ context: CLSContext, _ file: URL) -> Bool {
    let store = CLSDataStore.shared
    store.bookmark(context)
    store.bookmark(file)
    store.startAssignment(with: context)
    store.startAssignment(with: file, class: "8b")
    return NSUserActivity.atLaunch == nil && NSUserActivity(deepLink: "daybook://app/one") != nil
        && CGImage(width: 1, height: 1, pixels: Data(count: 4)) != nil
}
