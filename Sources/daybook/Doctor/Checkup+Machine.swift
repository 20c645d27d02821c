// SPDX-License-Identifier: Apache-2.0
import DaybookLinux
import Glibc
import Settings

/// Clock, accounts, units: what the machine around the daemon is like.
extension Checkup {
    // MARK: Clock

    /// As the machine's own service for it says; nothing where there is none to ask.
    func clock() -> [Finding] {
        guard access("/run/systemd/system", F_OK) == 0, let program = Programs.find("timedatectl", environment: invocation.environment),
            let answer = Programs.ask(program, ["show", "--property=NTPSynchronized", "--value"], within: .seconds(10)), answer.status == 0
        else { return [] }
        return [
            answer.output.starts(with: Array("yes".utf8))
                ? Finding("clock", .good, "the clock is kept right by a time service")
                : Finding(
                    "clock", .note, "no time service keeps the clock right: durations are right all the same, times of day may not be",
                    mend: "systemctl enable --now systemd-timesyncd, or chrony")
        ]
    }

    // MARK: Accounts

    /// Of more classes only what is wrong is said.
    private static let classesListed = 200

    /// Asks the name service as the daemon does: every class, its students and teachers.
    func accounts() -> [Finding] {
        guard let settings, !settings.classes.isEmpty else { return [] }
        var findings: [Finding] = []
        var people = 0
        for item in settings.classes.prefix(Self.classesListed) {
            let found = Self.members(item.students)
            people += found.listed
            for problem in found.problems {
                findings.append(Finding("accounts", .warning, "class \(item.name): \(problem.0)", mend: problem.1))
            }
            for problem in Self.members(item.teachers + item.coteachers).problems {
                findings.append(Finding("accounts", .warning, "teachers of \(item.name): \(problem.0)", mend: problem.1))
            }
        }
        for problem in Self.members(settings.access.administrators).problems {
            findings.append(Finding("accounts", .warning, "administrators: \(problem.0)", mend: problem.1))
        }
        if findings.isEmpty {
            findings.append(
                Finding(
                    "accounts", .good,
                    "all groups and logins of \(count(settings.classes.count, "class", "classes")) are known, with \(count(people, "student"))"
                ))
        }
        return findings
    }

    private static func members(_ members: [Settings.Member]) -> (listed: Int, problems: [(String, String?)]) {
        var listed = 0
        var problems: [(String, String?)] = []
        for member in members {
            switch member {
            case .login(let login):
                switch Accounts.user(named: login) {
                case .found: listed += 1
                case .absent: problems.append(("there is no account '\(login)'", "'getent passwd \(login)'; or correct the configuration"))
                case .failed(let code):
                    problems.append(("'\(login)' could not be asked for: \(errnoText(code))", "the directory service does not answer"))
                }
            case .group(let name):
                switch Accounts.group(named: name) {
                case .found(let group): listed += group.members.count
                case .absent: problems.append(("there is no group '\(name)'", "'getent group \(name)'; or correct the configuration"))
                case .failed(let code):
                    problems.append(
                        ("the group '\(name)' could not be asked for: \(errnoText(code))", "the directory service does not answer"))
                }
            }
        }
        return (listed, problems)
    }

    // MARK: Permissions

    /// Tries what the service needs: to list each share, to write where it keeps things.
    func permissions() -> [Finding] {
        guard let settings else { return [] }
        var findings: [Finding] = []
        for share in settings.shares {
            guard let listing = opendir(share.path) else {
                let code = errno
                if code != ENOENT {
                    findings.append(
                        Finding(
                            "permissions", geteuid() == 0 ? .stops : .note, "\(share.path) cannot be listed: \(errnoText(code))",
                            mend: geteuid() == 0 ? "mend the disk or the mount" : "run it as root"))
                }
                continue
            }
            closedir(listing)
        }
        // Under systemd the account is fixed; elsewhere it is whoever starts it.
        guard case .found(let account) = Accounts.user(named: "daybook"), settings.server.state == Settings().server.state else {
            return findings
        }
        for path in [settings.server.state] + (settings.pages.directory.map { [$0] } ?? []) {
            var facts = stat()
            guard stat(path, &facts) == 0 else { continue }
            findings.append(
                facts.st_uid == account.uid && facts.st_mode & 0o300 == 0o300
                    ? Finding("permissions", .good, "\(path) belongs to the service")
                    : Finding(
                        "permissions", path == settings.server.state ? .stops : .warning,
                        "\(path) does not belong to the account daybook, so the service cannot write there",
                        mend: "chown -R daybook \(path)"))
        }
        return findings
    }

    // MARK: Units

    func units() -> [Finding] {
        guard access("/run/systemd/system", F_OK) == 0, let program = Programs.find("systemctl", environment: invocation.environment) else {
            return []
        }
        func show(_ unit: String) -> [String: String] {
            let words = ["show", "--property=LoadState,UnitFileState,NeedDaemonReload,NRestarts,Result", unit]
            let answer = Programs.ask(program, words, within: .seconds(10))
            var values: [String: String] = [:]
            for line in String(decoding: answer?.output ?? [], as: UTF8.self).split(separator: "\n") {
                guard let equals = line.firstIndex(of: "=") else { continue }
                values[String(line[..<equals])] = String(line[line.index(after: equals)...])
            }
            return values
        }
        let (socket, service) = (show("daybookd.socket"), show("daybookd.service"))
        guard service["LoadState"] == "loaded" else { return [] }
        var findings: [Finding] = []
        if socket["UnitFileState"] != "enabled" || service["UnitFileState"] != "enabled" {
            findings.append(
                Finding(
                    "units", .warning, "the service does not start by itself after a restart of the machine",
                    mend: "systemctl enable daybookd.socket daybookd.service"))
        }
        if service["NeedDaemonReload"] == "yes" {
            findings.append(
                Finding(
                    "units", .warning, "the unit was changed and is not in force",
                    mend: "systemctl daemon-reload, then restart daybookd.service"))
        }
        if let restarts = service["NRestarts"].flatMap({ Int64($0) }), restarts > 0 {
            findings.append(
                Finding(
                    "units", .warning, "the service failed and was started anew \(count(Int(restarts), "time"))",
                    mend: "journalctl -u daybookd.service"))
        }
        return findings.isEmpty ? [Finding("units", .good, "the service starts by itself and has not failed")] : findings
    }
}
