// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookVarlink
import EventLoop
import JournalStore
import Ledger
import Reports
import Settings

/// Somebody who watches a class.
struct LiveWatcher {
    var call: VarlinkConnection.CallID
    var className: String
    /// What they were told last.
    var told: LiveClass
}

extension Daemon {
    /// However much happens, nobody is told more often than this.
    static let livePause = Duration.seconds(1)
    /// Nor somebody with so much still unread.
    static let liveBytes = 64 << 10

    func live(_ call: VarlinkCall, id: VarlinkConnection.CallID, client: ClientState) throws(VarlinkError) {
        let viewer = viewer(of: client.client)
        let name = call.parameters["class"]?.stringValue ?? ""
        let picture = try picture(of: name, for: viewer)
        lookedLive(viewer, picture)
        if call.more { client.live = LiveWatcher(call: id, className: name, told: picture) }
        reply(client, id, ["live": picture.json], continues: call.more)
    }

    /// What a viewer may see of a class at this moment: a teacher of it, where the school has switched this on.
    private func picture(of className: String, for viewer: Viewer) throws(VarlinkError) -> LiveClass {
        guard settings.live.enabled else { throw VarlinkError("org.daybook.Reports.LiveIsOff") }
        // Also an administrator sees the moment of nobody.
        guard viewer.teaches.contains(className) else {
            let own = viewer.teaches.sorted().prefix(10).map { JSONValue.string($0) }
            if viewer.teaches.isEmpty { throw .permissionDenied }
            throw VarlinkError("org.daybook.Reports.NoSuchClass", ["name": .string(className), "candidates": .array(Array(own))])
        }
        return LiveClass(of: className, in: ledger, now: moment, hidden: HiddenTimes(settings.school.time, clock: clock))
    }

    private func lookedLive(_ viewer: Viewer, _ picture: LiveClass) {
        for assignment in Set(picture.rows.map(\.assignment)).sorted() { looked(viewer, at: nil, assignment, "Live") }
    }

    /// New entries may have changed who is working.
    func considerLive() {
        guard clients.values.contains(where: { $0.live != nil }), liveTimer?.armedFor == nil else { return }
        liveTimer?.arm(at: (HostClock.boot() + Self.livePause).microseconds, accuracy: .milliseconds(100))
    }

    func tellLive() {
        for client in clients.values {
            guard let watcher = client.live else { continue }
            do {
                let viewer = viewer(of: client.client)
                // Class lists and settings may have changed since they asked.
                let picture = try picture(of: watcher.className, for: viewer)
                guard
                    picture.rows != watcher.told.rows || picture.recording != watcher.told.recording
                        || picture.isSchool != watcher.told.isSchool || picture.students != watcher.told.students
                else { continue }
                // Who does not read gets the newest when they do, not all of them.
                guard (server?.pendingBytes(of: client.client.id) ?? 0) < Self.liveBytes else { continue }
                client.live?.told = picture
                lookedLive(viewer, picture)
                reply(client, watcher.call, ["live": picture.json], continues: true)
            } catch {
                client.live = nil
                fail(client, watcher.call, error)
            }
        }
    }
}
