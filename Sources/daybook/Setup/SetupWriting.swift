// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookVarlink
import Glibc
import Reports
import Settings

/// The ninth step: everything that `setup` writes and starts. `SetupRemoval` undoes it.
struct SetupWriting {
    let invocation: Invocation
    let dialog: SetupDialog
    let places: SetupPlaces
    let isDry: Bool
    let plan: SetupPlan
    let settings: Settings

    func write() throws {
        dialog.step("Write")
        let folders = settings.shares.reduce(0) { $0 + FolderCount(share: $1.path, layouts: $1.layouts).folders }
        dialog.say("\(count(folders, "folder")) to watch; they need about \(sizeText(Int64(max(folders, 1)) * 1_100)) of kernel memory.")
        let start = try dialog.yes(.start, "Start the service, with recording off?", usual: true)
        guard !isDry else {
            dialog.say("A trial: this would be \(places.configuration).")
            for line in plan.configuration.split(separator: "\n", omittingEmptySubsequences: false) { dialog.show(String(line)) }
            if let limits = SetupPlan.limits(folders: folders) {
                dialog.say("And this \(places.limits).")
                for line in limits.split(separator: "\n") { dialog.show(String(line)) }
            }
            return
        }
        try SetupPlaces.make(places.folder, mode: 0o755)
        try keepOld()
        try SetupPlaces.write(plan.configuration, to: places.configuration, mode: 0o640, group: "daybook-admin")
        dialog.say("Written: \(places.configuration)")
        let sheet = FactSheet(settings.facts(version: DaybookVersion.text))
        try SetupPlaces.write(sheet.markdown, to: places.facts, mode: 0o644)
        dialog.say("Written: \(places.facts)")
        try SetupPlaces.write(dialog.answers.text, to: places.answers, mode: 0o640, group: "daybook-admin")
        try SetupPlaces.remove(places.keepData)
        if let limits = SetupPlan.limits(folders: folders) {
            try SetupPlaces.write(limits, to: places.limits, mode: 0o644)
            dialog.say("Written: \(places.limits)")
        } else {
            try SetupPlaces.remove(places.limits)
        }
        _ = Self.ask(
            ["/usr/lib/systemd/systemd-sysctl", "/lib/systemd/systemd-sysctl"], ["--prefix=/fs/inotify", "--prefix=/fs/fanotify"])
        try writeDropIn()
        if start { try self.start() }
    }

    private func keepOld() throws {
        guard let old = SetupPlaces.text(places.configuration), old != plan.configuration else { return }
        var number = 1
        while SetupPlaces.exists("\(places.configuration).old-\(number)") { number += 1 }
        let kept = "\(places.configuration).old-\(number)"
        try SetupPlaces.write(old, to: kept, mode: 0o640, group: "daybook-admin")
        dialog.say("Kept: the configuration of before, as \(kept)")
    }

    private func writeDropIn() throws {
        guard plan.source == "fanotify" else {
            if try SetupPlaces.remove(places.dropIn) { dialog.say("Removed: \(places.dropIn)") }
            return
        }
        guard let example = SetupPlaces.text(places.exampleDropIn) else {
            throw CommandFailure("\(places.exampleDropIn) is not there, so the service cannot be allowed fanotify; install Daybook again")
        }
        try SetupPlaces.make(places.dropInFolder, mode: 0o755)
        try SetupPlaces.write(example, to: places.dropIn, mode: 0o644)
        dialog.say("Written: \(places.dropIn)")
    }

    private func start() throws {
        guard SetupPlaces.exists("/run/systemd/system") else {
            dialog.say("No systemd runs here, so nothing is started.")
            return
        }
        for words in [
            ["daemon-reload"], ["enable", "daybookd.socket", "daybookd.service"], ["start", "daybookd.socket"],
            ["restart", "daybookd.service"],
        ] {
            guard Self.ask(["/usr/bin/systemctl", "/bin/systemctl"], words) else {
                throw CommandFailure(
                    "systemctl \(words.joined(separator: " ")) failed; 'systemctl status daybookd.service' says why. What was written stays"
                )
            }
        }
        let status = try StatusCommand.ask(invocation)
        dialog.say("Started: daybookd \(status.version), recording is \(status.recording.state.rawValue).")
        let stopping = status.selfTests.filter { !$0.passed && $0.stops }
        for test in stopping { dialog.say("STOPS: \(test.name): \(test.meaning)", indent: "  ") }
    }

    static func ask(_ programs: [String], _ words: [String]) -> Bool {
        guard let program = programs.first(where: { access($0, X_OK) == 0 }) else { return false }
        return Programs.ask(program, words, within: .seconds(90))?.status == 0
    }
}
