// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// Documents by their place, and the places in order, so that what lies below a folder is found without a look at all the others: a folder
/// that somebody renames in a loop must cost its own documents only.
struct DocumentTable: Sendable {
    typealias Key = InferenceEngine.Key

    private var documents: [Key: Document] = [:]
    /// Every key of `documents`, and some that have gone since, in order.
    private var places: [Key] = []
    /// Taken out a moment ago, most likely to be put back.
    private var taken: Key?
    /// A document that the caller has looked at; nil once that has been changed or is gone.
    var marked: Key?

    var count: Int { documents.count }

    subscript(key: Key) -> Document? { documents[key] }

    mutating func put(_ document: Document, _ key: Key) {
        documents[key] = document
        if marked == key { marked = nil }
        if taken == key { return }
        let index = place(of: key)
        if index < places.count, places[index] == key { return }
        places.insert(key, at: index)
    }

    mutating func take(_ key: Key) -> Document? {
        guard let document = documents.removeValue(forKey: key) else { return nil }
        taken = key
        if marked == key { marked = nil }
        clear()
        return document
    }

    mutating func change(_ key: Key, _ body: (inout Document) -> Void) {
        guard var document = documents.removeValue(forKey: key) else { return }
        body(&document)
        documents[key] = document
        if marked == key { marked = nil }
    }

    mutating func removeAll(where gone: (Document) -> Bool) {
        documents = documents.filter { !gone($0.value) }
        marked = nil
        taken = nil
        clear()
    }

    /// In the order of the paths, so that the same input gives the same output.
    var keys: [Key] { places.filter { documents[$0] != nil } }

    /// The document at a folder's path and all below it, in their order.
    func keys(atOrBelow folder: PathBytes, share: Int) -> [Key] {
        if folder.isRoot { return keys.filter { $0.share == share } }
        let itself = Key(share: share, path: folder)
        var found = documents[itself] == nil ? [] : [itself]
        // `a/…` stands together, but not beside `a`: `a-b` comes between.
        let first = Key(share: share, path: PathBytes(bytes: folder.bytes + [PathBytes.slash]))
        for key in places[place(of: first)...] {
            guard key.share == share, key.path.isAtOrBelow(folder) else { break }
            if documents[key] != nil { found.append(key) }
        }
        return found
    }

    /// Where a key stands, or would.
    private func place(of key: Key) -> Int {
        var low = 0
        var high = places.count
        while low < high {
            let middle = (low + high) / 2
            if places[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Drops keys that have gone, once they are most of the list.
    private mutating func clear() {
        guard places.count > 2 * documents.count + 64 else { return }
        let kept = taken
        places.removeAll { documents[$0] == nil && $0 != kept }
    }
}
