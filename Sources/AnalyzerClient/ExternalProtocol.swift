// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import DaybookJSON

/// Version 1 of what is spoken with an external analyzer: one JSON object on its standard input, one on its standard output.
/// `Documentation/Analyzers.md` is its page.
package enum ExternalProtocol {
    package static let version: Int64 = 1
    /// The document's descriptor in the analyzer's process.
    package static let descriptor: Int64 = 3
    /// Bytes of an answer.
    package static let answerLimit = 256 << 10
    /// Items and notes of an answer.
    package static let itemLimit = 64
    /// Characters of a title, of a reason.
    package static let titleLimit = 80
    package static let reasonLimit = 300
    /// No figure of a document is larger.
    package static let valueLimit = 1e15

    /// What is asked of it: one line.
    package static func request(_ analyzer: ExternalAnalyzer, name: String, size: Int64) -> [UInt8] {
        let object: JSONObject = [
            "version": .integer(version), "document": .string("/proc/self/fd/\(descriptor)"), "descriptor": .integer(descriptor),
            "name": .string(name), "size": .integer(size), "items": .array(analyzer.items.map(JSONValue.string)),
            "seconds": .integer(Int64(analyzer.seconds)),
        ]
        var bytes: [UInt8] = []
        object.encode(into: &bytes)
        bytes.append(0x0a)
        return bytes
    }

    /// Why an answer is none.
    package struct Refusal: Error, Equatable {
        package var reason: String

        package init(reason: String) { self.reason = reason }
    }

    /// Its answer, checked as what a hostile document may have written.
    package static func answer(_ bytes: [UInt8]) throws(Refusal) -> Measurement {
        guard bytes.count <= answerLimit else { throw Refusal(reason: "its answer is longer than \(answerLimit) bytes") }
        guard bytes.contains(where: { $0 > 0x20 }) else { throw Refusal(reason: "it gave no answer") }
        let value: JSONValue
        do { value = try JSONValue(parsing: bytes) } catch { throw Refusal(reason: "its answer is no JSON: \(error)") }
        guard value["version"]?.integerValue == version else { throw Refusal(reason: "its answer has no \"version\": \(version)") }
        if let error = value["error"], error != .null {
            guard let text = error.stringValue else { throw Refusal(reason: "its \"error\" is no text") }
            return Measurement(error: try plain(text, "\"error\"", limit: reasonLimit))
        }
        let items = value["items"] ?? .array([])
        guard let items = items.arrayValue else { throw Refusal(reason: "its \"items\" are no list") }
        let notes = (value["notes"] ?? .array([])).arrayValue ?? []
        for (what, count) in [("items", items.count), ("notes", notes.count)] where count > itemLimit {
            throw Refusal(reason: "it gave \(count) \(what), at most \(itemLimit) are taken")
        }
        var measurement = Measurement()
        for (index, item) in items.enumerated() {
            let item = try self.item(item, "item \(index + 1)")
            guard !measurement.items.contains(where: { $0.identifier == item.identifier }) else {
                throw Refusal(reason: "it gave \(item.identifier) twice")
            }
            measurement.items.append(item)
        }
        for note in notes {
            let identifier = try itemName(of: note, "a note")
            guard let reason = note["reason"]?.stringValue else { throw Refusal(reason: "its note of \(identifier) has no reason") }
            measurement.notes.append(MissingItem(identifier: identifier, reason: try plain(reason, "a reason", limit: reasonLimit)))
        }
        measurement.format = try word(value["format"], "format")
        measurement.language = try word(value["language"], "language")
        return measurement
    }

    private static func item(_ value: JSONValue, _ what: String) throws(Refusal) -> Item {
        let identifier = try itemName(of: value, what)
        let title = value["title"]?.stringValue ?? identifier
        var item = Item(
            identifier: identifier, title: try plain(title, "the title of \(identifier)", limit: titleLimit), value: .quantity(0),
            method: .counted)
        if let method = value["method"] {
            guard let known = method.stringValue.flatMap(Item.Method.init(rawValue:)) else {
                throw Refusal(reason: "the method of \(identifier) is none of counted, declared and estimated")
            }
            item.method = known
        }
        func number(_ key: String) throws(Refusal) -> Double {
            guard let number = value[key]?.doubleValue, number.isFinite, abs(number) <= valueLimit else {
                throw Refusal(reason: "\(identifier) has no number as its \(key)")
            }
            return number
        }
        switch value["kind"]?.stringValue {
        case "quantity": item.value = .quantity(try number("value"))
        case "score":
            let (score, max) = (try number("score"), try number("maxScore"))
            guard max > 0 else { throw Refusal(reason: "the maxScore of \(identifier) is not above 0") }
            item.value = .score(score, max: max)
        case "binary":
            guard let flag = value["value"]?.boolValue else { throw Refusal(reason: "\(identifier) is neither true nor false") }
            let type = value["valueType"].map { $0.stringValue.flatMap(Item.BinaryType.init(rawValue:)) } ?? .trueFalse
            guard let type else {
                throw Refusal(reason: "the valueType of \(identifier) is none of trueFalse, passFail, yesNo and correctIncorrect")
            }
            item.value = .binary(flag, type: type)
        default: throw Refusal(reason: "the kind of \(identifier) is none of quantity, score and binary")
        }
        return item
    }

    private static func itemName(of value: JSONValue, _ what: String) throws(Refusal) -> String {
        guard let identifier = value["identifier"]?.stringValue, ExternalAnalyzer.isItemIdentifier(identifier) else {
            throw Refusal(reason: "\(what) has no identifier of small letters, digits and underscores")
        }
        return identifier
    }

    /// A format or language: nil where there is none.
    private static func word(_ value: JSONValue?, _ key: String) throws(Refusal) -> String? {
        guard let value, value != .null else { return nil }
        guard let text = value.stringValue, (1...16).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") })
        else { throw Refusal(reason: "its \"\(key)\" is no short word of small letters") }
        return text
    }

    /// Text for people: nothing in it that could change how a terminal or page shows the rest.
    private static func plain(_ text: String, _ what: String, limit: Int) throws(Refusal) -> String {
        guard !text.isEmpty, text.unicodeScalars.count <= limit else {
            throw Refusal(reason: "\(what) is empty or longer than \(limit) characters")
        }
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                throw Refusal(reason: "\(what) holds characters that cannot be seen")
            default: break
            }
        }
        return text
    }
}

