// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference

/// Feeds a trace to an engine on the trace's clock.
struct ReplayClockwork {
    private var engine: InferenceEngine
    private let trace: Trace
    private var effects: [InferenceEffect] = []
    /// Answers that are on their way, in the order of their times.
    private var answers: [(at: BootTime, input: InferenceInput)] = []
    private var watched: Set<Int32> = []

    init(engine: InferenceEngine, trace: Trace) {
        self.engine = engine
        self.trace = trace
    }

    mutating func run() -> [InferenceEffect] {
        for input in trace.inputs {
            goOn(to: input.at)
            give(input, at: input.at)
        }
        goOn(to: trace.end)
        give(.end(at: trace.end), at: trace.end)
        return effects
    }

    /// Timers and answers until then.
    private mutating func goOn(to end: BootTime) {
        while true {
            let deadline = engine.deadline
            if let answer = answers.first, answer.at <= end, deadline.map({ answer.at <= $0 }) ?? true {
                answers.removeFirst()
                if case .processEnded(let pid, _) = answer.input, watched.remove(pid) == nil { continue }
                give(answer.input, at: answer.at)
            } else if let deadline, deadline <= end {
                give(.timer(deadline), at: deadline)
            } else {
                return
            }
        }
    }

    private mutating func give(_ input: InferenceInput, at now: BootTime) {
        let new = engine.handle(input)
        effects += new
        for effect in new {
            switch effect {
            case .watchProcess(let pid, _):
                watched.insert(pid)
                if let end = trace.processes.end(of: pid) { answer(.processEnded(pid: pid, at: max(end, now)), at: max(end, now)) }
            case .forgetProcess(let pid): watched.remove(pid)
            case .lookAtHandle(let pid, let share, let path):
                guard let holders = trace.holders else { continue }
                let at = now + TraceHolders.latency
                answer(.handle(pid: pid, share: share, path: path, mode: holders.mode(pid, path, at: at), at: at), at: at)
            case .session, .saved, .inspect, .lookUpUID, .lookUpLogin, .assignmentFolder, .touched, .overflowed: break
            }
        }
    }

    private mutating func answer(_ input: InferenceInput, at: BootTime) {
        let place = answers.firstIndex { $0.at > at } ?? answers.endIndex
        answers.insert((at, input), at: place)
    }
}

extension InferenceInput {
    /// When it happened.
    fileprivate var at: BootTime {
        switch self {
        case .change(let change): change.at
        case .timer(let at), .companion(_, _, _, _, let at), .processEnded(_, let at), .handle(_, _, _, _, let at), .directory(_, let at),
            .holders(_, let at), .resume(_, let at), .gap(_, _, let at), .unavailable(_, let at), .rule(_, let at), .shares(_, let at),
            .shutdown(let at),
            .end(let at):
            at
        }
    }
}
