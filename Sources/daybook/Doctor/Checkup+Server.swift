// SPDX-License-Identifier: Apache-2.0
import DaybookVarlink
import Glibc
import Settings

/// What the server says of itself, and the analyzer.
extension Checkup {
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
}
