// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import DaybookLinux
import Glibc
import ProgramTexts
import Reports

/// `daybook open CONTEXT`
enum OpenCommand {
    static let command = Command(
        "open", "APP/A/B | daybook://APP/A/B", summary: "open a piece of a program's content",
        explanation: """
            Starts the program that a piece of content belongs to, and hands it the way there: its universal link in the browser where it has one,
            else the program itself, which gets daybook://APP/A/B as an argument. The program is found by its .desktop file: APP.desktop, or one
            with the line X-Daybook-App=APP and the type x-scheme-handler/daybook. In a link, names are percent-encoded.
            """,
        options: [OptionSpec("print", "only say what would be opened, and start nothing")], run: run)

    private static func run(_ invocation: Invocation) throws -> ExitCode {
        try invocation.requireOperands(1...1, "what to open")
        let text = invocation.operand(0) ?? ""
        guard let name = ContextName(text) else {
            throw CommandFailure.usage("'\(invocation.shown(text))' is no content of a program; write APP/A/B or daybook://APP/A/B")
        }
        var parameters: JSONObject = ["path": .array(name.path.map { .string($0) })]
        if invocation.environment("DAYBOOK_CLASSKIT_ENVIRONMENT") == "development" { parameters["environment"] = "development" }
        let reply = try invocation.ask("org.daybook.ClassKit.GetLink", parameters)
        let words = try command(name, reply, invocation)
        if invocation.arguments.has("print") {
            let line: JSONValue = ["title": reply["title"] ?? .null, "command": .array(words.map { .string($0) })]
            invocation.output.line(
                invocation.isJSON ? terminalSafe(line) : words.map { shellQuoted(invocation.shown($0)) }.joined(separator: " "))
            return .good
        }
        let program = words[0].contains("/") ? words[0] : Programs.find(words[0], environment: invocation.environment)
        guard let program else {
            let link = words.last ?? ""
            throw CommandFailure("the program \(invocation.shown(words[0])) is not here; open \(invocation.shown(link)) by hand")
        }
        let failure = Programs.replace(with: program, words.dropFirst().map { Array($0.utf8) })
        throw CommandFailure("\(invocation.shown(program)) cannot be started: \(errnoText(failure.code))")
    }

    private static func command(_ name: ContextName, _ reply: JSONObject, _ invocation: Invocation) throws -> [String] {
        if let link = reply["universalLink"]?.stringValue {
            // Whoever teaches put it there; it must not become a file or a program of this machine.
            guard link.lowercased().hasPrefix("https://") || link.lowercased().hasPrefix("http://") else {
                throw CommandFailure("its link is no web address, so it is not opened: \(invocation.shown(link))")
            }
            return ["xdg-open", link]
        }
        guard let url = reply["url"]?.stringValue else { throw CommandFailure("the daemon's answer has no link") }
        guard let entry = DesktopFiles(environment: invocation.environment).entry(of: name.app) else {
            throw CommandFailure(
                """
                no program is registered for \(invocation.shown(name.app)): there is no \(invocation.shown(name.app)).desktop, and none with \
                X-Daybook-App=\(invocation.shown(name.app))
                """)
        }
        return entry.command(opening: url)
    }
}

/// The folders where `.desktop` files are, the person's own first.
struct DesktopFiles {
    private let folders: [String]
    /// A file that is longer is none that anybody wrote.
    private static let longest = 64 << 10

    init(environment: (String) -> String?) {
        func value(_ name: String) -> String? { environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let home = environment("HOME").map { $0 + "/.local/share" }
        let own = [value("XDG_DATA_HOME") ?? home].compactMap { $0 }
        let shared = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
        folders = (own + shared).map { $0 + "/applications" }
    }

    func entry(of app: String) -> DesktopEntry? {
        for folder in folders {
            if let entry = read("\(folder)/\(app).desktop") { return entry }
        }
        for folder in folders {
            for name in Self.names(folder) where name.hasSuffix(".desktop") {
                if let entry = read("\(folder)/\(name)"), entry.app == app, entry.takesLinks { return entry }
            }
        }
        return nil
    }

    private func read(_ path: String) -> DesktopEntry? {
        guard let bytes = try? SmallFile.read(path, limit: Self.longest) else { return nil }  // not there, or not for us
        return DesktopEntry(String(decoding: bytes, as: UTF8.self))
    }

    private static func names(_ folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.sorted()
    }
}
