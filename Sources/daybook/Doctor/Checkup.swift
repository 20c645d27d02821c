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
        configuration() + server() + units() + limits() + shares() + permissions() + state() + accounts() + clock() + samba() + analyzer()
            + listedPrograms()
    }

    // MARK: Configuration and server

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

    mutating func server() -> [Finding] {
        do {
            let status = try StatusCommand.ask(invocation)
            self.status = status
            return findings(of: status)
        } catch  where error.code == .noDaemon {
            return [Finding("server", .stops, String(error.message.prefix { $0 != "\n" }), mend: socketMend())]
        } catch {
            return [Finding("server", .stops, error.message, mend: "systemctl restart daybookd.service")]
        }
    }

    private func socketMend() -> String {
        var facts = stat()
        guard stat(invocation.socket, &facts) == 0 else {
            return errno == EACCES
                ? "the folder of \(invocation.socket) is closed to you; it needs mode 0755"
                : "systemctl enable --now daybookd.socket daybookd.service"
        }
        if facts.st_mode & S_IFMT != S_IFSOCK { return "\(invocation.socket) is no socket; remove it and start daybookd.socket" }
        if facts.st_mode & 0o222 != 0o222 {
            return "the socket has mode \(String(facts.st_mode & 0o777, radix: 8)); everybody must reach it: 0666"
        }
        return "systemctl status daybookd.service; journalctl -u daybookd.service"
    }

    private func findings(of status: ServerStatus) -> [Finding] {
        var findings = [Finding("server", .good, "daybookd \(status.version) answers at \(invocation.socket)")]
        if status.version != DaybookVersion.text {
            findings.append(
                Finding(
                    "server", .note, "this program is version \(DaybookVersion.text), the server \(status.version)",
                    mend: "systemctl restart daybookd.service"))
        }
        if status.recording.state != .on {
            findings.append(
                Finding(
                    "recording", .note, "recording is \(status.recording.state.rawValue)",
                    mend: "daybook recording on, once everybody has been informed"))
        }
        if !status.journal.writable {
            findings.append(
                Finding(
                    "journal", .stops, "the journal cannot be written: \(status.journal.reason ?? "the reason is in the systemd journal")",
                    mend: "make room, or mend the disk; the server tries again by itself"))
        }
        for loss in status.journal.losses {
            findings.append(
                Finding(
                    "journal", .warning, loss,
                    mend: "daybook verify; look for it in a backup and for whoever could write the state directory, forget once more whom "
                        + "an erasure was about, and move the named file elsewhere once that is settled"))
        }
        if status.journal.lastSeq > 0, status.journal.checkpoint == nil {
            findings.append(
                Finding(
                    "journal", .note, "no checkpoint was signed yet, so that a cut end of the journal would not show",
                    mend: "wait for journal.checkpoint-interval, or restart the server; if there is none then, its log says why"))
        }
        if let problem = status.settings.problem {
            findings.append(
                Finding("configuration", .warning, "the server runs with an older configuration: \(problem)", mend: "daybook config check"))
        }
        if status.analyzer.state == .failing {
            findings.append(
                Finding(
                    "analyzer", .warning, "documents are not measured: \(status.analyzer.reason ?? "the analyzer does not answer")",
                    mend: "systemctl status daybook-analyze.socket daybook-analyze.service"))
        }
        if let pages = status.pages { findings.append(Self.finding(of: pages)) }
        for test in status.selfTests {
            findings.append(
                test.passed
                    ? Finding("self-test", .good, "\(test.name): \(test.meaning)")
                    : Finding("self-test", test.stops ? .stops : .warning, "\(test.name): \(test.meaning)", mend: test.mend))
        }
        for share in status.shares where share.state == .partial || share.state == .unavailable {
            findings.append(
                Finding(
                    "share", share.state == .unavailable ? .stops : .warning,
                    "\(share.path) is \(share.state.rawValue): \(share.reason ?? "no reason is known")"))
        }
        for share in status.shares {
            guard let reason = share.sourceReason else { continue }
            // Asked for by name, it is missed; else inotify is as good as it gets here.
            let isWanted = settings?.watch.source == .fanotify
            findings.append(
                Finding(
                    "share", isWanted ? .warning : .note,
                    "\(share.path) is watched by inotify, which does not tell whose a change is. Not by fanotify: \(reason)",
                    mend: isWanted ? "what the reason says, or watch.source = \"auto\"" : nil))
        }
        return findings
    }

    // MARK: The machine

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
        var room = statvfs()
        if statvfs(path, &room) == 0 {
            let free = Int64(clamping: UInt64(room.f_bavail).multipliedReportingOverflow(by: UInt64(room.f_frsize)).partialValue)
            findings.append(
                free >= Self.neededRoom
                    ? Finding("state", .good, "\(path): \(sizeText(free)) free")
                    : Finding("state", .warning, "\(path): only \(sizeText(free)) free", mend: "make room; a full disk stops recording"))
        }
        return findings
    }

    /// About a school year's journal of a thousand students.
    static let neededRoom: Int64 = 1_000_000_000

    // MARK: Programs

    func analyzer() -> [Finding] {
        if let socket = settings?.analyzer.socket, access(socket, F_OK) == 0 {
            return [Finding("analyzer", .good, "the analyzer's socket is \(socket)")]
        }
        if let program = Programs.findOwn("daybook-analyze", environment: invocation.environment) {
            return [Finding("analyzer", .good, "the analyzer is \(program)")]
        }
        return [
            Finding(
                "analyzer", .warning, "the program daybook-analyze is not there: time is recorded, but no words",
                mend: "systemctl enable --now daybook-analyze.socket, or install the program")
        ]
    }

    // MARK: Files

    private func kernelNumber(_ path: String) -> Int? {
        Int(String(decoding: readWhole(path), as: UTF8.self).split(whereSeparator: \.isWhitespace).joined())
    }

    /// Small files of the kernel; empty where there is none.
    private func readWhole(_ path: String) -> [UInt8] {
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
