// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import EventLoop
import Inference

extension Daemon {
    /// What a session's event means for looking at audio and video: what is to be written before it.
    func mediaHeard(_ event: SessionEvent) {
        switch event {
        case .started(let start): watchMedia(start.id, start.document, start.process, start.attribution)
        case .moved(let id, let document):
            guard let share = recorder.shares.firstIndex(where: { $0.path == document.share }) else { return }
            media.change(id) { look in
                look.share = share
                look.path = document.path
            }
        case .attributed(let id, let attribution): media.change(id) { $0.uid = attribution.person?.uid }
        case .stopped(let id, _):
            if let last = media.end(id, at: HostClock.boot()) { submit(recorder.take(last, at: HostClock.boot())) }
            if media.isIdle { mediaTimer?.disarm() }
        case .evidence, .paused, .resumed, .lockSays, .delivered: break
        }
    }

    /// Sessions that go on after a restart.
    func watchMedia(_ id: ActivityID, _ document: DocumentRef, _ process: ProcessID?, _ attribution: Attribution) {
        guard let share = recorder.shares.firstIndex(where: { $0.path == document.share }) else { return }
        let wasIdle = media.isIdle
        let look = MediaLook(
            session: id, share: share, path: document.path, pid: process?.pid, uid: attribution.person?.uid)
        guard media.begin(look), wasIdle else { return }
        // The first look at once: a short document may be over soon.
        mediaTimer?.arm(at: HostClock.boot().microseconds)
    }

    func mediaTimerFired() {
        for look in media.due(recorder.isRecorded) where files?.requests.put(.position(look)) != true {
            // The copier is that busy: it is asked next time.
            media.notAsked(look.session)
        }
        if !media.isIdle { mediaTimer?.arm(after: MediaWatch.interval) }
    }

    func mediaAnswered(_ session: ActivityID, _ position: MediaPosition?, at: BootTime) {
        if let event = media.take(session, position, at: at) { submit(recorder.take(event, at: HostClock.boot())) }
        if media.isIdle { mediaTimer?.disarm() }
    }
}
