// SPDX-License-Identifier: Apache-2.0

/// Which node a watch belongs to. Inotify's watches are positive and only ever grow; handles have small negative numbers, used again.
struct WatchIndex: Sendable {
    private var byWatch: [Int32: Int32] = [:]
    private var byHandle: [Int32] = []
    private(set) var marked = 0

    private static let none: Int32 = -1

    var watched: Int { byWatch.count }

    subscript(_ watch: Int32) -> Int32? {
        get {
            guard watch < 0 else { return byWatch[watch] }
            let place = Self.place(watch)
            return byHandle.indices.contains(place) && byHandle[place] != Self.none ? byHandle[place] : nil
        }
        set {
            guard watch < 0 else {
                byWatch[watch] = newValue
                return
            }
            let place = Self.place(watch)
            while byHandle.count <= place, newValue != nil { byHandle.append(Self.none) }
            guard byHandle.indices.contains(place) else { return }
            marked += (newValue == nil ? 0 : 1) - (byHandle[place] == Self.none ? 0 : 1)
            byHandle[place] = newValue ?? Self.none
        }
    }

    private static func place(_ watch: Int32) -> Int { Int(-(watch + 1)) }
}
