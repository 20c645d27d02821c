// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// The folders of all shares, as nodes that know their parent: a path is computed when it is asked for, so that a renamed folder is one
/// change, whatever lies below it.
///
/// A folder costs one node of about 50 bytes, 8 bytes of index, and its name. Every call accepts stale handles: events can be older than
/// what a listing has said, and then there is nothing to do.
package struct FolderTree: Sendable {
    /// A node as others keep it; stays harmless when the node is gone.
    package struct ID: Hashable, Sendable {
        fileprivate var index: Int32
        fileprivate var serial: UInt32
    }

    /// What the watcher notes on a folder.
    package struct Marks: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Its content has been listed at least once.
        package static let listed = Marks(rawValue: 1)
        /// It cannot be read.
        package static let unreadable = Marks(rawValue: 2)
        /// It has no watch, for want of watches or another passing reason.
        package static let unwatched = Marks(rawValue: 4)
        /// The listing that is going on has seen it.
        package static let seen = Marks(rawValue: 8)
        /// A listing has missed it; it may still turn up elsewhere.
        package static let missed = Marks(rawValue: 16)
    }

    private struct Node: Sendable {
        var cursor: LayoutCursor
        var parent: Int32
        var firstChild: Int32 = none
        var next: Int32 = none
        var previous: Int32 = none
        /// 0: none. The kernel counts from 1; a handle's number is negative.
        var watch: Int32 = 0
        /// Changes when the place is used again. Odd: in use.
        var serial: UInt32
        var nameStart: UInt32
        var nameLength: UInt16
        var share: UInt16
        var marks: Marks = []
    }

    private static let none: Int32 = -1

    private var nodes: [Node] = []
    private var firstFree = none
    /// All names, one after the other; swept when half of it is garbage.
    private var names: [UInt8] = []
    private var garbage = 0
    private var children = ChildIndex()
    private var watches = WatchIndex()

    /// How many folders there are.
    package private(set) var count = 0
    private var counts: [Int] = []

    package init() {}

    /// How many folders a share has, its root included.
    package func count(share: Int) -> Int { counts.indices.contains(share) ? counts[share] : 0 }

    /// Number of folders with a watch of inotify's.
    package var watched: Int { watches.watched }

    /// Number of folders that are known by a handle of theirs (fanotify).
    package var marked: Int { watches.marked }

    // MARK: Looking

    package func contains(_ id: ID) -> Bool { index(id) != nil }

    package func node(watch: Int32) -> ID? { watches[watch].map(handle) }

    package func child(of parent: ID, named name: ArraySlice<UInt8>) -> ID? {
        guard let parent = index(parent) else { return nil }
        return find(parent, name, ChildIndex.hash(parent: parent, name: name)).map(handle)
    }

    package func parent(of id: ID) -> ID? {
        guard let index = index(id), nodes[Int(index)].parent != Self.none else { return nil }
        return handle(nodes[Int(index)].parent)
    }

    package func watch(of id: ID) -> Int32? {
        guard let index = index(id), nodes[Int(index)].watch != 0 else { return nil }
        return nodes[Int(index)].watch
    }

    package func share(of id: ID) -> Int? { index(id).map { Int(nodes[Int($0)].share) } }
    /// Both in one look, for each record of the kernel's.
    package func shareAndCursor(of id: ID) -> (share: Int, cursor: LayoutCursor)? {
        index(id).map { (Int(nodes[Int($0)].share), nodes[Int($0)].cursor) }
    }
    package func cursor(of id: ID) -> LayoutCursor? { index(id).map { nodes[Int($0)].cursor } }
    package func marks(of id: ID) -> Marks { index(id).map { nodes[Int($0)].marks } ?? [] }

    /// Lends the name without copying it; empty for a share's root. The tree must not be changed within.
    package func withName<R, E: Error>(of id: ID, _ body: (ArraySlice<UInt8>) throws(E) -> R) throws(E) -> R? {
        guard let index = index(id) else { return nil }
        return try body(name(index))
    }

    /// Both in one look, for each change that is told.
    package func shareAndPath(of id: ID) -> (share: Int, path: PathBytes)? {
        guard let index = index(id), let path = path(of: id) else { return nil }
        return (Int(nodes[Int(index)].share), path)
    }

    /// The path below its share; nil where the folder is gone.
    package func path(of id: ID) -> PathBytes? {
        guard var index = index(id) else { return nil }
        var length = -1
        var place = index
        while nodes[Int(place)].parent != Self.none {
            length += Int(nodes[Int(place)].nameLength) + 1
            place = nodes[Int(place)].parent
        }
        guard length > 0 else { return .root }
        // Written from its end, since nodes know only their parents.
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            var end = length
            while nodes[Int(index)].parent != Self.none {
                let node = nodes[Int(index)]
                let start = Int(node.nameStart)
                end -= Int(node.nameLength)
                for offset in 0..<Int(node.nameLength) { buffer[end + offset] = names[start + offset] }
                if end > 0 {
                    end -= 1
                    buffer[end] = PathBytes.slash
                }
                index = node.parent
            }
            count = length
        }
        return PathBytes(bytes: bytes)
    }

    /// Names between the share and the folder; 65,535 also for deeper ones.
    package func depth(of id: ID) -> Int { index(id).map { Int(nodes[Int($0)].cursor.depth) } ?? 0 }

    package func children(of id: ID) -> [ID] {
        guard let index = index(id) else { return [] }
        var result: [ID] = []
        var place = nodes[Int(index)].firstChild
        while place != Self.none {
            result.append(handle(place))
            place = nodes[Int(place)].next
        }
        return result
    }

    /// Every folder of a share that has one of these marks.
    package func all(share: Int, having marks: Marks) -> [ID] {
        nodes.indices.compactMap { index in
            let node = nodes[index]
            guard node.serial & 1 == 1, Int(node.share) == share, !node.marks.isDisjoint(with: marks) else { return nil }
            return handle(Int32(index))
        }
    }

    // MARK: Changing

    package mutating func addRoot(share: Int, cursor: LayoutCursor) -> ID {
        let root = make(parent: Self.none, name: [], share: UInt16(truncatingIfNeeded: share), cursor: cursor)
        return handle(root)
    }

    /// The folder of this name; a new one where there is none. Nil where the parent is gone.
    package mutating func add(_ name: ArraySlice<UInt8>, to parent: ID, cursor: LayoutCursor) -> (id: ID, isNew: Bool)? {
        guard let parent = index(parent), name.count <= Int(UInt16.max), names.count < Int(UInt32.max) - name.count else { return nil }
        let hash = ChildIndex.hash(parent: parent, name: name)
        if let known = find(parent, name, hash) { return (handle(known), false) }
        let node = make(parent: parent, name: name, share: nodes[Int(parent)].share, cursor: cursor)
        insertIntoIndex(node, hash)
        attach(node, to: parent)
        return (handle(node), true)
    }

    package mutating func setWatch(_ watch: Int32, of id: ID) {
        guard let index = index(id) else { return }
        forgetWatch(of: id)
        // Where another folder has it, it has it no more.
        if let other = watches[watch] { nodes[Int(other)].watch = 0 }
        nodes[Int(index)].watch = watch
        watches[watch] = index
    }

    /// Forgets the watch, as after IN_IGNORED.
    package mutating func forgetWatch(of id: ID) {
        guard let index = index(id), nodes[Int(index)].watch != 0 else { return }
        watches[nodes[Int(index)].watch] = nil
        nodes[Int(index)].watch = 0
    }

    package mutating func mark(_ id: ID, _ marks: Marks) {
        if let index = index(id) { nodes[Int(index)].marks.formUnion(marks) }
    }

    package mutating func unmark(_ id: ID, _ marks: Marks) {
        if let index = index(id) { nodes[Int(index)].marks.subtract(marks) }
    }

    package mutating func setCursor(_ cursor: LayoutCursor, of id: ID) {
        if let index = index(id) { nodes[Int(index)].cursor = cursor }
    }

    /// Renames a folder within its share. False, and nothing changed, where one of the two is gone, the name is taken, or the new place
    /// lies in the folder itself.
    package mutating func move(_ id: ID, to parent: ID, named name: ArraySlice<UInt8>) -> Bool {
        guard let node = index(id), let parent = index(parent), nodes[Int(node)].parent != Self.none, name.count <= Int(UInt16.max),
            nodes[Int(node)].share == nodes[Int(parent)].share
        else { return false }
        var above = parent
        while above != Self.none {
            if above == node { return false }
            above = nodes[Int(above)].parent
        }
        let hash = ChildIndex.hash(parent: parent, name: name)
        guard find(parent, name, hash) == nil else { return false }
        children.remove(node, ChildIndex.hash(parent: nodes[Int(node)].parent, name: self.name(node)))
        detach(node)
        storeName(name, of: node)
        nodes[Int(node)].parent = parent
        insertIntoIndex(node, hash)
        attach(node, to: parent)
        return true
    }

    /// Takes a folder and everything below it out of the tree. `each` gets every handle that dies and its watch, 0 where it has none.
    package mutating func remove(_ id: ID, each: (ID, Int32) -> Void) {
        guard let top = index(id) else { return }
        if nodes[Int(top)].parent != Self.none { detach(top) }
        // Leaves first, without a stack: a hostile tree may be deep.
        var place = top
        while true {
            let child = nodes[Int(place)].firstChild
            if child != Self.none {
                place = child
                continue
            }
            let node = nodes[Int(place)]
            if node.parent != Self.none { children.remove(place, ChildIndex.hash(parent: node.parent, name: name(place))) }
            if node.watch != 0 { watches[node.watch] = nil }
            each(handle(place), node.watch)
            let parent = node.parent
            if place != top { detach(place) }
            free(place)
            if place == top { return }
            place = parent
        }
    }

    // MARK: Inside

    private func index(_ id: ID) -> Int32? {
        guard id.index >= 0, Int(id.index) < nodes.count, nodes[Int(id.index)].serial == id.serial else { return nil }
        return id.index
    }

    private func handle(_ index: Int32) -> ID { ID(index: index, serial: nodes[Int(index)].serial) }

    private func name(_ index: Int32) -> ArraySlice<UInt8> {
        let node = nodes[Int(index)]
        return names[Int(node.nameStart)..<Int(node.nameStart) + Int(node.nameLength)]
    }

    private func find(_ parent: Int32, _ name: ArraySlice<UInt8>, _ hash: Int) -> Int32? {
        children.find(hash) { nodes[Int($0)].parent == parent && self.name($0) == name }
    }

    /// The node has its parent and name already.
    private mutating func insertIntoIndex(_ node: Int32, _ hash: Int) {
        guard children.isFull else {
            children.insert(node, hash)
            return
        }
        // Doubles or, where most slots are of removed nodes, only sweeps them out.
        children.rebuild(for: count + count / 2)
        for index in nodes.indices where nodes[index].serial & 1 == 1 && nodes[index].parent != Self.none {
            children.insert(Int32(index), ChildIndex.hash(parent: nodes[index].parent, name: name(Int32(index))))
        }
    }

    private mutating func make(parent: Int32, name: ArraySlice<UInt8>, share: UInt16, cursor: LayoutCursor) -> Int32 {
        let index: Int32
        var node = Node(cursor: cursor, parent: parent, serial: 1, nameStart: 0, nameLength: 0, share: share)
        if firstFree != Self.none {
            index = firstFree
            firstFree = nodes[Int(index)].next
            node.serial = nodes[Int(index)].serial &+ 1
            nodes[Int(index)] = node
        } else {
            index = Int32(nodes.count)
            nodes.append(node)
        }
        storeName(name, of: index)
        count += 1
        while counts.count <= Int(share) { counts.append(0) }
        counts[Int(share)] += 1
        return index
    }

    private mutating func free(_ index: Int32) {
        garbage += Int(nodes[Int(index)].nameLength)
        nodes[Int(index)].nameLength = 0
        nodes[Int(index)].serial &+= 1
        nodes[Int(index)].watch = 0
        nodes[Int(index)].next = firstFree
        firstFree = index
        count -= 1
        counts[Int(nodes[Int(index)].share)] -= 1
    }

    private mutating func storeName(_ name: ArraySlice<UInt8>, of index: Int32) {
        garbage += Int(nodes[Int(index)].nameLength)
        nodes[Int(index)].nameLength = 0
        if garbage > 4096, garbage * 2 > names.count { sweepNames() }
        nodes[Int(index)].nameStart = UInt32(truncatingIfNeeded: names.count)
        nodes[Int(index)].nameLength = UInt16(name.count)
        names.append(contentsOf: name)
    }

    private mutating func sweepNames() {
        var kept: [UInt8] = []
        kept.reserveCapacity(names.count - garbage)
        for index in nodes.indices where nodes[index].nameLength > 0 {
            let start = UInt32(truncatingIfNeeded: kept.count)
            kept.append(contentsOf: name(Int32(index)))
            nodes[index].nameStart = start
        }
        names = kept
        garbage = 0
    }

    private mutating func attach(_ node: Int32, to parent: Int32) {
        let first = nodes[Int(parent)].firstChild
        nodes[Int(node)].next = first
        nodes[Int(node)].previous = Self.none
        if first != Self.none { nodes[Int(first)].previous = node }
        nodes[Int(parent)].firstChild = node
    }

    private mutating func detach(_ node: Int32) {
        let (previous, next) = (nodes[Int(node)].previous, nodes[Int(node)].next)
        if previous != Self.none {
            nodes[Int(previous)].next = next
        } else {
            nodes[Int(nodes[Int(node)].parent)].firstChild = next
        }
        if next != Self.none { nodes[Int(next)].previous = previous }
    }
}
