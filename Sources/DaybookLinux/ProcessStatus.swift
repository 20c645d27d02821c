// SPDX-License-Identifier: Apache-2.0

/// What `/proc/PID/status` says of a process.
package struct ProcessStatus: Equatable, Sendable {
    /// The command's name as the kernel shows it, at most 15 bytes; any bytes, chosen by the process.
    package var command: [UInt8]
    package var pid: Int32
    package var parent: Int32
    package var realUID: UInt32
    package var effectiveUID: UInt32
    /// The uid that file accesses are made with: smbd serves with its client's here.
    package var fileUID: UInt32
    package var fileGID: UInt32
    package var groups: [UInt32]

    /// Nil where a line that every kernel writes is missing or malformed.
    package init?(parsing text: [UInt8]) {
        var command: [UInt8]?
        var numbers: [String: [UInt32]] = [:]
        for line in text.split(separator: UInt8(ascii: "\n")) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
            switch String(decoding: line[..<colon], as: UTF8.self) {
            // Only the first: the kernel escapes line breaks in the name, so that it cannot forge the lines below.
            case "Name" where command == nil: command = Array(value)
            case let key where ["Tgid", "PPid", "Uid", "Gid", "Groups"].contains(key) && numbers[key] == nil:
                var list: [UInt32] = []
                for word in value.split(whereSeparator: { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }) {
                    guard let number = UInt32(String(decoding: word, as: UTF8.self)) else { return nil }
                    list.append(number)
                }
                numbers[key] = list
            default: break
            }
        }
        guard let command, let pid = numbers["Tgid"]?.first.flatMap({ Int32(exactly: $0) }),
            let parent = numbers["PPid"]?.first.flatMap({ Int32(exactly: $0) }), let uids = numbers["Uid"], uids.count == 4,
            let gids = numbers["Gid"], gids.count == 4
        else { return nil }
        self.command = command
        self.pid = pid
        self.parent = parent
        realUID = uids[0]
        effectiveUID = uids[1]
        fileUID = uids[3]
        fileGID = gids[3]
        groups = numbers["Groups"] ?? []
    }
}
