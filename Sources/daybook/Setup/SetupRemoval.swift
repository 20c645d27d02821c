// SPDX-License-Identifier: Apache-2.0
import Glibc
import Settings

/// `daybook setup --remove`: what setup wrote goes, and the service stops.
struct SetupRemoval {
    let invocation: Invocation
    let places: SetupPlaces

    func run(isDry: Bool) throws {
        let words = invocation.arguments
        let deletes = words.has("delete-data")
        var files = [places.configuration, places.facts, places.answers, places.limits, places.dropIn]
        var number = 1
        while SetupPlaces.exists("\(places.configuration).old-\(number)") {
            files.append("\(places.configuration).old-\(number)")
            number += 1
        }
        if isDry {
            for file in files where SetupPlaces.exists(file) { say("would go: \(file)") }
            if deletes {
                for folder in [places.state, places.pages] where SetupPlaces.exists(folder) { say("would go: what is in \(folder)") }
            }
            return
        }
        if deletes, !words.has("yes") { try confirm() }
        // Elsewhere than usual it was somebody's own choice, and so is deleting it.
        let settings = try? Settings.load(places.configuration)  // only to tell of it
        if SetupPlaces.exists("/run/systemd/system"), places.root.isEmpty {
            let systemctl = ["/usr/bin/systemctl", "/bin/systemctl"]
            _ = SetupWriting.ask(systemctl, ["disable", "--now", "daybookd.socket", "daybookd.service"])
            _ = SetupWriting.ask(systemctl, ["stop", "daybook-analyze.socket", "daybook-analyze.service"])
        }
        for file in files where try SetupPlaces.remove(file) { say("removed: \(file)") }
        rmdir(places.dropInFolder)  // where nobody else has something in it
        if deletes {
            for folder in [places.state, places.pages] { try empty(folder) }
            if let state = settings?.server.state, state != places.state { say("not touched: the journal in \(state)") }
        } else {
            if words.has("keep-data") {
                try SetupPlaces.write("The journal stays when the package is purged.\n", to: places.keepData, mode: 0o644)
            }
            say("the journal stays in \(settings?.server.state ?? places.state)")
        }
        if SetupPlaces.exists("/run/systemd/system"), places.root.isEmpty {
            _ = SetupWriting.ask(["/usr/bin/systemctl", "/bin/systemctl"], ["daemon-reload"])
        }
    }

    private func say(_ text: String) { invocation.output.line(invocation.shown(text)) }

    private func confirm() throws(CommandFailure) {
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure.usage("this deletes all that was recorded, for good, and nobody is here to ask: give --yes")
        }
        invocation.output.write("All that was recorded is deleted, for good. Type 'delete' to go on: ")
        invocation.output.flush()
        guard readLine() == "delete" else { throw CommandFailure("not confirmed; nothing was changed") }
    }

    /// Through /usr/bin/find, which follows no link and stays on the file system; the folder itself belongs to the package.
    private func empty(_ folder: String) throws(CommandFailure) {
        guard SetupPlaces.exists(folder) else { return }
        guard SetupWriting.ask(["/usr/bin/find"], [folder, "-xdev", "-mindepth", "1", "-delete"]) else {
            throw CommandFailure("\(folder) could not be emptied whole; look what is in it")
        }
        say("deleted: what was in \(folder)")
    }
}