extension ExternalAnalyzer {
    package var json: JSONObject {
        [
            "name": .string(name), "command": .array(command.map(JSONValue.string)), "items": .array(items.map(JSONValue.string)),
            "seconds": .integer(Int64(seconds)), "megabytes": .integer(Int64(megabytes)), "processes": .integer(Int64(processes)),
        ]
    }

    /// Nil where it is none; limits that it does not name are the standard ones.
    package init?(json: JSONValue) {
        guard let name = json["name"]?.stringValue, Self.isName(name),
            let command = json["command"]?.arrayValue?.compactMap(\.stringValue), command.first?.hasPrefix("/") == true,
            !command.contains(where: { $0.utf8.contains(0) })
        else { return nil }
        func number(_ key: String, _ standard: Int, _ range: ClosedRange<Int>) -> Int? {
            guard let value = json[key] else { return standard }
            return value.integerValue.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
        }
        guard let seconds = number("seconds", Self.standardSeconds, 1...3600),
            let megabytes = number("megabytes", Self.standardMegabytes, 16...65_536),
            let processes = number("processes", Self.standardProcesses, 1...64)
        else { return nil }
        self.init(
            name: name, command: command, items: json["items"]?.arrayValue?.compactMap(\.stringValue) ?? [], seconds: seconds,
            megabytes: megabytes, processes: processes)
    }
}

extension Measurement {
    /// Takes in what an external analyzer gave, or why it gave nothing. A figure that is there already stays: its definition is the same
    /// in every document.
    package mutating func add(_ answer: Result<Measurement, ExternalProtocol.Refusal>, of analyzer: ExternalAnalyzer) {
        func note(_ reason: String) { notes.append(MissingItem(identifier: analyzer.name, reason: reason)) }
        let other: Measurement
        switch answer {
        case .failure(let refusal): return note("the analyzer \(analyzer.name) was of no use: \(refusal.reason)")
        case .success(let measurement): other = measurement
        }
        if let reason = other.error { return note("the analyzer \(analyzer.name) says: \(reason)") }
        var unnamed: [String] = []
        var known: [String] = []
        var taken = 0
        for item in other.items {
            if !analyzer.items.isEmpty, !analyzer.items.contains(item.identifier) {
                unnamed.append(item.identifier)
            } else if items.contains(where: { $0.identifier == item.identifier }) {
                known.append(item.identifier)
            } else {
                items.append(item)
                notes.removeAll { $0.identifier == item.identifier }
                taken += 1
            }
        }
        notes += other.notes.filter { new in !items.contains { $0.identifier == new.identifier } }
        if !unnamed.isEmpty { note("the analyzer \(analyzer.name) gave what its configuration does not name: \(Self.list(unnamed))") }
        if !known.isEmpty { note("the analyzer \(analyzer.name) gave what is counted already: \(Self.list(known))") }
        guard taken > 0 else { return }
        format = format ?? other.format
        language = language ?? other.language
        // Nobody else knows this kind of document, which is why it was configured.
        if let reason = error {
            error = nil
            if !items.contains(where: { $0.identifier == "total_word_count" }) {
                notes.append(MissingItem(identifier: "total_word_count", reason: reason))
            }
        }
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(4).joined(separator: ", ") + (names.count > 4 ? " and \(names.count - 4) more" : "")
    }
}
