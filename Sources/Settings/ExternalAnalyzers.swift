// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

extension Settings.Analyzer {
    /// `[[analyzer.external]]`: a program, and the documents it is for.
    package struct External: Equatable, Sendable {
        package var analyzer: ExternalAnalyzer
        /// Of names without folders; empty: all.
        package var patterns: [String] = []
        /// Paths of shares; empty: all.
        package var shares: [String] = []

        package init(_ analyzer: ExternalAnalyzer, patterns: [String] = [], shares: [String] = []) {
            self.analyzer = analyzer
            self.patterns = patterns
            self.shares = shares
        }

        func fits(share: String, name: String) -> Bool {
            (shares.isEmpty || shares.contains(share)) && (patterns.isEmpty || patterns.contains { NamePattern.matches($0, name) })
        }
    }

    /// The external analyzers of a document: those that are `asked` for by name, as an assignment may, or where that is empty, those that its
    /// share and name choose.
    package func externals(share: String, name: String, asked: [String] = []) -> [ExternalAnalyzer] {
        external.filter { asked.isEmpty ? $0.fits(share: share, name: name) : asked.contains($0.analyzer.name) }.map(\.analyzer)
    }
}

/// Patterns of names: `*` stands for any text, `?` for one character, and capitals do not matter.
enum NamePattern {
    static func matches(_ pattern: String, _ name: String) -> Bool {
        let pattern = Array(pattern.lowercased().unicodeScalars)
        let name = Array(name.lowercased().unicodeScalars)
        var (place, index) = (0, 0)
        // Where to go on when the last * has to stand for one more character.
        var retry: (place: Int, index: Int)?
        while index < name.count {
            if place < pattern.count, pattern[place] == "*" {
                retry = (place, index)
                place += 1
            } else if place < pattern.count, pattern[place] == "?" || pattern[place] == name[index] {
                place += 1
                index += 1
            } else if let last = retry {
                retry = (last.place, last.index + 1)
                place = last.place + 1
                index = last.index + 1
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}

extension SettingsDecoder {
    mutating func readExternalAnalyzers(_ tables: [TableReader]) {
        for table in tables {
            var table = table
            let name = table.text("name")
            let command = texts(&table, "command", wanted: "a list of texts: the program and its arguments")
            var external = Settings.Analyzer.External(ExternalAnalyzer(name: name?.value ?? "", command: command?.map(\.value) ?? []))
            external.patterns = texts(&table, "patterns", wanted: "a list of names, such as \"*.sb3\"")?.map(\.value) ?? []
            for share in texts(&table, "shares", wanted: "a list of paths") ?? [] {
                if let path = absolutePath(share, of: "shares") { external.shares.append(path.value) }
            }
            for item in texts(&table, "items", wanted: "a list of identifiers") ?? [] {
                if !ExternalAnalyzer.isItemIdentifier(item.value) {
                    mistakes.add(item.position, "'\(shown(item.value))' names no item; small letters, digits and underscores are meant")
                }
                external.analyzer.items.append(item.value)
            }
            var time = Duration.seconds(ExternalAnalyzer.standardSeconds)
            table.duration("time-limit", into: &time, in: .seconds(1) ... .seconds(3600))
            external.analyzer.seconds = Int(time.components.seconds)
            var memory = ExternalAnalyzer.standardMegabytes << 20
            table.size("memory-limit", into: &memory, in: 16 << 20...64 << 30)
            external.analyzer.megabytes = memory >> 20
            table.number("processes", into: &external.analyzer.processes, in: 1...64)
            table.finish()
            check(external.analyzer, table, name: name, command: command)
            settings.analyzer.external.append(external)
        }
    }

    private func check(_ analyzer: ExternalAnalyzer, _ table: TableReader, name: Located<String>?, command: [Located<String>]?) {
        if let name {
            if !ExternalAnalyzer.isName(name.value) {
                mistakes.add(name.position, "'\(shown(name.value))' is no name of an analyzer; small letters, digits and hyphens are meant")
            } else if settings.analyzer.external.contains(where: { $0.analyzer.name == name.value }) {
                mistakes.add(name.position, "there is an analyzer \(name.value) already")
            }
        } else if table.lacks("name"), !isPartial {
            mistakes.add(table.position, "this analyzer has no name; write name = \"…\"")
        }
        if let program = command?.first {
            _ = absolutePath(program, of: "command")
        } else if !isPartial {
            mistakes.add(table.position, "this analyzer has no command; write command = [\"/usr/local/lib/…\"]")
        }
    }

    /// Nil where there is no such list, or where it is none.
    private func texts(_ table: inout TableReader, _ key: String, wanted: String) -> [Located<String>]? {
        table.list(key, wanted: wanted, orOne: true)?.value.compactMap { value in
            if case .string(let text) = value.content { return Located(value: text, position: value.position) }
            mistakes.add(value.position, "\(key) holds texts in quotes, not \(value.kindName)")
            return nil
        }
    }
}
