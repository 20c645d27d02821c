// SPDX-License-Identifier: Apache-2.0

/// What `testparm -s` says of a Samba server: the settings that differ from Samba's own defaults, with every name in one spelling.
struct SambaSettings: Equatable, Sendable {
    struct Share: Equatable, Sendable {
        var name: String
        var values: [String: String]
    }

    var global: [String: String] = [:]
    var shares: [Share] = []

    /// Never fails: what is no setting is left out. The last of several equal settings counts, as for Samba.
    init(parsing text: String) {
        var current: Share?
        func finish(_ settings: inout SambaSettings, _ share: Share?) {
            guard let share else { return }
            if share.name.lowercased() == "global" {
                settings.global.merge(share.values) { $1 }
            } else {
                settings.shares.append(share)
            }
        }
        for line in text.split(whereSeparator: \.isNewline) {
            let line = Self.trimmed(line)
            if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                finish(&self, current)
                current = Share(name: String(Self.trimmed(line.dropFirst().dropLast())), values: [:])
            } else if let equals = line.firstIndex(of: "=") {
                current?.values[Self.spelled(line[..<equals])] = Self.unquoted(Self.trimmed(line[line.index(after: equals)...]))
            }
        }
        finish(&self, current)
    }

    /// Of a share, else the server's default for all; nil where it is not set, or set to nothing.
    func value(_ key: String, of share: Share? = nil) -> String? {
        let key = Self.spelled(key[...])
        return (share?.values[key] ?? global[key]).flatMap { $0.isEmpty ? nil : $0 }
    }

    func isYes(_ key: String, of share: Share? = nil) -> Bool {
        value(key, of: share).map { ["yes", "true", "1", "on"].contains($0.lowercased()) } ?? false
    }

    func isNo(_ key: String, of share: Share? = nil) -> Bool {
        value(key, of: share).map { ["no", "false", "0", "off"].contains($0.lowercased()) } ?? false
    }

    /// The modules of a share by their names, without the `:instance` behind one.
    func modules(of share: Share) -> [String] {
        let list = value("vfs objects", of: share) ?? value("vfs object", of: share) ?? ""
        return list.split { $0 == " " || $0 == "," || $0 == "\t" }.map { String($0.prefix { $0 != ":" }) }
    }

    /// Samba sees neither capitals nor spaces in the names of settings: `shadow: snapdir` is `shadow:snapdir`.
    private static func spelled(_ key: Substring) -> String { key.filter { !$0.isWhitespace }.lowercased() }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    /// Samba takes quotes around a value away.
    private static func unquoted(_ text: Substring) -> String {
        text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"") ? String(text.dropFirst().dropLast()) : String(text)
    }
}

/// A path in Samba's configuration, whose names may hold variables such as `%U`: what they stand for is known at a connection only.
struct SambaPath: Equatable, Sendable {
    /// Nil where a name holds a variable, so that it may be any that fits around it.
    private enum Name: Equatable {
        case exactly(Substring)
        case like(prefix: Substring, suffix: Substring)
    }

    private let names: [Name]

    init(_ text: String) {
        names = text.split(separator: "/").filter { $0 != "." }.map { name in
            guard let start = name.firstIndex(of: "%") else { return .exactly(name) }
            // `%U`, `%$(NAME)`, `%i`…: after the last one stands what is fixed again.
            let last = name.lastIndex(of: "%") ?? start
            var rest = name[name.index(after: last)...]
            if rest.hasPrefix("$("), let close = rest.firstIndex(of: ")") {
                rest = rest[rest.index(after: close)...]
            } else {
                rest = rest.dropFirst()
            }
            return .like(prefix: name[..<start], suffix: rest)
        }
    }

    /// Whether one may lie at or below the other.
    func meets(_ path: String) -> Bool {
        zip(names, path.split(separator: "/")).allSatisfy { name, other in
            switch name {
            case .exactly(let text): text == other
            case .like(let prefix, let suffix):
                other.count >= prefix.count + suffix.count && other.hasPrefix(prefix) && other.hasSuffix(suffix)
            }
        }
    }

    /// The names below a watched folder, with a stand-in for what is not known; nil where it does not lie at or below it.
    func below(_ path: String) -> [String]? {
        let depth = path.split(separator: "/").count
        guard names.count >= depth, meets(path) else { return nil }
        return names.dropFirst(depth).map { name in
            switch name {
            case .exactly(let text): String(text)
            case .like(let prefix, let suffix): "\(prefix)x\(suffix)"
            }
        }
    }
}
