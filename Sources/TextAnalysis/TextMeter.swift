// SPDX-License-Identifier: Apache-2.0

/// Counts a document while it is read: blocks go in, in pieces of any size, and only sums stay, with the beginning of the running prose.
/// A text of any length so needs the same memory. One caller at a time.
package final class TextMeter {
    /// Words of running prose that are read for sentences, syllables and readability; figures of longer documents are estimated from these.
    package static let proseWords = 200_000
    /// Bytes of it; a text without spaces ends here.
    package static let proseBytes = 4 << 20
    /// Bytes of the body's beginning by which its language is guessed.
    static let sampleBytes = 32 << 10
    /// List items below are no sentences.
    static let leastItemWords = 4

    package let choice: MetricChoice
    /// Of all blocks of the body that have ended.
    package private(set) var body = TextTally()
    private(set) var apart: [Place: TextTally] = [:]
    private(set) var paragraphs = 0
    private(set) var standardWords = 0
    private(set) var sample: [UInt8] = []
    private(set) var prose = Prose()

    private let scanner = TextScanner()
    private var place = Place.paragraph
    private var tally = TextTally()
    /// The beginning of a character whose end has not come yet.
    private var unfinished: [UInt8] = []
    private var blockStart = 0
    private var wholeBlock: [UInt8] = []
    private let needsProse: Bool
    private let needsStandardWords: Bool

    package init(_ choice: MetricChoice = .standard) {
        self.choice = choice
        needsProse = choice.needsProse
        needsStandardWords = choice.wants("uax29_word_count")
    }

    /// A block of UTF-8; malformed bytes read as U+FFFD. Text without a visible character is no block.
    package func add(_ bytes: UnsafeRawBufferPointer, at place: Place) {
        begin(place)
        more(bytes)
        end()
    }

    package func add(_ text: String, at place: Place) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0), at: place) }
    }

    package func begin(_ place: Place) {
        self.place = place
        tally = TextTally()
        blockStart = prose.bytes.count
    }

    package func more(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        if !unfinished.isEmpty {
            // Rare: a piece was cut inside a character. Its first bytes are made whole before the rest is scanned where it lies.
            let head = min(bytes.count, 4)
            let joined = unfinished + bytes.prefix(head)
            let before = unfinished.count
            unfinished = []
            let taken = joined.withUnsafeBytes { scanner.add($0, to: &tally) }
            let used = max(0, taken - before)
            if taken < joined.count, head == bytes.count { unfinished = Array(joined[taken...]) }
            keep(UnsafeRawBufferPointer(rebasing: bytes[..<(unfinished.isEmpty ? used : bytes.count)]))
            if unfinished.isEmpty, used < bytes.count { more(UnsafeRawBufferPointer(rebasing: bytes[used...])) }
            return
        }
        let taken = scanner.add(bytes, to: &tally)
        if taken < bytes.count { unfinished = Array(bytes[taken...]) }
        keep(bytes)
    }

    package func end() {
        if !unfinished.isEmpty {
            unfinished = []
            tally.malformed += 1
        }
        scanner.end(&tally)
        defer {
            if needsProse { endProse() }
            wholeBlock.removeAll(keepingCapacity: true)
        }
        guard tally.visible > 0 else { return }
        guard place.isBody else {
            apart[place, default: TextTally()] += tally
            return
        }
        body += tally
        paragraphs += 1
        if needsStandardWords { standardWords += wholeBlock.withUnsafeBytes { TextAnalysis.standardWords($0) } }
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) {
        guard place.isBody else { return }
        if needsStandardWords { wholeBlock.append(contentsOf: bytes) }
        guard needsProse else { return }
        if sample.count < Self.sampleBytes { sample.append(contentsOf: bytes.prefix(Self.sampleBytes - sample.count)) }
        if Self.mayBeProse(place), !prose.isFull {
            prose.bytes.append(contentsOf: bytes.prefix(max(0, Self.proseBytes - prose.bytes.count)))
        }
    }

    /// Headings, captions, tables, code and short list items are no sentences.
    private static func mayBeProse(_ place: Place) -> Bool { place == .paragraph || place == .listItem }

    private func endProse() {
        if !sample.isEmpty, sample.count < Self.sampleBytes, place.isBody { sample.append(0x0a) }
        let isProse = Self.mayBeProse(place) && tally.words > 0 && (place == .paragraph || tally.words >= Self.leastItemWords)
        guard isProse else {
            prose.bytes.removeSubrange(blockStart...)
            return
        }
        prose.words += tally.words
        guard !prose.isFull else { return }
        prose.blocks.append(blockStart..<prose.bytes.count)
        prose.readWords += tally.words
        prose.isFull = prose.readWords >= Self.proseWords || prose.bytes.count >= Self.proseBytes
    }
}

/// Running prose: what is read of it, and how much there is.
struct Prose {
    var bytes: [UInt8] = []
    var blocks: [Range<Int>] = []
    /// In `blocks`, and in all.
    var readWords = 0
    var words = 0
    var isFull = false
}
