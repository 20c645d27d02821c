// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import EventLoop
import FolderWatcher
import Inference
import Ledger
import Settings

extension Daemon {
    /// SIGHUP: applies the file, or keeps what is in force and says why.
    func reload() {
        guard let path = options.configurationPath else { return }
        Notify.reloading()
        defer { Notify.ready(status: "serving") }
        let fresh: Settings
        do {
            fresh = try Settings.load(path)
        } catch {
            settingsProblem = error.description
            for line in error.lines { log.error("the configuration has a mistake", ["where": .plain(line)], id: Messages.settingsRefused) }
            Notify.status("the configuration has mistakes and was not applied")
            return
        }
        settingsProblem = nil
        apply(fresh)
    }

    private func apply(_ fresh: Settings) {
        let old = settings
        options.settings = fresh
        options.applyOverrides()
        settingsLoadedAt = HostClock.wall()
        var later: [String] = []
        if settings.server.socket != old.server.socket { later.append("server.socket") }
        if settings.server.state != old.server.state { later.append("server.state") }
        if settings.journal != old.journal { later.append("[journal]") }
        if settings.analyzer != old.analyzer { later.append("[analyzer]") }
        if settings.limits != old.limits { later.append("[limits]") }
        if settings.watch != old.watch { later.append("[watch]") }
        for key in later { log.notice("a setting is applied at the next start", ["setting": .plain(key)]) }

        let now = HostClock.boot()
        if settings.shares != old.shares {
            let shares = settings.shares.map { ShareLayout(path: $0.path, layouts: $0.layouts) }
            shareStates = [:]
            crawls = [:]
            do {
                try watcher?.reconfigure(settings.shares.map { WatchedShare(path: $0.path, layouts: $0.layouts) }, id: nextReconfiguration)
                pendingShares = (nextReconfiguration, shares)
                nextReconfiguration += 1
            } catch {
                log.error("the shares cannot be watched as configured", ["reason": .plain(error.description)], id: Messages.watching)
            }
        }
        if settings.rule != old.rule { handle(engine.handle(.rule(settings.rule, at: now))) }
        recorder.use(externalAnalyzers: settings.analyzer.external.map(\.analyzer.name))
        recorder.use(shares: settings.shares.map { ShareLayout(path: $0.path, layouts: $0.layouts) }, rule: settings.rule)
        submit([.settings(settingsFacts)])
        // When it records is no word about whether.
        if settings.recording.enabled != old.recording.enabled { obeyConfiguredRecording() }
        obeySchool()
        examineListedPrograms()
        if settings.metrics != old.metrics { configureMetrics() }
        if settings.pages != old.pages || settings.shares != old.shares { configurePages() }
        rosterAskedAt = HostClock.boot()
        _ = accounts?.requests.put(.roster(settings))
        log.notice("the configuration was applied", id: Messages.settingsApplied)
    }

    /// The watcher counts by the new list from here on.
    func reconfigured(_ id: UInt64) {
        guard let pending = pendingShares, pending.id == id else { return }
        pendingShares = nil
        handle(engine.handle(.shares(pending.shares, at: HostClock.boot())))
        _ = files?.requests.put(.shares(settings.shares.map(\.path)))
        submit(recorder.namelessAssignments(at: HostClock.boot()))
    }

    var settingsFacts: SettingsFacts {
        SettingsFacts(rule: settings.rule, shares: settings.shares.map(\.path), classes: settings.classes.map(\.name))
    }

    /// The configuration's word counts when it is given: at the first start, and when it changes. In between `daybook recording` decides.
    func obeyConfiguredRecording() {
        let state: RecordingChange.State = settings.recording.enabled ? .on : .off
        submit(recorder.switchRecording(RecordingChange(state: state), at: HostClock.boot()))
    }
}
