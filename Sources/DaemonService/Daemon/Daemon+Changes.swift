// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import EventLoop
import FolderWatcher
import Inference
import Ledger
import Settings

extension Daemon {
    // MARK: From the watcher

    func handle(_ report: WatcherReport) {
        switch report {
        case .changes(let changes):
            for change in changes { handle(engine.handle(.change(change))) }
        case .gap(let gap): handle(gap)
        case .state(let state): handle(state)
        case .crawl(let progress):
            crawls[progress.share] = progress
            if progress.isFinished { crawlFinished(progress.share) }
        case .rescanned: break
        case .examined: break
        case .marker(let id): processes?.passed(mark: id)
        case .reconfigured(let id): reconfigured(id)
        case .failed(let reason):
            log.fault("the watcher cannot go on", ["reason": .plain(reason)])
            exitCode = 1
            stop(reason: "the watcher cannot go on: \(reason)")
        }
    }

    private func handle(_ gap: WatchGap) {
        let path = gap.share.flatMap { share in settings.shares.indices.contains(share) ? settings.shares[share].path : nil }
        let cause: GapFacts.Cause = gap.cause == .overflow ? .overflow : .unavailable
        log.error(
            "events were lost", ["cause": .plain(cause.rawValue), "share": .plain(path ?? "all")], id: Messages.gap)
        submit([.gap(GapFacts(cause: cause, share: path, from: wall(gap.from), to: wall(gap.to)))])
        handle(engine.handle(.gap(share: gap.share, from: gap.from, at: gap.to)))
        watcher?.examine(recorder.openDocuments + engine.lockFiles, since: gap.from, id: 0)
        _ = files?.requests.put(.holders)
    }

    private func handle(_ state: ShareState) {
        guard settings.shares.indices.contains(state.share) else { return }
        let before = shareStates.updateValue(state, forKey: state.share)
        if let before, before.condition == state.condition, before.reason == state.reason, before.source == state.source,
            before.refusal == state.refusal
        {
            return
        }
        let path = settings.shares[state.share].path
        let condition: WatchingFacts.State =
            switch state.condition {
            case .complete: .complete
            case .partial: .partial
            case .unavailable: .unavailable
            }
        let refusal = state.refusal.map { "not watched by fanotify: \($0)" }
        let reasons = [state.reason, refusal].compactMap { $0 }
        submit([
            .watching(
                WatchingFacts(
                    share: path, state: condition, source: state.source.rawValue, folders: state.folders,
                    reason: reasons.isEmpty ? nil : reasons.joined(separator: "; ")))
        ])
        if let refusal, settings.watch.source == .fanotify {
            log.error("a share is watched by inotify instead", ["share": .plain(path), "reason": .plain(refusal)], id: Messages.watching)
        }
        switch state.condition {
        case .complete:
            log.notice(
                "watching", ["share": .plain(path), "folders": .count(state.folders), "source": .plain(state.source.rawValue)],
                id: Messages.watching)
        case .partial, .unavailable:
            if state.condition == .unavailable { handle(engine.handle(.unavailable(share: state.share, at: HostClock.boot()))) }
            log.error(
                "a share is not watched completely", ["share": .plain(path), "reason": .plain(state.reason ?? "")], id: Messages.watching)
        }
        if state.condition == .complete, crawls[state.share]?.isFinished == true { crawlFinished(state.share) }
    }

    private func crawlFinished(_ share: Int) {
        // Only a complete view can say that something is gone.
        guard shareStates[share]?.condition == .complete else { return }
        submit(recorder.crawlFinished(share: share, at: HostClock.boot()))
    }

    // MARK: To and from inference

    func inferenceTimerFired() {
        // Time goes on for inference in the order of what happened.
        if !backlog.isEmpty { return }
        handle(engine.handle(.timer(HostClock.boot())))
        armInferenceTimer()
    }

    func handle(_ effects: [InferenceEffect]) {
        for effect in effects {
            switch effect {
            case .session(let event):
                mediaHeard(event)
                let before = recorder.dropped[.tooMany]
                submit(recorder.take(event, at: HostClock.boot()))
                if recorder.dropped[.tooMany] != before {
                    log.error("more sessions of one person begin than anybody can work in; they are not recorded")
                }
                if case .attributed(let id, let attribution) = event, let document = recorder.document(of: id),
                    let save = unnamedSaves.removeValue(forKey: document)
                {
                    saved(save.share, document, save.placement, attribution, since: save.since, at: save.at)
                }
            case .saved(let share, let document, let placement, let attribution, let since, let at):
                saved(share, document, placement, attribution, since: since, at: at)
            case .inspect(let share, let path):
                // Where the copier is that busy, the companion's contents are not known: its name alone must do.
                _ = files?.requests.put(.inspect(share: share, path: path))
            case .lookUpUID(let uid): lookUp(uid: uid)
            case .lookUpLogin(let login): lookUp(login: login)
            case .assignmentFolder(let share, let path, let placement, let owner, let event, _):
                recorder.use(time: HostClock.wall())
                submit(
                    recorder.take(
                        folder: path, share: share, placement: placement, owner: owner, event: event, at: HostClock.boot()))
            case .watchProcess(let pid, let startedAt):
                if processes?.watch(pid, startedAt: startedAt) == false {
                    log.error("more processes have documents open than are watched; their ends are not noticed")
                }
            case .forgetProcess(let pid): processes?.forget(pid)
            case .lookAtHandle(let pid, let share, let path):
                // Where the copier is that busy, nothing is known of the handle.
                _ = files?.requests.put(.handle(pid: pid, share: share, path: path))
            case .touched: break
            case .overflowed(let table, _):
                log.error("more is going on than is kept in memory", ["table": .plain(table.rawValue)])
            }
        }
    }

