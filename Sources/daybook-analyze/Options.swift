// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import AnalyzerClient
import DaybookJSON

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
    /// The analyzers wanted, built-in and external; empty means all.
    var analyzers: [String] = []
    var external: [ExternalAnalyzer] = []
    /// Where the quiz key is, and what it says once it has been read.
    var keyPath: [UInt8]?
    var key: AnswerKey?
    var limits = WorkerLimits()

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
            case "--analyzer": analyzers.append(try value("the name of an analyzer"))
            case "--external":
                let text = try value("an external analyzer as JSON")
                guard let json = try? JSONValue(parsing: text), let analyzer = ExternalAnalyzer(json: json) else {
                    throw Failure(message: "--external takes a JSON object with a name and a command, the program by its absolute path")
                }
                external.append(analyzer)
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
