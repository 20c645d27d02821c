// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import ProgramTexts
import Reports

/// `daybook doctor`
enum DoctorCommand {
    static let command = Command(
        "doctor", summary: "what would stop it here, and the mend",
        explanation: """
            Looks at the configuration, the server and its units, the machine's limits and clock, the shares' file systems, mounts and permissions, the
            accounts of all classes, Samba's settings and the
            analyzer, and says what to do about what it finds. It changes nothing and works without a server too; as root it sees more.
            Exit 1 if something would stop recording.
            """,
        options: [OptionSpec("config", short: "c", value: "FILE", "the server's configuration, where it is not /etc/daybook/config.toml")],
        run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(0...0, "")
        var checkup = Checkup(invocation)
        let findings = checkup.all()
        for finding in findings {
            if invocation.isJSON {
                invocation.output.line(terminalSafe(finding.json))
            } else {
                for line in text(finding, invocation) { invocation.output.line(line) }
            }
        }
        let stopping = findings.filter { $0.state == .stops }.count
        if !invocation.isJSON {
            invocation.output.line("")
            let warnings = findings.filter { $0.state == .warning }.count
            let verdict =
                stopping > 0
                ? "\(count(stopping, "thing")) would stop recording"
                : warnings > 0 ? "Nothing stops recording; \(count(warnings, "thing")) could be better" : "Nothing stands in the way"
            invocation.output.line(verdict + ".")
        }
        return stopping > 0 ? .failed : .good
    }

    private static func text(_ finding: Finding, _ invocation: Invocation) -> [String] {
        let label: String =
            switch finding.state {
            case .good: "good"
            case .note: "note"
            case .warning: "WARNING"
            case .stops: "STOPS"
            }
        let room = max(invocation.style.width - 1 - labelWidth, 20)
        let what = wrapped(invocation.shown("\(finding.check): \(finding.what)"), to: room)
        let mend = finding.mend.map { wrapped(invocation.shown("mend: \($0)"), to: room) } ?? []
        return (what + mend).enumerated().map { padded($0 == 0 ? label : "", to: labelWidth) + $1 }
    }

    private static let labelWidth = 9
}