    private func saved(
        _ share: Int, _ document: DocumentRef, _ placement: Placement, _ attribution: Attribution, since: BootTime, at: BootTime
    ) {
        unnamedSaves[document] = nil
        if let assignment = recorder.assignment(for: document, placement: placement, attribution: attribution, since: since) {
            measure(MeasureRequest(share: share, document: document, assignment: assignment, attribution: attribution, savedAt: at))
        } else if attribution.person == nil {
            // The directory service may still be thinking of a name.
            if unnamedSaves.count >= Self.unnamedSavesLimit { unnamedSaves = unnamedSaves.filter { at - $0.value.at < .seconds(60) } }
            guard unnamedSaves.count < Self.unnamedSavesLimit else { return }
            unnamedSaves[document] = (share, placement, since, at)
        }
    }

    // MARK: The copier

    func measure(_ request: MeasureRequest) {
        guard let files else { return }
        var request = request
        // As they are now, also for a save that had to wait.
        let plan = recorder.ahead.assignment(request.assignment)?.facts.plan
        request.key = plan?.key?.sha256
        request.analyzers = plan?.analyzers ?? []
        let person = request.attribution.person
        if measuringFor[person, default: 0] < Self.measuresPerPerson, files.requests.put(.measure(request)) {
            measuring += 1
            measuringFor[person, default: 0] += 1
        } else {
            postpone(request)
        }
    }

    private func measured(_ request: MeasureRequest) {
        measuring -= 1
        let person = request.attribution.person
        measuringFor[person] = measuringFor[person].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    func handle(_ answer: FileAnswer) {
        switch answer {
        case .measured(let request, let measurement, let size):
            measured(request)
            if let person = request.attribution.person, let since = forgotten[person], request.savedAt <= since { return }
            complainOfAnalyzers(measurement)
            submit([
                .metrics(
                    MetricsFacts(
                        document: request.document, assignment: request.assignment, attribution: request.attribution,
                        savedAt: request.savedAt, size: size, format: measurement.format, language: measurement.language,
                        items: measurement.items, notes: measurement.notes, error: measurement.error,
                        again: request.again?.entry))
            ])
        case .busy(var request):
            measured(request)
            request.attempt += 1
            postpone(request)
        case .gone(let request): measured(request)
        case .digested(let id, let file, let failure): digested(id, file, failure)
        case .position(let session, let position, let at): mediaAnswered(session, position, at: at)
        case .keptKey(let id, let name, let failure): keyKept(id, name, failure)
        case .companion(let share, let path, let facts, let bytes, let at):
            handle(engine.handle(.companion(share: share, path: path, facts: facts, bytes: bytes, at: at)))
        case .holders(let holders, let at): handle(engine.handle(.holders(holders.filter(isSomebody), at: at)))
        case .handle(let pid, let share, let path, let mode, let at):
            handle(engine.handle(.handle(pid: pid, share: share, path: path, mode: mode, at: at)))
        case .analyzerFailing(let reason):
            analyzerTrouble = reason
            log.error("documents cannot be measured", ["reason": .plain(reason)], id: Messages.analyzerFailing)
        case .analyzerWorks:
            analyzerTrouble = nil
            log.notice("documents can be measured again", id: Messages.analyzerFailing)
        }
    }

    /// An external analyzer that was of no use: whoever configured it can read why, without the document's name. What it says itself may
    /// quote the document, so that stays in the Daybook journal.
    private func complainOfAnalyzers(_ measurement: Measurement) {
        guard !settings.analyzer.external.isEmpty else { return }
        for note in measurement.notes where settings.analyzer.external.contains(where: { $0.analyzer.name == note.identifier }) {
            guard note.reason.contains(" was of no use: ") else { continue }
            log.notice(
                "an external analyzer failed", ["analyzer": .plain(note.identifier), "reason": .plain(note.reason)],
                id: Messages.analyzerFailing)
        }
    }

    private func isSomebody(_ holder: Holder) -> Bool {
        guard let layouts = settings.shares.indices.contains(holder.share) ? settings.shares[holder.share].layouts : nil else {
            return false
        }
        return layouts.placement(ofDocument: holder.path) != nil
    }

    /// A document that is being written is measured when it rests: later and later, and the last state counts.
    private func postpone(_ request: MeasureRequest) {
        // A save that waits is newer than one that is only measured anew, and must not be lost for it.
        if request.again != nil, postponed.holds(request.document) { return }
        let wait = Duration.seconds(min(60, 1 << min(6, request.attempt)))
        let at = HostClock.boot() + wait
        guard postponed.put(request, of: request.document, by: request.attribution.person, at: at) else {
            return log.error("more saves wait to be measured than are kept; those documents are measured with their next save")
        }
        // Thousands may wait: the one timer is for the first of them, whichever that is.
        if postponedTimer?.armedFor.map({ at.microseconds < $0 }) ?? true { postponedTimer?.arm(at: at.microseconds) }
    }

    func postponedFired() {
        let now = HostClock.boot()
        let due = postponed.takeDue(at: now)
        if let first = postponed.first { postponedTimer?.arm(at: first.microseconds) }
        for request in due { measure(request) }
    }

    func wall(_ instant: BootTime) -> WallTime { HostClock.wall() + (instant - HostClock.boot()) }
}
