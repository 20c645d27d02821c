// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import FolderWatcher
import Glibc
import Inference
import Testing

/// The kernel interfaces that can be tried here.
let sources: [WatchSource] = canUseFanotify ? [.inotify, .fanotify] : [.inotify]
let canUseFanotify = (try? Fanotify()) != nil

/// A throw-away share on a real file system with a real watcher, and what it has reported so far.
final class Rig {
    static let deadline: Int64 = 20_000_000

    let base: String
    let root: String
    let watcher: FolderWatcher
    private let queue: HandOver<WatcherReport>
    private let wake: Wakeup
    private(set) var reports: [WatcherReport] = []
    let source: WatchSource
    private var nextID: UInt64 = 1

    /// Starts at once, and waits for the first crawl unless told otherwise.
    init(
        _ patterns: [String] = ["{document}"], by source: WatchSource = .inotify, shares: [String] = ["share"], capacity: Int = 4096,
        isStarted: Bool = true,
        on place: String = "/var/tmp",
        prepare: (String) throws -> Void = { _ in }, adjust: (inout WatcherOptions) -> Void = { _ in }
    ) throws {
        var template = Array("\(place)/daybook-watch-XXXXXX".utf8CString)
        base = try #require(template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } })
        chmod(base, 0o755)
        root = base + "/" + shares[0]
        self.source = source
        mkdir(base + "/private", 0o700)
        for share in shares { Self.run("mkdir -p '\(base)/\(share)'") }
        try prepare(base)
        wake = try Wakeup()
        queue = HandOver(capacity: capacity, wake: wake)
        var options = WatcherOptions(privateFolder: base + "/private", isInteresting: { $0.first == UInt8(ascii: ".") })
        options.batchDelay = .milliseconds(2)
        options.rescanDelay = .milliseconds(20)
        options.retryInterval = .milliseconds(200)
        options.usesFanotify = source == .fanotify
        // What this process does counts here.
        options.ownProcess = -1
        adjust(&options)
        let layouts = LayoutSet(try patterns.map { try LayoutPattern($0) })
        watcher = try FolderWatcher(
            shares: shares.map { [base] in WatchedShare(path: base + "/" + $0, layouts: layouts) }, options: options, output: queue)
        if isStarted { try start(shares.count) }
    }

    deinit {
        watcher.stop()
        run("rm -rf --one-file-system '\(base)'")
    }

    func start(_ shares: Int = 1) throws {
        try watcher.start()
        for share in 0..<shares { wait("the crawl of share \(share)") { $0.crawled(share) } }
        #expect(states.allSatisfy { $0.source == source && $0.refusal == nil }, "\(states)")
    }

    // MARK: Waiting

