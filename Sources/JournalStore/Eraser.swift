// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookLinux
import Glibc
import JournalFormat

/// Empties entries, step by step: a plan is stored; every file that holds such an entry is written anew under another name, flushed and renamed
/// over the old one; the list of what was forgotten is kept; the writer journals the entries that answer for it; the plan is removed. Whoever
/// finds a plan begins anew at its second step, and what is done already stays as it is. For one thread, while the writer writes nothing to
/// the segments up to the plan's last entry, and the packer nothing at all.
struct Eraser: @unchecked Sendable {
    // Both may be used from any thread; the segments are the thread's that carries the plan out.
    let place: JournalPlaceOnDisk
    let disk: Disk

    static let listName = "forgotten.list"
    private static let temporaryName = ".erase.new"
    /// What other work left half done. All of them are copies, and none may outlive what it was copied from.
    private static let leftovers = [temporaryName, SegmentPacker.temporaryName, ".torn.new", ".base.new"]
    private static let listLimit = 1 << 30

    // MARK: - What is to be done

    /// What is to be emptied, and what was learnt of it.
    struct Found: Sendable {
        var plan: ErasurePlan
        var selection: any EntrySelection
    }

    /// Walks twice over the entries up to `last`, with which a segment ends; nil where there is nothing to empty.
    func plan(_ request: ErasureRequest, through durable: UInt64) throws(JournalError) -> Found? {
        var last = durable
        if let before = request.before {
            guard let limited = try lastEntry(before: before) else { return nil }
            last = min(durable, limited)
        }
        var selection = request.selection
        if selection.wantsList {
            var list: [UInt64: Digest] = [:]
            for line in try Self.list(in: place.path) {
                let parts = line.split(separator: " ")
                if parts.count == 2, let seq = UInt64(parts[0]), let digest = Digest(hex: String(parts[1])) { list[seq] = digest }
            }
            selection.use(list: list)
        }
        var decoder = EntryDecoder()
        try walk(through: last) { (_, piece) throws(JournalError) in
            guard case .good(let line, let parts) = piece, parts.form == .full, LineParts.kind(of: line) != "evidence",
                let entry = try? decoder.entry(from: line)
            else {
                return  // what is no entry has no person
            }
            selection.learn(entry, digest: parts.digest)
        }
        var seqs = Runs()
        let learned = selection
        var hasWords = try !tailsWithWords(learned.words).isEmpty
        try walk(through: last) { (_, piece) throws(JournalError) in
            switch piece {
            case .good(let line, let parts):
                guard parts.form == .full, let entry = try? decoder.entry(from: line), learned.selects(entry, digest: parts.digest) else {
                    return
                }
                seqs.add(parts.seq, parts.digest)
            case .other(let line, _): if !hasWords, Words.have(learned.words, line) { hasWords = true }
            case .bytes: break
            }
        }
        let facts = seqs.facts(kind: request.kind, by: request.by)
        if facts.isEmpty, !hasWords { return nil }
        return Found(plan: ErasurePlan(facts: facts, last: last, words: learned.words), selection: learned)
    }

    /// Numbers and digests in their order, as ranges.
    private struct Runs {
        private var ranges: [ClosedRange<UInt64>] = []
        private var digests: [[Digest]] = []

        mutating func add(_ seq: UInt64, _ digest: Digest) {
            if let last = ranges.last, last.upperBound + 1 == seq {
                ranges[ranges.count - 1] = last.lowerBound...seq
                digests[digests.count - 1].append(digest)
            } else {
                ranges.append(seq...seq)
                digests.append([digest])
            }
        }

        func facts(kind: ErasureFacts.Kind, by: UInt32?) -> [ErasureFacts] {
            stride(from: 0, to: ranges.count, by: ErasurePlan.rangesPerEntry).map { start in
                let part = start..<min(start + ErasurePlan.rangesPerEntry, ranges.count)
                var hash = SHA256()
                for digest in digests[part].joined() { hash.add(digest) }
                return ErasureFacts(
                    kind: kind, ranges: Array(ranges[part]), count: digests[part].reduce(0) { $0 + $1.count },
                    digests: hash.finish().hex, by: by)
            }
        }
    }

    // MARK: - Doing it

    func store(_ plan: ErasurePlan) throws(JournalError) {
        try Self.setDamagedPlanAside(place, disk)
        try performing { () throws(SystemCallError) in
            let file = try NewFile(".\(ErasurePlan.name).new", in: place.state, disk)
            try file.add(Array(plan.json.text.utf8))
            try file.finish(as: ErasurePlan.name, in: place.state, mode: 0o600)
        }
    }

