// SPDX-License-Identifier: Apache-2.0
import ActivityModel

// What programs said.

extension ContextFacts.Kind: SnapshotValue {}
extension ContextFacts.Capability.Kind: SnapshotValue {}
extension ReportFacts.Stop: SnapshotValue {}

extension ContextRef: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(app)
        writer.value(path)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(app: try reader.value(), path: try reader.value()) }
}

extension ContextFacts.Span: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(from)
        writer.value(to)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(from: try reader.value(), to: try reader.value()) }
}

extension ContextFacts.Capability: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(kind)
        writer.value(details)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(kind: try reader.value(), details: try reader.value()) }
}

extension ContextFacts: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(ref)
        writer.value(title)
        writer.value(created)
        writer.value(modified)
        writer.value(by)
        writer.value(byLogin)
        writer.value(kind)
        writer.value(customKind)
        writer.value(displayOrder)
        writer.value(topic)
        writer.value(universalLink)
        writer.value(summary)
        writer.value(isAssignable)
        writer.value(suggestedAge)
        writer.value(suggestedTime)
        writer.value(capabilities)
        writer.value(navigation)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            ref: try reader.value(), title: try reader.value(), created: try reader.value(), modified: try reader.value(),
            by: try reader.value(), byLogin: try reader.value())
        kind = try reader.value()
        customKind = try reader.value()
        displayOrder = try reader.value()
        topic = try reader.value()
        universalLink = try reader.value()
        summary = try reader.value()
        isAssignable = try reader.value()
        suggestedAge = try reader.value()
        suggestedTime = try reader.value()
        capabilities = try reader.value()
        navigation = try reader.value()
    }
}

extension ContextTree: SnapshotValue {
    func write(to writer: inout SnapshotWriter) { writer.value(Array(contexts.values)) }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init()
        for facts in try reader.value([ContextFacts].self) { put(facts) }
    }
}

extension Item: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(identifier)
        writer.value(title)
        writer.value(method)
        switch value {
        case .binary(let value, let type):
            writer.value(UInt8(0))
            writer.value(value)
            writer.value(type)
        case .quantity(let value):
            writer.value(UInt8(1))
            writer.value(value)
        case .score(let score, let max):
            writer.value(UInt8(2))
            writer.value(score)
            writer.value(max)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        let (identifier, title): (String, String) = (try reader.value(), try reader.value())
        let method: Method = try reader.value()
        let value: Value
        switch try reader.value(UInt8.self) {
        case 0: value = .binary(try reader.value(), type: try reader.value())
        case 1: value = .quantity(try reader.value())
        case 2: value = .score(try reader.value(), max: try reader.value())
        default: throw SnapshotError("no kind of item")
        }
        self.init(identifier: identifier, title: title, value: value, method: method)
    }
}

extension ProgressRange: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(from)
        writer.value(to)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) { self.init(from: try reader.value(), to: try reader.value()) }
}

extension Attempt: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(id)
        writer.value(created)
        writer.value(modified)
        writer.value(duration)
        writer.value(isRunning)
        writer.value(ranges)
        writer.value(primary)
        writer.value(additional)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            id: try reader.value(), created: try reader.value(), modified: try reader.value(), duration: try reader.value(),
            isRunning: try reader.value(), ranges: try reader.value(), primary: try reader.value(), additional: try reader.value())
    }
}

extension ReportFacts.Subject: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        switch self {
        case .document(let document):
            writer.value(false)
            writer.value(document)
        case .context(let path):
            writer.value(true)
            writer.value(path)
        }
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self = try reader.value(Bool.self) ? .context(try reader.value()) : .document(try reader.value())
    }
}

extension ReportFacts: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(assignment)
        writer.value(person)
        writer.value(program.app)
        writer.value(program.executable)
        writer.value(program.isListed)
        writer.value(subject)
        writer.value(attempt)
        writer.value(stop)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(
            assignment: try reader.value(), person: try reader.value(),
            program: Program(app: try reader.value(), executable: try reader.value(), isListed: try reader.value()),
            subject: try reader.value(), attempt: try reader.value(), stop: try reader.value())
    }
}

extension ReportRecord: SnapshotValue {
    func write(to writer: inout SnapshotWriter) {
        writer.value(facts)
        writer.value(at)
        writer.value(seq)
        writer.value(since)
    }

    init(from reader: inout SnapshotReader) throws(SnapshotError) {
        self.init(facts: try reader.value(), at: try reader.value(), seq: try reader.value(), since: try reader.value())
    }
}
