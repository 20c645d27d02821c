// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import DaybookJSON

/// Why a stored line is no entry. It names fields, never what they hold.
package enum EntryError: Error, Equatable, Sendable, CustomStringConvertible {
    case json(JSONError)
    case tooLong(limit: Int)
    case notAnObject
    /// Written by a later version whose lines mean something else.
    case version(Int64)
    case missing(field: String)
    case mistyped(field: String)
    /// A word that this version does not know, where one of a few is expected.
    case unknownWord(field: String)

    package var description: String {
        switch self {
        case .json(let error): error.description
        case .tooLong(let limit): "the line is longer than \(limit) bytes"
        case .notAnObject: "the line is no JSON object"
        case .version(let version):
            "the line has format \(version); this version of Daybook reads up to \(JournalFormat.version), so update it"
        case .missing(let field): "the field \(field) is missing"
        case .mistyped(let field): "the field \(field) has another type than it should, or a value out of range"
        case .unknownWord(let field): "the field \(field) has a word that this version does not know"
        }
    }
}

/// Reads lines. Keeps a parser and the last boot id, so it is for one thread.
///
/// An entry of a kind that this version does not know is `.unknown`; unknown fields are ignored. An erased or base line has no clocks: its
/// entry has 1970, an empty boot id and 0 there.
package struct EntryDecoder: ~Copyable {
    private var parser = JSONParser(limits: JSONLimits(bytes: JournalFormat.longestLine, depth: 64, members: 1 << 20))
    private var boot = BootID(text: "")
    private var share = ""

    package init() {}

    package mutating func entry(from line: UnsafeRawBufferPointer) throws(EntryError) -> Entry {
        guard line.count <= JournalFormat.longestLine else { throw .tooLong(limit: JournalFormat.longestLine) }
        let tree: JSONTree
        do { tree = try parser.tree(of: line) } catch { throw .json(error) }
        guard tree.root.isObject else { throw .notAnObject }
        var fields = FieldReader(tree.root, share: share)
        let seq = try fields.number("seq", as: UInt64.self)
        guard seq > 0 else { throw .mistyped(field: "seq") }
        let kind = try fields.bytes("kind")
        if kind.elementsEqual("erased".utf8) || kind.elementsEqual("base".utf8) {
            return Entry(
                seq: seq, at: WallTime(microseconds: 0), boot: BootID(text: ""), mono: BootTime(microseconds: 0),
                body: kind.count == 4 ? .base : .erased)
        }
        let version = try fields.number("v", as: Int64.self)
        guard (1...JournalFormat.version).contains(version) else { throw .version(version) }
        let bootBytes = try fields.bytes("boot")
        if !bootBytes.elementsEqual(boot.text.utf8) { boot = BootID(text: String(decoding: bootBytes, as: UTF8.self)) }
        let entry = Entry(
            seq: seq, at: try fields.wallTime("at"), boot: boot, mono: try fields.bootTime("mono"), body: try fields.body(kind: kind))
        share = fields.lastShare
        return entry
    }

    package mutating func entry(from line: some Collection<UInt8>) throws(EntryError) -> Entry {
        let bytes = Array(line)
        // `withUnsafeBytes` passes typed errors on only since its rethrowing form: keep the result outside.
        let result: Result<Entry, EntryError> = bytes.withUnsafeBytes { buffer in
            do throws(EntryError) { return .success(try entry(from: buffer)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
