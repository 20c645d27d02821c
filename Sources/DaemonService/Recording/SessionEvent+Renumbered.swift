// SPDX-License-Identifier: Apache-2.0
import ActivityModel

extension SessionEvent {
    /// The same event under another number.
    func renumbered(_ id: ActivityID) -> SessionEvent {
        switch self {
        case .started(var start):
            start.id = id
            return .started(start)
        case .evidence(_, let sign): return .evidence(id, sign)
        case .attributed(_, let attribution): return .attributed(id, attribution)
        case .moved(_, let document): return .moved(id, document)
        case .paused(_, let at): return .paused(id, at: at)
        case .resumed(_, let at): return .resumed(id, at: at)
        case .stopped(_, let end): return .stopped(id, end)
        case .lockSays(_, let words, let at): return .lockSays(id, words, at: at)
        case .delivered(_, let delivery, let at): return .delivered(id, delivery, at: at)
        }
    }
}
