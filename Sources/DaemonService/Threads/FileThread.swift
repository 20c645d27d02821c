// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import DaybookLinux
import FolderWatcher
import Glibc
import Inference
import JournalFormat
import Settings

/// What the loop wants done with files. The loop itself never waits for a disk or a document.
enum FileRequest: Sendable {
    /// Copy the document and have it measured.
    case measure(MeasureRequest)
    /// Facts and first bytes of a companion.
    case inspect(share: Int, path: PathBytes)
    /// Every descriptor that is open below the shares.
    case holders
    /// Whether one process holds one document.
    case handle(pid: Int32, share: Int, path: PathBytes)
    /// How far a local program has read an audio or video document: the one named, else whichever holds it.
    case position(MediaLook)
    /// Size and hash of a document that is handed in.
    case digest(share: Int, path: PathBytes, id: UInt64)
    /// Keep a quiz key, and remove others.
    case keepKey(AnswerKey, id: UInt64)
    case removeKeys(allBut: Set<String>)
    /// Shares by their numbers from now on.
    case shares([String])
}

/// A save that has settled.
struct MeasureRequest: Sendable {
    var share: Int
    var document: DocumentRef
    var assignment: AssignmentID
    var attribution: Attribution
    var savedAt: BootTime
    /// The name of the quiz key's file.
    var key: String?
    /// The analyzers that its assignment asks for by name; external ones instead of those that share and name choose. Without a built-in
    /// one, all of these measure it.
    var analyzers: [String] = []
    /// How often it was tried before.
    var attempt = 0
    /// A save that was measured before is to be measured anew.
    var again: MeasuredAgain?
}

/// Which save is measured anew, and how to know that the file is still what was saved.
struct MeasuredAgain: Sendable {
    /// The entry that tells of the save.
    var entry: UInt64
    var savedAt: WallTime
    var size: Int64

    /// A file's time may be a little behind the moment that the save was seen at.
    static let tolerance = Duration.seconds(2)

    func isStill(_ status: FileStatus) -> Bool {
        status.type == .file && status.size == size
            && WallTime(microseconds: status.modified / 1000) <= savedAt + Self.tolerance
    }
}

enum FileAnswer: Sendable {
    case measured(MeasureRequest, Measurement, size: Int64)
    /// Somebody was writing, or the watcher could not take another own read: ask again later.
    case busy(MeasureRequest)
    /// It is gone or is no file any more: nothing to say.
    case gone(MeasureRequest)
    case companion(share: Int, path: PathBytes, facts: FileFacts?, bytes: [UInt8], at: BootTime)
    case holders([Holder], at: BootTime)
    /// Nil where it does not.
    case handle(pid: Int32, share: Int, path: PathBytes, mode: Holder.Mode?, at: BootTime)
    /// Nil where no local program holds it (any more); the process that does.
    case position(ActivityID, MediaPosition?, at: BootTime)
    /// Nil where it cannot be read, and why.
    case digested(UInt64, HandedInFile?, String?)
    /// The name of the file that keeps a quiz key; nil where it cannot be kept, and why.
    case keptKey(UInt64, String?, String?)
    /// The analyzer cannot be reached; said once until it can.
    case analyzerFailing(String)
    case analyzerWorks
}

/// Copies documents, reads lock files and looks at open descriptors: everything that may wait for a disk. One job at a time, in order.
final class FileThread: Sendable {
    struct Options: Sendable {
        var sizeLimit: Int64
        /// Chooses the external analyzers.
        var analyzer: Settings.Analyzer
        var measuring: MeasuringPool.Options
        var companionBytes: Int
        var keys: KeyFolder
    }

    let requests: HandOver<FileRequest>
    private let answers: HandOver<FileAnswer>
    private let watcher: FolderWatcher
    private let options: Options
    private let thread: OneTime<WorkerThread>
    private let pool: MeasuringPool

    init(options: Options, shares: [String], watcher: FolderWatcher, queue: Int, answers: HandOver<FileAnswer>) throws(SystemCallError) {
        self.options = options
        self.watcher = watcher
        self.answers = answers
        requests = HandOver(capacity: queue, wake: nil)
        thread = OneTime()
        pool = try MeasuringPool(options.measuring, answers: answers)
        let worker = FileWorker(options: options, shares: shares, watcher: watcher, answers: answers, pool: pool)
        let requests = requests
        thread.set(
            try WorkerThread(name: "copier") {
                var worker = worker
                while let batch = requests.takeWaiting() {
                    // Once nobody takes answers, what is left of a batch is left.
                    for request in batch where !answers.hasClosed { worker.serve(request) }
                }
            })
    }

    /// Ends after what is being done; what waits is left. Nobody takes answers any more: they are closed, since a thread that waits for room
    /// among them would wait for ever.
    func stop() {
        answers.close()
        _ = requests.takeAll()
        requests.close()
        thread.take()?.join()
        pool.stop()
    }
}

