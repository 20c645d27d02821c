// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import DaybookVarlink
import Glibc
import JournalStore
import Reports
import Settings

/// Where the journal lies, and how it is.
extension Checkup {
    func state() -> [Finding] {
        guard let settings else { return [] }
        let path = settings.server.state
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            let code = errno
            if code == ENOENT { return [Finding("state", .note, "\(path) does not exist yet; the service makes it")] }
            return [
                Finding(
                    "state", code == EACCES ? .note : .stops, "\(path): \(errnoText(code))",
                    mend: code == EACCES ? "run it as root" : "mend the disk or the path")
            ]
        }
        guard facts.st_mode & S_IFMT == S_IFDIR else { return [Finding("state", .stops, "\(path) is no folder", mend: "move it away")] }
        var findings: [Finding] = []
        if facts.st_mode & 0o007 != 0 {
            findings.append(
                Finding(
                    "state", .warning,
                    "\(path) has mode \(String(facts.st_mode & 0o7777, radix: 8)): everybody on this machine can look into the journal",
                    mend: "chmod 0750 \(path)"))
        }
        if let free = Self.freeBytes(path) {
            findings.append(
                free >= Self.neededRoom
                    ? Finding("state", .good, "\(path): \(sizeText(free)) free")
                    : Finding("state", .warning, "\(path): only \(sizeText(free)) free", mend: "make room; a full disk stops recording"))
        }
        return findings
    }

    /// About a school year's journal of a thousand students.
    static let neededRoom: Int64 = 1_000_000_000

    private static func freeBytes(_ path: String) -> Int64? {
        var room = statvfs()
        guard statvfs(path, &room) == 0 else { return nil }
        return Int64(clamping: UInt64(room.f_bavail).multipliedReportingOverflow(by: UInt64(room.f_frsize)).partialValue)
    }

    // MARK: The journal itself

    func journal() -> [Finding] {
        newestSegment() + checkpointAge() + growth()
    }

    /// The file that is being written: what was damaged lately would show here. The whole journal is `verify`'s affair.
    private func newestSegment() -> [Finding] {
        guard let path = settings?.server.state else { return [] }
        do {
            guard let newest = try NewestSegmentCheck.run(path) else { return [] }
            guard let bad = newest.bad else {
                return [
                    Finding(
                        "journal", .good,
                        "the newest of \(count(newest.segments, "file")) is whole, with \(count(newest.entries, "entry", "entries"))")
                ]
            }
            return [
                Finding(
                    "journal", .warning, "\(newest.segment), line \(bad.line): \(bad.problem)",
                    mend: "daybook verify says how much of the journal is in doubt; restart the server, which goes on in a new file, and "
                        + "look for the entries in a backup")
            ]
        } catch {
            switch error {
            case .absent: return []
            default:
                return [Finding("journal", geteuid() == 0 ? .warning : .note, "\(error)", mend: geteuid() == 0 ? nil : "run it as root")]
            }
        }
    }

    private func checkpointAge() -> [Finding] {
        guard let status, let settings, let checkpoint = status.journal.checkpoint, let at = checkpoint.at.flatMap(WallTime.init(rfc3339:)),
            let now = WallTime(rfc3339: status.now)
        else { return [] }
        let age = now - at
        // The note is an entry itself.
        let uncovered = status.journal.lastSeq - checkpoint.seq - 1
        let what = "a checkpoint of \(LocalTime.text.dayAndTime(at)) covers all but the last \(grouped(max(0, uncovered))) entries"
        // As soon as it is due it is written; one interval more is for a disk that was full.
        guard uncovered > 0, age > settings.journal.checkpointInterval * 2 else { return [Finding("journal", .good, what)] }
        return [
            Finding(
                "journal", .warning, "\(what), and the next one is overdue: if the end of the journal was cut off, it would not show",
                mend: "restart the server; if no checkpoint is signed then, its log says why")
        ]
    }

    /// How long the free room lasts, by how the journal has grown so far.
    private func growth() -> [Finding] {
        guard let path = settings?.server.state, let free = Self.freeBytes(path), let status,
            let now = WallTime(rfc3339: status.now)
        else { return [] }
        var first: WallTime?
        // What cannot be read is said above.
        _ = try? JournalReader(stateDirectory: path).replay { entry, _ in
            first = entry.at
            return false
        }
        guard let first,
            let forecast = RoomForecast(bytes: status.journal.bytes, days: Double((now - first).microseconds) / 86_400e6, free: free)
        else { return [] }
        let what = "the journal has \(sizeText(status.journal.bytes)) and grows by \(sizeText(forecast.bytesPerDay)) a day: "
        let span = forecast.days > 3650 ? "many years" : count(forecast.days, "day")
        guard forecast.days < RoomForecast.soon else { return [Finding("journal", .good, "\(what)the free room lasts for \(span)")] }
        return [
            Finding(
                "journal", .warning, "\(what)the free room lasts for \(span)",
                mend: "make room where \(path) lies, or keep evidence for a shorter time ([retention] evidence)")
        ]
    }
}

/// How long a disk lasts for a journal that goes on growing as it did. What retention takes away and compression saves is in what it has
/// grown so far.
struct RoomForecast: Equatable {
    var bytesPerDay: Int64
    /// Whole days until the disk is full.
    var days: Int

    /// Sooner than this many days is worth a warning.
    static let soon = 30
    /// Before that a few lessons would speak for a year.
    static let leastDays = 7.0

    /// Nil for a journal that is too young to tell, or empty.
    init?(bytes: Int64, days: Double, free: Int64) {
        guard days >= Self.leastDays, bytes > 0 else { return nil }
        let perDay = max(1, Double(bytes) / days)
        bytesPerDay = Int64(perDay)
        self.days = Int(min(Double(free) / perDay, 1e9))
    }
}
