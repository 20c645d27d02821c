// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import DaybookVarlink
import Glibc
import Settings

/// The kernel's limits, and the file systems and mounts of the shares.
extension Checkup {
    /// Events that may wait in the kernel: below this a class that saves at once can overflow it.
    static let neededQueue = ServerStatus.Limit.queuedEventsWanted

    func limits() -> [Finding] {
        if let limits = status?.limits, !limits.isEmpty {
            return limits.map { limit in
                let what = "\(limit.name): need \(grouped(Int64(limit.need))), have \(grouped(Int64(limit.have)))"
                if limit.have >= limit.need { return Finding("limits", .good, what) }
                return Finding("limits", limit.stops ? .stops : .warning, what, mend: limit.mend)
            }
        }
        return watchLimit() + queueLimit()
    }

    /// Without a server to ask, the folders are counted.
    private func watchLimit() -> [Finding] {
        guard let have = kernelNumber("/proc/sys/fs/inotify/max_user_watches"), let settings else { return [] }
        let counts = settings.shares.map { FolderCount(share: $0.path, layouts: $0.layouts) }
        let need = counts.reduce(0) { $0 + $1.folders }
        guard need > 0 else { return [] }
        let isComplete = counts.allSatisfy(\.isComplete)
        let what =
            "fs.inotify.max_user_watches: need \(isComplete ? "" : "at least ")\(grouped(Int64(need))), have \(grouped(Int64(have)))"
        if have >= need { return [Finding("limits", isComplete ? .good : .note, what)] }
        return [
            Finding("limits", .stops, what, mend: "sysctl fs.inotify.max_user_watches=\(need * 2), and the same line in /etc/sysctl.d/")
        ]
    }

    private func queueLimit() -> [Finding] {
        guard let have = kernelNumber("/proc/sys/fs/inotify/max_queued_events") else { return [] }
        let what = "fs.inotify.max_queued_events: need \(grouped(Int64(Self.neededQueue))), have \(grouped(Int64(have)))"
        if have >= Self.neededQueue { return [Finding("limits", .good, what)] }
        return [Finding("limits", .warning, what, mend: "sysctl fs.inotify.max_queued_events=131072, and the same line in /etc/sysctl.d/")]
    }

    func shares() -> [Finding] {
        guard let settings else { return [] }
        let mounts = MountTable(parsing: readWhole("/proc/self/mountinfo"))
        return settings.shares.flatMap { shareFindings($0.path, mounts) }
    }

    private func shareFindings(_ path: String, _ mounts: MountTable) -> [Finding] {
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            let code = errno
            if code == EACCES { return [Finding("share", .note, "\(path) may not be seen by you", mend: "run it as root")] }
            return [
                Finding(
                    "share", .stops, "\(path): \(errnoText(code))", mend: "create it, mount it, or correct the path in the configuration")
            ]
        }
        guard facts.st_mode & S_IFMT == S_IFDIR else {
            return [Finding("share", .stops, "\(path) is no folder", mend: "correct the path in the configuration")]
        }
        guard let resolved = Self.realPath(path), let mount = mounts.mount(of: resolved) else {
            return [Finding("share", .warning, "the file system of \(path) cannot be told")]
        }
        var findings: [Finding] = []
        let what = "\(path) is on \(mount.type) (\(mount.source))"
        switch FileSystemFitness(type: mount.type) {
        case .good: findings.append(Finding("share", .good, what))
        case .remote:
            findings.append(
                Finding(
                    "share", .stops, "\(what): what other machines do there makes no event here",
                    mend: "run Daybook on the machine that has the files"))
        case .layered:
            findings.append(
                Finding("share", .warning, "\(what): what happens below it makes no event here", mend: "name the folder below as the share")
            )
        case .volatile: findings.append(Finding("share", .note, "\(what): lost when the machine stops"))
        }
        for inner in mounts.mounts(below: resolved) {
            findings.append(
                Finding(
                    "share", .warning, "\(escapedText(inner.point)) is a mount of its own below \(path) and is not watched",
                    mend: "name it as a [[share]] too, if documents are there"))
        }
        return findings
    }
}
