// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import DaybookLinux
import JournalFormat
import Synchronization

/// Has copies of documents measured by the analyzer service, several at a time and of each person one: a document that takes all its time
/// delays nobody else's.
final class MeasuringPool: Sendable {
    struct Options: Sendable {
        /// The analyzer service's socket; where nothing listens there, or nil, the program is started.
        var analyzerSocket: String?
        var analyzerProgram: String?
        /// What one document may cost.
        var seconds: Int
        var megabytes: Int

        /// Longer than the service's own limits for all that it does with one document, so that its reply comes first: at most the built-in
        /// analyzers (twice where another document may be to blame), a tool and the reading of its text, and each external analyzer.
        func timeout(_ external: [ExternalAnalyzer]) -> Int64 {
            Int64(seconds) * 8 + external.reduce(0) { $0 + Int64($1.seconds) * 2 } + 10
        }
    }

    /// A copy to be measured.
    struct Job: Sendable {
        var request: MeasureRequest
        var copy: SealedMemory
        var name: String
        var external: [ExternalAnalyzer]
        var key: AnswerKey?
        var digest: Digest

        /// What the service is asked for by name: the built-in analyzers alone that the assignment chooses, and the external ones.
        var analyzers: [String] {
            let names = external.map(\.name)
            let builtIn = request.analyzers.filter { !names.contains($0) }
            return builtIn.isEmpty ? [] : builtIn + names
        }
    }

    /// As many as the service measures at a time but one, which is left for whoever else asks.
    static let threadCount = 3
    /// Copies wait in memory. What finds no room is copied again later.
    static let limits = FairQueue<PersonID?, Job>.Limits(elements: 64, elementsPerOwner: 8, size: 256 << 20, sizePerOwner: 64 << 20)

    private let queue = FairQueue<PersonID?, Job>(limits: limits)
    private let answers: HandOver<FileAnswer>
    private let known = MeasuredContents()
    private let owners = OwnerNumbers()
    private let threads: OneTime<[WorkerThread]>

    init(_ options: Options, answers: HandOver<FileAnswer>) throws(SystemCallError) {
        self.answers = answers
        threads = OneTime()
        let hasFailed = FailureFlag()
        var started: [WorkerThread] = []
        for _ in 0..<Self.threadCount {
            let (queue, known, owners) = (queue, known, owners)
            started.append(
                try WorkerThread(name: "measurer") {
                    var measurer = Measurer(options: options, answers: answers, known: known, owners: owners, hasFailed: hasFailed) {
                        queue.hasClosed
                    }
                    while let (owner, job) = queue.take() {
                        let answer = measurer.measure(job)
                        queue.done(owner)
                        _ = answers.putWaiting(answer)
                    }
                })
        }
        threads.set(started)
    }

    /// The answer where it is known already, since these very bytes of this document were measured; nil where it comes later.
    func measure(_ job: Job) -> FileAnswer? {
        if let measurement = known.measurement(of: job) { return .measured(job.request, measurement, size: job.copy.size) }
        return queue.put(job, of: job.request.attribution.person, size: Int(clamping: job.copy.size)) ? nil : .busy(job.request)
    }

    /// Ends at once; what is being measured and what waits is left.
    func stop() {
        queue.close()
        for thread in threads.take() ?? [] { thread.join() }
    }
}

/// Said once until it is mended, whichever thread meets it.
private final class FailureFlag: Sendable {
    private let isSet = Mutex(false)

    /// True where it was changed.
    func change(to value: Bool) -> Bool {
        isSet.withLock { isSet in
            defer { isSet = value }
            return isSet != value
        }
    }
}

/// Numbers for people, which say to the analyzer service whose a document is and not who that is. A number is never another's.
final class OwnerNumbers: Sendable {
    /// People beyond begin anew, each with a number that nobody had.
    static let limit = 4096

    private let known = Mutex<(numbers: [PersonID: Int64], next: Int64)>(([:], 1))

    func number(of person: PersonID) -> Int64 {
        known.withLock { known in
            if let number = known.numbers[person] { return number }
            if known.numbers.count >= Self.limit { known.numbers = [:] }
            let number = known.next
            known.next += 1
            known.numbers[person] = number
            return number
        }
    }
}

