// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import FolderWatcher
import Foundation
import Inference
import JournalStore
import Settings
import Synchronization
import Testing

@testable import DaemonService

/// As at the daemon's end: the loop has had its last turn, so nobody takes answers any more.
@Suite("Stopping while answers wait")
struct StoppingTests {
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "daybook-stopping-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/share", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder + "/private", withIntermediateDirectories: true)
    }

    @Test("the copier ends, however many documents and lock files wait and whatever room there is for what it says")
    func copier() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }  // a folder for temporary files is cleared anyway
        let watcher = try FolderWatcher(
            shares: [WatchedShare(path: folder + "/share", layouts: LayoutSet([try LayoutPattern("{document}")]))],
            options: WatcherOptions(privateFolder: folder + "/private") { _ in false }, output: HandOver(capacity: 1, wake: nil))
        let answers = HandOver<FileAnswer>(capacity: 8, wake: nil)
        let files = try FileThread(
            options: FileThread.Options(
                sizeLimit: 1 << 20, analyzer: Settings.Analyzer(),
                measuring: MeasuringPool.Options(analyzerSocket: nil, analyzerProgram: nil, seconds: 1, megabytes: 64), companionBytes: 64,
                keys: KeyFolder(stateDirectory: folder)),
            shares: [folder + "/share"], watcher: watcher, queue: 4096, answers: answers)
        for number in 0..<1000 { #expect(files.requests.put(.inspect(share: 0, path: PathBytes(".~lock.\(number).odt#")))) }
        await isTrue("there is no room for another answer") { answers.count == 8 }
        await ends(answers) { files.stop() }
    }

    @Test("the history ends, however many beginnings of the journal are asked for")
    func history() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }  // a folder for temporary files is cleared anyway
        let answers = HandOver<HistoryAnswer>(capacity: 8, wake: nil)
        let history = try HistoryThread(stateDirectory: folder, answers: answers)
        for number in 0..<100 {
            let question = HistoryRequest.Question.entries(after: UInt64(number), bytes: 1024)
            #expect(history.requests.put(HistoryRequest(question: question, through: 100, kinds: [], generation: 0)))
        }
        await isTrue("there is no room for another answer") { answers.count == 8 }
        await ends(answers) { history.stop() }
    }

    private func isTrue(_ what: String, within seconds: Double = 20, _ condition: () -> Bool) async {
        let end = Date() + seconds
        while !condition(), Date() < end { try? await Task.sleep(for: .milliseconds(5)) }  // cancelled: it is looked at again
        #expect(condition(), "\(what)")
    }

    /// A stop that waits for ever fails, and does not keep the other tests from their end.
    private func ends<Answer>(_ answers: HandOver<Answer>, _ stop: @escaping @Sendable () -> Void) async {
        let ended = Ended()
        Thread.detachNewThread {
            stop()
            ended.value.withLock { $0 = true }
        }
        await isTrue("it has ended", within: 10) { ended.value.withLock { $0 } }
        while !ended.value.withLock({ $0 }) {
            _ = answers.takeAll()
            try? await Task.sleep(for: .milliseconds(5))  // cancelled: it is looked at again
        }
    }

    private final class Ended: Sendable { let value = Mutex(false) }
}
