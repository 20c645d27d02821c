// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import EventLoop
import Ledger
import Settings

extension Daemon {
    /// Where recording is for school only: pauses it when school ends, and lets go on when school begins what was paused so. What somebody
    /// switched off or paused stays so.
    func obeySchool() {
        let now = HostClock.wall()
        let switched = recorder.ahead.recording.everybody
        let mayRecord = settings.recording.when == .always || settings.school.time.isSchool(at: now, clock)
        switch switched?.state {
        case .on where !mayRecord: schedule(.paused, switched)
        case .paused where mayRecord && switched?.isScheduled == true: schedule(.on, switched)
        case .on, .paused, .off, nil: break
        }
        armSchool(now)
    }

    private func schedule(_ state: RecordingChange.State, _ switched: RecordingState.Switch?) {
        submit(recorder.switchRecording(RecordingChange(state: state, by: switched?.by, isScheduled: true), at: HostClock.boot()))
    }

    private func armSchool(_ now: WallTime) {
        guard settings.recording.when == .schoolHours else { return schoolTimer?.disarm() ?? () }
        let next = settings.school.time.nextBorder(after: now, clock) ?? now + .seconds(86_400)
        let wait = min(max(next - now, .seconds(1)), .seconds(86_400))
        schoolTimer?.arm(at: (HostClock.boot() + wait).microseconds, accuracy: .seconds(1))
    }

    /// Whether recording was on when the last entry was written, or is only paused until school begins.
    var isSwitchedOn: Bool { ledger.recording.isOn || ledger.recording.state == .paused && ledger.recording.everybody?.isScheduled == true }
}
