// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Inference
import Synchronization

/// Places in the kernel's queue that we make ourselves, by touching private files which the same instance watches.
///
/// Each use has a slot with files of its own: the kernel joins equal records that follow each other, so one file would not do.
final class Markers: Sendable {
    enum Use: Equatable, Sendable {
        case mark(id: UInt64)
        /// `hasEnded`: its second file was touched too.
        case read(share: Int, path: PathBytes, hasEnded: Bool)
    }

    enum Record: Equatable { case mark(slot: Int), begin(slot: Int), end(slot: Int) }

    /// How many may be under way. Each is free again as soon as the thread has read past it.
    static let slotCount = 16

    let watch: Int32
    private let folder: OwnedDescriptor
    private let slots = Mutex<[Use?]>(Array(repeating: nil, count: slotCount))

    init(folder path: String, inotify: Inotify) throws(SystemCallError) {
        folder = try Folder.open(path: path, for: .place)
        for slot in 0..<Self.slotCount {
            for kind in ["mark", "begin", "end"] { try Folder.makeFile("\(kind)-\(slot)", in: folder) }
        }
        watch = try inotify.watch(folder, InotifyMask([.attributes, .onlyFolder]).rawValue)
    }

    /// Takes a slot and touches its first file. The touch is within the lock: a slot that is taken is in the queue.
    func begin(_ use: Use) -> Int? {
        slots.withLock { slots in
            guard let slot = slots.firstIndex(of: nil) else { return nil }
            let kind = if case .mark = use { "mark" } else { "begin" }
            guard (try? Folder.touchFile("\(kind)-\(slot)", in: folder)) != nil else { return nil }  // the caller tries again later
            slots[slot] = use
            return slot
        }
    }

    /// False where the second file cannot be touched.
    func end(slot: Int) -> Bool {
        slots.withLock { slots in
            guard case .read(let share, let path, _) = slots[slot] else { return true }
            slots[slot] = .read(share: share, path: path, hasEnded: true)
            return (try? Folder.touchFile("end-\(slot)", in: folder)) != nil  // the caller has another way
        }
    }

    func use(of slot: Int) -> Use? { slots.withLock { $0[slot] } }

    func free(slot: Int) { slots.withLock { $0[slot] = nil } }

    /// All that are under way.
    var used: [(slot: Int, use: Use)] {
        slots.withLock { slots in slots.enumerated().compactMap { slot, use in use.map { (slot, $0) } } }
    }

    /// Which marker a record of the private folder is.
    static func record(named name: ArraySlice<UInt8>) -> Record? {
        let parts = name.split(separator: UInt8(ascii: "-"))
        guard parts.count == 2, let slot = Int(String(decoding: parts[1], as: UTF8.self)), (0..<slotCount).contains(slot) else {
            return nil
        }
        return switch String(decoding: parts[0], as: UTF8.self) {
        case "mark": .mark(slot: slot)
        case "begin": .begin(slot: slot)
        case "end": .end(slot: slot)
        default: nil
        }
    }
}
