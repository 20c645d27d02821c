// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference

// Records that the ledger makes of entries.

extension Moment: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(wall)
        writer.value(boot)
        writer.value(mono)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(wall: try reader.value(), boot: try reader.value(), mono: try reader.value())
    }
}

extension Mark: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(facts)
        writer.value(at)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(facts: try reader.value(), at: try reader.value()) }
}

extension View: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(facts)
        writer.value(at)
        writer.value(seq)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(facts: try reader.value(), at: try reader.value(), seq: try reader.value())
    }
}

extension Gap: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(facts)
        writer.value(seq)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(facts: try reader.value(), seq: try reader.value()) }
}

extension Watching: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(facts)
        writer.value(since)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(facts: try reader.value(), since: try reader.value()) }
}

extension Totals: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(seq)
        writer.value(facts)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(seq: try reader.value(), facts: try reader.value()) }
}

extension AssignmentRecord.Ended: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(at)
        writer.value(reason)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(at: try reader.value(), reason: try reader.value()) }
}

extension AssignmentRecord.Recomputed: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(change)
        writer.value(at)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(change: try reader.value(), at: try reader.value()) }
}

extension AssignmentRecord: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(facts)
        writer.value(createdAt)
        writer.value(createdSeq)
        writer.value(ended)
        writer.value(ruleChanges)
        writer.value(marks)
        writer.value(views)
        writer.value(sessions)
        writer.value(unattributed)
        writer.value(documents)
        writer.value(totals)
        writer.value(hasRemains)
        writer.value(reports)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(facts: try reader.value(), createdAt: try reader.value(), createdSeq: try reader.value())
        ended = try reader.value()
        ruleChanges = try reader.value()
        marks = try reader.value()
        views = try reader.value()
        sessions = try reader.value()
        unattributed = try reader.value()
        documents = try reader.value()
        totals = try reader.value()
        hasRemains = try reader.value()
        reports = try reader.value()
    }
}

extension Orphans: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(ended)
        writer.value(marks)
        writer.value(views)
        writer.value(totals)
        writer.value(reports)
        writer.value(hasWork)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            ended: try reader.value(), marks: try reader.value(), views: try reader.value(), totals: try reader.value(),
            reports: try reader.value(), hasWork: try reader.value())
    }
}

extension RecordingState.Switch: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(state)
        writer.value(since)
        writer.value(by)
        writer.value(isScheduled)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(state: try reader.value(), since: try reader.value(), by: try reader.value(), isScheduled: try reader.value())
    }
}

extension RecordingState.Change: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(state)
        writer.value(boot)
        writer.value(mono)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(state: try reader.value(), boot: try reader.value(), mono: try reader.value())
    }
}

extension RecordingState: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(everybody)
        writer.value(people)
        writer.value(history)
        writer.value(personHistory)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        everybody = try reader.value()
        people = try reader.value()
        history = try reader.value()
        personHistory = try reader.value()
    }
}

extension BootClocks.Pair: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(mono)
        writer.value(wall)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(mono: try reader.value(), wall: try reader.value()) }
}

extension BootClocks: SnapshotValue {
    func write(to writer: inout SnapshotWriter) { writer.value(pairs) }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        pairs = try reader.value()
    }
}

extension SessionDays: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(days)
        writer.value(first)
        writer.value(last)
        writer.value(reach)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        days = try reader.value()
        first = try reader.value()
        last = try reader.value()
        reach = try reader.value()
        // A query walks from day to day.
        guard first <= last ? last.subtractingReportingOverflow(first).overflow == false : days.isEmpty, reach > 0, reach < 1 << 40 else {
            throw SnapshotReader.senseless
        }
    }
}
