// SPDX-License-Identifier: Apache-2.0
import DaybookLinux

/// What became of a developer's store on the disk.
struct DeveloperAnswer: Sendable {
    /// Of the request.
    var id: UInt64
    /// Why it could not be kept.
    var failure: String?
}

/// Writes developers' stores, so that the loop never waits for the disk. Of several that wait for one person only the last is written.
final class DeveloperThread: Sendable {
    struct Request: Sendable {
        var id: UInt64
        var uid: UInt32
        /// Nil: it goes.
        var store: DeveloperStore?
    }

    let requests: HandOver<Request>
    private let answers: HandOver<DeveloperAnswer>
    private let thread = OneTime<WorkerThread>()

    init(files: DeveloperFiles, answers: HandOver<DeveloperAnswer>) throws(SystemCallError) {
        self.answers = answers
        requests = HandOver(capacity: 256, wake: nil)
        let requests = requests
        thread.set(
            try WorkerThread(name: "developers") {
                while let batch = requests.takeWaiting() {
                    var last: [UInt32: Request] = [:]
                    for request in batch { last[request.uid] = request }
                    let failures = last.mapValues { Self.write($0, files) }
                    for request in batch where !answers.hasClosed {
                        _ = answers.putWaiting(DeveloperAnswer(id: request.id, failure: failures[request.uid] ?? nil))
                    }
                }
            })
    }

    private static func write(_ request: Request, _ files: DeveloperFiles) -> String? {
        do throws(SystemCallError) {
            if let store = request.store { try files.keep(store, of: request.uid) } else { try files.remove(request.uid) }
            return nil
        } catch {
            return error.description
        }
    }

    /// Ends when all is written. Nobody takes answers any more.
    func stop() {
        answers.close()
        requests.close()
        thread.take()?.join()
    }
}
