// SPDX-License-Identifier: Apache-2.0
import AnalyzerClient

/// What the command line asks for.
struct Options: Equatable {
    enum Mode: Equatable {
        case help, version, checkSandbox
        /// Files to measure, as bytes: a name need not be UTF-8.
        case files([[UInt8]])
        /// A connected or listening socket: this descriptor, or what systemd passes.
        case service(descriptor: Int32?)
    }

    struct Failure: Error, Equatable { var message: String }

    var mode = Mode.files([])
    var isJSON = false
    /// The figures wanted; empty means all.
    var only: [String] = []
    /// Where the quiz key is, and what it says once it has been read.
    var keyPath: [UInt8]?
    var key: AnswerKey?
    var limits = WorkerLimits()

    static let help = """
        usage: daybook-analyze [--json] [--only FIGURE,…] FILE…
               daybook-analyze --fd N | --listen

        Measures documents: words, sentences, slides, readability. Each document is read in a process of its own that has no file system,
        no network, and little memory and time, so that a hostile document harms nothing.

          --json               one line of JSON for each file
          --only FIGURE,…      these figures alone, e.g. total_word_count; nothing else is computed
          --key FILE           score answers by this quiz key, in GIFT, Aiken or CSV
          --fd N               serve the connected or listening socket that is descriptor N
          --listen             serve the sockets that systemd passes (the default where it passes any)
          --check-sandbox      try what a reading process must not do, and say what was refused
          --time-limit SECONDS for one document (\(WorkerLimits.standardSeconds))
          --memory-limit MB    for one document (\(WorkerLimits.standardMegabytes))
          --help, --version

        Exit status: 0 all files measured, 1 at least one could not be, 2 wrong usage.
        """

    /// `socketsPassed` says whether systemd passed any.
    init(_ arguments: [[UInt8]], socketsPassed: Bool) throws(Failure) {
        var files: [[UInt8]] = []
        var chosen: Mode?
        var rest = arguments[...]
        var optionsEnded = false
        while let argument = rest.popFirst() {
            guard !optionsEnded, argument.first == UInt8(ascii: "-"), argument.count > 1 else {
                files.append(argument)
                continue
            }
            var name = String(decoding: argument, as: UTF8.self)
            var attached: String?
            if let equals = name.firstIndex(of: "=") {
                attached = String(name[name.index(after: equals)...])
                name = String(name[..<equals])
            }
            func value(_ what: String) throws(Failure) -> String {
                guard let text = attached ?? rest.popFirst().map({ String(decoding: $0, as: UTF8.self) }) else {
                    throw Failure(message: "\(name) needs \(what) after it")
                }
                return text
            }
            func path(_ what: String) throws(Failure) -> [UInt8] {
                // Bytes: a name need not be UTF-8.
                if attached != nil, let equals = argument.firstIndex(of: UInt8(ascii: "=")) { return Array(argument[(equals + 1)...]) }
                guard let bytes = rest.popFirst() else { throw Failure(message: "\(name) needs \(what) after it") }
                return bytes
            }
            func number(_ range: ClosedRange<Int>) throws(Failure) -> Int {
                let text = try value("a number")
                guard let number = Int(text), range.contains(number) else {
                    throw Failure(message: "\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
                }
                return number
            }
            switch name {
            case "--": optionsEnded = true
            case "--json": isJSON = true
            case "--only":
                let list = try value("the names of figures").split(separator: ",").map(String.init)
                guard !list.isEmpty else { throw Failure(message: "--only needs the names of figures after it, e.g. total_word_count") }
                only += list
            case "--key": keyPath = try path("the file of a quiz key")
            case "--help", "-h": chosen = .help
            case "--version": chosen = .version
            case "--check-sandbox": chosen = .checkSandbox
            case "--listen": chosen = .service(descriptor: nil)
            case "--fd": chosen = .service(descriptor: Int32(try number(3...1023)))
            case "--time-limit": limits.seconds = try number(1...3600)
            case "--memory-limit": limits.megabytes = try number(64...65536)
            default: throw Failure(message: "there is no option \(name)")
            }
        }
        if let chosen {
            if case .service = chosen, !files.isEmpty { throw Failure(message: "a service takes no files") }
            mode = chosen
        } else if !files.isEmpty {
            mode = .files(files)
        } else if socketsPassed {
            mode = .service(descriptor: nil)
        } else {
            throw Failure(message: "which file?")
        }
    }
}
