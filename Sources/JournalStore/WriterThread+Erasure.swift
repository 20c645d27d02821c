// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import JournalFormat

/// An erasure on its way: it is finished before anything else of its kind, whatever fails in between.
struct BegunErasure {
    enum Stage {
        /// What goes is being looked for, among the entries up to `through`.
        case planning(ErasureRequest, through: UInt64)
        /// A plan is on the disk, and is carried out.
        case emptying(ErasurePlan)
        /// All is emptied; now the oldest segments are looked at.
        case lookingAtOldEnd
        case removing(OldEnd)
    }

    var stage: Stage
    /// Nil for one that was found at the start.
    var id: UInt64?
    var people: [PersonID] = []
    /// When it is tried again, in microseconds of `Condition.now`; nil while the other thread is at it.
    var retryAt: Int64?
    /// How many of its entries are in the journal.
    var journaled = 0
    /// Whether segments at the old end go afterwards.
    var removes = false
    /// What is reported in the end.
    var entries = 0
    var through: UInt64 = 0
    /// Whether somebody was told that it waits for the disk.
    var isTold = false
}

// The long walks are another thread's, over segments that are not written any more; meanwhile new entries go to new segments. What is to be
// journaled is written here, in between.
extension WriterThread {
    private var eraser: Eraser { Eraser(place: place, disk: disk) }

    /// What an earlier daemon left begun. A journal that cannot be read any further is no reason not to write it.
    func findBegunErasure() {
        eraser.removeUnusedPlans()
        do throws(JournalError) {
            guard let plan = try ErasurePlan.stored(in: place.path) else { return }
            begun = BegunErasure(stage: .emptying(plan), id: nil, retryAt: Condition.now())
            // Which of its entries the last daemon still wrote.
            var found: [ErasureFacts] = []
            try JournalReader(stateDirectory: place.path).replay(after: plan.last) { entry, _ in
                if case .erasure(let facts) = entry.body { found.append(facts) }
                return true
            }
            begun?.journaled = plan.facts.prefix { found.contains($0) }.count
        } catch {
            begun = nil
            report(nil, .unfinished(StorageTrouble(erasing: error)))
        }
    }

    /// Begins one that was asked for, unless another waits to be finished.
    func erase(_ request: ErasureRequest) {
        packer?.pause()
        // The segment that is written becomes one like all others; what comes next opens a new one, so that who follows it follows on.
        if request.before == nil { segment = nil }
        begun = BegunErasure(stage: .planning(request, through: position.seq), id: request.id, removes: request.before != nil)
        let (eraser, through) = (eraser, position.seq)
        erasing.start { () throws(JournalError) in .planned(try eraser.plan(request, through: through)) }
    }

    /// Goes on with what was begun, where it failed or was found.
    func continueErasure() {
        guard let going = begun, case .emptying(let plan) = going.stage else { return }
        packer?.pause()
        // After a restart it may be one of those that are written anew.
        if let open = segment.flatMap({ JournalSegment(name: $0.name) }), open.first <= plan.last { segment = nil }
        carryOut(plan)
    }

    private func carryOut(_ plan: ErasurePlan) {
        begun?.retryAt = nil
        let eraser = eraser
        erasing.start { () throws(JournalError) in
            try eraser.carryOut(plan)
            return .carriedOut
        }
    }

    /// What the other thread has done, if it has.
    func takeErasure() {
        guard let outcome = erasing.take(), let going = begun else { return }
        do throws(JournalError) {
            switch (going.stage, try outcome.get()) {
            case (.planning(_, let through), .planned(let found)):
                guard let found else {
                    begun?.through = going.removes ? 0 : through
                    return end()
                }
                try announce(found, through: through, going)
            case (.emptying(let plan), .carriedOut): try conclude(plan)
            case (.lookingAtOldEnd, .foundOldEnd(let end?)): try remove(upTo: end)
            case (.lookingAtOldEnd, .foundOldEnd(nil)), (.removing, .removed): finish()
            default: break
            }
        } catch {
            switch going.stage {
            case .planning:
                begun = nil
                report(going.id, .refused(StorageTrouble(erasing: error)))
                pack()
            case .emptying:
                begun?.retryAt = Condition.now() + options.retryDelay.microseconds
                begun?.isTold = true
                if !going.isTold { report(going.id, .unfinished(StorageTrouble(erasing: error))) }
            // What is void is removed by the next one.
            case .lookingAtOldEnd, .removing: finish()
            }
        }
    }

    /// Everything is emptied that was to be.
    private func end() {
        guard begun?.removes ?? false else { return finish() }
        begun?.stage = .lookingAtOldEnd
        let eraser = eraser
        erasing.start { () throws(JournalError) in .foundOldEnd(try eraser.oldEnd()) }
    }

    private func remove(upTo end: OldEnd) throws(JournalError) {
        if !end.isMade {
            do throws(SystemCallError) { try write([draft(.erasure(end.facts))], taken: 0) } catch {
                throw .storage(StorageTrouble(error))
            }
        }
        begun?.stage = .removing(end)
        let eraser = eraser
        erasing.start { () throws(JournalError) in
            try eraser.remove(upTo: end)
            return .removed
        }
    }

    private func finish() {
        guard let done = begun else { return }
        begun = nil
        report(done.id, .done(entries: done.entries), people: done.people, through: done.through)
        pack()
    }

    /// Journals what has to be there before anything goes, and puts the plan on the disk.
    private func announce(_ found: Eraser.Found, through last: UInt64, _ going: BegunErasure) throws(JournalError) {
        var selection = found.selection
        if !found.plan.facts.isEmpty, !going.removes {
            // What came meanwhile may have changed what is to be said again.
            var decoded: [(Entry, Digest)] = []
            try JournalReader(stateDirectory: place.path).replay(after: last) { entry, line in
                if let parts = LineParts(line) { decoded.append((entry, parts.digest)) }
                return true
            }
            for (entry, digest) in decoded where entry.body.kind != "evidence" { selection.learn(entry, digest: digest) }
            var rest = selection.replacements()[...]
            while !rest.isEmpty {
                do throws(SystemCallError) { try write(rest.prefix(options.maximumGroup).map(draft), taken: 0) } catch {
                    throw .storage(StorageTrouble(error))
                }
                rest = rest.dropFirst(options.maximumGroup)
            }
        }
        try eraser.store(found.plan)
        begun?.stage = .emptying(found.plan)
        begun?.people = found.selection.people
        carryOut(found.plan)
    }

    /// All is emptied: the entries that answer for it, and the end.
    private func conclude(_ plan: ErasurePlan) throws(JournalError) {
        while let going = begun, going.journaled < plan.facts.count {
            do throws(SystemCallError) { try write([draft(.erasure(plan.facts[going.journaled]))], taken: 0) } catch {
                throw .storage(StorageTrouble(error))
            }
            begun?.journaled += 1
        }
        try eraser.remove(plan)
        begun?.entries = plan.count
        begun?.through = plan.last
        end()
    }

    /// Before the end: what goes on is finished, or fails once more and is left to the next daemon.
    func finishErasure() {
        while let going = begun, going.retryAt == nil {
            erasing.wait()
            takeErasure()
        }
    }
}

extension StorageTrouble {
    init(erasing error: JournalError) {
        if case .storage(let trouble) = error {
            self.init(
                call: trouble.call, code: trouble.code, description: "entries of the journal could not be emptied: \(trouble.description)")
        } else {
            self.init(call: "", code: 0, description: "entries of the journal could not be emptied: \(error.description)")
        }
    }
}
