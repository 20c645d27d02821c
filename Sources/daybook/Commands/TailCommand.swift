// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import DaybookLinux
import DaybookVarlink
import Glibc
import ProgramTexts

/// `daybook tail`
enum TailCommand {
    static let command = Command(
        "tail", summary: "entries of the journal; with -f as they come",
        explanation: """
            Shows the last entries of the Daybook journal, for administrators. People, folders and documents are numbered, not named, for
            as long as the command runs; --names shows them, which is itself an entry. With -f it goes on, also after the server was
            restarted: no entry is shown twice or left out.
            """,
        options: [
            OptionSpec("follow", short: "f", "go on with each new entry"),
            OptionSpec("lines", short: "n", value: "N", "begin with the last N entries; 10 if neither -n nor --after is given"),
            OptionSpec("after", value: "SEQ", "begin behind the entry with this number"),
            OptionSpec(
                "kind", short: "k", value: "KIND", repeats: true,
                "only this kind, e.g. gap, or 'activity' for all activity.…; may be repeated"),
            OptionSpec("names", "name people, folders and documents; journaled"),
        ],
        run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(0...0, "")
        let arguments = invocation.arguments
        var request = Request(
            after: try arguments.number("after", in: 0...Int64.max), count: try arguments.number("lines", in: 0...1_000_000),
            kinds: arguments.values("kind"), follow: arguments.has("follow"), names: arguments.has("names"))
        for kind in request.kinds where !Self.isKnown(kind) {
            // Not an error: the server may be of a later version.
            let near = nearest(kind, among: EntryMask.kinds.sorted()).map { "; did you mean '\($0)'?" } ?? ""
            invocation.output.message(invocation.shown("this version knows no kind '\(kind)', so there may never be one\(near)"))
        }
        // The first connection must succeed: a wrong path is not waited for.
        var client = try invocation.connect()
        var absence = Absence()
        while true {
            do {
                try show(&request, from: client, &absence, invocation)
                return .good
            } catch {
                guard request.follow, case .unreachable = error, request.after != nil else { throw invocation.explain(error) }
                if absence.begins() { invocation.output.message("the server has gone; waiting until it is back") }
                client = absence.waitForServer(invocation)
            }
        }
    }

    private static func isKnown(_ kind: String) -> Bool { EntryMask.kinds.contains { $0 == kind || $0.hasPrefix(kind + ".") } }

    /// A time without a server that answers. A dying server still takes connections, and one that fails at each start takes them too, so
    /// only a reply ends it.
    private struct Absence {
        private static let shortest = Duration.milliseconds(200)
        private static let longest = Duration.seconds(2)

        private var isAway = false
        private var pause = shortest

        /// True where it was there before.
        mutating func begins() -> Bool {
            defer { isAway = true }
            return !isAway
        }

        /// True where it was away before.
        mutating func ends() -> Bool {
            defer { isAway = false }
            pause = Self.shortest
            return isAway
        }

        mutating func waitForServer(_ invocation: Invocation) -> DaemonClient {
            while true {
                _ = poll(nil, 0, Int32((pause / .milliseconds(1)).rounded()))
                pause = min(pause * 2, Self.longest)
                if let client = try? DaemonClient(path: invocation.socket) { return client }
            }
        }
    }

    /// What is asked, and how far it has been answered.
    struct Request {
        var after: Int64?
        var count: Int64?
        var kinds: [String]
        var follow: Bool
        var names: Bool

        var parameters: JSONObject {
            object([
                "after": after.map { .integer($0) }, "count": count.map { .integer($0) },
                "kinds": kinds.isEmpty ? nil : .array(kinds.map { .string($0) }), "follow": follow ? true : nil,
                "names": names ? true : nil,
            ])
        }
    }

    /// Returns at the end of what was asked; with `follow` never.
    private static func show(
        _ request: inout Request, from client: DaemonClient, _ absence: inout Absence, _ invocation: Invocation
    ) throws(DaemonClient.Failure) {
        try client.start("org.daybook.Journal.Tail", request.parameters)
        var isFirst = true
        while true {
            // The first reply comes at once; then there may be nothing to tell for days.
            guard let reply = try client.receive(within: isFirst ? DaemonClient.replyLimit : nil) else {
                throw .unreachable("the server at \(invocation.socket) does not answer")
            }
            isFirst = false
            if absence.ends() { invocation.output.message("the server is back") }
            if let missed = reply.parameters["missed"]?.integerValue, missed > 0 {
                invocation.output.message("\(grouped(missed)) entries are missing here: too long to be shown by the server")
            }
            if let behind = reply.parameters["behind"]?.integerValue, behind > 0 {
                invocation.output.message("this reader is too slow: \(grouped(behind)) entries behind; they follow, from the disk")
            }
            for entry in reply.parameters["entries"]?.arrayValue ?? [] {
                invocation.output.line(invocation.isJSON ? terminalSafe(entry) : EntryText.line(entry, shown: invocation.shown))
            }
            if let last = reply.parameters["last"]?.integerValue {
                // After an interruption everything behind this one is wanted, however few were asked for at first.
                request.after = last
                request.count = nil
            }
            invocation.output.flush()
            if !reply.continues { return }
        }
    }
}
