// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookVarlink
import Inference
import Ledger
import Reports

/// Reads what a call says of an assignment. Logins become people by `person`, paths become places by the shares.
struct AssignmentParameters {
    let shares: [ShareLayout]
    let person: (String) throws(VarlinkError) -> PersonID

    func request(_ value: JSONValue?) throws(VarlinkError) -> AssignmentRequest {
        let object = value?.objectValue ?? [:]
        var request = AssignmentRequest()
        request.title = object["title"]?.stringValue
        request.className = object["class"]?.stringValue
        if let path = object["folder"]?.stringValue {
            guard let place = place(path) else {
                throw VarlinkError(
                    "org.daybook.Classroom.Refused",
                    ["reason": .string("\(path) is in none of the shares that are watched: \(shares.map(\.path).joined(separator: ", "))")])
            }
            request.folder = place
        }
        request.due = try instant(object, "due")
        request.opens = try instant(object, "opens")
        request.isDraft = object["draft"]?.boolValue ?? false
        request.instructions = object["instructions"]?.stringValue
        request.chosen = try people(object, "students")
        request.excused = try people(object, "excused") ?? []
        request.deadlines = try deadlines(object)
        request.target = try target(object)
        request.materials = try materials(object) ?? []
        request.analyzers = analyzers(object) ?? []
        request.allowsPastDue = object["past"]?.boolValue ?? false
        return request
    }

    func change(_ value: JSONValue?, edition: Int?) throws(VarlinkError) -> AssignmentChange {
        let object = value?.objectValue ?? [:]
        var change = AssignmentChange()
        change.edition = edition
        change.title = object["title"]?.stringValue
        change.due = try instant(object, "due")
        change.opens = try instant(object, "opens")
        change.instructions = object["instructions"]?.stringValue
        change.chosen = try people(object, "students")
        change.excuse = try people(object, "excuse") ?? []
        change.unexcuse = try people(object, "unexcuse") ?? []
        change.deadlines = try deadlines(object)
        change.target = try target(object)
        change.materials = try materials(object)
        change.analyzers = analyzers(object)
        change.publishes = object["publish"]?.boolValue ?? false
        change.allowsPastDue = object["past"]?.boolValue ?? false
        for word in object["clear"]?.arrayValue ?? [] {
            guard let part = word.stringValue.flatMap(AssignmentChange.Part.init(rawValue:)) else {
                throw .invalidParameter("change.clear")
            }
            change.clears.insert(part)
        }
        return change
    }

    /// The share and the place below it of an absolute path; nil where no share has it.
    func place(_ path: String) -> DocumentRef? {
        for share in shares where path.hasPrefix(share.path + "/") {
            guard let inside = PathBytes(text: String(path.dropFirst(share.path.count + 1))), !inside.isRoot else { continue }
            // A client's path is taken as it stands: what climbs out of a folder would be read with the server's rights.
            guard inside.isPlain else { return nil }
            return DocumentRef(share: share.path, path: tidied(inside))
        }
        return nil
    }

    /// What a client wrote, with a document of a share named by the share.
    func material(_ value: JSONValue?) throws(VarlinkError) -> Material {
        guard let value, let material = Material(json: value) else { throw .invalidParameter("material") }
        guard case .document(let document) = material else { return material }
        guard document.path.isPlain else { throw .invalidParameter("material") }
        return .document(place("/" + document.path.text) ?? document)
    }

    private func tidied(_ path: PathBytes) -> PathBytes {
        path.components.reduce(PathBytes.root) { $0.appending($1) }
    }

    private func instant(_ object: JSONObject, _ key: String) throws(VarlinkError) -> WallTime? {
        guard let text = object[key]?.stringValue else { return nil }
        guard let time = WallTime(rfc3339: text) else { throw .invalidParameter(key) }
        return time
    }

    private func people(_ object: JSONObject, _ key: String) throws(VarlinkError) -> [PersonID]? {
        guard let names = object[key]?.arrayValue else { return nil }
        var people: Set<PersonID> = []
        for name in names { people.insert(try person(name.stringValue ?? "")) }
        return people.sorted()
    }

    private func deadlines(_ object: JSONObject) throws(VarlinkError) -> [Deadline] {
        var deadlines: [Deadline] = []
        for value in object["deadlines"]?.arrayValue ?? [] {
            let inner = value.objectValue ?? [:]
            guard let due = try instant(inner, "due") else { throw .invalidParameter("deadlines") }
            deadlines.append(
                Deadline(person: try person(inner["person"]?.stringValue ?? ""), due: due, reason: inner["reason"]?.stringValue ?? ""))
        }
        return deadlines
    }

    private func target(_ object: JSONObject) throws(VarlinkError) -> Target? {
        guard let value = object["target"], value != .null else { return nil }
        guard let identifier = value["identifier"]?.stringValue, (1...64).contains(identifier.utf8.count),
            identifier.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "_") }),
            let number = value["value"]?.doubleValue
        else { throw .invalidParameter("target") }
        return Target(identifier: identifier, value: number)
    }

    private func analyzers(_ object: JSONObject) -> [String]? { object["analyzers"]?.arrayValue?.compactMap(\.stringValue) }

    private func materials(_ object: JSONObject) throws(VarlinkError) -> [Material]? {
        guard let values = object["materials"]?.arrayValue else { return nil }
        var materials: [Material] = []
        for value in values { materials.append(try material(value)) }
        return materials
    }
}

extension AssignmentRefusal {
    var varlink: VarlinkError {
        switch self {
        case .noSuchClass(let name, let candidates):
            VarlinkError(
                "org.daybook.Classroom.NoSuchClass",
                ["name": .string(name), "candidates": .array(candidates.prefix(20).map { .string($0) })])
        case .notTheirClass: .permissionDenied
        case .changedMeanwhile(let login, let edition):
            VarlinkError("org.daybook.Classroom.ChangedMeanwhile", ["by": .string(login), "edition": .integer(Int64(edition))])
        case .other(let reason): VarlinkError("org.daybook.Classroom.Refused", ["reason": .string(reason)])
        }
    }
}
