// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Inference
import Settings

/// One trace through the engine, in the way of the live daemon: inputs one by one, timers when they are due, and answers to what the engine
/// asks, never earlier than the live daemon could give them.
struct Replay {
    let settings: Settings
    let directory: PeopleDirectory

    /// The sessions and touches of a trace in the order of their openings.
    func run(_ trace: Trace) -> [ReplayRow] {
        var limits = InferenceLimits()
        limits.reportsTouches = true
        let engine = InferenceEngine(
            shares: settings.shares.map { ShareLayout(path: $0.path, layouts: $0.layouts) }, rule: settings.rule, limits: limits,
            firstID: ActivityID(1), directory: directory)
        var clockwork = ReplayClockwork(engine: engine, trace: trace)
        let effects = clockwork.run()

        var sessions: [ActivityID: WorkSession] = [:]
        var rows: [ReplayRow] = []
        for effect in effects {
            switch effect {
            case .session(.started(let start)): sessions[start.id] = WorkSession(start)
            case .session(let event): sessions[event.id]?.apply(event)
            case .touched(let document, let attribution, let from, let to):
                rows.append(ReplayRow(touched: document, by: attribution, from: from, to: to, trace: trace.name))
            case .saved, .inspect, .watchProcess, .forgetProcess, .lookAtHandle, .lookUpUID, .lookUpLogin, .assignmentFolder,
                .overflowed:
                break
            }
        }
        // What a program reads while it opens and saves is part of its session.
        rows.removeAll { touch in
            sessions.values.contains { session in
                session.document == touch.document && session.openedAt <= touch.openedAt
                    && session.end.map { $0.notAfter >= touch.openedAt } ?? true
            }
        }
        rows += sessions.values.map { ReplayRow($0, rule: settings.rule, now: trace.end, trace: trace.name) }
        return rows.sorted { ($0.openedAt, $0.document, $0.person?.login ?? "") < ($1.openedAt, $1.document, $1.person?.login ?? "") }
    }
}

/// One line of what was inferred.
struct ReplayRow: Equatable {
    var trace: String
    var document: DocumentRef
    var person: PersonID?
    var openedAt: BootTime
    var closedAt: BootTime?
    var figures: TimeFigures
    var saves: Int
    var ending: SessionEnding

    init(_ session: WorkSession, rule: Rule, now: BootTime, trace: String) {
        self.trace = trace
        document = session.document
        person = session.attribution.person
        openedAt = session.openedAt
        // Nothing says when a single save or reading ended.
        closedAt = session.isLonePoint ? nil : session.end?.closedAt
        figures = TimeOnTask.figures(for: session, rule: rule, now: now)
        saves = session.saves
        ending = session.end?.ending ?? .censored
    }

    init(touched document: DocumentRef, by attribution: Attribution, from: BootTime, to: BootTime, trace: String) {
        self.trace = trace
        self.document = document
        person = attribution.person
        openedAt = from
        closedAt = to
        figures = TimeFigures(open: to - from, active: nil, atLeast: .zero, atMost: to - from, confidence: .none)
        saves = 0
        ending = .closed
    }

    var json: JSONValue {
        func seconds(_ span: Duration?) -> JSONValue { span.map { .number($0.seconds) } ?? .null }
        func instant(_ at: BootTime?) -> JSONValue { at.map { .number(Double($0.microseconds) / 1_000_000) } ?? .null }
        return [
            "trace": .string(trace), "document": .string(document.path.text), "person": person.map { .string($0.login) } ?? .null,
            "uid": person.map { .integer(Int64($0.uid)) } ?? .null, "openedAt": instant(openedAt), "closedAt": instant(closedAt),
            "openSeconds": seconds(figures.open), "activeSeconds": seconds(figures.active), "atLeastSeconds": seconds(figures.atLeast),
            "atMostSeconds": seconds(figures.atMost), "saves": .integer(Int64(saves)),
            "confidence": .string(figures.confidence.rawValue), "ended": .string(ending.rawValue),
        ]
    }

    /// One line for people.
    var text: String {
        func tenths(_ span: Duration?) -> String {
            guard let span else { return "unknown" }
            let value = (span.microseconds + 50_000) / 100_000
            return "\(value / 10).\(value % 10) s"
        }
        let bounds = "at least \(tenths(figures.atLeast)), at most \(tenths(figures.atMost))"
        return "\(trace): \(document.path.text): \(person?.login ?? "unknown"), open \(tenths(figures.open)), active "
            + "\(tenths(figures.active)) (\(bounds)), \(count(saves, "save")), \(figures.confidence.rawValue), ended \(ending.rawValue)"
    }
}
