// SPDX-License-Identifier: Apache-2.0
import CSystemd
import DaybookLinux
import Glibc
import Synchronization

/// Log lines for whoever runs the machine, as entries of systemd's journal with own fields (`DAYBOOK_…`).
///
/// One line per event: fixed text first, values as fields. Values that could name a student or their work are hidden by their type
/// before they leave (`LogValue`). May be used from every thread.
package final class SystemJournal: Sendable {
    /// By who must act.
    package enum Level: Int32, Comparable, Sendable {
        /// Our own mistake.
        case fault = 2
        /// Something on this machine needs a person.
        case error = 3
        /// Needed to understand a report.
        case notice = 5
        /// Only while hunting.
        case debug = 7

        package static func < (left: Level, right: Level) -> Bool { left.rawValue > right.rawValue }
    }

    package enum Destination: Equatable, Sendable {
        /// systemd's journal; standard error where its socket is absent.
        case automatic
        /// For a daemon in the foreground.
        case standardError
        /// A descriptor that outlives the journal, in the form of standard error.
        case descriptor(Int32)
    }

    private let identifier: String
    private let showsNames: Bool
    private let leastLevel: Level
    private let destination: Destination
    private let repetitions = Mutex(Repetitions())

    /// `showsNames` is the owner's opt-in to see paths and names.
    package init(identifier: String, showsNames: Bool = false, leastLevel: Level = .notice, destination: Destination = .automatic) {
        self.identifier = identifier
        self.showsNames = showsNames
        self.leastLevel = leastLevel
        self.destination = destination
    }

    package typealias Fields = KeyValuePairs<StaticString, LogValue>

    package func fault(_ message: StaticString, _ fields: Fields = [:], id: MessageID? = nil) { log(.fault, message, fields, id) }

    package func error(_ message: StaticString, _ fields: Fields = [:], id: MessageID? = nil) { log(.error, message, fields, id) }

    package func notice(_ message: StaticString, _ fields: Fields = [:], id: MessageID? = nil) { log(.notice, message, fields, id) }

    package func debug(_ message: StaticString, _ fields: Fields = [:], id: MessageID? = nil) { log(.debug, message, fields, id) }

    /// `message` is the same for every event of its kind, and what repetitions are counted by.
    package func log(_ level: Level, _ message: StaticString, _ fields: Fields, _ id: MessageID?) {
        guard level >= leastLevel else { return }
        let text = "\(message)"
        let verdict = repetitions.withLock { $0.admit(text, now: Clocks.bootMicroseconds()) }
        guard case .write(let suppressed) = verdict else { return }
        var values = fields.map { (name: "\($0.key)", value: $0.value.text(showsNames: showsNames)) }
        if suppressed > 0 { values.append((name: "left-out-before", value: String(suppressed))) }
        let line = ([text] + values.map { "\($0.name)=\($0.value)" }).joined(separator: " ")
        if destination == .automatic, Self.hasJournal, sendToJournal(level, line, values, id) { return }
        writeLine(level, line)
    }

    // MARK: systemd's journal

    private static let socketPath = "/run/systemd/journal/socket"

    // libsystemd reports success where the socket is absent, so it has to be looked for.
    private static var hasJournal: Bool { access(socketPath, W_OK) == 0 }

    private func sendToJournal(_ level: Level, _ line: String, _ values: [(name: String, value: String)], _ id: MessageID?) -> Bool {
        var entry = ["MESSAGE=\(line)", "PRIORITY=\(level.rawValue)", "SYSLOG_IDENTIFIER=\(identifier)"]
        if let id { entry.append("MESSAGE_ID=\(id.hex)") }
        entry += values.map { "\(Self.fieldName($0.name))=\($0.value)" }
        // One run of bytes with the ranges of its fields, so that all iovecs point into one buffer.
        var bytes: [UInt8] = []
        var ranges: [Range<Int>] = []
        for field in entry {
            let start = bytes.count
            bytes.append(contentsOf: field.utf8)
            ranges.append(start..<bytes.count)
        }
        let result = bytes.withUnsafeMutableBytes { buffer -> Int32 in
            let parts = ranges.map { iovec(iov_base: buffer.baseAddress?.advanced(by: $0.lowerBound), iov_len: $0.count) }
            return sd_journal_sendv(parts, Int32(parts.count))
        }
        return result >= 0
    }

    /// `left-out` becomes `DAYBOOK_LEFT_OUT`; the journal refuses other characters.
    static func fieldName(_ name: String) -> String {
        let letters = name.utf8.prefix(48).map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
            default: UInt8(ascii: "_")
            }
        }
        return "DAYBOOK_" + String(decoding: letters, as: UTF8.self)
    }

    // MARK: Standard error

    /// What a pipe takes at once or not at all (PIPE_BUF), so that lines of several threads do not mix.
    private static let longestLine = 4096

    private func writeLine(_ level: Level, _ line: String) {
        let descriptor: Int32 = if case .descriptor(let number) = destination { number } else { STDERR_FILENO }
        // systemd and its relatives read the level from this prefix; people at a terminal do not want it.
        let prefix = isatty(descriptor) == 1 ? "" : "<\(level.rawValue)>"
        var bytes = Array("\(prefix)\(identifier): \(line)".utf8.prefix(Self.longestLine - 1))
        bytes.append(UInt8(ascii: "\n"))
        // A full pipe loses the line rather than stop the loop.
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&ready, 1, 0) == 1 else { return }
        _ = write(descriptor, bytes, bytes.count)
    }
}

/// Names a kind of entry in systemd's journal; the catalog explains it to administrators.
package struct MessageID: Hashable, Sendable {
    /// 32 hexadecimal digits.
    package let hex: String

    /// The digits are checked by a test of each catalog entry, not here.
    package init(_ hex: StaticString) { self.hex = "\(hex)" }
}
