// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import ClassLists
import DaybookLinux
import Glibc
import Inference
import Reports
import Settings

/// The ten steps. Nothing is written before the ninth.
struct Setup {
    let invocation: Invocation
    let dialog: SetupDialog
    let places: SetupPlaces
    let isDry: Bool
    var plan = SetupPlan()
    var samba = SambaSettings(parsing: "")
    var samples: [TreeSample] = []
    var mounts = MountTable(parsing: [])

    init(invocation: Invocation, dialog: SetupDialog, places: SetupPlaces, isDry: Bool) {
        self.invocation = invocation
        self.dialog = dialog
        self.places = places
        self.isDry = isDry
    }

    mutating func run() throws -> ExitCode {
        look()
        try chooseShares()
        try chooseLayouts()
        try choosePeople()
        try checkAttribution()
        try chooseSource()
        try chooseProtection()
        try choosePages()
        let settings = try checkedSettings()
        try SetupWriting(invocation: invocation, dialog: dialog, places: places, isDry: isDry, plan: plan, settings: settings).write()
        return try prove(settings)
    }

    // MARK: 1 and 2

    private mutating func look() {
        dialog.step("Look")
        var name = utsname()
        uname(&name)
        let release = withUnsafeBytes(of: &name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        dialog.say("Kernel \(release); nothing is written before step 9.")
        mounts = MountTable(parsing: Array((SetupPlaces.text("/proc/self/mountinfo", limit: 4 << 20) ?? "").utf8))
        if let program = Programs.find("testparm", environment: invocation.environment),
            let answer = Programs.ask(program, ["-s"], within: .seconds(30))
        {
            samba = SambaSettings(parsing: String(decoding: answer.output, as: UTF8.self))
            dialog.say(
                "Samba: \(samba.value("server role") ?? "standalone or member, by its other settings"), workgroup "
                    + "\(samba.value("workgroup") ?? "WORKGROUP"), \(count(samba.shares.count, "share")).")
        } else {
            dialog.say("Samba is not here (no testparm), so folders are named by hand.")
        }
        for share in offered { dialog.say("[\(share.name)] \(share.path), \(fileSystem(share.path))", indent: "  ") }
        for line in (SetupPlaces.text("/etc/nsswitch.conf") ?? "").split(separator: "\n")
        where line.hasPrefix("passwd:") || line.hasPrefix("group:") {
            dialog.say("Accounts, \(line.split(whereSeparator: \.isWhitespace).joined(separator: " "))", indent: "  ")
        }
        var room = statvfs()
        if statvfs("/var/lib", &room) == 0 {
            let free = Int64(clamping: UInt64(room.f_bavail).multipliedReportingOverflow(by: UInt64(room.f_frsize)).partialValue)
            dialog.say("/var/lib has \(sizeText(free)) free; a thousand students need about 1 GB a school year.", indent: "  ")
        }
        for limit in ["max_user_watches", "max_queued_events"] {
            if let text = SetupPlaces.text("/proc/sys/fs/inotify/\(limit)")?.split(separator: "\n").first {
                dialog.say("fs.inotify.\(limit) = \(text)", indent: "  ")
            }
        }
    }

    private func fileSystem(_ path: String) -> String {
        guard let resolved = Checkup.realPath(path), let mount = mounts.mount(of: resolved) else { return "which is not there" }
        return "on \(mount.type), mounted at \(escapedText(mount.point))"
    }

    /// Samba's own, and what is nobody's schoolwork.
    static let neverOffered: Set<String> = ["homes", "netlogon", "sysvol", "profiles", "print$", "printers", "ipc$"]

    private var offered: [(name: String, path: String)] {
        samba.shares.compactMap { share in
            guard !Self.neverOffered.contains(share.name.lowercased()), let path = samba.value("path", of: share), path.hasPrefix("/"),
                !path.contains("%"), !samba.isYes("printable", of: share)
            else { return nil }
            return (share.name, path)
        }
    }

    private mutating func chooseShares() throws {
        dialog.step("Which shares?")
        let offered = offered
        dialog.say(
            offered.isEmpty
                ? "Name the folders whose documents count, with commas between them."
                : "Name shares of Samba or folders, with commas between them. There is no usual answer; [homes] counts only as its folder, with a "
                    + "layout that names a folder inside each home.")
        func path(_ word: String) -> String {
            if let share = offered.first(where: { $0.name.lowercased() == word.lowercased() }) { return share.path }
            return word.count > 1 && word.hasSuffix("/") ? String(word.dropLast()) : word
        }
        let answer = try dialog.ask(.shares, "Shares", usual: nil) { answer in
            let words = listed(answer)
            if words.isEmpty { return "at least one folder is needed" }
            for word in words {
                if Self.neverOffered.contains(word.lowercased()) { return "[\(word)] is never watched as a whole; name a folder" }
                let path = path(word)
                var facts = stat()
                guard path.hasPrefix("/") else { return "'\(word)' is no share of Samba and no folder from / on" }
                guard path != "/" else { return "/ is the whole machine" }
                guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return "\(path) is not there, or is no folder" }
            }
            return nil
        }
        plan.shares = listed(answer).map { SetupPlan.Share(path: path($0), pattern: "") }
    }

    // MARK: 3

    private mutating func chooseLayouts() throws {
        dialog.step("How are paths read?")
        dialog.say(
            "A layout says which names stand for what. What matches none is neither watched nor named anywhere. {class}, {assignment} and "
                + "{person} stand for one name each, {document} for the rest.")
        for index in plan.shares.indices {
            let path = plan.shares[index].path
            let sample = TreeSample(share: path)
            samples.append(sample)
            let inHomes = Self.isHome(path)
            let proposal = LayoutProposal.best(for: sample, inHomes: inHomes) { name in
                if case .found = Accounts.user(named: name) { true } else { false }
            }
            dialog.say("\(path): \(count(sample.documents.count, "document")) seen\(sample.isComplete ? "" : ", not all looked at").")
            while true {
                let pattern = try dialog.ask(.layout, "Layout of \(path)", usual: proposal) { text in
                    do throws(LayoutPattern.Problem) {
                        let pattern = try LayoutPattern(text)
                        return inHomes && !LayoutProposal.namesFolder(pattern)
                            ? "\(path) has people's homes: the layout must name a folder inside each, such as {person}/Schoolwork/{document}"
                            : nil
                    } catch {
                        return error.description
                    }
                }
                plan.shares[index].pattern = pattern
                let lines = LayoutProposal.decoded(sample, try layouts(of: plan.shares[index]), atMost: 5)
                for line in lines { dialog.show(line) }
                if lines.isEmpty { dialog.say("No document that is there now matches it.", indent: "    ") }
                guard dialog.isAsking else { break }
                dialog.say("Is that right? [yes]")
                invocation.output.write("> ")
                invocation.output.flush()
                if (readLine() ?? "").lowercased().hasPrefix("n") { continue }
                break
            }
        }
    }

    func layouts(of share: SetupPlan.Share) throws -> LayoutSet { LayoutSet([try LayoutPattern(share.pattern)]) }

    /// Whether accounts live in the folders of it.
    private static func isHome(_ path: String) -> Bool {
        setpwent()
        defer { endpwent() }
        for _ in 0..<2_000 {
            guard let entry = getpwent() else { break }
            guard entry.pointee.pw_uid >= 1000, entry.pointee.pw_uid < 65_534, let home = entry.pointee.pw_dir else { continue }
            let text = String(cString: home)
            if text == path || text.hasPrefix(path + "/") { return true }
        }
        return false
    }
}
