// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Glibc
import JournalFormat
import Ledger

/// Developers' stores on the disk: `developers/UID.jsonl` in the state directory, apart from the journal. The first line says the role, each other one is a line as
/// the journal's are, of what the store has now.
struct DeveloperFiles: Sendable {
    static let name = "developers"
    private static let temporary = ".new"
    private static let suffix = ".jsonl"
    /// A store of `DeveloperStore.mostBytes`, as lines.
    private static let longest = 16 << 20
    /// What nobody has saved into for so long goes at a start of the daemon.
    private static let keptFor: Int64 = 180 * 86_400 * 1_000_000

    private let stateDirectory: String

    init(stateDirectory: String) { self.stateDirectory = stateDirectory }

    private func open(make: Bool) throws(SystemCallError) -> OwnedDescriptor {
        let state = try OwnedDescriptor.openFolder(stateDirectory)
        if make {
            do throws(SystemCallError) { try state.makeFolder(Self.name, mode: 0o700) } catch { if error.code != EEXIST { throw error } }
        }
        return try OwnedDescriptor.open(Self.name, in: state, flags: O_RDONLY | O_DIRECTORY)
    }

    /// Whole or not at all. It outlives the daemon, whatever ends that; of a power failure it may know nothing.
    func keep(_ store: DeveloperStore, of uid: UInt32) throws(SystemCallError) {
        let folder = try open(make: true)
        let bytes = store.lines
        do throws(SystemCallError) {
            let file = try OwnedDescriptor.open(Self.temporary, in: folder, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
            let outcome = bytes.withUnsafeBytes { buffer -> Result<Void, SystemCallError> in
                do throws(SystemCallError) { return .success(try file.writeAll(buffer, at: 0)) } catch { return .failure(error) }
            }
            try outcome.get()
            try folder.rename(Self.temporary, to: "\(uid)\(Self.suffix)")
        } catch {
            _ = try? folder.unlink(Self.temporary)  // What stands in it is not the reason that is told.
            throw error
        }
    }

    func remove(_ uid: UInt32) throws(SystemCallError) {
        do throws(SystemCallError) { try open(make: false).unlink("\(uid)\(Self.suffix)") } catch {
            if error.code != ENOENT { throw error }
        }
    }

    /// All that there are, and why others could not be read.
    func all(at now: WallTime) -> (stores: [UInt32: DeveloperStore], unreadable: [String]) {
        guard let folder = try? open(make: false), let names = try? folder.names() else { return ([:], []) }  // there are none
        var stores: [UInt32: DeveloperStore] = [:]
        var unreadable: [String] = []
        for name in names.sorted() {
            guard name.hasSuffix(Self.suffix), let uid = UInt32(name.dropLast(Self.suffix.count)) else { continue }
            let path = "\(stateDirectory)/\(Self.name)/\(name)"
            do {
                let file = try OwnedDescriptor.open(name, in: folder, flags: O_RDONLY)
                if try file.status().modified < now.microseconds - Self.keptFor {
                    try folder.unlink(name)
                    continue
                }
                stores[uid] = try DeveloperStore(lines: try SmallFile.read(path, limit: Self.longest))
            } catch {
                unreadable.append("\(path): \(error)")
            }
        }
        return (stores, unreadable)
    }
}

extension DeveloperStore {
    /// The store as lines.
    var lines: [UInt8] {
        var result = Array("{\"role\":\"\(role.rawValue)\"}\n".utf8)
        var encoder = EntryEncoder()
        var position = JournalPosition.start
        for (body, at) in contents {
            let entry = Self.entry(body, seq: position.seq + 1, at: at)
            guard let line = encoder.line(for: entry, salt: Salt(high: 0, low: 0), after: position) else { continue }
            result += line.bytes
            result.append(0x0a)
            position = line.position
        }
        return result
    }

    /// Reads what `lines` wrote.
    init(lines bytes: [UInt8]) throws(EntryError) {
        self.init()
        var lines = bytes.split(separator: 0x0a)[...]
        guard let first = lines.popFirst(),
            let role = Role.allCases.first(where: { first.elementsEqual("{\"role\":\"\($0.rawValue)\"}".utf8) })
        else { throw .missing(field: "role") }
        self.role = role
        var decoder = EntryDecoder()
        for line in lines {
            var decoded: Result<Entry, EntryError> = .failure(.notAnObject)
            line.withUnsafeBytes { bytes in
                do throws(EntryError) { decoded = .success(try decoder.entry(from: bytes)) } catch { decoded = .failure(error) }
            }
            let entry = try decoded.get()
            take(entry.body, at: entry.at)
        }
    }
}
