// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// Who read the document when, and which of that was the beginning of somebody's work.
extension Document {
    /// More persons than these do not read one document at a time.
    static let readersLimit = 64

    /// The readings that a person's save or lock may continue.
    func readings(of uid: UInt32?) -> Reads { uid.flatMap { readsOf[$0] } ?? reads }

    mutating func addReading(from first: BootTime, to last: BootTime, of doer: Doer, isSweep: Bool, _ desk: inout Desk) {
        guard let uid = doer.uid else {
            reads.add(from: first, to: last, isSweep: isSweep, chain: desk.rule.idleSavesOnly)
            guard doer.role == .fileServer else { return }
            if readsOfServers.count >= Self.readersLimit, readsOfServers[doer.pid] == nil { readsOfServers.removeAll() }
            readsOfServers[doer.pid, default: Reads()].add(from: first, to: last, isSweep: isSweep, chain: desk.rule.idleSavesOnly)
            return
        }
        if readsOf.count >= Self.readersLimit, readsOf[uid] == nil { readsOf.removeAll() }
        readsOf[uid, default: Reads()].add(from: first, to: last, isSweep: isSweep, chain: desk.rule.idleSavesOnly)
    }

    /// A session of single signs: it begins with the reading that came before, where that is near enough.
    mutating func openPoints(
        sign: BootTime, readBefore: BootTime, apart: Duration, uid: UInt32?, source: IdentitySource, by doer: Doer? = nil,
        _ desk: inout Desk
    ) -> Int {
        let candidates = readings(before: readBefore, apart: apart, uid: uid, doer)
        for (reads, opening, isProof) in candidates {
            // After a save, a sweep's reading is no beginning: what sweeps may also write.
            guard readBefore - opening.last <= desk.rule.idleSavesOnly, apart == .zero || !reads.isSwept(opening) else { continue }
            let earliest = min(reads.earliest ?? opening.first, opening.first)
            let opened = doer == nil ? opening.first : beginning(opening.first, doer, desk).openedAt
            let index = open(at: opened, notBefore: earliest - desk.limits.launch, uid: uid, source: source)
            sessions[index].isOpeningProved = isProof
            return index
        }
        for (_, opening, _) in candidates where readBefore - opening.last <= desk.rule.atMost {
            return open(at: sign, notBefore: opening.first - desk.limits.launch, uid: uid, source: source)
        }
        return open(
            at: sign, notBefore: max(sign - desk.rule.idleSavesOnly, earliest(doer, desk) ?? sign - desk.rule.idleSavesOnly), uid: uid,
            source: source)
    }

    /// The readings that a sign may continue, the likeliest first, and whether they prove that it was this person who read.
    private func readings(before instant: BootTime, apart: Duration, uid: UInt32?, _ doer: Doer?) -> [(Reads, Reads.Cluster, Bool)] {
        let own = uid.flatMap { readsOf[$0] }
        var all: [(Reads, Bool)] = own.map { [($0, true)] } ?? []
        let isAfar = doer?.role == .fileServer
        if let doer, isAfar, let server = readsOfServers[doer.pid] { all.append((server, true)) }
        // Where others have read it too, it may have been they.
        if own == nil || isAfar || doer == nil { all.append((reads, own == nil && (doer == nil || readsOf.isEmpty))) }
        // A program of this machine has read for itself what it writes. What is put over a file server was fetched before, by a
        // connection that may have been over in a moment.
        if isAfar || doer == nil { all.append((vagueReads, false)) }
        return all.compactMap { reads, isProof in
            reads.opening(before: instant, apart: apart).map { (reads, $0, isProof) }
        }
    }

    /// A process that had gone when it was asked for read the document.
    mutating func openedByUnknown(at: BootTime, isSweep: Bool, _ desk: Desk) {
        touchedAt = at
        vagueReads.add(from: at, to: at, isSweep: isSweep, chain: desk.rule.idleSavesOnly)
    }

    /// What a process writes it cannot have opened before it was started.
    private func earliest(_ doer: Doer?, _ desk: Desk) -> BootTime? {
        guard let doer, doer.role == .program else { return nil }
        return doer.startedAt.map { $0 - desk.limits.promptLaunch }
    }
}
