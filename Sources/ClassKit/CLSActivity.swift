// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// One attempt of a student at a context or a document: how long, how far, and what came of it.
///
/// Contexts make activities (`CLSContext.createNewActivity`), and `CLSDataStore.fetchActivity(for:)` finds a document's. Do not keep one: ask for it
/// each time. In the end set items and progress first, then stop, then save.
open class CLSActivity: CLSObject, @unchecked Sendable {
    /// What the attempt is at.
    enum Subject {
        case context(WeakContext)
        /// By its path, with links resolved.
        case document(String)
    }

    /// The daemon's name for it.
    let id: String
    let subject: Subject
    weak var store: CLSDataStore?
    var timer: ActivityTimer
    var ranges: ProgressRanges
    var primary: CLSActivityItem?
    var additional: [CLSActivityItem]
    /// A later attempt took its place.
    var isSuperseded = false
    /// The daemon was told that it runs, and takes the end of the connection for its end.
    var isToldRunning = false
    /// The daemon was asked what its student has to be told.
    var isAnnounced = false

    init(id: String = UUID().uuidString, subject: Subject, store: CLSDataStore?, created: Date? = nil, seconds: Double = 0) {
        self.id = id
        self.subject = subject
        self.store = store
        timer = ActivityTimer(seconds: seconds)
        ranges = ProgressRanges()
        additional = []
        super.init(created: created)
    }

    // MARK: Time

    /// Begins to count, or goes on. Several activities may count at once. Nothing happens where it counts already, or where a new attempt took its place.
    open func start() {
        Model.locked {
            guard !isSuperseded, timer.start() else { return }
            touch()
            store?.noteStart(of: self)
        }
    }

    /// Stops counting for now or for good; what comes last, after progress and items. Nothing happens where it does not count.
    open func stop() {
        Model.locked {
            store?.noticeStandstill()
            guard timer.stop() else { return }
            touch()
            store?.noteStop(of: self)
        }
    }

    /// Whether it counts now.
    open var isStarted: Bool { Model.locked { timer.isRunning } }

    /// Seconds of all stretches of this attempt together, while it counts up to now.
    open var duration: TimeInterval {
        Model.locked {
            store?.noticeStandstill()
            return timer.seconds()
        }
    }

    // MARK: Progress

    /// How much was done, from 0 to 1: the length of all pieces together. Setting it is the same as adding the piece from 0 to there, so that a lower
    /// value changes nothing. What is outside 0 to 1 changes nothing, and the next save says so (`CLSError.invalidArgument`).
    open var progress: Double {
        get { Model.locked { ranges.length } }
        set {
            // An empty piece is none, but nothing is wrong with it.
            if newValue != 0 { add(from: 0, to: newValue) }
        }
    }

    /// Adds a piece that was done. Pieces may overlap. The start is from 0 to 1, the end after it and at most 1; another piece changes nothing, and the next
    /// save says so (`CLSError.invalidArgument`).
    open func addProgressRange(fromStart start: Double, toEnd end: Double) { add(from: start, to: end) }

    private func add(from start: Double, to end: Double) {
        Model.locked {
            if ranges.add(from: start, to: end) { return touch() }
            let isPiece = start >= 0 && end <= 1 && start < end
            note(
                isPiece
                    ? CLSError(.limits, "progress has more than \(ClassKitLimits.ranges) pieces that do not touch", object: self)
                    : CLSError(.invalidArgument, "progress from \(start) to \(end) is not a piece of 0 to 1", object: self))
        }
    }

    // MARK: Items

    /// What matters most about this attempt. Nil: the progress.
    open var primaryActivityItem: CLSActivityItem? {
        get { Model.locked { primary } }
        set {
            Model.locked {
                primary = newValue
                touch()
            }
        }
    }

    /// What else came of it.
    open var additionalActivityItems: [CLSActivityItem] { Model.locked { additional } }

    /// Adds an item. One with the same identifier that is there already is replaced.
    open func addAdditionalActivityItem(_ activityItem: CLSActivityItem) {
        Model.locked {
            if let index = additional.firstIndex(where: { $0.identifier == activityItem.identifier }) {
                additional[index] = activityItem
            } else if additional.count < ClassKitLimits.additionalItems {
                additional.append(activityItem)
            } else {
                return note(CLSError(.limits, "an activity has at most \(ClassKitLimits.additionalItems) additional items", object: self))
            }
            touch()
        }
    }

    /// Takes all items away, the primary one too. Takes effect with a save.
    open func removeAllActivityItems() {
        Model.locked {
            primary = nil
            additional = []
            touch()
        }
    }

    /// The items' changes are the activity's.
    var lastChange: UInt64 { (additional + (primary.map { [$0] } ?? [])).reduce(revision) { max($0, $1.revision) } }

    var needsSave: Bool { lastChange > savedRevision }

    private func note(_ problem: CLSError) {
        store?.problems.append(problem)
    }

    // MARK: Coding

    /// Reads what `encode(with:)` wrote: an attempt that belongs to no context of the store.
    public required init?(coder: NSCoder) {
        guard let id = coder.decodeObject(of: NSString.self, forKey: "id"),
            let pieces = coder.decodeObject(of: [NSArray.self, NSNumber.self], forKey: "ranges") as? [Double],
            let items = coder.decodeObject(of: [NSArray.self, CLSActivityItem.self], forKey: "additional") as? [CLSActivityItem]
        else { return nil }
        self.id = String(describing: id)
        subject = .context(WeakContext(nil))
        timer = ActivityTimer(seconds: coder.decodeDouble(forKey: "duration"))
        var ranges = ProgressRanges()
        for index in stride(from: 0, to: pieces.count - 1, by: 2) { _ = ranges.add(from: pieces[index], to: pieces[index + 1]) }
        self.ranges = ranges
        primary = coder.decodeObject(of: CLSActivityItem.self, forKey: "primary")
        additional = items
        super.init(coder: coder)
    }

    /// Writes time, progress and items.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        let (duration, pieces, primary, additional) = Model.locked { (timer.seconds(), ranges.pieces, self.primary, self.additional) }
        coder.encode(id as NSString, forKey: "id")
        coder.encode(duration, forKey: "duration")
        coder.encode(pieces.flatMap { [NSNumber(value: $0.start), NSNumber(value: $0.end)] } as NSArray, forKey: "ranges")
        if let primary { coder.encode(primary, forKey: "primary") }
        coder.encode(additional as NSArray, forKey: "additional")
    }
}

/// A context that is not kept alive.
struct WeakContext {
    weak var context: CLSContext?
    init(_ context: CLSContext?) { self.context = context }
}
