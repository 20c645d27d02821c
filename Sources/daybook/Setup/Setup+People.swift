// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import ClassLists
import DaybookLinux
import Glibc
import Inference
import Settings

extension Setup {
    // MARK: 4

    mutating func choosePeople() throws {
        dialog.step("Who is in which class?")
        // Class → people with a folder in it.
        var folders: [String: Set<String>] = [:]
        for (share, sample) in zip(plan.shares, samples) {
            let layouts = try layouts(of: share)
            for document in sample.documents {
                guard let placement = layouts.placement(ofDocument: document), let name = placement.className else { continue }
                folders[name, default: []].formUnion(placement.person.map { [$0] } ?? [])
            }
        }
        dialog.say("Classes are the names at {class}. Without any class everybody counts as a student, which is meant for trials only.")
        let names = try dialog.ask(
            .classes, "Classes, with commas between them", usual: folders.keys.sorted().joined(separator: ", "),
            check: Self.classProblem)
        let classes = listed(names)
        guard !classes.isEmpty else {
            dialog.say("No class: everybody counts as a student.")
            return
        }
        dialog.say("A star stands for the class's name; @ begins a Unix group.")
        let students = try dialog.ask(
            .students, "Students of each class, such as @students-*", usual: Self.guess(classes), check: Self.problem)
        let teachers = try dialog.ask(
            .teachers, "Teachers of each class, such as @teachers or @staff-*, kelly", usual: "", check: Self.problem)
        for remark in Self.remarks(onTeachers: teachers, of: classes) { dialog.say(remark, indent: "    ") }
        let roster = (try? SmallFile.read(places.state + "/classes.jsonl", limit: 256 << 20)).flatMap { ClassList(fileText: $0) }
        var total = 0
        for name in classes {
            let item = SetupPlan.SchoolClass(name: name, students: Self.filled(students, name), teachers: Self.filled(teachers, name))
            plan.classes.append(item)
            let count = ClassCount(of: item.students, folders: (folders[name] ?? []).sorted(), className: name, roster: roster)
            total += max(count.listed ?? 0, count.byPerson ?? 0, count.roster ?? 0)
            dialog.say("\(name): \(count.text)", indent: "    ")
            if let remark = count.remark { dialog.say("\(name): \(remark)", indent: "    ") }
        }
        if total == 0 {
            dialog.say(
                "In no class anybody is found. Is the directory reachable ('getent group NAME', 'id LOGIN')? winbind needs 'winbind expand "
                    + "groups', sssd 'ignore_group_members = false' to list members.")
        }
        let administrators = try dialog.ask(
            .administrators, "Who else but root sees everything: logins or @groups besides the group daybook-admin", usual: "",
            check: Self.problem)
        plan.administrators = listed(administrators)
    }

    /// A group whose name ends in each class's name, where there is one.
    private static func guess(_ classes: [String]) -> String {
        for prefix in ["students-", "schueler-", "pupils-", "class-", "klasse-", ""] {
            let groups = classes.filter { if case .found = Accounts.group(named: prefix + $0) { true } else { false } }
            if groups.count == classes.count { return "@\(prefix)*" }
        }
        return ""
    }

    private static func filled(_ answer: String, _ name: String) -> [String] {
        listed(answer).map { $0.replacing("*", with: name) }
    }

    private static func problem(_ answer: String) -> String? {
        for word in listed(answer) {
            let login = word.hasPrefix("@") ? String(word.dropFirst()) : word
            if let problem = ClassList.loginProblem(login.replacing("*", with: "x")) { return "\(word): \(problem)" }
            if login == word, case .absent = Accounts.user(named: word), case .found = Accounts.group(named: word) {
                return "\(word) is a group and no login: say @\(word)"
            }
        }
        return nil
    }

    /// A class is named as its folder is; groups are asked for next.
    static func classProblem(_ answer: String) -> String? {
        for word in listed(answer) where word.contains(where: { "{}*@/".contains($0) }) {
            return "'\(word)' is no name of a class, which is that of its folder, such as 8b; which group has its students is asked next"
        }
        return nil
    }

    /// Of teachers whom nobody knows, and of none at all.
    private static func remarks(onTeachers answer: String, of classes: [String]) -> [String] {
        if listed(answer).isEmpty { return ["No teachers: only administrators can look at these classes."] }
        var unknown: [String] = []
        for word in classes.flatMap({ filled(answer, $0) }) where !unknown.contains(word) {
            let isKnown: Bool
            if word.hasPrefix("@") {
                if case .absent = Accounts.group(named: String(word.dropFirst())) { isKnown = false } else { isKnown = true }
            } else {
                if case .absent = Accounts.user(named: word) { isKnown = false } else { isKnown = true }
            }
            if !isKnown { unknown.append(word) }
        }
        return unknown.map { "\($0): nobody of that name is known, so it gives no teacher" }
    }

    // MARK: 5

