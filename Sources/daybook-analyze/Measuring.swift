// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import CDaybookLinux
import DaybookLinux
import DocumentReading
import Glibc
import TextAnalysis

/// The two ways in which processes are shut in, and the processes that can be had again.
struct Sandboxes {
    let reader: Sandbox
    let program: ProgramSandbox
    let pool = WorkerPool()
}

/// One document on its way through the analyzers: the built-in ones, a tool for what these cannot read, the external ones. One process at a time.
final class Measuring {
    /// A document to be measured.
    struct Task {
        /// Where it can be read; kept open by the caller until the end.
        var descriptor: Int32
        var source: BuiltInReader.Source
        var name: String
        /// Whose it is: documents of one owner may have one process, one after the other. Nil: it has its own.
        var owner: Owner?
        /// Empty: all.
        var analyzers: [String] = []
        var external: [ExternalAnalyzer] = []
        /// A quiz key that the document may answer.
        var key: AnswerKey?
        var choice = MetricChoice.standard
        var limits: WorkerLimits
        /// Where messages of external analyzers go.
        var messages: Int32 = -1
    }

    private enum Stage {
        case builtIn
        case tool(TextTool)
        case text(TextTool)
        case external(ExternalAnalyzer)
    }

    private let task: Task
    private let sandboxes: Sandboxes
    private var stages: [Stage] = []
    private var running: (stage: Stage, program: any WorkerProgram)?
    /// The process of the stage that is under way; nil at the end.
    private(set) var worker: Worker?
    private(set) var result = Measurement()
    private var hasBase = false
    private var isStopped = false
    /// The process that failed had served others before, so the document had a second one to itself.
    private var isSecondAttempt = false
    // What programs get: they need a document that cannot change under them.
    private var sealed: SealedMemory?
    private var output: PassedDocument?
    private var text: SealedMemory?

    /// Starts with the first stage.
    init(_ task: Task, _ sandboxes: Sandboxes) {
        self.task = task
        self.sandboxes = sandboxes
        let names = AnalyzerRegistry.builtIn.analyzers.map(\.identifier)
        if task.analyzers.isEmpty || task.analyzers.contains(where: names.contains) { stages.append(.builtIn) }
        stages += task.external.filter { task.analyzers.isEmpty || task.analyzers.contains($0.name) }.map(Stage.external)
        if stages.isEmpty {
            result.error = "there is no analyzer \(task.analyzers.joined(separator: ", ")), neither built in nor configured"
            hasBase = true
        }
        startNext()
    }

    /// Nothing more is wanted of it; `advance` is still to be called when its process has ended.
    func stop(overdue: Bool) {
        if !overdue { isStopped = true }
        worker?.stop(overdue: overdue)
    }

    /// Call once the worker has ended or answered: goes on with the next stage. True at the end, when `result` is there.
    func advance() -> Bool {
        guard let worker, let running else { return true }
        self.worker = nil
        let end: WorkerEnd
        if !isStopped, worker.hasAnswered, let owner = task.owner, let reader = running.program as? BuiltInReader {
            end = worker.takeReply()
            sandboxes.pool.take(worker, reader, of: owner)
        } else {
            end = worker.finish()
        }
        if isStopped { return true }
        if worker.served > 1, !isSecondAttempt, !end.isGood, !end.isOutOfTime {
            // It may be an earlier document's doing: this one is judged by a process that has seen no other.
            isSecondAttempt = true
            stages.insert(running.stage, at: 0)
        } else {
            take(end, running.stage, running.program)
        }
        startNext()
        return self.worker == nil
    }