/// The thread's own state.
private struct FileWorker: Sendable {
    let options: FileThread.Options
    var shares: [String]
    let watcher: FolderWatcher
    let answers: HandOver<FileAnswer>
    let pool: MeasuringPool

    mutating func serve(_ request: FileRequest) {
        switch request {
        case .shares(let paths): shares = paths
        case .measure(let request): if let answer = measure(request) { _ = answers.putWaiting(answer) }
        case .inspect(let share, let path): _ = answers.putWaiting(inspect(share: share, path: path))
        case .holders: _ = answers.putWaiting(.holders(openDescriptors { try? ProcTable().holders(below: $0).holders }, at: now()))
        case .digest(let share, let path, let id): _ = answers.putWaiting(digest(share, path, id))
        case .keepKey(let key, let id):
            do throws(SystemCallError) { _ = answers.putWaiting(.keptKey(id, try options.keys.keep(key), nil)) } catch {
                _ = answers.putWaiting(.keptKey(id, nil, error.description))
            }
        case .removeKeys(let kept): options.keys.remove(allBut: kept)
        case .handle(let pid, let share, let path): _ = answers.putWaiting(handle(pid, share, path))
        case .position(let look): _ = answers.putWaiting(.position(look.session, position(look), at: now()))
        }
    }

    private func now() -> BootTime { BootTime(microseconds: Clocks.bootMicroseconds()) }

    private func folder(_ share: Int, _ path: PathBytes) throws(SystemCallError) -> OwnedDescriptor {
        let root = try Folder.open(path: shares[share], for: .place)
        let inside = path.folder
        return inside.isRoot ? root : try Folder.open(inside.bytes[...], in: root, for: .place)
    }

    /// Nil where the answer comes from the pool.
    private func measure(_ request: MeasureRequest) -> FileAnswer? {
        guard shares.indices.contains(request.share), isAsked(request) else { return .gone(request) }
        let copy: SealedMemory
        do throws(CopyError) {
            guard let made = try copied(request) else { return .busy(request) }
            copy = made
        } catch {
            switch error {
            case .changedWhileRead: return .busy(request)
            case .badName, .notFound, .symbolicLink, .notRegular: return .gone(request)
            case .tooLarge, .failed: return .measured(request, Measurement(error: error.description), size: 0)
            }
        }
        let name = escapedText(request.document.path.name)
        guard let digest = digest(of: copy) else { return .busy(request) }
        let external = options.analyzer.externals(share: shares[request.share], name: name, asked: request.analyzers)
        let key = request.key.flatMap { options.keys.key($0) }
        return pool.measure(.init(request: request, copy: copy, name: name, external: external, key: key, digest: digest))
    }

    /// False where the file is not any more what was saved: its next save is measured.
    private func isAsked(_ request: MeasureRequest) -> Bool {
        guard let again = request.again else { return true }
        let path = request.document.path
        guard let folder = try? folder(request.share, path), let status = try? FileStatus(of: path.name, in: folder) else { return false }
        return again.isStill(status)
    }

    /// Nil where it cannot be read to its end.
    private func digest(of copy: SealedMemory) -> Digest? {
        var hash = SHA256()
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        var offset = 0
        while true {
            let got = buffer.withUnsafeMutableBytes { buffer in
                // From memory of our own: it cannot fail for a reason that would be the document's.
                (try? copy.descriptor.read(into: buffer, at: offset)) ?? 0
            }
            if got == 0 { break }
            buffer.withUnsafeBytes { hash.add(UnsafeRawBufferPointer(rebasing: $0[..<got])) }
            offset += got
        }
        return Int64(offset) == copy.size ? hash.finish() : nil
    }

    private func digest(_ share: Int, _ path: PathBytes, _ id: UInt64) -> FileAnswer {
        guard shares.indices.contains(share) else { return .digested(id, nil, "its share is not watched any more") }
        do throws(CopyError) {
            guard let copy = try copied(share, path) else { return .digested(id, nil, "too much goes on just now; try again") }
            guard let digest = digest(of: copy) else { return .digested(id, nil, "it could not be read to its end") }
            return .digested(id, HandedInFile(size: copy.size, sha256: digest.hex), nil)
        } catch {
            return .digested(id, nil, error.description)
        }
    }

    private func copied(_ request: MeasureRequest) throws(CopyError) -> SealedMemory? {
        try copied(request.share, request.document.path)
    }

