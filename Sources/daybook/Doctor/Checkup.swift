// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import DaybookVarlink
import Glibc
import Settings

/// Everything that `doctor` looks at, one kind after the other.
struct Checkup {
    let invocation: Invocation
    /// What is configured; nil where no configuration could be read.
    var settings: Settings?
    /// What the server says of itself; nil where none answers.
    var status: ServerStatus?

    init(_ invocation: Invocation) { self.invocation = invocation }

    mutating func all() -> [Finding] {
        configuration() + server() + units() + limits() + shares() + permissions() + state() + journal() + accounts() + clock() + samba()
            + analyzer() + listedPrograms()
    }

    mutating func configuration() -> [Finding] {
        let file = invocation.arguments.value("config") ?? Settings.defaultPath
        guard access(file, F_OK) == 0 else {
            return [
                Finding(
                    "configuration", .stops, "there is no \(file), so nothing is watched",
                    mend: "copy config.example.toml there and name your shares in it")
            ]
        }
        guard access(file, R_OK) == 0 else {
            return [
                Finding("configuration", .note, "\(file) may not be read by you, so the shares are not looked at", mend: "run it as root")
            ]
        }
        do {
            let settings = try Settings.load(file)
            self.settings = settings
            if settings.shares.isEmpty {
                return [
                    Finding(
                        "configuration", .stops, "\(file) names no share, so nothing is watched",
                        mend: "add a [[share]] with a path and a layout")
                ]
            }
            return [
                Finding(
                    "configuration", .good,
                    "\(file): \(count(settings.shares.count, "share")), \(count(settings.classes.count, "class", "classes"))")
            ]
        } catch {
            let more = error.lines.count > 1 ? " and \(count(error.lines.count - 1, "more mistake"))" : ""
            return [Finding("configuration", .stops, "\(error.lines[0])\(more)", mend: "daybook config check \(file)")]
        }
    }

    func kernelNumber(_ path: String) -> Int? {
        Int(String(decoding: readWhole(path), as: UTF8.self).split(whereSeparator: \.isWhitespace).joined())
    }

    /// Small files of the kernel; empty where there is none.
    func readWhole(_ path: String) -> [UInt8] {
        let raw = open(path, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { return [] }
        let file = OwnedDescriptor(adopting: raw)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < 4 << 20 {
            let count = file.withRaw { read($0, &buffer, buffer.count) }
            if count <= 0 { break }
            bytes.append(contentsOf: buffer.prefix(count))
        }
        return bytes
    }
}