    /// All but the entries that answer for it. May be called again whenever it failed, or after a crash.
    func carryOut(_ plan: ErasurePlan) throws(JournalError) {
        // First of all: it holds what these entries add up to.
        try performing { () throws(SystemCallError) in try SnapshotFile.remove(in: place.state, disk) }
        try removeLeftovers()
        let ranges = plan.ranges
        try performing { () throws(SystemCallError) in
            try EvidenceIndexFile.remove(touching: ranges, in: place.journal.descriptor, disk)
        }
        var touched: Set<UInt64> = []
        var list: [String] = []
        try walk(through: plan.last) { (segment, piece) throws(JournalError) in
            switch piece {
            case .good(_, let parts):
                guard ranges.contains(parts.seq) else { return }
                if parts.form == .full { touched.insert(segment.first) }
                list.append("\(parts.seq) \(parts.digest.hex)")
            case .other(let line, _): if Words.have(plan.words, line) { touched.insert(segment.first) }
            case .bytes: break
            }
        }
        try rewrite(touched, through: plan.last, ranges: ranges, words: plan.words)
        try removeStale()
        for name in try tailsWithWords(plan.words) { try blank(name) }
        try removeDamagedPlans(naming: plan.words)
        if plan.facts.contains(where: { $0.kind == .forgotten }) { try extendList(with: list) }
    }

    /// A plan that is none can never be finished, and the next one must not hide that: it is renamed.
    static func setDamagedPlanAside(_ place: JournalPlaceOnDisk, _ disk: Disk) throws(JournalError) {
        do throws(JournalError) { _ = try ErasurePlan.stored(in: place.path) } catch {
            guard case .damagedPlan = error else { throw error }
            let taken = Set(ErasurePlan.damaged(in: place.path))
            var name = ErasurePlan.damagedName
            var attempt = 1
            while taken.contains(name) {
                attempt += 1
                name = "\(ErasurePlan.damagedName)-\(attempt)"
            }
            let free = name
            do throws(SystemCallError) {
                try disk.perform(.rename) { () throws(SystemCallError) in try place.state.rename(ErasurePlan.name, to: free) }
                try disk.perform(.syncFolder) { () throws(SystemCallError) in try place.state.sync() }
            } catch {
                throw .storage(StorageTrouble(error))
            }
        }
    }

    /// Plans that were set aside and name whom this erasure is about: now it is finished.
    private func removeDamagedPlans(naming words: [String]) throws(JournalError) {
        for name in ErasurePlan.damaged(in: place.path) {
            guard let bytes = try? SmallFile.read("\(place.path)/\(name)", limit: Self.listLimit),  // stays, and is told of
                bytes.withUnsafeBytes({ Words.have(words, $0) })
            else { continue }
            try performing { () throws(SystemCallError) in
                try disk.perform(.unlink) { () throws(SystemCallError) in try place.state.unlink(name) }
            }
        }
    }

    func remove(_ plan: ErasurePlan) throws(JournalError) {
        try performing { () throws(SystemCallError) in
            try disk.perform(.unlink) { () throws(SystemCallError) in try place.state.unlink(ErasurePlan.name) }
            try disk.perform(.syncFolder) { () throws(SystemCallError) in try place.state.sync() }
        }
    }

    private func rewrite(
        _ touched: Set<UInt64>, through last: UInt64, ranges: [ClosedRange<UInt64>], words: [String]
    ) throws(JournalError) {
        guard !touched.isEmpty else { return }
        let segments = try place.journal.segments()
        let walk = JournalWalk()
        for (index, segment) in segments.enumerated() where segment.first <= last {
            let bytes = try place.journal.bytes(of: segment)
            let next = index + 1 < segments.count ? segments[index + 1].first : nil
            guard touched.contains(segment.first) else {
                try walk.segment(segment, bytes, next: next) { (_) throws(JournalError) in }
                continue
            }
            let mode = try performing { () throws(SystemCallError) in
                try OwnedDescriptor.open(segment.name, in: place.journal.descriptor, flags: O_RDONLY | O_NONBLOCK).status().mode
            }
            let plain = segment.isPacked ? segment.otherName : segment.name
            try performing { () throws(SystemCallError) in
                let file = try NewFile(Self.temporaryName, in: place.journal.descriptor, disk)
                try walk.segment(segment, bytes, next: next) { (piece) throws(SystemCallError) in
                    switch piece {
                    case .good(let line, let parts):
                        if parts.form == .full, ranges.contains(parts.seq) {
                            try file.add(parts.emptied + [0x0a])
                        } else {
                            try file.add(line: line)
                        }
                    case .other(let line, let isVoid):
                        // Whatever was never acknowledged is nobody's evidence. A damaged line is no emptied one, or it would look whole.
                        let emptied = isVoid ? LineParts(line)?.emptied : nil
                        try file.add(emptied ?? (Words.have(words, line) ? Self.blank(line.count) : Array(line)))
                        try file.add([0x0a])
                    case .bytes(let count, let endsWithLine):
                        // They may hold anything, and were read as nothing.
                        var left = count
                        while left > 0 {
                            try file.add(Self.blank(min(left, SegmentFile.bufferSize)))
                            left -= SegmentFile.bufferSize
                        }
                        if endsWithLine { try file.add([0x0a]) }
                    }
                }
                try file.finish(as: plain, in: place.journal.descriptor, mode: mode & 0o640)
            }
        }
    }