    mutating func checkAttribution() throws {
        dialog.step("Can it be told who worked?")
        for share in samba.shares {
            guard let path = samba.value("path", of: share), serves(path) else { continue }
            let modules = samba.modules(of: share)
            if modules.contains("recycle") { exclude(samba.value("recycle:repository", of: share) ?? ".recycle", of: share.name) }
            if modules.contains("shadow_copy2") { exclude(samba.value("shadow:snapdir", of: share) ?? ".snapshots", of: share.name) }
            if let user = samba.value("force user", of: share), !user.hasPrefix("%"), !plan.sharedAccounts.contains(user),
                plan.shares.allSatisfy({ $0.pattern.contains("{person}") })
            {
                dialog.say("[\(share.name)] has 'force user = \(user)': everybody looks like \(user), so the owner of a file tells nobody.")
                if try dialog.yes(.sharedAccount, "May the folder at {person} decide instead, marked assumed?", usual: false) {
                    plan.sharedAccounts.append(user)
                }
            }
        }
        let findings = SambaCheck(samba, try checkedSettings(), resolved: { Checkup.realPath($0) ?? $0 }).findings()
        for finding in findings {
            dialog.say("\(finding.state == .stops ? "STOPS: " : "")\(finding.what)", indent: "  ")
            if let mend = finding.mend { dialog.say("mend: \(mend)", indent: "    ") }
        }
        if findings.isEmpty { dialog.say("Nothing in Samba's settings stands in the way.") }
        let stopping = findings.filter { $0.state == .stops }.count
        guard stopping == 0 || isDry else {
            throw CommandFailure(
                "\(count(stopping, "setting")) of Samba would keep Daybook from telling who worked; mend it first. Nothing was written")
        }
    }

    private func serves(_ path: String) -> Bool {
        let path = SambaPath(path)
        return plan.shares.contains { path.meets(Checkup.realPath($0.path) ?? $0.path) || path.meets($0.path) }
    }

    private mutating func exclude(_ place: String, of share: String) {
        guard !place.hasPrefix("/"), let name = place.split(separator: "/").first.map(String.init), !name.contains("%") else { return }
        let known = LayoutSet([], excluding: LayoutSet.defaultExclusions + plan.excluded)
        guard !known.isExcluded(Array(name.utf8)[...]) else { return }
        plan.excluded.append(name)
        dialog.say("[\(share)] fills the folder '\(name)' by itself; it is excluded.")
    }

    /// The configuration as it would be read, so that every mistake shows before anything is written.
    func checkedSettings() throws(CommandFailure) -> Settings {
        do {
            return try Settings.parse(text: plan.configuration)
        } catch {
            throw CommandFailure("these answers do not go together: " + error.problems.map(\.message).joined(separator: "; "))
        }
    }

    // MARK: 6 to 8

    mutating func chooseSource() throws {
        dialog.step("How is the kernel asked?")
        dialog.show("inotify    no privilege but reading; who worked is told by files' owners and by the layout")
        dialog.show("fanotify   needs CAP_SYS_ADMIN; the kernel names the process, so also who, at each change. The folders of the layouts")
        dialog.show("           alone are marked; what is outside is never asked for")
        plan.source = try dialog.ask(.source, "inotify or fanotify", usual: "inotify") {
            ["inotify", "fanotify"].contains($0) ? nil : "inotify or fanotify is wanted"
        }
    }

    mutating func chooseProtection() throws {
        dialog.step("Protection")
        let zone = SetupPlaces.text("/etc/timezone")?.split(separator: "\n").first.map(String.init)
        dialog.say("Days and times are those of this machine's zone\(zone.map { ", \($0)" } ?? "") ('timedatectl').")
        plan.hours = listed(
            try dialog.ask(.hours, "School hours; outside of them teachers see no time of day", usual: "Mon-Fri 07:00-17:00") { answer in
                listed(answer).contains { SchoolTime.Hours($0) == nil } ? "hours are written like Mon-Fri 07:00-17:00" : nil
            })
        plan.holidays = listed(try dialog.ask(.holidays, "Days without school, first and last, such as 2026-12-21 2027-01-08", usual: ""))
        let retention = try dialog.ask(
            .retention, "How long single sessions are kept after an assignment, and then figures", usual: "60d, 400d"
        ) { listed($0).count == 2 ? nil : "two durations are wanted, such as 60d, 400d" }
        (plan.evidence, plan.totals) = (listed(retention)[0], listed(retention)[1])
        let least = try dialog.ask(.smallGroup, "No averages over fewer students than", usual: "5") {
            Int($0).map { (2...1000).contains($0) } == true ? nil : "a number from 2 to 1000 is wanted"
        }
        plan.smallGroup = Int(least) ?? 5
        _ = try checkedSettings()
        dialog.say("The sheet of facts for data protection is written with these values to \(places.facts).")
    }

    mutating func choosePages() throws {
        dialog.step("Pages for teachers and students")
        guard try dialog.yes(.pages, "Publish pages, for a read-only share?", usual: true) else {
            dialog.say("No pages; 'daybook report' and 'daybook me' show the same.")
            return
        }
        plan.pages = places.pages
        dialog.say("Put this into smb.conf yourself; setup never edits it:")
        guard let stanza = SetupPlaces.text(places.stanza) else {
            dialog.say("(\(places.stanza) is not there)")
            return
        }
        for line in stanza.split(separator: "\n") where !line.hasPrefix("#") { dialog.show(String(line)) }
    }
}
