// SPDX-License-Identifier: Apache-2.0
import DaybookLinux

/// Whose a document is, as whoever asks tells owners apart.
struct Owner: Hashable {
    /// The client that asks; what one calls an owner is nothing to another.
    var client: ObjectIdentifier?
    var number: Int64
}

/// Processes that have served a document and wait for another one of the same owner, so that not each needs a process of its own. No process
/// ever sees documents of two owners.
final class WorkerPool {
    /// Processes that wait; whoever has waited longest is ended for another.
    static let limit = 4
    /// Microseconds that one waits: a burst of saves is served, and then nothing is left.
    static let patience: Int64 = 3_000_000

    private struct Waiting {
        let owner: Owner
        let reader: BuiltInReader
        let worker: Worker
        let until: Int64
    }

    private var waiting: [Waiting] = []

    /// When the first of them is to be ended; nil where nobody waits.
    var firstEnd: Int64? { waiting.first?.until }

    /// A process that has begun with the document; nil where a new one is needed.
    func worker(for reader: BuiltInReader, of owner: Owner, document raw: Int32) -> Worker? {
        while let index = waiting.firstIndex(where: { $0.owner == owner && reader.isServed(by: $0.reader) }) {
            let worker = waiting.remove(at: index).worker
            if worker.serve(reader.request, document: raw) { return worker }
            worker.end()
        }
        return nil
    }

    /// Takes a process that has replied: it waits, or is ended where it has served enough.
    func take(_ worker: Worker, _ reader: BuiltInReader, of owner: Owner) {
        guard worker.canServe else { return worker.end() }
        if waiting.count >= Self.limit { waiting.removeFirst().worker.end() }
        waiting.append(Waiting(owner: owner, reader: reader, worker: worker, until: Clocks.bootMicroseconds() + Self.patience))
    }

    /// Ends those that have waited long enough.
    func endIdle(now: Int64) {
        while let first = waiting.first, first.until <= now { waiting.removeFirst().worker.end() }
    }

    /// Ends all, or those of a client that is gone.
    func end(of client: ObjectIdentifier? = nil) {
        for index in waiting.indices.reversed() where client == nil || waiting[index].owner.client == client {
            waiting.remove(at: index).worker.end()
        }
    }
}
