// SPDX-License-Identifier: Apache-2.0
import ClassKit

/// Offers a page and a document to the teacher, as bookmarks and as assignments to go on with. One of the pages is on the web.
func share(document: URL) async {
    let store = CLSDataStore.shared
    let page = CLSContext(type: .page, identifier: "page 1", title: "A page")
    let web = CLSContext(type: .page, identifier: "web", title: "A web page")
    web.universalLinkURL = URL(string: "https://school.example/page")
    store.mainAppContext.addChildContext(page)
    store.mainAppContext.addChildContext(web)
    do { try await store.save() } catch { print("not saved: \(error.localizedDescription)") }
    store.bookmark(page)
    store.startAssignment(with: page, class: "8b")
    store.bookmark(document)
    store.startAssignment(with: document)
}

/// What a program does that was opened from an assignment.
func showWhatIsOpened() async {
    guard let activity = NSUserActivity.atLaunch, activity.isClassKitDeepLink, let path = activity.contextIdentifierPath else {
        return print("opened by hand")
    }
    do {
        let contexts = try await CLSDataStore.shared.contexts(matchingIdentifierPath: path)
        print("opened \(path): \(contexts.last?.title ?? "nothing")")
    } catch {
        print("opened \(path): \(error.localizedDescription)")
    }
}
