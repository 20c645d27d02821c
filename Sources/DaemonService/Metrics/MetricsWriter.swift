// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc
import Synchronization

/// Writes the metrics file on a thread of its own: whole or not at all, so that nobody reads half of it.
final class MetricsWriter: Sendable {
    private struct Job: Sendable {
        var path: String
        var text: String
    }

    private let jobs: HandOver<Job>
    private let thread: WorkerThread
    private let state: Trouble

    /// Shared by the loop and the thread; the lock guards it.
    private final class Trouble: Sendable { let text = Mutex<String?>(nil) }

    init() throws(SystemCallError) {
        let jobs = HandOver<Job>(capacity: 1, wake: nil)
        let state = Trouble()
        self.jobs = jobs
        self.state = state
        thread = try WorkerThread(name: "metrics") {
            while let taken = jobs.takeWaiting() {
                guard let job = taken.last else { continue }
                do throws(SystemCallError) {
                    try Self.write(job.text, to: job.path)
                    state.text.withLock { $0 = nil }
                } catch {
                    state.text.withLock { $0 = error.description }
                }
            }
        }
    }

    /// One that finds the last one still waiting is left out.
    func write(_ text: String, to path: String) { _ = jobs.put(Job(path: path, text: text)) }

    /// Why the last one could not be written; nil where it was.
    var trouble: String? { state.text.withLock { $0 } }

    func stop() {
        jobs.close()
        thread.join()
    }

    static func write(_ text: String, to path: String) throws(SystemCallError) {
        // Not a name that the collector reads.
        let new = path + ".new"
        unlink(new)  // of a run that was cut short
        let raw = try systemCall("open \(new)") { Int(open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)) }
        let file = OwnedDescriptor(adopting: Int32(raw))
        let bytes = Array(text.utf8)
        let outcome = bytes.withUnsafeBytes { buffer -> Result<Void, SystemCallError> in
            do throws(SystemCallError) { return .success(try file.writeAll(buffer, at: 0)) } catch { return .failure(error) }
        }
        do throws(SystemCallError) {
            try outcome.get()
            // The service's mask is strict, and the collector is somebody else.
            try file.withRaw { raw throws(SystemCallError) in _ = try systemCall("fchmod \(new)") { Int(fchmod(raw, 0o644)) } }
            _ = try systemCall("rename \(new)") { Int(rename(new, path)) }
        } catch {
            unlink(new)
            throw error
        }
    }
}