    private static func blank(_ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: "x"), count: count) }

    /// The compressed forms of segments that are there as plain ones, too: they hold what these no longer do, and are made anew in time.
    private func removeStale() throws(JournalError) {
        try performing { () throws(SystemCallError) in
            let names = Set(try place.journal.descriptor.names())
            var removed = false
            for segment in names.compactMap({ JournalSegment(name: $0) }) where segment.isPacked && names.contains(segment.otherName) {
                try disk.perform(.unlink) { () throws(SystemCallError) in try place.journal.descriptor.unlink(segment.name) }
                removed = true
            }
            if removed { try disk.perform(.syncFolder) { () throws(SystemCallError) in try place.journal.descriptor.sync() } }
        }
    }

    /// A plan that never got its name, or a list: nothing was begun by it.
    func removeUnusedPlans() {
        for name in [ErasurePlan.name, Self.listName] { _ = try? place.state.unlink(".\(name).new") }  // hardly ever there
    }

    private func removeLeftovers() throws(JournalError) {
        try performing { () throws(SystemCallError) in
            for name in Self.leftovers {
                do throws(SystemCallError) {
                    try disk.perform(.unlink) { () throws(SystemCallError) in try place.journal.descriptor.unlink(name) }
                } catch {
                    if error.code != ENOENT { throw error }
                }
            }
        }
    }

    // MARK: - What repairs set aside

    private func tailsWithWords(_ words: [String]) throws(JournalError) -> [String] {
        guard !words.isEmpty else { return [] }
        let names = try performing { () throws(SystemCallError) in try place.journal.names().setAside }
        var found: [String] = []
        for name in names {
            let bytes = try tail(name)
            // What holds no whole line says nothing that could be searched, and is blank already where it was blanked.
            if bytes.contains(where: { $0 != UInt8(ascii: "x") && $0 != 0x0a && $0 != 0 }) { found.append(name) }
        }
        return found
    }

    private func tail(_ name: String) throws(JournalError) -> [UInt8] {
        try performing { () throws(SystemCallError) in
            let file = try OwnedDescriptor.open(name, in: place.journal.descriptor, flags: O_RDONLY | O_NONBLOCK)
            guard try file.status().isFile else { return [] }
            var bytes: [UInt8] = []
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: SegmentFile.bufferSize, alignment: 16)
            defer { buffer.deallocate() }
            while true {
                let count = try file.read(into: buffer, at: bytes.count)
                if count == 0 { return bytes }
                bytes.append(contentsOf: buffer[..<count])
            }
        }
    }

    /// What was set aside was never acknowledged and may begin or end in the middle of a name: all of it goes, and its size stays.
    private func blank(_ name: String) throws(JournalError) {
        let bytes = try tail(name).map { $0 == 0x0a || $0 == 0 ? $0 : UInt8(ascii: "x") }
        try performing { () throws(SystemCallError) in
            let file = try NewFile(Self.temporaryName, in: place.journal.descriptor, disk)
            try file.add(bytes)
            try file.finish(as: name, in: place.journal.descriptor, mode: JournalPlaceOnDisk.fileMode)
        }
    }

    // MARK: - The list of what was forgotten

    /// Numbers and digests of emptied lines, which name nobody: the salt is gone. For a backup that is restored.
    private func extendList(with lines: [String]) throws(JournalError) {
        let known = Set(try Self.list(in: place.path))
        let new = lines.filter { !known.contains($0) }
        guard !new.isEmpty else { return }
        let all = try Self.list(in: place.path) + new
        try performing { () throws(SystemCallError) in
            let file = try NewFile(".\(Self.listName).new", in: place.state, disk)
            try file.add(Array((all.joined(separator: "\n") + "\n").utf8))
            try file.finish(as: Self.listName, in: place.state, mode: JournalPlaceOnDisk.fileMode)
        }
    }

    /// Lines of `number digest`; empty where nobody was forgotten.
    static func list(in state: String) throws(JournalError) -> [String] {
        do {
            return String(decoding: try SmallFile.read("\(state)/\(listName)", limit: listLimit), as: UTF8.self)
                .split(separator: "\n").map(String.init)
        } catch {
            if error.code == ENOENT { return [] }
            throw .unreadable(segment: listName, reason: errnoText(error.code))
        }
    }

    // MARK: - Helpers

    private func walk(
        through last: UInt64, _ body: (JournalSegment, JournalWalk.Piece) throws(JournalError) -> Void
    ) throws(JournalError) {
        let segments = try place.journal.segments()
        let walk = JournalWalk()
        for (index, segment) in segments.enumerated() where segment.first <= last {
            let next = index + 1 < segments.count ? segments[index + 1].first : nil
            try walk.segment(segment, try place.journal.bytes(of: segment), next: next) { (piece) throws(JournalError) in
                try body(segment, piece)
            }
        }
    }

    private func performing<Result: ~Copyable>(_ body: () throws(SystemCallError) -> Result) throws(JournalError) -> Result {
        do { return try body() } catch { throw .storage(StorageTrouble(error)) }
    }
}

extension LineParts {
    fileprivate var emptied: [UInt8] { Self.erased(seq: seq, digest: digest, chain: chain) }
}
