// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// Saves that are to be measured again later: for each document the last one. Bounded, for each person and in all: a program that makes files
/// without end must fill neither the memory nor the loop's time.
package struct PostponedMeasures<Request: Sendable>: Sendable {
    package struct Item: Sendable {
        package var request: Request
        package var person: PersonID?
        package var at: BootTime
    }

    /// Nobody saves so many documents that are worth measuring before the first of them has been.
    package static var perPerson: Int { 512 }

    private let limit: Int
    private var items: [DocumentRef: Item] = [:]
    private var counts: [PersonID?: Int] = [:]

    /// `limit` of all people together.
    package init(limit: Int) { self.limit = limit }

    package var count: Int { items.count }

    /// When the first of them is due; nil where there is none. Costs a look at each.
    package var first: BootTime? { items.values.map(\.at).min() }

    /// Takes a document's last save in, instead of an earlier one. False where there is no room: then it is not measured, but its next save
    /// may be.
    package mutating func put(_ request: Request, of document: DocumentRef, by person: PersonID?, at: BootTime) -> Bool {
        remove(document)
        guard items.count < limit, counts[person, default: 0] < Self.perPerson else { return false }
        items[document] = Item(request: request, person: person, at: at)
        counts[person, default: 0] += 1
        return true
    }

    package func holds(_ document: DocumentRef) -> Bool { items[document] != nil }

    /// Gives out what is due, the earliest first.
    package mutating func takeDue(at now: BootTime) -> [Request] {
        let due = items.filter { $0.value.at <= now }.sorted { $0.value.at < $1.value.at }
        for (document, _) in due { remove(document) }
        return due.map(\.value.request)
    }

    package mutating func removeAll(where gone: (DocumentRef, Request) -> Bool) {
        for (document, item) in items where gone(document, item.request) { remove(document) }
    }

    private mutating func remove(_ document: DocumentRef) {
        guard let item = items.removeValue(forKey: document) else { return }
        counts[item.person] = counts[item.person].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}
