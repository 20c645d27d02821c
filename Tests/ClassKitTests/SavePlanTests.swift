// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import Foundation
import Testing

@testable import ClassKit

@Suite("What a save sends")
struct SavePlanTests {
    private let store = emptyStore()

    /// As if the daemon had taken all of it.
    private func settle() {
        let plan = store.plan
        Model.locked {
            for step in plan.steps {
                switch step.subject {
                case .removal(let path): store.removals.removeAll { $0 == path }
                case .context(let context, let path): (context.savedPath, context.savedRevision) = (path, step.revision)
                case .activity(let activity, _): activity.savedRevision = step.revision
                }
            }
        }
    }

    @Test("is what is new or changed, parents first, activities last")
    func changes() {
        let book = store.add("book")
        let chapter = store.add("chapter", below: book)
        let activity = chapter.createNewActivity()
        #expect(store.plan.names == ["+book", "+book/chapter", "activity \(activity.id)"])
        settle()
        #expect(store.plan.names == [])
        book.title = "Another"
        #expect(store.plan.names == ["+book"])
        settle()
        let item = CLSQuantityItem(identifier: "n", title: "N")
        activity.primaryActivityItem = item
        settle()
        item.quantity = 4
        #expect(store.plan.names == ["activity \(activity.id)"])
        settle()
        activity.start()
        #expect(store.plan.names == ["activity \(activity.id)"])
    }

    @Test("stays until the daemon has it")
    func stays() {
        let context = store.add("a")
        let first = store.plan
        context.title = "changed meanwhile"
        #expect(store.plan.names == ["+a"])
        Model.locked { context.savedRevision = first.steps[0].revision }
        Model.locked { context.savedPath = ["a"] }
        #expect(store.plan.names == ["+a"])
    }

    @Test("removes with all that is below, when it is saved and not before")
    func removal() {
        let book = store.add("book")
        store.add("chapter", below: book)
        let other = store.add("other")
        settle()
        store.remove(book)
        store.remove(book)
        #expect(book.parent != nil)
        other.removeFromParent()
        #expect(other.parent == nil)
        #expect(store.plan.names == ["-other", "-book"] && book.parent == nil)
        // Until the daemon has it.
        #expect(store.plan.names == ["-other", "-book"])
        settle()
        #expect(store.plan.names == [])
        // What nobody saved needs no removal.
        store.remove(store.add("new"))
        #expect(store.plan.names == [] && store.mainAppContext.child("new") == nil)
    }

    @Test("deletes what left its parent, unless it came back or went elsewhere")
    func moves() {
        let (one, two) = (store.add("one"), store.add("two"))
        let page = store.add("page", below: one)
        store.add("line", below: page)
        settle()
        page.removeFromParent()
        one.addChildContext(page)
        #expect(store.plan.names == [])
        two.addChildContext(page)
        #expect(store.plan.names == ["-one/page", "+two/page", "+two/page/line"])
        settle()
        page.removeFromParent()
        #expect(store.plan.names == ["-two/page"])
    }

    @Test("puts another context in the place of a removed one")
    func replaced() {
        let old = store.add("page")
        settle()
        store.remove(old)
        let new = store.add("page", .quiz)
        #expect(new.parent === store.mainAppContext && old.parent == nil)
        let plan = store.plan
        #expect(plan.names == ["-page", "+page"] && plan.codes.isEmpty)
    }

    @Test("leaves out what is below a context that cannot be saved, and what was taken out of the tree")
    func unsendable() {
        let bad = store.add("bad", title: String(repeating: "x", count: 257))
        store.add("below", below: bad)
        store.add("good")
        let loose = CLSContext(type: .page, identifier: "loose", title: "")
        _ = loose.createNewActivity()
        let gone = store.add("gone")
        _ = gone.createNewActivity()
        gone.removeFromParent()
        let whole = store.mainAppContext.createNewActivity()
        let plan = store.plan
        #expect(plan.names == ["+good", "activity \(whole.id)"] && plan.codes == [.limits])
    }

    @Test("is cut into messages, and into several saves only where one cannot hold it")
    func pieces() {
        func steps(_ count: Int, _ size: Int) -> [SavePlan.Step] {
            (0..<count).map { _ in
                SavePlan.Step(subject: .removal([]), revision: 0, change: ["x": .string(String(repeating: "x", count: size))])
            }
        }
        #expect(SavePieces.transactions([]).isEmpty)
        #expect(SavePieces.transactions(steps(5000, 1)).map { $0.joined().count } == [5000])
        #expect(SavePieces.transactions(steps(5001, 1)).map { $0.joined().count } == [5000, 1])
        let cut = SavePieces.transactions(steps(10, 100_000))
        #expect(cut.count == 1 && cut[0].map(\.count) == [2, 2, 2, 2, 2])
        let large = SavePieces.transactions(steps(100, 100_000))
        #expect(large.count == 2 && large.joined().joined().count == 100)
    }

    @Test("comes to one error: none, the only one, or one that has them all")
    func outcome() throws {
        let context = store.add("a")
        #expect(SaveOutcome(saved: [context]).error == nil)
        let bad = CLSError(.limits, "too long", object: context)
        #expect(SaveOutcome(errors: [bad]).error?.code == .limits)
        let partial = try #require(SaveOutcome(saved: [context], errors: [bad]).error)
        #expect(partial.code == .partialFailure)
        #expect((partial.userInfo[CLSErrorUserInfoKey.underlyingErrorsKey.rawValue] as? [any Error])?.count == 1)
        #expect((partial.userInfo[CLSErrorUserInfoKey.successfulObjectsKey.rawValue] as? [CLSObject])?.first === context)
        #expect(SaveOutcome(errors: [bad, bad]).error?.code == .partialFailure)
    }
}
