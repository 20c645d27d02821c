// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// Which audio and video documents are open on this machine, and how far each is. Values in, values out: when to look is its owner's affair.
struct MediaWatch {
    /// How often it is looked.
    static let interval = Duration.seconds(5)
    /// How much later a further position is written at the earliest.
    static let written = Duration.seconds(30)
    /// Sessions at a time; of more nothing is seen.
    static let limit = 256

    private struct Watched {
        var look: MediaLook
        var isAsked = false
        var newest: Delivery?
        var told: (delivery: Delivery, at: BootTime)?
    }

    private var watched: [ActivityID: Watched] = [:]

    /// Whether anybody is to be looked at: without, there is no timer.
    var isIdle: Bool { watched.isEmpty }

    /// A session began or goes on with a document that is audio or video. False where it is of no interest here.
    mutating func begin(_ look: MediaLook) -> Bool {
        guard watched.count < Self.limit, Delivery.concerns(look.path) else { return false }
        watched[look.session] = Watched(look: look)
        return true
    }

    /// It has another place now, or it is known better whose it is.
    mutating func change(_ session: ActivityID, _ change: (inout MediaLook) -> Void) {
        guard var one = watched[session] else { return }
        change(&one.look)
        watched[session] = one
    }

    /// Whom to look at now: all whose last look was answered and who are recorded.
    mutating func due(_ isRecorded: (ActivityID) -> Bool) -> [MediaLook] {
        watched.keys.sorted().compactMap { session in
            guard let one = watched[session], !one.isAsked, isRecorded(session) else { return nil }
            watched[session]?.isAsked = true
            return one.look
        }
    }

    /// It could not be asked; it is asked again.
    mutating func notAsked(_ session: ActivityID) { watched[session]?.isAsked = false }

    /// The answer to a look: what of it is to be written now. Where no program holds the document, the session is not looked at again.
    mutating func take(_ session: ActivityID, _ position: MediaPosition?, at: BootTime) -> SessionEvent? {
        guard var one = watched[session] else { return nil }
        guard let position else { return end(session, at: at) }
        one.isAsked = false
        one.look.pid = position.pid
        if let delivery = position.delivery { one.newest = Delivery.further(one.newest, delivery) }
        watched[session] = one
        if let told = one.told, at - told.at < Self.written { return nil }
        return tell(session, at: at)
    }

    /// The session is over, or nothing more can be seen of it: what is still to be written.
    mutating func end(_ session: ActivityID, at: BootTime) -> SessionEvent? {
        defer { watched[session] = nil }
        return tell(session, at: at)
    }

    private mutating func tell(_ session: ActivityID, at: BootTime) -> SessionEvent? {
        guard let one = watched[session], let newest = one.newest, one.told?.delivery != newest else { return nil }
        watched[session]?.told = (newest, at)
        return .delivered(session, newest, at: at)
    }
}
