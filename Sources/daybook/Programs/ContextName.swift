// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Reports

/// A piece of a program's content, as people name it: `daybook://APP/A/B`, or `APP/A/B`.
struct ContextName: Equatable {
    static let scheme = "daybook://"

    /// The app first.
    var path: [String]

    /// Nil for what is none.
    init?(_ text: String) {
        let isURL = text.hasPrefix(Self.scheme)
        let rest = isURL ? text.dropFirst(Self.scheme.count) : text[...]
        var path: [String] = []
        for part in rest.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let name = isURL ? Self.decoded(part) : String(part), !name.isEmpty else { return nil }
            path.append(name)
        }
        // The app names a file: it must not lead anywhere else.
        guard let app = path.first, !app.contains("/"), !app.hasPrefix("."), path.count <= Material.contextLevels else { return nil }
        self.path = path
    }

    var app: String { path[0] }

    private static func decoded(_ part: Substring.UTF8View.SubSequence) -> String? {
        var bytes: [UInt8] = []
        var rest = part[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }
}