    /// The document's present state; nil where the watcher cannot take another own read now.
    private func copied(_ share: Int, _ path: PathBytes) throws(CopyError) -> SealedMemory? {
        let folder: OwnedDescriptor
        do { folder = try self.folder(share, path) } catch { throw .notFound }
        guard let read = watcher.beginOwnRead(share: share, path: path) else { return nil }
        do {
            let copy = try DocumentCopier(limit: options.sizeLimit).copy(Array(path.name), in: folder)
            watcher.endOwnRead(read)
            return copy
        } catch {
            watcher.endOwnRead(read)
            throw error
        }
    }

    private func inspect(share: Int, path: PathBytes) -> FileAnswer {
        let none = FileAnswer.companion(share: share, path: path, facts: nil, bytes: [], at: now())
        guard shares.indices.contains(share), let folder = try? folder(share, path) else { return none }  // gone: that is the answer
        guard let status = try? FileStatus(of: path.name, in: folder) else { return none }  // gone
        let facts = FileFacts(status)
        let bytes: [UInt8]
        switch status.type {
        case .symbolicLink: bytes = CompanionBytes.linkTarget(path.name, in: folder, limit: options.companionBytes)
        case .file:
            if let read = watcher.beginOwnRead(share: share, path: path) {
                bytes = CompanionBytes.first(path.name, in: folder, limit: options.companionBytes)
                watcher.endOwnRead(read)
            } else {
                bytes = []  // too busy to be read now; whose it is, is known all the same
            }
        case .folder, .other: bytes = []
        }
        return .companion(share: share, path: path, facts: facts, bytes: bytes, at: now())
    }

    /// From the process's own descriptors alone, so that it costs the same however many others there are.
    private func handle(_ pid: Int32, _ share: Int, _ path: PathBytes) -> FileAnswer {
        let held = openDescriptors { ProcTable().holders(of: pid, below: $0) }.filter { $0.share == share && $0.path == path }
        var mode = held.contains { $0.mode == .writing } ? Holder.Mode.writing : held.first?.mode
        if mode == nil, shares.indices.contains(share), let folder = try? folder(share, path),
            let status = try? FileStatus(of: path.name, in: folder)
        {
            // Under another path, as in a container.
            let flags = ProcTable().flags(of: pid, device: status.device, inode: status.inode)
            mode = flags.isEmpty ? nil : flags.contains { $0 & UInt32(O_ACCMODE) != UInt32(O_RDONLY) } ? .writing : .reading
        }
        return .handle(pid: pid, share: share, path: path, mode: mode, at: now())
    }

    /// Only the first look goes through all processes, where the kernel named none.
    private func position(_ look: MediaLook) -> MediaPosition? {
        guard shares.indices.contains(look.share), let folder = try? folder(look.share, look.path),
            let status = try? FileStatus(of: look.path.name, in: folder), let reader = try? ProcessReader()
        else { return nil }  // gone
        var pids = look.pid.map { [$0] } ?? []
        if pids.isEmpty {
            let holders = openDescriptors { try? ProcTable().holders(below: $0).holders }
            pids = holders.filter { $0.share == look.share && $0.path == look.path && (look.uid == nil || $0.uid == look.uid) }.map(\.pid)
        }
        for pid in pids {
            guard let program = reader.identity(of: pid)?.command, ProgramNames().isLocalViewer(program),
                let position = ProcTable().position(of: pid, device: status.device, inode: status.inode)
            else { continue }
            return MediaPosition(pid: pid, delivery: Delivery(position: position, size: status.size))
        }
        return nil
    }

    private func openDescriptors(_ look: ([HolderFolder]) -> [FileHolder]?) -> [Holder] {
        var folders: [(share: Int, folder: HolderFolder)] = []
        for (index, path) in shares.enumerated() {
            guard let root = try? Folder.open(path: path, for: .place), let status = try? FileStatus(of: root) else { continue }  // away
            // The share may be configured by way of a link, which nobody's descriptors show.
            folders.append((index, HolderFolder(path: ProcTable.path(of: root) ?? Array(path.utf8), device: status.device)))
        }
        // Without /proc there is no evidence of this kind; the self-test says so.
        guard !folders.isEmpty, let holders = look(folders.map(\.folder)) else { return [] }
        return holders.compactMap { found in
            for (share, folder) in folders where found.path.count > folder.path.count && found.path.starts(with: folder.path) {
                guard found.pid != getpid(), found.path[folder.path.count] == PathBytes.slash else { continue }
                let path = PathBytes(bytes: Array(found.path.dropFirst(folder.path.count + 1)))
                return Holder(pid: found.pid, uid: found.uid, share: share, path: path, mode: found.canWrite ? .writing : .reading)
            }
            return nil
        }
    }
}

/// A value that is set once and taken once.
final class OneTime<Value: Sendable>: @unchecked Sendable {
    // Owner: the loop thread, which makes, sets and takes it.
    private var value: Value?

    func set(_ value: Value) { self.value = value }

    func take() -> Value? {
        defer { value = nil }
        return value
    }
}