/// What was measured last of documents, by their content: a save that changed nothing is not measured again.
final class MeasuredContents: Sendable {
    static let limit = 256

    private struct Known {
        var digest: Digest
        var name: String
        var external: [ExternalAnalyzer]
        var analyzers: [String]
        var key: AnswerKey?
        var measurement: Measurement
    }

    private let known = Mutex<(byDocument: [DocumentRef: Known], order: [DocumentRef])>(([:], []))

    func measurement(of job: MeasuringPool.Job) -> Measurement? {
        known.withLock { known in
            guard let found = known.byDocument[job.request.document], found.digest == job.digest, found.name == job.name,
                found.external == job.external, found.analyzers == job.analyzers, found.key == job.key
            else { return nil }
            return found.measurement
        }
    }

    /// Only what was measured to its end: what was refused for want of time or memory may be measured next time.
    func keep(_ measurement: Measurement, of job: MeasuringPool.Job) {
        guard measurement.error == nil, !measurement.notes.contains(where: { note in job.external.contains { $0.name == note.identifier } })
        else { return }
        let document = job.request.document
        known.withLock { known in
            known.order.removeAll { $0 == document }
            known.order.append(document)
            known.byDocument[document] = Known(
                digest: job.digest, name: job.name, external: job.external, analyzers: job.analyzers, key: job.key,
                measurement: measurement)
            if known.order.count > Self.limit { known.byDocument[known.order.removeFirst()] = nil }
        }
    }
}

/// One thread's connection to the analyzer, made when it is first needed and again after it broke.
private struct Measurer {
    let options: MeasuringPool.Options
    let answers: HandOver<FileAnswer>
    let known: MeasuredContents
    let owners: OwnerNumbers
    let hasFailed: FailureFlag
    let isStopping: () -> Bool
    private var current: AnalyzerConnection?

    init(
        options: MeasuringPool.Options, answers: HandOver<FileAnswer>, known: MeasuredContents, owners: OwnerNumbers,
        hasFailed: FailureFlag,
        isStopping: @escaping () -> Bool
    ) {
        self.owners = owners
        self.isStopping = isStopping
        self.options = options
        self.answers = answers
        self.known = known
        self.hasFailed = hasFailed
    }

    mutating func measure(_ job: MeasuringPool.Job) -> FileAnswer {
        let request = AnalyzerRequest(
            id: 0, name: job.name, analyzers: job.analyzers, external: job.external, seconds: options.seconds,
            megabytes: options.megabytes, owner: job.request.attribution.person.map(owners.number), key: job.key)
        var attempt = 0
        while true {
            do throws(AnalyzerClientError) {
                var result = try connection().measure(job.copy, request, timeoutSeconds: options.timeout(job.external))
                if job.request.key != nil, job.key == nil, result.error == nil {
                    let reason = "the server's copy of the quiz key is missing; give it again with --key"
                    result.notes.append(MissingItem(identifier: "quiz_score", reason: reason))
                }
                if hasFailed.change(to: false) { _ = answers.putWaiting(.analyzerWorks) }
                known.keep(result, of: job)
                return .measured(job.request, result, size: job.copy.size)
            } catch {
                // The daemon ends: nothing is known of this save, which is no failure of the document's.
                if isStopping() { return .gone(job.request) }
                // The service may have been restarted since the last document: one new connection is tried.
                current = nil
                attempt += 1
                if attempt == 2 {
                    if hasFailed.change(to: true) { _ = answers.putWaiting(.analyzerFailing(error.description)) }
                    return .measured(job.request, Measurement(error: "the analyzer did not answer: \(error)"), size: job.copy.size)
                }
            }
        }
    }

    private mutating func connection() throws(AnalyzerClientError) -> AnalyzerConnection {
        if let current { return current }
        let made = try open()
        made.givesUp = isStopping
        current = made
        return made
    }

    private func open() throws(AnalyzerClientError) -> AnalyzerConnection {
        if let socket = options.analyzerSocket {
            do { return try AnalyzerConnection.connect(to: socket) } catch  where options.analyzerProgram != nil {
                // No service listens (a trial without systemd): our own child does the work.
            }
        }
        guard let program = options.analyzerProgram else { throw .cannotStart(program: "daybook-analyze", errno: 2) }
        return try AnalyzerConnection.start(program: program)
    }
}
