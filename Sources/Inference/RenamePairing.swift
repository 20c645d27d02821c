// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// Joins the two halves of a rename by the kernel's cookie. Bounded in time and number: what finds no partner left the tree, or came in.
package struct RenamePairing<Place: Equatable & Sendable>: Sendable {
    package struct Half: Equatable, Sendable {
        package var cookie: UInt32
        package var place: Place
        package var at: BootTime
    }

    // Seen by the inlined deadline: it is asked several times in each turn of the watcher.
    @usableFromInline package private(set) var waiting: [Half] = []
    @usableFromInline package let window: Duration
    private let capacity: Int

    /// The kernel writes both halves back to back, so the second is at most one read away; the window only covers a reader that was busy.
    package init(window: Duration = .milliseconds(500), capacity: Int = 1024) {
        self.window = window
        self.capacity = capacity
    }

    /// Keeps a first half. Returns the oldest one where the table is full: treat it as moved out.
    package mutating func left(_ place: Place, cookie: UInt32, at: BootTime) -> Half? {
        waiting.append(Half(cookie: cookie, place: place, at: at))
        return waiting.count > capacity ? waiting.removeFirst() : nil
    }

    /// The first half that belongs to this second one; nil: it came from a place that is not watched.
    package mutating func arrived(cookie: UInt32) -> Half? {
        guard let index = waiting.firstIndex(where: { $0.cookie == cookie }) else { return nil }
        return waiting.remove(at: index)
    }

    /// The first half that waits with such a place, e.g. because its name is used again.
    package mutating func take(where matches: (Place) -> Bool) -> Half? {
        guard let index = waiting.firstIndex(where: { matches($0.place) }) else { return nil }
        return waiting.remove(at: index)
    }

    /// First halves that have waited longer than the window: they left the tree.
    package mutating func expired(at now: BootTime) -> [Half] {
        guard let oldest = waiting.first, now - oldest.at > window else { return [] }
        let gone = waiting.prefix { now - $0.at > window }
        waiting.removeFirst(gone.count)
        return Array(gone)
    }

    /// When `expired` next has something to say.
    @inlinable package var deadline: BootTime? { waiting.first.map { $0.at + window } }
}
