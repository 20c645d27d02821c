// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import Reports
import Settings

/// What is in a trace, for whoever recorded it and is to look at it before it is handed on.
struct RecordSummary {
    /// More names than these are counted.
    static let namesShown = 8

    private let files: [(name: String, size: Int)]
    private let trace: RecordedTrace
    private let share: String
    private let documents: [String]
    private let people: Int
    private let keepsNames: Bool

    init(
        _ trace: RecordedTrace, _ share: Settings.Share, files: [(name: String, size: Int)], writer: inout TraceWriter, keepsNames: Bool
    ) {
        self.trace = trace
        self.share = share.path
        self.files = files
        self.keepsNames = keepsNames
        documents = writer.documents()
        people = writer.people.count
    }

    func show(in folder: String, _ invocation: Invocation) {
        if invocation.isJSON {
            invocation.output.line(
                terminalSafe(
                    .object(
                        object([
                            "trace": .string(folder), "share": .string(share),
                            "seconds": .number(Double(trace.ended - trace.began) / 1_000_000),
                            "events": .integer(Int64(trace.events)), "documents": .integer(Int64(documents.count)),
                            "people": .integer(Int64(people)), "holds": .integer(Int64(trace.holds.count)),
                            "losses": .integer(Int64(trace.losses)), "refused": .integer(Int64(trace.refused)),
                            "masked": .bool(!keepsNames),
                            "trouble": trace.trouble.map { .string($0) } ?? .null,
                            "files": .array(files.map { .string($0.name) }),
                        ]))))
            return
        }
        for line in lines(folder) { invocation.output.line(invocation.shown(line)) }
    }

    private func lines(_ folder: String) -> [String] {
        let seconds = (trace.ended - trace.began + 500_000) / 1_000_000
        var lines = ["\(folder) has what happened in \(count(Int(seconds), "second")):"]
        for (name, size) in files {
            lines.append("  " + padded(name, to: 16) + padded(sizeText(Int64(size)), to: 10, right: true) + "  " + what(name))
        }
        if let reason = trace.withoutProcesses {
            lines.append("  " + padded("fanotify.jsonl", to: 16) + padded("", to: 10) + "  not recorded: \(reason)")
        }
        if trace.losses > 0 { lines.append("The kernel lost events \(count(trace.losses, "time")); they are not in it.") }
        if trace.refused > 0 {
            lines.append(
                "\(count(trace.refused, "process", "processes")) of others could not be looked into; root sees who holds files there.")
        }
        if let trouble = trace.trouble { lines.append("It is cut short: \(trouble).") }
        lines.append("")
        if keepsNames {
            lines.append("Names and user numbers are the REAL ones. These documents are in it:")
        } else {
            lines.append("Names and user numbers are replaced. These documents are in it, as it names them:")
        }
        lines += documents.prefix(Self.namesShown).map { "  " + $0 }
        if documents.count > Self.namesShown { lines.append("  and \(count(documents.count - Self.namesShown, "other"))") }
        if documents.isEmpty { lines.append("  none") }
        let source = trace.withoutProcesses == nil ? " --source fanotify" : ""
        lines += [
            "",
            "It says who worked when, and endings and sizes of files. Look at all of it before you hand it on, and ask whom it is about.",
            "What Daybook makes of it:",
            "  daybook replay\(source) --config \(folder)/config.toml --people \(folder)/people.json \(folder)",
        ]
        return lines
    }

    private func what(_ name: String) -> String {
        switch name {
        case "events.jsonl": count(trace.events, "event")
        case "fanotify.jsonl": count(trace.processEvents.count, "event") + " with the process behind each"
        case "procs.jsonl": "\(count(trace.processes.count { !$0.hasEnded }, "process", "processes")), and when they ended"
        case "holders.jsonl": "\(count(trace.holds.count, "time")) a file was taken or let go"
        case "final_tree.txt": "\(count(trace.tree.count, "name")) at the end"
        case "people.json": count(people, "person", "people")
        default: "layouts and limits"
        }
    }
}
