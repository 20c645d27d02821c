// SPDX-License-Identifier: Apache-2.0
package import DaybookLinux

/// A value in a log line. What could name a student or their work is hidden by its type; see `SystemJournal.init(showsNames:)`.
package enum LogValue: Equatable, Sendable {
    case count(Int)
    case number(UInt64)
    case duration(Duration)
    /// Words from the program's own text.
    case fixed(StaticText)
    /// Words about the machine, the settings or an error, without a person, a document or a folder below a share.
    case plain(String)
    case error(SystemCallError)
    /// A process of a person says much and names nobody.
    case process(Int32)
    /// Hidden.
    case path([UInt8])
    /// Hidden: a login or a display name.
    case name(String)
    /// Hidden: it names a person as well as a login does.
    case user(UInt32)

    /// What stands for a hidden value.
    package static let hidden = "(hidden)"

    /// One line of printable text.
    func text(showsNames: Bool) -> String {
        switch self {
        case .count(let value): String(value)
        case .number(let value): String(value)
        case .duration(let value): Self.seconds(value)
        case .fixed(let value): value.text
        case .plain(let value): oneLine(value.utf8)
        case .error(let value): oneLine(value.description.utf8)
        case .process(let value): String(value)
        case .path(let value): showsNames ? oneLine(value) : Self.hidden
        case .name(let value): showsNames ? oneLine(value.utf8) : Self.hidden
        case .user(let value): showsNames ? String(value) : Self.hidden
        }
    }

    /// `1.250s`
    private static func seconds(_ span: Duration) -> String {
        let (whole, attoseconds) = span.components
        let milliseconds = String(abs(attoseconds / 1_000_000_000_000_000))
        let sign = whole == 0 && attoseconds < 0 ? "-" : ""
        return "\(sign)\(whole)." + String(repeating: "0", count: 3 - milliseconds.count) + milliseconds + "s"
    }
}

/// Text that is in the program and therefore names nobody.
package struct StaticText: Equatable, Sendable, ExpressibleByStringLiteral {
    let text: String

    package init(stringLiteral value: StaticString) { text = "\(value)" }
}

/// No value is longer in a log line.
let longestLogValue = 1024

/// Text on one line: what terminals act on, and what would forge a line or turn its direction, is shown by its number.
func oneLine(_ bytes: some Collection<UInt8>) -> String {
    var result = ""
    for scalar in String(decoding: bytes.prefix(longestLogValue), as: UTF8.self).unicodeScalars {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
            result += "\\u{" + String(scalar.value, radix: 16) + "}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return bytes.count > longestLogValue ? result + "…" : result
}
