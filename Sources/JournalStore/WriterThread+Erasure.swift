// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import JournalFormat

/// An erasure that was begun: it is finished before anything else of its kind, whatever fails in between.
struct BegunErasure {
    var plan: ErasurePlan
    /// Nil for one that was found at the start.
    var id: UInt64?
    var people: [PersonID] = []
    /// When it is tried again, in microseconds of `Condition.now`.
    var retryAt: Int64
    /// How many of its entries are in the journal.
    var journaled = 0
    /// Whether somebody was told that it waits for the disk.
    var isTold = false
}

extension WriterThread {
    private var eraser: Eraser { Eraser(place: place, disk: disk) }

    /// What an earlier daemon left begun. A journal that cannot be read any further is no reason not to write it.
    func findBegunErasure() {
        eraser.removeUnusedPlans()
        do throws(JournalError) {
            guard let plan = try ErasurePlan.stored(in: place.path) else { return }
            begun = BegunErasure(plan: plan, id: nil, retryAt: Condition.now())
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
        do throws(JournalError) {
            guard let (plan, replacements, people) = try eraser.plan(request, last: position.seq) else {
                return report(request.id, .done(entries: 0))
            }
            segment = nil
            var rest = replacements[...]
            while !rest.isEmpty {
                do throws(SystemCallError) { try write(rest.prefix(options.maximumGroup).map(draft), taken: 0) } catch {
                    throw .storage(StorageTrouble(error))
                }
                rest = rest.dropFirst(options.maximumGroup)
            }
            segment = nil
            try eraser.store(plan)
            begun = BegunErasure(plan: plan, id: request.id, people: people, retryAt: Condition.now())
        } catch {
            return report(request.id, .refused(StorageTrouble(erasing: error)))
        }
        continueErasure()
    }

    /// Goes on with what was begun; once all is done, says so.
    func continueErasure() {
        guard var going = begun else { return }
        packer?.pause()
        segment = nil
        do throws(JournalError) {
            try eraser.carryOut(going.plan)
            while going.journaled < going.plan.facts.count {
                do throws(SystemCallError) { try write([draft(.erasure(going.plan.facts[going.journaled]))], taken: 0) } catch {
                    throw .storage(StorageTrouble(error))
                }
                going.journaled += 1
                begun = going
            }
            try eraser.remove(going.plan)
            begun = nil
            report(going.id, .done(entries: going.plan.count), people: going.people)
        } catch {
            going.retryAt = Condition.now() + options.retryDelay.microseconds
            if !going.isTold { report(going.id, .unfinished(StorageTrouble(erasing: error))) }
            going.isTold = true
            begun = going
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
