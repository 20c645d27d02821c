// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Testing

@Suite("The tree of folders")
struct FolderTreeTests {
    private var cursor: LayoutCursor {
        get throws { try #require(LayoutSet([try LayoutPattern("{document}")]).start) }
    }

    private func bytes(_ name: String) -> ArraySlice<UInt8> { Array(name.utf8)[...] }

    @Test("a renamed folder is one change, whatever lies below")
    func rename() throws {
        var tree = FolderTree()
        let root = tree.addRoot(share: 0, cursor: try cursor)
        let a = try #require(tree.add(bytes("a"), to: root, cursor: try cursor)).id
        let b = try #require(tree.add(bytes("b"), to: a, cursor: try cursor)).id
        let c = try #require(tree.add([0xff, 0x20], to: b, cursor: try cursor)).id
        #expect(tree.path(of: c) == PathBytes(bytes: Array("a/b/".utf8) + [0xff, 0x20]))
        let hasMoved = tree.move(a, to: root, named: bytes("longer name"))
        #expect(hasMoved)
        #expect(tree.path(of: c) == PathBytes(bytes: Array("longer name/b/".utf8) + [0xff, 0x20]))
        #expect(tree.child(of: root, named: bytes("a")) == nil)
        #expect(tree.child(of: root, named: bytes("longer name")) == a)
        let refused = [tree.move(a, to: c, named: bytes("x")), tree.move(root, to: a, named: bytes("x"))]
        #expect(refused == [false, false], "into itself; a share")
        #expect(tree.path(of: root) == .root)
    }

    @Test("a folder that leaves takes all below with it, and gives their watches back")
    func remove() throws {
        var tree = FolderTree()
        let root = tree.addRoot(share: 3, cursor: try cursor)
        let a = try #require(tree.add(bytes("a"), to: root, cursor: try cursor)).id
        let b = try #require(tree.add(bytes("b"), to: a, cursor: try cursor)).id
        let c = try #require(tree.add(bytes("c"), to: root, cursor: try cursor)).id
        for (watch, id) in [(1, root), (2, a), (3, b), (4, c)] { tree.setWatch(Int32(watch), of: id) }
        var gone: [Int32] = []
        tree.remove(a) { gone.append($1) }
        #expect(gone.sorted() == [2, 3])
        #expect(tree.count == 2 && tree.count(share: 3) == 2 && tree.watched == 2)
        #expect(tree.node(watch: 3) == nil && tree.node(watch: 4) == c)
        let again = try #require(tree.add(bytes("a"), to: root, cursor: try cursor))
        #expect(again.isNew && again.id != a)
        #expect(tree.path(of: a) == nil && !tree.contains(b), "a stale handle stays harmless when its place is used again")
        tree.remove(a) { _, _ in Issue.record("removed twice") }
    }

    /// The same operations on a dictionary of whole paths.
    private struct Model {
        var paths: [FolderTree.ID: [UInt8]] = [:]

        func isBelow(_ path: [UInt8], _ top: [UInt8]) -> Bool { PathBytes(bytes: path).isAtOrBelow(PathBytes(bytes: top)) }
    }

    @Test("agrees with plain paths after any operations")
    func model() throws {
        var random = SystemRandomNumberGenerator()
        var tree = FolderTree()
        var model = Model()
        let root = tree.addRoot(share: 0, cursor: try cursor)
        model.paths[root] = []
        var nextWatch: Int32 = 1
        for step in 0..<20_000 {
            let some = try #require(model.paths.keys.randomElement(using: &random))
            let name = Array("n\(Int.random(in: 0..<12, using: &random))".utf8)
            let path = PathBytes(bytes: model.paths[some] ?? []).appending(name)
            let taken = model.paths.first { $0.value == path.bytes }?.key
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6 where model.paths.count < 400:
                let (id, isNew) = try #require(tree.add(name[...], to: some, cursor: try cursor))
                #expect(isNew == (taken == nil) && (taken == nil || taken == id))
                model.paths[id] = path.bytes
                tree.setWatch(nextWatch, of: id)
                nextWatch += 1
            case 6..<8:
                let other = try #require(model.paths.keys.randomElement(using: &random))
                let from = model.paths[other] ?? []
                let fits = other != root && taken == nil && !model.isBelow(path.folder.bytes, from)
                let hasMoved = tree.move(other, to: some, named: name[...])
                #expect(hasMoved == fits)
                if fits {
                    for (id, old) in model.paths where model.isBelow(old, from) {
                        model.paths[id] = PathBytes(bytes: old).moved(from: PathBytes(bytes: from), to: path)?.bytes
                    }
                }
            default:
                guard some != root else { continue }
                let top = model.paths[some] ?? []
                var gone: Set<FolderTree.ID> = []
                tree.remove(some) { id, _ in gone.insert(id) }
                let expected = Set(model.paths.filter { model.isBelow($0.value, top) }.keys)
                #expect(gone == expected)
                for id in expected { model.paths[id] = nil }
            }
            if step % 500 == 0 {
                #expect(tree.count == model.paths.count)
                for (id, path) in model.paths {
                    #expect(tree.path(of: id)?.bytes == path)
                    if id != root {
                        let watch = try #require(tree.watch(of: id))
                        #expect(tree.node(watch: watch) == id)
                        let place = PathBytes(bytes: path)
                        let parent = try #require(model.paths.first { $0.value == place.folder.bytes }?.key)
                        #expect(tree.child(of: parent, named: place.name) == id)
                        #expect(tree.children(of: parent).contains(id))
                    }
                }
            }
        }
    }
}
