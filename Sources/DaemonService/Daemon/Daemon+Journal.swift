// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import EventLoop
import JournalStore
import Ledger

extension Daemon {
    /// Hands entries to the writer, in order. They count, for clients and for the ledger, once they are on the disk.
    /// False where some were not taken.
    @discardableResult
    func submit(_ bodies: [EntryBody]) -> Bool {
        guard !bodies.isEmpty, let writer else { return bodies.isEmpty }
        var isTaken = true
        let at = HostClock.wall()
        let mono = HostClock.boot()
        for body in bodies {
            // False: the disk takes nothing and the queue is full; the writer counts what is lost and says so when it goes on.
            isTaken = writer.submit(EntryDraft(at: at, mono: mono, body: body)) && isTaken
        }
        return isTaken
    }

    func takeJournalReports() {
        for report in writer?.reports.takeAll() ?? [] {
            take(report)
        }
    }

    func take(_ report: JournalReport) {
        switch report {
        case .durable(let entries): take(entries)
        case .stalled(let trouble):
            storageTrouble = trouble.description
            log.error("the journal cannot be written", ["reason": .plain(trouble.description)], id: Messages.storeFailing)
            Notify.status("the journal cannot be written: \(trouble.description)")
            failWaitingSwitches(trouble.description)
            failWaitingEntries(trouble.description)
        case .resumed(let since, let refused):
            storageTrouble = nil
            log.notice("the journal can be written again", ["lost": .count(refused)], id: Messages.storeFailing)
            Notify.status("recording goes on")
            submit([.gap(GapFacts(cause: .storage, from: since, to: HostClock.wall(), lost: refused))])
        case .packed(let count, let trouble):
            if let trouble { log.error("a segment stays uncompressed", ["reason": .plain(trouble.description)], id: Messages.storeFailing) }
            if count > 0 { log.debug("segments were compressed", ["segments": .count(count)]) }
        case .erased(let report): erased(report)
        }
    }

    private func take(_ entries: [DurableEntry]) {
        for durable in entries {
            ledger.apply(durable.entry)
            count(durable)
            ledgerPosition = durable.position
            sinceErasure?.add(durable.entry)
            if let newest = NewestCheckpoint(durable.entry) { checkpoint = newest }
            journalBytes += Int64(durable.lineLength) + 1
            tellOperator(of: durable.entry)
            touchPages(by: durable.entry)
        }
        publish(entries)
        considerLive()
        armPages()
        answerWaitingSwitches(after: entries)
        answerWaitingEntries(entries)
        considerSnapshot()
    }
}
