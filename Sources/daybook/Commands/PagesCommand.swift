// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookVarlink
import ProgramTexts
import Reports

/// `daybook pages`
enum PagesCommand {
    static let command = Command(
        "pages", summary: "where your published pages are",
        explanation: """
            Where the pages are that you may open: for a teacher those of each assignment of their classes, for a student their own. The paths are the
            server's; a network drive shows what lies below the folder of pages. Administrators see all assignments, and with --now have every
            page written anew first.
            """,
        options: [OptionSpec("now", "write every page now; for administrators")],
        run: run)

    /// All pages of a large school are written within this time.
    private static let limit = Duration.seconds(600)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(0...0, "")
        let now = invocation.arguments.has("now")
        let client = try invocation.connect()
        let reply: JSONObject
        do {
            try client.start("org.daybook.Reports.Pages", object(["now": now ? true : nil]))
            guard let answer = try client.receive(within: limit) else {
                throw CommandFailure(
                    "the server goes on writing pages, but has not finished in ten minutes; 'daybook status' says how many wait")
            }
            reply = answer.parameters
        } catch let failure as DaemonClient.Failure {
            throw invocation.explain(failure)
        }
        let trouble = reply["trouble"]?.stringValue
        if invocation.isJSON {
            invocation.output.line(terminalSafe(.object(reply)))
        } else {
            for line in lines(reply, now, invocation) { invocation.output.line(line) }
        }
        return now && trouble != nil ? .failed : .good
    }

    private static func lines(_ reply: JSONObject, _ now: Bool, _ invocation: Invocation) -> [String] {
        guard let directory = reply["directory"]?.stringValue else {
            return ["No pages are published here: [pages] directory is not set in the server's configuration."]
        }
        let times = TimeText(clock: LocalTime.clock, now: LocalTime.now)
        let pages = reply["pages"]?.arrayValue ?? []
        var lines: [String] = []
        for page in pages {
            let title = page["title"]?.stringValue ?? ""
            let className = page["class"]?.stringValue ?? ""
            let made = page["madeAt"]?.stringValue.flatMap { WallTime(rfc3339: $0) }.map { "made " + times.dayAndTime($0) } ?? "to be made"
            lines.append(
                invocation.shown(title + (className.isEmpty ? "" : " \(invocation.style.isUTF8 ? "·" : "-") \(className)")) + ", " + made)
            lines.append("  " + invocation.shown(page["path"]?.stringValue ?? ""))
        }
        if pages.isEmpty { lines.append("There is no page for you in \(invocation.shown(directory)).") }
        let people = reply["people"]?.integerValue ?? 0
        if people > 0 {
            lines.append(
                "\(people) \(people == 1 ? "student has a page" : "students have pages") of their own in \(invocation.shown(directory))/people."
            )
        }
        if let trouble = reply["trouble"]?.stringValue { lines.append(invocation.shown("Not as it should be: \(trouble)")) }
        return lines
    }
}
