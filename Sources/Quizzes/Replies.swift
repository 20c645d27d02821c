// SPDX-License-Identifier: Apache-2.0
import ClassLists

/// What a student wrote, as far as it may answer a key.
package enum ReplySource: Equatable, Sendable {
    /// A table `id,answer`, with or without a first line that says so.
    case table([UInt8])
    /// A document's text, piece by piece.
    case pieces([Piece])

    package struct Piece: Equatable, Sendable {
        package enum Place: Sendable { case text, listItem, cell }

        package var text: String
        package var place: Place

        package init(_ text: String, at place: Place = .text) {
            self.text = text
            self.place = place
        }
    }
}

/// Which answer is to which question.
struct Replies {
    /// By the question's place in the key; what comes later replaces what came before.
    private(set) var texts: [Int: String] = [:]
    /// Questions with more than one answer.
    private(set) var repeated: Set<Int> = []
    /// Ids that the key does not have.
    private(set) var unknown: [String] = []
    /// Nothing said which question they answer, so they were taken in their order.
    private(set) var areByOrder = false

    private let key: QuizKey
    private let text: ReplyText
    private let places: [String: Int]
    private let names: [String: Int]

    init(_ source: ReplySource, to key: QuizKey, _ text: ReplyText) {
        self.key = key
        self.text = text
        places = Dictionary(key.questions.enumerated().map { (text.folded($1.id), $0) }) { first, _ in first }
        names = Dictionary(
            key.questions.enumerated().compactMap { index, question in question.name.map { (text.folded($0), index) } }
        ) { first, _ in first }
        switch source {
        case .table(let bytes): read(table: bytes)
        case .pieces(let pieces): read(pieces)
        }
    }

    private mutating func add(_ reply: String, to place: Int) {
        let reply = Lines.trimmed(reply)
        guard !reply.isEmpty else { return }
        if texts[place] != nil { repeated.insert(place) }
        texts[place] = reply
    }

    private mutating func addUnknown(_ id: String) {
        let id = Lines.trimmed(id)
        if CSVKey.isID(id), !unknown.contains(id), unknown.count < 1000 { unknown.append(id) }
    }

    // MARK: Tables

    private mutating func read(table bytes: [UInt8]) {
        var scanner = CSVScanner(bytes[...], separator: CSVScanner.separator(bytes[...]))
        var columns = (id: 0, answer: 1)
        var isFirst = true
        while let record = scanner.next(), !record.isLast {
            let names = record.fields.map { text.folded($0) }
            defer { isFirst = false }
            if isFirst, let id = names.firstIndex(of: "id"), let answer = names.firstIndex(of: "answer") {
                columns = (id, answer)
                continue
            }
            guard record.fields.indices.contains(columns.id), record.fields.indices.contains(columns.answer) else { continue }
            let id = record.fields[columns.id]
            if let place = place(of: id) { add(record.fields[columns.answer], to: place) } else if !isFirst { addUnknown(id) }
        }
    }

    /// A question by what a student calls it: its id, with or without a word before it and a mark after it, or its name.
    private func place(of label: String) -> Int? {
        let bare = text.folded(label)
        if let place = places[bare] ?? names[bare] { return place }
        return ReplyLabel.bareID(bare).flatMap { places[$0] }
    }

    // MARK: Documents

    private mutating func read(_ pieces: [ReplySource.Piece]) {
        let lines = pieces.flatMap { piece in
            Lines.split(piece.text).map { ReplySource.Piece(Lines.trimmed(Self.withoutMarkup($0)), at: piece.place) }
        }
        if readCopy(pieces.flatMap { Lines.split($0.text).map { Lines.trimmed($0.replacing("**", with: "")) } }) { return }
        var waiting: Int?
        var index = 0
        while index < lines.count {
            let line = lines[index]
            index += 1
            if line.text.isEmpty { continue }
            if line.place == .cell, index < lines.count, lines[index].place == .cell, let place = place(of: line.text) {
                add(lines[index].text, to: place)
                index += 1
                waiting = nil
                continue
            }
            if let (place, rest) = labelled(line.text) {
                add(rest, to: place)
                waiting = rest.isEmpty || isOpenEnded(place) ? place : nil
            } else if let place = waiting {
                // The answer stands below its number; pairs take a line each.
                let known = texts[place]
                texts[place] = known.map { $0 + "\n" + line.text } ?? line.text
                if !isOpenEnded(place) { waiting = nil }
            } else if let id = ReplyLabel(line.text)?.markedID {
                addUnknown(id)
            }
        }
        if texts.isEmpty { readByOrder(lines) }
    }

    private func isOpenEnded(_ place: Int) -> Bool {
        if case .pairs = key.questions[place].kind { true } else { false }
    }

    /// A line that says which question it answers, and the answer.
    private func labelled(_ line: String) -> (Int, String)? {
        // A name of the key, before a colon.
        if let colon = line.firstIndex(of: ":"), let place = names[text.folded(String(line[..<colon]))] {
            return (place, Lines.trimmed(line[line.index(after: colon)...]))
        }
        guard let label = ReplyLabel(line), let place = places[text.folded(label.id)] else { return nil }
        return (place, label.rest)
    }

    /// Answers in a list, or as many lines as there are questions.
    private mutating func readByOrder(_ lines: [ReplySource.Piece]) {
        let asked = key.questions.indices.filter { key.questions[$0].isScorable }
        let items = lines.filter { $0.place == .listItem && !$0.text.isEmpty }
        let all = lines.filter { !$0.text.isEmpty && !$0.text.hasPrefix("#") }
        let chosen = items.isEmpty ? all : items
        guard items.isEmpty ? chosen.count == asked.count : chosen.count <= asked.count, !chosen.isEmpty else { return }
        areByOrder = true
        for (place, line) in zip(asked, chosen) { add(line.text, to: place) }
    }

    /// `**B**` and `` `B` `` as Markdown has them, and marks of lists.
    private static func withoutMarkup(_ line: Substring) -> String {
        var bare = Lines.trimmed(line)
        for mark in ["- ", "* ", "+ ", "\u{2022} ", "> "] where bare.hasPrefix(mark) { bare = Lines.trimmed(bare.dropFirst(mark.count)) }
        return bare.replacing("**", with: "").replacing("__", with: "")
    }

    // MARK: Copies of the key with answers filled in

    /// False where this is none.
    private mutating func readCopy(_ lines: [String]) -> Bool {
        let found = key.form == .gift ? CopiedAnswer.gift(lines) : CopiedAnswer.aiken(lines)
        guard !found.isEmpty else { return false }
        // Of a text with a gap, what stands before it.
        let stems = Dictionary(
            key.questions.enumerated().map { place, question in
                let stem = Substring(question.stem)
                return (text.folded(String(stem.firstRange(of: "_____").map { stem[..<$0.lowerBound] } ?? stem)), place)
            }
        ) { first, _ in first }
        let matched = found.map { answer -> Int? in
            answer.name.flatMap { names[text.folded($0)] } ?? stems[text.folded(answer.stem)]
                ?? ReplyLabel(answer.stem).flatMap { label in stems[text.folded(label.rest)] ?? places[text.folded(label.id)] }
        }
        // Braces in a text of another kind are no copy.
        let isCopy = matched.contains { $0 != nil } || found.count == key.questions.count
        guard isCopy else { return false }
        if matched.allSatisfy({ $0 == nil }) { areByOrder = true }
        for (index, answer) in found.enumerated() {
            if let place = matched[index] ?? (areByOrder ? index : nil) { add(answer.reply, to: place) }
        }
        return true
    }
}
