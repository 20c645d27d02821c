// SPDX-License-Identifier: Apache-2.0
package import DaybookJSON

extension ServerStatus {
    /// As `org.daybook.Reports` declares it.
    package var json: JSONValue {
        .object([
            "version": .string(version), "now": .string(now), "startedAt": .string(startedAt), "pid": .init(pid), "demo": .bool(isDemo),
            "role": .string(role.rawValue), "recording": recording.json, "shares": .array(shares.map(\.json)),
            "openSessions": .init(openSessions), "connections": .init(connections), "queues": .array(queues.map(\.json)),
            "journal": journal.json, "analyzer": analyzer.json, "gaps": .array(gaps.map(\.json)), "limits": .array(limits.map(\.json)),
            "selfTests": .array(selfTests.map(\.json)), "settings": settings.json, "pages": pages?.json ?? .null,
            "counts": counts?.json ?? .null,
        ])
    }

    /// Nil where a member is missing; the server has checked it against its interface, so this is a server of another version.
    package init?(json: JSONValue) {
        guard let version = json["version"]?.stringValue, let now = json["now"]?.stringValue,
            let startedAt = json["startedAt"]?.stringValue, let pid = json.int("pid"), let isDemo = json["demo"]?.boolValue,
            let role = json["role"]?.stringValue, let recording = json["recording"].flatMap(Recording.init(json:)),
            let openSessions = json.int("openSessions"), let connections = json.int("connections"),
            let shares = json.list("shares", Share.init(json:)), let queues = json.list("queues", Queue.init(json:)),
            let journal = json["journal"].flatMap(Journal.init(json:)), let analyzer = json["analyzer"].flatMap(Analyzer.init(json:)),
            let gaps = json.list("gaps", Gap.init(json:)), let limits = json.list("limits", Limit.init(json:)),
            let selfTests = json.list("selfTests", SelfTest.init(json:)), let settings = json["settings"].flatMap(Settings.init(json:)),
            let pages = json["pages"], let counts = json["counts"]
        else { return nil }
        self.init(
            version: version, now: now, startedAt: startedAt, pid: pid, isDemo: isDemo, role: CallerRole(rawValue: role) ?? .nobody,
            recording: recording, shares: shares, openSessions: openSessions, connections: connections, queues: queues, journal: journal,
            analyzer: analyzer, gaps: gaps, limits: limits, selfTests: selfTests, settings: settings,
            pages: Pages(json: pages), counts: Counts(json: counts))
    }
}

extension ServerStatus.Recording {
    package var json: JSONValue {
        var object: JSONObject = ["state": .string(state.rawValue)]
        object["since"] = since.map { .string($0) }
        object["exceptions"] = .init(exceptions)
        object["reason"] = reason.map { .string($0.rawValue) }
        object["until"] = until.map { .string($0) }
        object["by"] = by.map { .string($0) }
        return .object(object)
    }

    package init?(json: JSONValue) {
        guard let state = json["state"]?.stringValue.flatMap(ServerStatus.RecordingState.init), let exceptions = json.int("exceptions")
        else { return nil }
        self.init(
            state: state, since: json["since"]?.stringValue, exceptions: exceptions,
            reason: json["reason"]?.stringValue.flatMap(ServerStatus.RecordingReason.init), until: json["until"]?.stringValue,
            by: json["by"]?.stringValue)
    }
}

extension ServerStatus.Share {
    package var json: JSONValue {
        var object: JSONObject = ["path": .string(path), "state": .string(state.rawValue)]
        object["percent"] = percent.map { .init($0) }
        object["folders"] = .init(folders)
        object["watches"] = .init(watches)
        object["source"] = .string(source)
        object["sourceReason"] = sourceReason.map { .string($0) }
        object["fileSystem"] = fileSystem.map { .string($0) }
        object["reason"] = reason.map { .string($0) }
        object["unreadable"] = .init(unreadable)
        return .object(object)
    }

