// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import EventLoop
import PageFiles

/// What the loop keeps about pages.
struct PagesState {
    /// Somebody is answered once these pages are as they should be.
    struct Wait {
        /// Not handed to the thread yet.
        var keys: Set<PageKey>
        /// Handed, not answered.
        var tickets: Set<UInt64>
        /// What went wrong with one of them.
        var trouble: PageTrouble?
        var finish: (PageTrouble?) -> Void
    }

    var thread: PagesThread?
    var timer: TimerSource?
    var desk: PagesDesk
    var plan = PagePlan()
    var isPlanStale = true
    /// The class lists have been known once; before, nobody would be a reader.
    var hasRoster = false
    /// The folder is fit.
    var isOpen = false
    var isSwept = false
    /// When the folder is tried again.
    var retryAt: BootTime?
    /// Where each page is, or will be once the thread is done.
    var handed: [PageKey: [PageStep]] = [:]
    /// Pages that could not be removed; the next plan tries again.
    var removing: [PageKey: [PageStep]] = [:]
    var madeAt: [PageKey: WallTime] = [:]
    /// The thread answers in the order of what it was handed.
    var sent: UInt64 = 0
    var answered: UInt64 = 0
    var waits: [Wait] = []
    /// Why there are no pages; nil where there are.
    var trouble: PageTrouble?
    /// Why some of them are out of date; nil as key stands for what an earlier run left.
    var pageTroubles: [PageKey?: PageTrouble] = [:]

    init(interval: Duration) { desk = PagesDesk(interval: interval) }

    var inFlight: Int { Int(sent - answered) }

    /// So many pages may be with the thread, so that what is urgent comes soon and values of few are in memory.
    static let inFlightLimit = 4

    /// Whether somebody waits for this page.
    func isAwaited(_ key: PageKey) -> Bool { waits.contains { $0.keys.contains(key) } }

    /// A job for this page was handed to the thread as the last one.
    mutating func noteHanded(_ key: PageKey) {
        for index in waits.indices where waits[index].keys.remove(key) != nil { waits[index].tickets.insert(sent) }
    }

    /// The thread has answered its next job; calls whoever has what they waited for.
    mutating func noteAnswered(_ trouble: PageTrouble?) -> [() -> Void] {
        answered += 1
        for index in waits.indices where waits[index].tickets.remove(answered) != nil {
            waits[index].trouble = waits[index].trouble ?? trouble
        }
        return takeFinished()
    }

    /// Pages that nobody will hand any more are waited for no longer.
    mutating func takeUnhanded(_ trouble: PageTrouble?) -> [() -> Void] {
        for index in waits.indices where !waits[index].keys.isEmpty {
            waits[index].keys = []
            waits[index].trouble = waits[index].trouble ?? trouble
        }
        return takeFinished()
    }

    mutating func takeFinished() -> [() -> Void] {
        let done = waits.filter { $0.keys.isEmpty && $0.tickets.isEmpty }
        waits.removeAll { $0.keys.isEmpty && $0.tickets.isEmpty }
        return done.map { wait in { wait.finish(wait.trouble) } }
    }
}
