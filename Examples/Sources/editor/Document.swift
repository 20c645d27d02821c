// SPDX-License-Identifier: Apache-2.0
import ClassKit

/// A file that is edited, and what is reported of the work on it. Whether it is assigned at all does not matter here: ClassKit drops what nobody asked for.
struct Document {
    let url: URL
    /// Words that are to be written.
    let goal: Int

    func read() -> String { (try? String(contentsOf: url, encoding: .utf8)) ?? "" }

    /// Writes into the same file, as a file that is shared stays shared then.
    func write(_ text: String) -> Bool {
        (try? text.write(to: url, atomically: false, encoding: .utf8)) != nil
    }

    /// The timer runs from here.
    func opened() async {
        do {
            let activity = try await CLSDataStore.shared.fetchActivity(for: url)
            activity.start()
            try await CLSDataStore.shared.save()
        } catch {
            // Whoever writes does not need ClassKit for it.
        }
    }

    /// Results first, then progress, then stop, then save.
    func closed(_ text: String) async {
        do {
            let activity = try await CLSDataStore.shared.fetchActivity(for: url)
            let figures = TextFigures(text)

            let words = CLSQuantityItem(identifier: "total_word_count", title: "Word Count")
            words.quantity = Double(figures.words)
            activity.primaryActivityItem = words

            if let index = figures.readability {
                let readability = CLSQuantityItem(identifier: "automated_readability_index", title: "Automated Readability Index")
                readability.quantity = index
                activity.addAdditionalActivityItem(readability)
            }

            activity.progress = min(1, Double(figures.words) / Double(goal))
            activity.stop()
            try await CLSDataStore.shared.save()
        } catch {
            print("(not reported: \(error.localizedDescription))")
        }
    }
}

/// Simple figures of a text.
struct TextFigures {
    let words: Int
    /// The Automated Readability Index; nil for a text without a sentence.
    let readability: Double?

    init(_ text: String) {
        let found = text.split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" }
        words = found.count
        let sentences = text.split { ".!?".contains($0) }.count { $0.contains { $0.isLetter } }
        let letters = found.reduce(0) { $0 + $1.count }
        guard words > 0, sentences > 0 else {
            readability = nil
            return
        }
        let index = 4.71 * Double(letters) / Double(words) + 0.5 * Double(words) / Double(sentences) - 21.43
        readability = (index * 10).rounded() / 10
    }
}