    package init?(json: JSONValue) {
        guard let path = json["path"]?.stringValue, let state = json["state"]?.stringValue.flatMap(ServerStatus.ShareState.init),
            let folders = json.int("folders"), let watches = json.int("watches"), let source = json["source"]?.stringValue,
            let unreadable = json.int("unreadable")
        else { return nil }
        self.init(
            path: path, state: state, percent: json.int("percent"), folders: folders, watches: watches, source: source,
            sourceReason: json["sourceReason"]?.stringValue, fileSystem: json["fileSystem"]?.stringValue,
            reason: json["reason"]?.stringValue, unreadable: unreadable)
    }
}

extension ServerStatus.Limit {
    package var json: JSONValue {
        var object: JSONObject = ["name": .string(name), "need": .init(need), "have": .init(have), "stops": .bool(stops)]
        object["mend"] = mend.map { .string($0) }
        return .object(object)
    }

    package init?(json: JSONValue) {
        guard let name = json["name"]?.stringValue, let need = json.int("need"), let have = json.int("have"),
            let stops = json["stops"]?.boolValue
        else { return nil }
        self.init(name: name, need: need, have: have, stops: stops, mend: json["mend"]?.stringValue)
    }
}

extension ServerStatus.SelfTest {
    package var json: JSONValue {
        var object: JSONObject = [
            "name": .string(name), "passed": .bool(passed), "meaning": .string(meaning), "stops": .bool(stops),
        ]
        object["mend"] = mend.map { .string($0) }
        return .object(object)
    }

    package init?(json: JSONValue) {
        guard let name = json["name"]?.stringValue, let passed = json["passed"]?.boolValue, let meaning = json["meaning"]?.stringValue,
            let stops = json["stops"]?.boolValue
        else { return nil }
        self.init(name: name, passed: passed, meaning: meaning, stops: stops, mend: json["mend"]?.stringValue)
    }
}

extension ServerStatus.Queue {
    package var json: JSONValue { .object(["name": .string(name), "depth": .init(depth), "capacity": .init(capacity)]) }

    package init?(json: JSONValue) {
        guard let name = json["name"]?.stringValue, let depth = json.int("depth"), let capacity = json.int("capacity") else { return nil }
        self.init(name: name, depth: depth, capacity: capacity)
    }
}

extension ServerStatus.Gap {
    package var json: JSONValue {
        var object: JSONObject = ["cause": .string(cause)]
        object["share"] = share.map { .string($0) }
        object["from"] = .string(from)
        object["to"] = .string(to)
        object["lost"] = lost.map { .init($0) }
        return .object(object)
    }

    package init?(json: JSONValue) {
        guard let cause = json["cause"]?.stringValue, let from = json["from"]?.stringValue, let to = json["to"]?.stringValue else {
            return nil
        }
        self.init(cause: cause, share: json["share"]?.stringValue, from: from, to: to, lost: json.int("lost"))
    }
}

extension ServerStatus.Journal {
    package var json: JSONValue {
        var object: JSONObject = [
            "lastSeq": .integer(lastSeq), "bytes": .integer(bytes), "segments": .init(segments), "writable": .bool(writable),
        ]
        object["reason"] = reason.map { .string($0) }
        object["checkpoint"] = checkpoint?.json
        object["snapshot"] = snapshot.map { .integer($0) }
        object["snapshotReason"] = snapshotReason.map { .string($0) }
        object["freeBytes"] = freeBytes.map { .integer($0) }
        if !losses.isEmpty { object["losses"] = .array(losses.map { .string($0) }) }
        return .object(object)
    }

    package init?(json: JSONValue) {
        guard let lastSeq = json["lastSeq"]?.integerValue, let bytes = json["bytes"]?.integerValue, let segments = json.int("segments"),
            let writable = json["writable"]?.boolValue
        else { return nil }
        self.init(
            lastSeq: lastSeq, bytes: bytes, segments: segments, writable: writable, reason: json["reason"]?.stringValue,
            checkpoint: json["checkpoint"].flatMap(Checkpoint.init(json:)), snapshot: json["snapshot"]?.integerValue,
            snapshotReason: json["snapshotReason"]?.stringValue,
            losses: json["losses"]?.arrayValue?.compactMap(\.stringValue) ?? [], freeBytes: json["freeBytes"]?.integerValue)
    }
}