    /// Takes reports until the condition holds, and complains at the deadline. Looks at each report, and each `interval` milliseconds where
    /// the condition is about something else.
    @discardableResult
    func wait(_ what: Comment, every interval: Int64 = .max, _ location: SourceLocation = #_sourceLocation, until isTrue: (Rig) -> Bool)
        -> Bool
    {
        let end = Clocks.bootMicroseconds() + Self.deadline
        while true {
            wake.reset()
            reports += queue.takeAll()
            if isTrue(self) { return true }
            let left = end - Clocks.bootMicroseconds()
            guard left > 0 else {
                Issue.record("\(what) did not come; last reports: \(reports.suffix(12))", sourceLocation: location)
                return false
            }
            var waiting = pollfd(fd: wake.descriptor.withRaw { $0 }, events: Int16(POLLIN), revents: 0)
            _ = poll(&waiting, 1, Int32(min(interval, left / 1000 + 1)))
        }
    }

    /// Waits until everything that has happened so far is reported, folders that appeared listed, and lone halves of renames given up.
    func settle(_ location: SourceLocation = #_sourceLocation) {
        for _ in 0..<2 {
            let id = nextID
            nextID += 1
            // Refused while all places are taken; the watcher frees them as it reads on.
            wait("a place for marker \(id)", every: 5, location) { $0.watcher.mark(id: id) }
            wait("marker \(id)", location) { $0.reports.contains(.marker(id: id)) }
        }
    }

    /// Lets what follows be told apart from what was before: fanotify joins what one process does to one name while nobody reads.
    func apart() { if source == .fanotify { settle() } }

    /// What is reported from now on starts anew.
    func forget() { reports = [] }

    func examine(_ paths: [String], since: BootTime?) {
        let id = nextID
        nextID += 1
        watcher.examine(paths.map { (0, PathBytes($0)) }, since: since, id: id)
        wait("the answer") { $0.reports.contains(.examined(id: id)) }
    }

    /// Does something while the watcher reads nothing: it waits for room where its reports go. Needs a `capacity` of 1, and reports
    /// of one change each, which are never joined.
    func holdingBack(_ body: () -> Void) {
        settle()
        // Nothing is taken here, so not by `wait`.
        func wait(until isTrue: () -> Bool) {
            let end = Clocks.bootMicroseconds() + Self.deadline
            while !isTrue(), Clocks.bootMicroseconds() < end { usleep(500) }
            #expect(isTrue())
        }
        // A link makes one record and one report.
        #expect(symlink("nowhere", path("hold-1")) == 0)
        wait { queue.count == 1 }
        let before = watcher.counts.records
        #expect(symlink("nowhere", path("hold-2")) == 0)
        // Shown right before it waits for room.
        wait { watcher.counts.records > before }
        body()
        settle()
    }

    // MARK: Reading the reports

    var changes: [Change] {
        reports.flatMap { report -> [Change] in
            guard case .changes(let changes) = report else { return [] }
            return changes.filter { !$0.path.text.hasPrefix("hold-") }
        }
    }

    /// One line a change, e.g. `created a/essay.txt`; folders end in a slash; a share other than the first is `1:`.
    var lines: [String] { changes.map(Self.line) }

    static func line(_ change: Change) -> String {
        let place = (change.share == 0 ? "" : "\(change.share):") + change.path.text + (change.isFolder ? "/" : "")
        return switch change.kind {
        case .created: "created \(place)"
        case .opened: "opened \(place)"
        case .modified: "modified \(place)"
        case .closedAfterWriting: "closed+ \(place)"
        case .closedWithoutWriting: "closed \(place)"
        case .attributesChanged: "attributes \(place)"
        case .deleted: "deleted \(place)"
        case .renamed(let from): "renamed \(from.text) > \(place)"
        case .movedIn: "moved in \(place)"
        case .movedOut: "moved out \(place)"
        case .found: "found \(place)"
        case .missing: "missing \(place)"
        }
    }

    var states: [ShareState] { reports.compactMap { if case .state(let state) = $0 { state } else { nil } } }
    var gaps: [WatchGap] { reports.compactMap { if case .gap(let gap) = $0 { gap } else { nil } } }
    func crawled(_ share: Int) -> Bool {
        reports.contains { if case .crawl(let progress) = $0 { progress.share == share && progress.isFinished } else { false } }
            && states.contains { $0.share == share && $0.condition != .unavailable }
    }

    // MARK: Doing

    func path(_ name: String) -> String { root + "/" + name }

    func folder(_ name: String) { #expect(mkdir(path(name), 0o755) == 0, "mkdir \(name)") }

    func write(_ name: String, _ text: String = "text") { Self.write(path(name), text) }

    static func write(_ path: String, _ text: String = "text") {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        #expect(file != -1, "open \(path)")
        #expect(Glibc.write(file, text, text.utf8.count) == text.utf8.count)
        close(file)
    }

    func read(_ name: String) {
        let file = open(path(name), O_RDONLY)
        #expect(file != -1, "open \(name)")
        close(file)
    }

    func rename(_ from: String, _ to: String) { #expect(Glibc.rename(path(from), path(to)) == 0, "rename \(from) \(to)") }

    func delete(_ name: String) { #expect(Glibc.remove(path(name)) == 0, "remove \(name)") }

    /// Through the shell: exit status 0 is expected.
    @discardableResult
    func run(_ command: String) -> Bool { Self.run(command) }

    @discardableResult
    static func run(_ command: String) -> Bool {
        var pid = pid_t()
        let arguments = ["sh", "-c", command].map { (text: String) in strdup(text) } + [nil]
        defer { for argument in arguments { free(argument) } }
        guard posix_spawnp(&pid, "sh", nil, nil, arguments, environ) == 0 else { return false }
        var status: Int32 = 0
        return waitpid(pid, &status, 0) == pid && status == 0
    }
}
