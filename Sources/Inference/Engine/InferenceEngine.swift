// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// From changes to sessions: values in, values out. Knows no clock, no file and no log; the live daemon and `daybook replay` run this code.
///
/// Memory is kept only for documents with evidence, in bounded tables. A change costs a look-up by path, and the time of its document's few
/// sessions and companions; deadlines cost the logarithm of their number. Only the rename or loss of a folder, a new configuration and the
/// clearing of a full table walk over the documents.
package struct InferenceEngine: Sendable {
    struct Key: Hashable, Comparable, Sendable {
        var share: Int
        var path: PathBytes

        static func < (left: Key, right: Key) -> Bool { left.share == right.share ? left.path < right.path : left.share < right.share }
    }

    var desk: Desk
    var documents = DocumentTable()
    var deadlines = DeadlineQueue<Key>()
    var sweeps: ScopedSweeps
    var writeSweeps: ScopedSweeps
    /// Of processes that had gone, where the kernel names them.
    var vagueSweeps: ScopedSweeps
    var processes: ProcessTable
    /// Where Word's shortened `~$` names lead: the name's path to the document.
    var officeNames: [Key: PathBytes] = [:]
    var lastTidied: BootTime?
    var lastOverflow: [InferenceTable: BootTime] = [:]

    package init(
        shares: [ShareLayout], rule: Rule, limits: InferenceLimits = InferenceLimits(), firstID: ActivityID, directory: PeopleDirectory
    ) {
        desk = Desk(shares: shares, rule: rule, limits: limits, directory: directory, nextID: firstID)
        sweeps = ScopedSweeps(threshold: limits.sweep, big: limits.bigSweep)
        writeSweeps = ScopedSweeps(threshold: limits.sweep, big: limits.bigSweep)
        vagueSweeps = ScopedSweeps(threshold: limits.sweep, big: limits.bigSweep)
        processes = ProcessTable(limit: limits.processes)
    }

    /// When a `.timer` input is wanted next; nil while nothing is pending.
    package var deadline: BootTime? { deadlines.first?.at }

    /// The id that the next session gets.
    package var nextID: ActivityID { desk.nextID }

    /// Documents that are kept in memory now.
    package var documentCount: Int { documents.count }

    package mutating func handle(_ input: InferenceInput) -> [InferenceEffect] {
        switch input {
        case .change(let change):
            advance(to: change.at)
            var change = change
            let isThere = change.facts != nil
            // Of a folder it is asked who may assign, which a shared account may where it is told so.
            if !change.isFolder, let owner = change.facts?.owner, desk.directory.sharedAccounts.contains(owner) { change.facts = nil }
            if change.share >= 0, change.share < desk.shares.count {
                if change.isFolder { folderChanged(change) } else { fileChanged(change, isThere: isThere) }
            }
            tidy(at: change.at)
        case .timer(let now): advance(to: now)
        case .companion(let share, let path, let facts, let bytes, let at):
            advance(to: at)
            inspected(share, path, facts, bytes, at: at)
        case .processEnded(let pid, let at):
            advance(to: at)
            processEnded(pid, at: at)
        case .handle(let pid, let share, let path, let mode, let at):
            advance(to: at)
            looked(pid, share, path, mode, at: at)
        case .directory(let directory, let at):
            advance(to: at)
            desk.directory = directory
            desk.forgetQuestions()
            forEachDocument(at: at) { document, desk in
                for index in document.sessions.indices { document.reattribute(index, &desk) }
            }
        case .holders(let holders, let at):
            advance(to: at)
            reconcile(holders, at: at)
        case .resume(let sessions, let at): resume(sessions, at: at)
        case .gap(let share, let from, let at):
            advance(to: at)
            forEachDocument(at: at) { document, desk in
                guard share == nil || share == document.share else { return }
                document.handles.forget(since: from - desk.limits.hold)
                if share != nil { document.regained(at: at, &desk) }
            }
        case .unavailable(let share, let at):
            advance(to: at)
            forEachDocument(at: at, where: { $0.share == share }) { document, desk in document.lost(at: at, &desk) }
        case .rule(let rule, let at):
            advance(to: at)
            desk.rule = rule
            forEachDocument(at: at) { _, _ in }
        case .shares(let shares, let at):
            advance(to: at)
            changeShares(to: shares, at: at)
        case .shutdown(let at):
            advance(to: at)
            forEachDocument(at: at) { document, desk in
                document.prepareForRestart(&desk)
            }
        case .end(let at):
            advance(to: at)
            forEachDocument(at: at) { document, desk in document.cutOff(at: at, &desk) }
            documents = DocumentTable()
            processes = ProcessTable(limit: desk.limits.processes)
            officeNames = [:]
            deadlines = DeadlineQueue()
        }
        defer { desk.effects = [] }
        return desk.effects
    }

    // MARK: Documents

    /// Lets one document reason, and notes when it wants to be woken. Nil for a path that is no document's place, or where the table is full.
    mutating func withDocument(_ key: Key, at: BootTime, create: Bool, _ body: (inout Document, inout Desk) -> Void) {
        var document: Document
        if let known = documents.take(key) {
            document = known
        } else {
            guard create, let placement = placement(key), makeRoom(at: at) else { return }
            document = Document(share: key.share, path: key.path, placement: placement, at: at)
        }
        body(&document, &desk)
        document.advance(to: at, &desk)
        put(document, key, at: at)
    }

    private mutating func put(_ document: Document, _ key: Key, at: BootTime) {
        var document = document
        follow(&document, key, at: at)
        if let next = document.next(desk) { deadlines.want(key, at: next.at) }
        documents.put(document, key)
    }

    /// Whether something at this place can be a document.
    func counts(_ key: Key) -> Bool {
        !key.path.components.dropLast().contains(where: { FileName.isHiddenFolder($0) })
            && desk.shares[key.share].layouts.counts(document: key.path)
    }

    func placement(_ key: Key) -> Placement? {
        guard !key.path.components.dropLast().contains(where: { FileName.isHiddenFolder($0) }) else { return nil }
        return desk.shares[key.share].layouts.placement(ofDocument: key.path)
    }

    mutating func forEachDocument(at: BootTime, where wanted: (Key) -> Bool = { _ in true }, _ body: (inout Document, inout Desk) -> Void) {
        // In the order of the paths, so that the same input gives the same output.
        for key in documents.keys where wanted(key) {
            withDocument(key, at: at, create: false, body)
        }
    }

    // MARK: Time

    /// Does what has become due, in the order of the times.
    mutating func advance(to now: BootTime) {
        while let first = deadlines.first, first.at <= now {
            _ = deadlines.removeFirst()
            guard var document = documents.take(first.key) else { continue }
            document.advance(to: first.at, &desk)
            if let target = document.movedTo, let at = document.removedAt, at + desk.limits.displaced <= first.at {
                document.movedTo = nil
                move(document, from: first.key, to: Key(share: first.key.share, path: target), withFolder: false, at: first.at)
            } else {
                put(document, first.key, at: first.at)
            }
        }
        dropStaleDeadlines()
    }

    /// Leaves no outdated entry in front, so that nobody is woken for nothing.
    private mutating func dropStaleDeadlines() {
        while let first = deadlines.first {
            // What has not changed since it was compared is not compared again: this is done with every change.
            if documents.marked == first.key { return }
            let next = documents[first.key]?.next(desk)?.at
            if next == first.at {
                documents.marked = first.key
                return
            }
            _ = deadlines.removeFirst()
            if let next { deadlines.want(first.key, at: next) }
        }
    }

    // MARK: Room

    private mutating func makeRoom(at: BootTime) -> Bool {
        if documents.count < desk.limits.documents { return true }
        if lastTidied.map({ at - $0 > .seconds(1) }) ?? true {
            lastTidied = at
            documents.removeAll { $0.isQuiet && at - $0.touchedAt >= .seconds(60) }
            // One person who makes thousands of files must not keep the others' work out.
            if documents.count > desk.limits.documents / 8 * 7 { documents.removeAll { $0.isQuiet || $0.isOnlySwept } }
            officeNames = officeNames.filter { documents[Key(share: $0.key.share, path: $0.value)] != nil }
        }
        if documents.count < desk.limits.documents { return true }
        overflowed(.documents, at: at)
        return false
    }

    /// Says so, at most once a minute.
    mutating func overflowed(_ table: InferenceTable, at: BootTime) {
        if let last = lastOverflow[table], at - last < .seconds(60) { return }
        lastOverflow[table] = at
        desk.effects.append(.overflowed(table, at: at))
    }

    /// Forgets documents without evidence, once in a while and only when something happens anyway: idle means idle.
    private mutating func tidy(at: BootTime) {
        guard let last = lastTidied else {
            lastTidied = at
            return
        }
        guard at - last > .seconds(300) else { return }
        lastTidied = at
        let rule = desk.rule
        documents.removeAll { $0.isForgettable(at: at, rule: rule) }
        officeNames = officeNames.filter { documents[Key(share: $0.key.share, path: $0.value)] != nil }
    }
}
