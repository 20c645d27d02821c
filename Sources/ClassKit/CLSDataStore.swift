// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Dispatch
public import Foundation

/// The app's contexts and activities, and the way to the Daybook daemon that keeps them.
///
/// Everything is kept in memory until `save`; only what is assigned to the person is recorded then, and the app never learns whether it was. All
/// completions are called on any thread.
open class CLSDataStore: NSObject, @unchecked Sendable {
    // Sendable: constants, and what `Model.lock` guards.
    private static let only = CLSDataStore(StoreSettings.ofThisProcess)

    /// The only store.
    open class var shared: CLSDataStore { only }

    let settings: StoreSettings
    let wire: Wire
    let notices: Notices

    private let main: CLSContext
    var active: CLSContext?
    /// Those that count now, in the order of their starts.
    private var running: [CLSActivity] = []
    private var heartbeat = Heartbeat()
    private var beats: (any DispatchSourceTimer)?
    /// Those that a save may have to send, and documents' current ones.
    private(set) var activities: [CLSActivity] = []
    /// What went wrong since the last save, which tells it.
    var problems: [CLSError] = []
    /// To be deleted by the next save.
    private var doomed: [CLSContext] = []
    /// Taken out of the tree since the last save.
    private var departed: [CLSContext] = []
    /// Paths that the daemon has to delete.
    var removals: [[String]] = []
    /// Whose assignments are to be marked as done.
    var completions: [[String]] = []
    private weak var storedDelegate: (any CLSDataStoreDelegate)?
    let creations = Creations()

    init(_ settings: StoreSettings) {
        self.settings = settings
        wire = Wire(path: settings.socket)
        notices = Notices(app: settings.app)
        main = CLSContext(identifier: settings.app, fields: ContextFields(type: .app, title: settings.title), created: nil)
        super.init()
        main.ownStore = self
        // It is there without being saved.
        main.savedPath = []
        wire.onLoss = { [weak self] in Model.locked { self?.noteLoss() } }
    }

    /// The root of the app's contexts; the only one of type `app`. Its identifier is the bundle's, else the name of the program.
    open var mainAppContext: CLSContext { main }

    /// The context that the person works at; nil where there is none.
    open var activeContext: CLSContext? { Model.locked { active } }

    /// The activity that was started last of those that count now.
    open var runningActivity: CLSActivity? { Model.locked { running.last } }

    /// Makes contexts that are looked up by their identifier path and not there yet.
    open weak var delegate: (any CLSDataStoreDelegate)? {
        get { Model.locked { storedDelegate } }
        set { Model.locked { storedDelegate = newValue } }
    }

    /// Deletes a context and all below it with the next save.
    open func remove(_ context: CLSContext) {
        Model.locked {
            guard !context.isMain else {
                return problems.append(CLSError(.invalidArgument, "the main context cannot be removed", object: context))
            }
            if !isDoomed(context) { doomed.append(context) }
        }
    }

    // MARK: For whoever holds the lock

    func find(_ path: [String]) -> CLSContext? {
        path.reduce(main as CLSContext?) { context, identifier in context?.child(identifier) }
    }

    func isDoomed(_ context: CLSContext) -> Bool { doomed.contains { $0 === context } }

    func noteDeparture(of context: CLSContext) { departed.append(context) }

    func noteStart(of activity: CLSActivity) {
        running.append(activity)
        register(activity)
        announce(activity)
        if beats == nil { startBeats() }
    }

    func noteStop(of activity: CLSActivity) {
        running.removeAll { $0 === activity }
        guard running.isEmpty else { return }
        // Nothing wakes a program in which nothing counts.
        beats?.cancel()
        beats = nil
        heartbeat.end()
    }

    private func startBeats() {
        heartbeat.begin(at: Clocks.monotonicMicroseconds())
        let timer = DispatchSource.makeTimerSource(queue: .global())
        let interval = DispatchTimeInterval.microseconds(Int(Heartbeat.interval))
        timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .seconds(1))
        timer.setEventHandler { [weak self] in Model.locked { self?.noticeStandstill() } }
        timer.activate()
        beats = timer
    }

    /// Takes the time in which the program stood still from all that counts.
    func noticeStandstill(at now: Int64 = Clocks.monotonicMicroseconds()) {
        guard !running.isEmpty else { return }
        let stood = heartbeat.beat(at: now)
        guard stood > 0 else { return }
        for activity in running { activity.timer.leaveOut(stood, at: now) }
    }

    /// Stops an attempt for good.
    func supersede(_ activity: CLSActivity) {
        activity.stop()
        activity.isSuperseded = true
    }

    /// Keeps an activity for the saves to come. The oldest that need none leave when there are many.
    func register(_ activity: CLSActivity) {
        guard !activities.contains(where: { $0 === activity }) else { return }
        activities.append(activity)
        if activities.count > Self.keptActivities, let index = activities.firstIndex(where: { !$0.needsSave && !$0.timer.isRunning }) {
            activities.remove(at: index)
        }
    }

    static let keptActivities = 1000

    /// Carries out `remove` and `removeFromParent` in memory: what is gone for good becomes a path that the daemon has to delete.
    func settleRemovals() {
        for context in doomed { context.detach() }
        doomed = []
        for context in departed {
            let place = context.root.isMain ? context.path : nil
            for member in context.subtree {
                guard let saved = member.savedPath else { continue }
                let now = place.map { $0 + member.path.suffix(member.path.count - context.path.count) }
                if now == saved { continue }
                // One path is enough for all below it.
                if !removals.contains(where: { saved.starts(with: $0) }) { removals.append(saved) }
                member.savedPath = nil
                member.isFromDaemon = false
            }
        }
        departed = []
    }

    /// A connection that ends stops the daemon's timers: what runs is told anew by the next save.
    private func noteLoss() {
        for activity in activities where activity.isToldRunning {
            activity.isToldRunning = false
            activity.savedRevision = 0
        }
    }
}