    private func take(_ end: WorkerEnd, _ stage: Stage, _ program: any WorkerProgram) {
        switch (stage, program) {
        case (.builtIn, let reader as any ProcessAnalyzer):
            hasBase = true
            if case .success(let measurement) = reader.answer(end) { result = measurement }
            guard task.choice.wants(TextTool.identifiers[0]), let tool = TextTool.wanted(for: result) else { return }
            if tool.isInstalled { stages.insert(.tool(tool), at: 0) } else { result.missText("not measured: install \(tool.package)") }
        case (.tool(let tool), let run as TextToolRun):
            if let reason = run.failure(end) { return result.missText(reason) }
            do {
                guard let output, let made = try SealedMemory.copy(of: output.descriptor, limit: Int64(TextToolRun.textLimit)) else {
                    return
                }
                text = made
                stages.insert(.text(tool), at: 0)
            } catch {
                result.missText("the text that \(tool.name) made cannot be kept: \(error)")
            }
            output = nil
        case (.text(let tool), let reader as any ProcessAnalyzer):
            if case .success(let measurement) = reader.answer(end) { result.addText(measurement, by: tool) }
            text = nil
        case (.external(let analyzer), let program as any ProcessAnalyzer): takeAnswer(program.answer(end), of: analyzer)
        case (.builtIn, _), (.tool, _), (.text, _), (.external, _): break
        }
    }

    private func takeAnswer(_ answer: Result<Measurement, ExternalProtocol.Refusal>, of analyzer: ExternalAnalyzer) {
        result.add(answer, of: analyzer)
        // Nobody else was asked.
        if !hasBase, result.items.isEmpty, result.error == nil, let note = result.notes.last, note.identifier == analyzer.name {
            result.error = note.reason
            result.notes.removeLast()
        }
    }

    private func startNext() {
        while worker == nil, !stages.isEmpty {
            let stage = stages.removeFirst()
            do {
                let (program, document) = try prepared(stage)
                running = (stage, program)
                if let owner = task.owner, let reader = program as? BuiltInReader, reader.isLasting, !isSecondAttempt {
                    worker = sandboxes.pool.worker(for: reader, of: owner, document: document)
                }
                if worker == nil { worker = try Worker(program, document: document) }
            } catch {
                miss(stage, "no process for it (\(error))")
            }
        }
    }

    private func miss(_ stage: Stage, _ reason: String) {
        switch stage {
        case .builtIn:
            hasBase = true
            result = Measurement(error: "not measured: \(reason)")
        case .tool, .text: result.missText("not measured: \(reason)")
        case .external(let analyzer): takeAnswer(.failure(.init(reason: reason)), of: analyzer)
        }
    }

    private func prepared(_ stage: Stage) throws(SystemCallError) -> (any WorkerProgram, Int32) {
        var reader = BuiltInReader(
            sandbox: sandboxes.reader, limits: task.limits, source: task.source, name: task.name, analyzers: task.analyzers,
            choice: task.choice)
        let key = task.key.map { AnalyzerRegistry.Key(name: $0.name, text: $0.text) }
        reader.registry.key = key
        switch stage {
        case .builtIn:
            reader.isLasting = task.owner != nil && key == nil
            return (reader, task.descriptor)
        case .text:
            reader.registry = .convertedText
            reader.registry.key = key
            reader.source = .sealed
            reader.analyzers = []
            reader.choice = MetricChoice(only: TextTool.identifiers.filter(task.choice.wants))
            guard let text else { throw SystemCallError(call: "memfd_create", code: EBADF) }
            return (reader, text.descriptor.withRaw { $0 })
        case .tool(let tool):
            let raw = Int32(try systemCall("memfd_create") { Int(daybook_memory_file("daybook-text")) })
            output = PassedDocument(OwnedDescriptor(adopting: raw))
            return (TextToolRun(sandbox: sandboxes.program, tool: tool, limits: task.limits, output: raw), try document())
        case .external(let analyzer):
            let document = try document()
            var status = stat()
            _ = try systemCall("fstat") { Int(fstat(document, &status)) }
            let program = ExternalProgram(
                sandbox: sandboxes.program, analyzer: analyzer, name: task.name, size: Int64(status.st_size), messages: task.messages)
            return (program, document)
        }
    }

    /// The document in memory that cannot change.
    private func document() throws(SystemCallError) -> Int32 {
        if case .sealed = task.source { return task.descriptor }
        if let sealed { return sealed.descriptor.withRaw { $0 } }
        let file = OwnedDescriptor(adopting: Int32(try systemCall("dup") { Int(dup(task.descriptor)) }))
        guard let copy = try SealedMemory.copy(of: file, limit: Int64(task.limits.reading.documentBytes)) else {
            throw SystemCallError(call: "copy", code: EFBIG)
        }
        sealed = copy
        return copy.descriptor.withRaw { $0 }
    }
}
