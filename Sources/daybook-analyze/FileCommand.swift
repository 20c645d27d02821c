// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import DaybookJSON
import DaybookLinux
import DocumentReading
import Glibc
import TextAnalysis

/// `daybook-analyze FILE…`: one answer for each file in their order, whatever the file does. As many files are read at a time as there are
/// processors, each by a process that meanwhile reads no other, and never one of another account.
struct FileCommand {
    private let sandboxes: Sandboxes
    private let options: Options
    private let limits: WorkerLimits
    private let isJSON: Bool
    private let choice: MetricChoice
    private let key: AnswerKey?

    init(sandboxes: Sandboxes, _ options: Options) {
        self.sandboxes = sandboxes
        self.options = options
        limits = options.limits
        isJSON = options.isJSON
        choice = MetricChoice(only: options.only)
        key = options.key
    }

    /// A file that is being read.
    private struct Job {
        let index: Int
        let document: OpenedDocument
        let measuring: Measuring
    }

    /// The exit status.
    func run(_ files: [[UInt8]]) -> Int32 {
        let hasMany = files.count > 1
        if files.count > 1 { AnalyzerRegistry.builtIn.warmUp(choice) }
        defer { sandboxes.pool.end() }
        let places = min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), 16)
        var failed = false
        var next = 0
        var jobs: [Job] = []
        var done: [Int: Measurement] = [:]
        var written = 0
        while written < files.count {
            // Not far ahead of the oldest: what is done and not yet written is kept.
            while next < files.count, jobs.count < places, next < written + 1024 {
                switch start(files[next], index: next, hasMany: hasMany) {
                case .success(let job): jobs.append(job)
                case .failure(let refusal): done[next] = refusal.measurement
                }
                next += 1
            }
            if done[written] == nil { wait(&jobs, &done) }
            while let measurement = done.removeValue(forKey: written) {
                if measurement.error != nil { failed = true }
                guard write(text(files[written], measurement)) else { return 1 }
                written += 1
            }
        }
        return failed ? 1 : 0
    }

    private struct Refusal: Error { let measurement: Measurement }

    private func start(_ file: [UInt8], index: Int, hasMany: Bool) -> Result<Job, Refusal> {
        let document: OpenedDocument
        do {
            document = try OpenedDocument(path: file, limit: Int64(limits.reading.documentBytes))
        } catch {
            return .failure(Refusal(measurement: Measurement(error: error.description)))
        }
        let name = file.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let task = Measuring.Task(
            descriptor: document.descriptor.withRaw { $0 }, source: .file, name: name,
            owner: hasMany ? Owner(client: nil, number: Int64(document.owner)) : nil, analyzers: options.analyzers,
            external: options.external, key: key,
            choice: choice, limits: limits, messages: 2)
        let measuring = Measuring(task, sandboxes)
        if measuring.worker == nil { return .failure(Refusal(measurement: measuring.result)) }
        return .success(Job(index: index, document: document, measuring: measuring))
    }

    /// Waits until at least one is done.
    private func wait(_ jobs: inout [Job], _ done: inout [Int: Measurement]) {
        while !jobs.isEmpty {
            let now = Clocks.bootMicroseconds()
            var left = Int64.max
            var wanted: [pollfd] = []
            for job in jobs {
                guard let worker = job.measuring.worker else { continue }
                if worker.deadline <= now { job.measuring.stop(overdue: true) } else { left = min(left, worker.deadline - now) }
                // A negative number is skipped by poll: the places stay the same.
                for raw in [worker.ended.withRaw { $0 }, worker.isReplyEnded ? -1 : worker.reply.withRaw { $0 }] {
                    wanted.append(pollfd(fd: raw, events: Int16(POLLIN), revents: 0))
                }
            }
            _ = poll(&wanted, nfds_t(wanted.count), left == Int64.max ? -1 : Int32(clamping: left / 1000 + 1))
            if Ending.asked != nil {
                for job in jobs {
                    job.measuring.stop(overdue: false)
                    _ = job.measuring.advance()
                }
                Ending.end()
            }
            var ended: [Int] = []
            for (place, job) in jobs.enumerated() {
                if wanted[2 * place + 1].revents != 0 { job.measuring.worker?.receive() }
                let isReady = wanted[2 * place].revents != 0 || job.measuring.worker?.hasAnswered == true
                guard isReady, job.measuring.advance() else { continue }
                let measurement = job.measuring.result
                done[job.index] = job.document.isUnchanged ? measurement : Measurement(error: CopyError.changedWhileRead.description)
                ended.append(place)
            }
            for place in ended.reversed() { jobs.remove(at: place) }
            if !ended.isEmpty { return }
        }
    }

    private func text(_ file: [UInt8], _ measurement: Measurement) -> [UInt8] {
        guard isJSON else { return Array(ForPeople.text(file: escapedText(file), measurement).utf8) }
        var out = measurement.json(after: ["file": .string(escapedText(file))]).encodedBytes
        out.append(0x0a)
        return out
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
            let code = errno
            if written == -1, code == EINTR { continue }
            // Whoever reads has gone (a pager that was quit, say).
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }
}
