// SPDX-License-Identifier: Apache-2.0
import Inference
import Settings

/// What `setup` has found out and will write.
struct SetupPlan: Equatable, Sendable {
    struct Share: Equatable, Sendable {
        var path: String
        var pattern: String
    }

    struct SchoolClass: Equatable, Sendable {
        var name: String
        var students: [String]
        var teachers: [String]
    }

    var shares: [Share] = []
    var classes: [SchoolClass] = []
    var administrators: [String] = []
    var source = "inotify"
    var hours: [String] = []
    var holidays: [String] = []
    var evidence = "60d"
    var totals = "400d"
    var smallGroup = 5
    /// Nil: no pages.
    var pages: String?
    var sharedAccounts: [String] = []
    /// More names of folders that are never entered, which a Samba module fills.
    var excluded: [String] = []

    /// `config.toml`. Recording is off in it, whatever was answered.
    var configuration: String {
        var lines = [
            "# SPDX-License-Identifier: Apache-2.0",
            "# Written by 'daybook setup'. /usr/share/doc/daybook/config.example.toml explains every key.", "",
            "[recording]", "# On after everybody has been informed: daybook recording on", "enabled = false", "",
            "[watch]", "source = \(Self.quoted(source))",
        ]
        if !excluded.isEmpty { lines.append("excluded = \(Self.list(LayoutSet.defaultExclusions + excluded))") }
        lines += ["", "[retention]", "evidence = \(Self.quoted(evidence))", "totals = \(Self.quoted(totals))"]
        lines += ["", "[access]", "administrators = \(Self.list(["@daybook-admin"] + administrators))"]
        lines += [
            "", "[school]", "hours = \(Self.list(hours))", "holidays = \(Self.list(holidays))", "small-group = \(smallGroup)",
        ]
        if let pages { lines += ["", "[pages]", "directory = \(Self.quoted(pages))"] }
        if !sharedAccounts.isEmpty { lines += ["", "[identity]", "shared-accounts = \(Self.list(sharedAccounts))"] }
        for share in shares {
            lines += [
                "", "[[share]]", "path = \(Self.quoted(share.path))", "", "[[share.layout]]", "pattern = \(Self.quoted(share.pattern))",
            ]
        }
        for item in classes {
            lines += [
                "", "[[class]]", "name = \(Self.quoted(item.name))", "students = \(Self.list(item.students))",
                "teachers = \(Self.list(item.teachers))",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// For a trial beside the real server: another socket, another state, recording.
    func trial(in folder: String) -> String {
        var lines = configuration.replacing("enabled = false", with: "enabled = true", maxReplacements: 1)
        if let range = lines.firstRange(of: "\n[pages]\ndirectory = \(Self.quoted(pages ?? ""))\n") { lines.removeSubrange(range) }
        return """
            [server]
            socket = \(Self.quoted(folder + "/socket"))
            state = \(Self.quoted(folder + "/state"))
            [analyzer]
            socket = ""
            settle = "0s"

            """ + lines
    }

    /// The kernel's limits, above what the package sets; nil where these suffice.
    static func limits(folders: Int) -> String? {
        guard folders * 2 > packagedWatches else { return nil }
        return """
            # SPDX-License-Identifier: Apache-2.0
            # Written by 'daybook setup': \(folders) folders are to be watched, and there will be more.
            fs.inotify.max_user_watches = \(folders * 2)
            -fs.fanotify.max_user_marks = \(folders * 2)

            """
    }

    /// As in `sysctl.d/30-daybook.conf`.
    static let packagedWatches = 1_048_576

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private static func list(_ items: [String]) -> String { "[" + items.map(quoted).joined(separator: ", ") + "]" }
}
