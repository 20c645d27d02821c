// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import CDaybookLinux
import DaybookLinux
import Glibc

/// The service: one thread, one poll; documents are read by workers, so nothing here ever waits for one.
final class Service {
    static let connectionLimit = 16
    /// Documents measured at the same time, so that one that takes all its time delays no other. Each has a process to itself meanwhile, and
    /// of each connection only one is measured while others wait.
    static let workerLimit = 4

    private let sandboxes: Sandboxes
    private let limits: WorkerLimits
    private var listeners: [Int32] = []
    private var connections: [Connection] = []
    private var jobs: [Job] = []
    /// Served connections came with the start: when they are gone, so are we.
    private var endsWithConnections = false

    private final class Job {
        let measuring: Measuring
        let request: AnalyzerRequest
        // Kept open until it is measured.
        let document: PassedDocument
        // The connection that waits for it; gone if that was closed.
        weak var connection: Connection?

        init(_ measuring: Measuring, _ request: AnalyzerRequest, _ document: PassedDocument, _ connection: Connection) {
            self.measuring = measuring
            self.request = request
            self.document = document
            self.connection = connection
        }
    }

    init(sandboxes: Sandboxes, limits: WorkerLimits) {
        self.sandboxes = sandboxes
        self.limits = limits
    }

    /// Takes a listening or connected socket, which stays open until the end.
    func serve(_ raw: Int32) -> Bool {
        _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
        guard fcntl(raw, F_SETFL, O_NONBLOCK) == 0 else { return false }
        if daybook_is_listening(raw) == 1 {
            listeners.append(raw)
        } else {
            connections.append(Connection(OwnedDescriptor(adopting: raw)))
            endsWithConnections = true
        }
        return true
    }

    /// Returns once there is nobody left to serve.
    func run() {
        while Ending.asked == nil, !listeners.isEmpty || !connections.isEmpty {
            step()
            if endsWithConnections, connections.isEmpty { break }
        }
        for job in jobs {
            job.measuring.stop(overdue: false)
            _ = job.measuring.advance()
        }
        sandboxes.pool.end()
    }

    private func step() {
        var wanted: [pollfd] = []
        func want(_ raw: Int32, _ events: Int32) { wanted.append(pollfd(fd: raw, events: Int16(events), revents: 0)) }
        // A negative number is skipped by poll: the places stay the same.
        for listener in listeners { want(connections.count < Self.connectionLimit ? listener : -1, POLLIN) }
        for connection in connections {
            connection.socket.withRaw { want($0, (connection.mayRead ? POLLIN : 0) | (connection.hasOutgoing ? POLLOUT : 0)) }
        }
        for job in jobs {
            want(job.measuring.worker?.ended.withRaw { $0 } ?? -1, POLLIN)
            want(job.measuring.worker.flatMap { worker in worker.isReplyEnded ? nil : worker.reply.withRaw { $0 } } ?? -1, POLLIN)
        }
        _ = poll(&wanted, nfds_t(wanted.count), timeout())

        var index = 0
        func ready() -> Int16 {
            defer { index += 1 }
            return wanted[index].revents
        }
        let accepting = listeners.filter { _ in ready() != 0 }
        let polled = connections
        for connection in polled {
            let events = Int32(ready())
            if events & POLLOUT != 0 { connection.flush() }
            if events & (POLLHUP | POLLERR) != 0 {
                connection.hangUp()
            } else if events & POLLIN != 0 {
                connection.receive()
            }
        }
        for job in jobs {
            let hasEnded = ready() != 0
            if ready() != 0 { job.measuring.worker?.receive() }
            if hasEnded || job.measuring.worker?.hasAnswered == true, job.measuring.advance() { finish(job) }
        }
        for listener in accepting { accept(listener) }
        stopOverdue()
        closeBroken()
        startWaiting()
        sandboxes.pool.endIdle(now: Clocks.bootMicroseconds())
    }

    private func timeout() -> Int32 {
        let ends = jobs.compactMap(\.measuring.worker?.deadline) + [sandboxes.pool.firstEnd].compactMap(\.self)
        guard let first = ends.min() else { return -1 }
        return Int32(clamping: max(0, first - Clocks.bootMicroseconds()) / 1000 + 1)
    }

    private func accept(_ listener: Int32) {
        let raw = daybook_accept(listener)
        if raw >= 0 { connections.append(Connection(OwnedDescriptor(adopting: raw))) }
    }

    private func finish(_ job: Job) {
        jobs.removeAll { $0 === job }
        job.connection?.reply(to: job.request, job.measuring.result)
    }

    private func stopOverdue() {
        let now = Clocks.bootMicroseconds()
        for job in jobs where job.measuring.worker.map({ $0.deadline <= now }) ?? false { job.measuring.stop(overdue: true) }
    }

    private func closeBroken() {
        let gone = connections.filter(\.isDone)
        guard !gone.isEmpty else { return }
        connections.removeAll { connection in gone.contains { $0 === connection } }
        for connection in gone { sandboxes.pool.end(of: ObjectIdentifier(connection)) }
        // Nobody waits for what they asked.
        for job in jobs where job.connection.map({ connection in gone.contains { $0 === connection } }) ?? true {
            job.measuring.stop(overdue: false)
        }
    }

    /// One request of each connection in turn, so that none keeps the workers to itself.
    private func startWaiting() {
        var found = true
        while found, jobs.count < Self.workerLimit {
            found = false
            for connection in connections where jobs.count < Self.workerLimit {
                guard let (request, document) = connection.nextRequest() else { continue }
                found = true
                start(request, document, connection)
            }
        }
        // Who was served last is asked last.
        if connections.count > 1 { connections.append(connections.removeFirst()) }
    }

    private func start(_ request: AnalyzerRequest, _ document: PassedDocument, _ connection: Connection) {
        guard document.descriptor.withRaw(SealedMemory.isSealed) else {
            let error = "not measured: the document must come in memory sealed against writing, growing and shrinking"
            return connection.reply(to: request, Measurement(error: error))
        }
        var limits = limits
        limits.seconds = request.seconds ?? limits.seconds
        limits.megabytes = request.megabytes ?? limits.megabytes
        let task = Measuring.Task(
            descriptor: document.descriptor.withRaw { $0 }, source: .sealed, name: request.name,
            owner: request.owner.map { Owner(client: ObjectIdentifier(connection), number: $0) }, analyzers: request.analyzers,
            external: request.external, key: request.key, limits: limits)
        let job = Job(Measuring(task, sandboxes), request, document, connection)
        if job.measuring.worker == nil { return connection.reply(to: request, job.measuring.result) }
        jobs.append(job)
    }
}