extension ServerStatus.Journal.Checkpoint {
    package var json: JSONValue {
        var object: JSONObject = ["seq": .integer(seq)]
        object["at"] = at.map { .string($0) }
        object["key"] = .string(key)
        return .object(object)
    }

    package init?(json: JSONValue) {
        guard let seq = json["seq"]?.integerValue, let key = json["key"]?.stringValue else { return nil }
        self.init(seq: seq, at: json["at"]?.stringValue, key: key)
    }
}

extension ServerStatus.Pages {
    package var json: JSONValue {
        var object: JSONObject = [
            "directory": .string(directory), "pages": .init(pages), "waiting": .init(waiting), "published": .bool(published),
        ]
        object["reason"] = reason.map { .string($0) }
        return .object(object)
    }

    package init?(json: JSONValue) {
        guard let directory = json["directory"]?.stringValue, let pages = json.int("pages"), let waiting = json.int("waiting"),
            let published = json["published"]?.boolValue
        else { return nil }
        self.init(directory: directory, pages: pages, waiting: waiting, published: published, reason: json["reason"]?.stringValue)
    }
}

extension ServerStatus.Counts {
    package var json: JSONValue {
        var object = JSONObject()
        object["residentBytes"] = residentBytes.map { .integer($0) }
        object["gaps"] = .integer(gaps)
        object["lostEvents"] = .integer(lostEvents)
        object["measured"] = .integer(measured)
        object["unmeasured"] = .integer(unmeasured)
        object["commitLatency"] = .array(commitLatency.map(\.json))
        return .object(object)
    }

    package init?(json: JSONValue) {
        guard let gaps = json["gaps"]?.integerValue, let lost = json["lostEvents"]?.integerValue,
            let measured = json["measured"]?.integerValue, let unmeasured = json["unmeasured"]?.integerValue,
            let latency = json.list("commitLatency", CommitLatency.init(json:))
        else { return nil }
        self.init(
            residentBytes: json["residentBytes"]?.integerValue, gaps: gaps, lostEvents: lost, measured: measured, unmeasured: unmeasured,
            commitLatency: latency)
    }
}

extension ServerStatus.Counts.CommitLatency {
    package var json: JSONValue {
        var object = JSONObject()
        object["atMostSeconds"] = atMostSeconds.map { .number($0) }
        object["entries"] = .integer(entries)
        return .object(object)
    }

    package init?(json: JSONValue) {
        guard let entries = json["entries"]?.integerValue else { return nil }
        self.init(atMostSeconds: json["atMostSeconds"]?.doubleValue, entries: entries)
    }
}

extension ServerStatus.Settings {
    package var json: JSONValue {
        var object = JSONObject()
        object["file"] = file.map { .string($0) }
        object["loadedAt"] = loadedAt.map { .string($0) }
        object["problem"] = problem.map { .string($0) }
        return .object(object)
    }

    package init?(json: JSONValue) {
        guard case .object = json else { return nil }
        self.init(file: json["file"]?.stringValue, loadedAt: json["loadedAt"]?.stringValue, problem: json["problem"]?.stringValue)
    }
}

extension ServerStatus.Analyzer {
    package var json: JSONValue {
        var object: JSONObject = ["state": .string(state.rawValue), "waiting": .init(waiting)]
        object["reason"] = reason.map { .string($0) }
        return .object(object)
    }

    package init?(json: JSONValue) {
        guard let state = json["state"]?.stringValue.flatMap(ServerStatus.AnalyzerState.init), let waiting = json.int("waiting") else {
            return nil
        }
        self.init(state: state, waiting: waiting, reason: json["reason"]?.stringValue)
    }
}

extension JSONValue {
    fileprivate init(_ value: Int) { self = .integer(Int64(value)) }

    fileprivate func int(_ key: String) -> Int? { self[key]?.integerValue.flatMap { Int(exactly: $0) } }

    /// All elements, or nil where one of them cannot be read.
    fileprivate func list<Element>(_ key: String, _ read: (JSONValue) -> Element?) -> [Element]? {
        guard let values = self[key]?.arrayValue else { return nil }
        let elements = values.compactMap(read)
        return elements.count == values.count ? elements : nil
    }
}
