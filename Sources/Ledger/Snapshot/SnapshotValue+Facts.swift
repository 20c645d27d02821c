// SPDX-License-Identifier: Apache-2.0
import ActivityModel

// Facts of entries that a ledger keeps as they are.

extension RecordingChange.State: SnapshotValue {}
extension WatchingFacts.State: SnapshotValue {}
extension GapFacts.Cause: SnapshotValue {}
extension DoneFacts.State: SnapshotValue {}
extension Role: SnapshotValue {}
extension Confidence: SnapshotValue {}
extension Evidence.Kind: SnapshotValue {}
extension Item.BinaryType: SnapshotValue {}
extension Item.Method: SnapshotValue {}

extension Evidence: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(kind)
        writer.value(first)
        writer.value(last)
        writer.value(count)
        writer.value(isInferred)
        writer.value(isContinuous)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            try reader.value(), first: try reader.value(), last: try reader.value(BootTime.self), count: try reader.value(),
            isInferred: try reader.value(), isContinuous: try reader.value())
    }
}

extension Rule: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(name)
        for span in [idleContinuous, idleSavesOnly, atLeast, atMost] { writer.value(span) }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            name: try reader.value(), idleContinuous: try reader.value(), idleSavesOnly: try reader.value(), atLeast: try reader.value(),
            atMost: try reader.value())
    }
}

extension RuleChange: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(before)
        writer.value(by)
        writer.value(byLogin)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(before: try reader.value(), by: try reader.value(), byLogin: try reader.value())
    }
}

extension SettingsFacts: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(rule)
        writer.value(shares)
        writer.value(classes)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(rule: try reader.value(), shares: try reader.value(), classes: try reader.value())
    }
}

extension WatchingFacts: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(share)
        writer.value(state)
        writer.value(source)
        writer.value(folders)
        writer.value(reason)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            share: try reader.value(), state: try reader.value(), source: try reader.value(), folders: try reader.value(),
            reason: try reader.value())
    }
}

extension GapFacts: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(cause)
        writer.value(share)
        writer.value(from)
        writer.value(to)
        writer.value(lost)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            cause: try reader.value(), share: try reader.value(), from: try reader.value(), to: try reader.value(), lost: try reader.value()
        )
    }
}

extension RepairFacts: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(lastGoodSeq)
        writer.value(lastGoodChain)
        writer.value(setAside)
        writer.value(bytes)
        writer.value(reason)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            lastGoodSeq: try reader.value(), lastGoodChain: try reader.value(), setAside: try reader.value(), bytes: try reader.value(),
            reason: try reader.value())
    }
}

extension PersonFacts: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(person)
        writer.value(displayName)
        writer.value(role)
        writer.value(classes)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(person: try reader.value(), displayName: try reader.value(), role: try reader.value(), classes: try reader.value())
    }
}

extension Target: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(identifier)
        writer.value(value)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(identifier: try reader.value(), value: try reader.value())
    }
}

extension AssignmentFacts: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(id)
        writer.value(title)
        writer.value(className)
        writer.value(share)
        writer.value(folder)
        writer.value(due)
        writer.value(by)
        writer.value(rule)
        writer.value(students)
        writer.value(excused)
        writer.value(target)
        writer.value(ruleChange)
        writer.value(asOf)
        writer.value(plan)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            id: try reader.value(), title: try reader.value(), className: try reader.value(), share: try reader.value(),
            folder: try reader.value(), due: try reader.value(), by: try reader.value(), rule: try reader.value(),
            students: try reader.value(), excused: try reader.value(), target: try reader.value(), ruleChange: try reader.value(),
            asOf: try reader.value())
        plan = try reader.value()
    }
}

extension DoneFacts: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(assignment)
        writer.value(person)
        writer.value(state)
        writer.value(document)
        writer.value(file)
        writer.value(by)
        writer.value(text)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            assignment: try reader.value(), person: try reader.value(), state: try reader.value(), document: try reader.value(),
            file: try reader.value(), by: try reader.value(), text: try reader.value())
    }
}

extension ViewedFacts: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(by)
        writer.value(byLogin)
        writer.value(person)
        writer.value(assignment)
        writer.value(what)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            by: try reader.value(), byLogin: try reader.value(), person: try reader.value(), assignment: try reader.value(),
            what: try reader.value())
    }
}

extension TotalsFacts: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(assignment)
        writer.value(person)
        writer.value(document)
        writer.value(day)
        writer.value(open)
        writer.value(active)
        writer.value(atLeast)
        writer.value(atMost)
        writer.value(leftOpen)
        writer.value(saves)
        writer.value(confidence)
        writer.value(isBroughtIn)
        writer.value(sessions)
        writer.value(measured)
        writer.value(last)
        writer.value(rule)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            assignment: try reader.value(), person: try reader.value(), document: try reader.value(), day: try reader.value(),
            open: try reader.value(), active: try reader.value(), atLeast: try reader.value(), atMost: try reader.value(),
            leftOpen: try reader.value(), saves: try reader.value(), confidence: try reader.value(), isBroughtIn: try reader.value(),
            sessions: try reader.value(), measured: try reader.value(), last: try reader.value(), rule: try reader.value())
    }
}
