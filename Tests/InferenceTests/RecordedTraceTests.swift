// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Testing

@Suite("What real editors did")
struct RecordedTraceTests {
    @Test("the recordings are there")
    func present() { #expect(RecordedTrace.all.count >= 31) }

    @Test("gives the sessions that the person had", arguments: RecordedTrace.all)
    func sessions(trace: RecordedTrace) throws {
        var engine = try School.engine()
        var gathered = Gathered()
        for change in trace.changes { gathered.add(engine.handle(.change(change))) }
        gathered.add(engine.handle(.end(at: trace.end)))
        #expect(gathered.lines == trace.expected)
        #expect(gathered.outOfOrder.isEmpty)
        #expect(engine.deadline == nil)
    }

    @Test("gives the same live, with timers that fire when they are due", arguments: RecordedTrace.all)
    func live(trace: RecordedTrace) throws {
        var engine = try School.engine()
        var gathered = Gathered()
        for change in trace.changes {
            while let deadline = engine.deadline, deadline <= change.at { gathered.add(engine.handle(.timer(deadline))) }
            gathered.add(engine.handle(.change(change)))
        }
        while let deadline = engine.deadline, deadline <= trace.end { gathered.add(engine.handle(.timer(deadline))) }
        gathered.add(engine.handle(.end(at: trace.end)))
        #expect(gathered.lines == trace.expected)
    }

    @Test("gives no session more when a backup reads everything in between", arguments: RecordedTrace.all)
    func scanned(trace: RecordedTrace) throws {
        let files = [
            "students/alice/essay.txt", "students/alice/prog.py", "students/bob/essay.txt", "students/bob/talk.pptx", "shared/group.txt",
        ]
        for place in stride(from: 0, to: trace.changes.count, by: max(1, trace.changes.count / 12)) {
            var engine = try School.engine()
            var gathered = Gathered()
            for (index, change) in trace.changes.enumerated() {
                if index == place {
                    for file in files {
                        for kind in [Change.Kind.opened, .closedWithoutWriting] {
                            gathered.add(
                                engine.handle(.change(Change(at: change.at, share: 0, path: PathBytes(file), isFolder: false, kind: kind))))
                        }
                    }
                }
                gathered.add(engine.handle(.change(change)))
            }
            gathered.add(engine.handle(.end(at: trace.end)))
            // It may hide when somebody began to read; who worked on what, how often it was saved and that it ended stays.
            let shape = { (line: String) in line.split(separator: " ").dropFirst(3).joined(separator: " ") }
            #expect(gathered.lines.count <= trace.expected.count, "a backup at \(place)")
            if trace.expected.allSatisfy({ $0.contains(" companion\t") }) {
                #expect(gathered.lines.map(shape) == trace.expected.map(shape), "a backup at \(place)")
            }
        }
    }

    @Test("holds its promises wherever a recording is cut", arguments: RecordedTrace.all)
    func cut(trace: RecordedTrace) throws {
        for length in stride(from: 0, through: trace.changes.count, by: max(1, trace.changes.count / 40)) {
            var engine = try School.engine()
            var gathered = Gathered()
            for change in trace.changes.prefix(length) { gathered.add(engine.handle(.change(change))) }
            let now = trace.changes.prefix(length).last?.at ?? BootTime(microseconds: 0)
            gathered.add(engine.handle(.end(at: now)))
            #expect(gathered.sessions.values.allSatisfy { $0.end != nil })
            for session in gathered.sessions.values { expectPromises(session, now: now) }
        }
    }
}

/// At least ≤ active ≤ at most, and active ≤ open.
func expectPromises(_ session: WorkSession, now: BootTime, rule: Rule = Rule()) {
    let parts = TimeOnTask.stretches(of: session, rule: rule, now: now)
    #expect(parts.atLeast.length <= parts.active.length)
    #expect(parts.active.length <= parts.atMost.length)
    #expect(parts.active.length <= parts.open.length)
    #expect(parts.active.subtracting(parts.open).isEmpty)
    #expect(parts.active.subtracting(parts.atMost).isEmpty)
    #expect(parts.atLeast.subtracting(parts.active).isEmpty)
}
