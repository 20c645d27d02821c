// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import Foundation
import Inference
import Settings
import Testing

@testable import daybook

@Suite("daybook setup")
struct SetupTests {
    // MARK: Answers

    @Test("reads back the answers that it wrote")
    func answers() throws {
        let text = "# a note\n\n shares = classes, /srv/more \nlayout={class}/{person}/{document}\nsmall-group = 4\nteachers =\n"
        let answers = try SetupAnswers(parsing: text)
        #expect(answers[.shares] == "classes, /srv/more")
        #expect(listed(answers[.shares] ?? "") == ["classes", "/srv/more"])
        #expect(answers[.layout] == "{class}/{person}/{document}")
        #expect(answers[.smallGroup] == "4")
        #expect(answers[.teachers] == "")
        #expect(answers[.pages] == nil)
        #expect(try SetupAnswers(parsing: answers.text) == answers)
    }

    @Test(
        "names the line of an answer that it does not understand",
        arguments: [
            ("shares = a\nlayuot = b", "line 2: no question is called 'layuot'; did you mean 'layout'?"),
            ("shares\n", "line 1: 'question = answer' is wanted here, not 'shares'"),
            ("shares = a\n\nshares = b", "line 3: 'shares' is answered twice"),
        ])
    func mistakes(text: String, message: String) {
        let error = #expect(throws: SetupAnswers.Mistake.self) { try SetupAnswers(parsing: text) }
        #expect(error?.description == message)
    }

    // MARK: Layouts

    private static let people: Set<String> = ["berg", "linden", "moss"]

    @Test(
        "proposes the layout in which accounts stand where persons belong",
        arguments: [
            (
                ["8b/Hamlet/berg/essay.odt", "8b/Hamlet/linden/essay.odt", "9a/Macbeth/moss/a/b.odt"],
                "{class}/{assignment}/{person}/{document}"
            ),
            (["8b/berg/Hamlet/essay.odt", "8b/linden/Hamlet/essay.odt"], "{class}/{person}/{assignment}/{document}"),
            (["Hamlet/berg/essay.odt", "Macbeth/linden/essay.odt"], "{assignment}/{person}/{document}"),
            (["berg/Hamlet/essay.odt", "linden/Hamlet/x/essay.odt"], "{person}/{assignment}/{document}"),
            (
                ["berg/Unterrichtsmaterial/Hamlet/essay.odt", "linden/Unterrichtsmaterial/Hamlet/essay.odt"],
                "{person}/Unterrichtsmaterial/{assignment}/{document}"
            ),
            // What else is in somebody's folder is theirs.
            (
                ["berg/Desktop/diary.odt", "berg/Desktop/letter.odt", "berg/Unterrichtsmaterial/Hamlet/essay.odt"],
                "{person}/Unterrichtsmaterial/{assignment}/{document}"
            ),
            // A whole school as one share, as linuxmuster.net has it.
            (
                [
                    "share/rules.pdf", "students/10a/berg/private.txt", "students/10a/berg/diary.odt",
                    "students/10a/berg/transfer/Hamlet/essay.odt", "students/10b/linden/transfer/Hamlet/essay.odt",
                    "teachers/kelly/marks.ods",
                ], "students/{class}/{person}/transfer/{assignment}/{document}"
            ),
            (["pupils/8b/Hamlet/berg/essay.odt", "staff/plan.odt"], "pupils/{class}/{assignment}/{person}/{document}"),
            // One class alone is a class all the same.
            (["8b/Hamlet/berg/essay.odt"], "{class}/{assignment}/{person}/{document}"),
            // Nothing is known of these: the usual one.
            (["a/b/c/d.odt"], "{class}/{assignment}/{person}/{document}"), ([], "{class}/{assignment}/{person}/{document}"),
        ])
    func proposal(documents: [String], pattern: String) throws {
        let sample = TreeSample(documents: documents.map { PathBytes($0) })
        #expect(LayoutProposal.best(for: sample, inHomes: false, isPerson: Self.people.contains) == pattern)
    }

    @Test("takes for classes what folders are called, and no pattern")
    func classNames() {
        #expect(Setup.classProblem("8b, 9a") == nil)
        #expect(Setup.classProblem("") == nil)
        for answer in ["students-{class}", "8b, students-*", "@students-8b", "school/8b"] {
            #expect(Setup.classProblem(answer)?.contains("is no name of a class") == true, "\(answer)")
        }
    }

    @Test("proposes in homes only a layout that names a folder inside each")
    func homes() throws {
        let sample = TreeSample(documents: ["berg/Hamlet/essay.odt", "linden/Hamlet/essay.odt"].map { PathBytes($0) })
        let best = LayoutProposal.best(for: sample, inHomes: true, isPerson: Self.people.contains)
        #expect(LayoutProposal.namesFolder(try LayoutPattern(best)), "\(best)")
        for preset in LayoutProposal.presets { _ = try LayoutPattern(preset) }
    }

    @Test("shows how real paths are read, one of each folder")
    func decoded() throws {
        let sample = TreeSample(
            documents: ["8b/Hamlet/berg/a.odt", "8b/Hamlet/berg/b.odt", "8b/notes.txt", "8b/Hamlet/linden/c.odt"].map { PathBytes($0) })
        let layout = LayoutSet([try LayoutPattern("{class}/{assignment}/{person}/{document}")])
        #expect(
            LayoutProposal.decoded(sample, layout, atMost: 5) == [
                "class 8b / assignment Hamlet / person berg / document a.odt",
                "class 8b / assignment Hamlet / person linden / document c.odt",
            ])
        #expect(LayoutProposal.decoded(sample, layout, atMost: 1).count == 1)
    }

    @Test("looks at a real tree without hidden names, links and folders that nobody watches")
    func tree() throws {
        let folder = try Folder()
        let files = FileManager.default
        for name in ["8b/berg", "8b/.snapshots/berg", "8b/linden"] {
            try files.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        }
        for name in ["8b/berg/a.odt", "8b/berg/.~lock.a.odt#", "8b/.snapshots/berg/a.odt", "8b/linden/b.odt"] {
            #expect(files.createFile(atPath: "\(folder.path)/\(name)", contents: Data("x".utf8)))
        }
        try files.createSymbolicLink(atPath: folder.path + "/8b/link.odt", withDestinationPath: "berg/a.odt")
        let sample = TreeSample(share: folder.path)
        #expect(sample.documents == ["8b/berg/a.odt", "8b/linden/b.odt"].map { PathBytes($0) })
        #expect(sample.isComplete)
    }

    // MARK: What is written

    private var plan: SetupPlan {
        var plan = SetupPlan()
        plan.shares = [
            .init(path: "/srv/a \"b\"\\c", pattern: "{class}/{assignment}/{person}/{document}"),
            .init(path: "/home", pattern: "{person}/Schoolwork/{assignment}/{document}"),
        ]
        plan.classes = [.init(name: "8b", students: ["@students-8b"], teachers: ["kelly", "@staff"])]
        plan.administrators = ["@heads"]
        plan.hours = ["Mon-Fri 07:00-17:00"]
        plan.holidays = ["2026-12-21 2027-01-08"]
        plan.pages = "/var/lib/daybook-pages"
        plan.sharedAccounts = ["schule"]
        plan.excluded = ["Trash"]
        plan.source = "fanotify"
        return plan
    }

    @Test("writes a configuration that says what was answered, with recording off")
    func configuration() throws {
        let settings = try Settings.parse(text: plan.configuration)
        #expect(!settings.recording.enabled)
        #expect(settings.shares.map(\.path) == ["/srv/a \"b\"\\c", "/home"])
        #expect(settings.shares.map { $0.layouts.layouts.map(\.text) }.flatMap { $0 } == plan.shares.map(\.pattern))
        #expect(settings.classes.map(\.name) == ["8b"])
        #expect(settings.classes.first?.students == [.group("students-8b")])
        #expect(settings.classes.first?.teachers == [.login("kelly"), .group("staff")])
        #expect(settings.access.administrators == [.group("daybook-admin"), .group("heads")])
        #expect(settings.identity.sharedAccounts == [.login("schule")])
        #expect(settings.watch.source == .fanotify)
        #expect(settings.watch.excluded == LayoutSet.defaultExclusions + ["Trash"])
        #expect(settings.pages.directory == "/var/lib/daybook-pages")
        #expect(settings.school.time.holidays.count == 1)
    }

    @Test("tries with another socket and state, recording, and without pages")
    func trial() throws {
        let settings = try Settings.parse(text: plan.trial(in: "/run/trial"))
        #expect(settings.recording.enabled)
        #expect(settings.server.socket == "/run/trial/socket")
        #expect(settings.server.state == "/run/trial/state")
        #expect(settings.analyzer.socket == nil)
        #expect(settings.pages.directory == nil)
        #expect(settings.shares == (try Settings.parse(text: plan.configuration)).shares)
    }

    @Test("raises the kernel's limit only beyond what the package sets")
    func limits() {
        #expect(SetupPlan.limits(folders: SetupPlan.packagedWatches / 2) == nil)
        #expect(SetupPlan.limits(folders: SetupPlan.packagedWatches / 2 + 1)?.contains("max_user_watches = 1048578\n") == true)
    }

    @Test("names in the trial who saved and how that is known, once a save is there")
    func proof() throws {
        let lines = [
            #"{"kind":"watching"}"#,
            #"{"kind":"activity.started","activity":4,"document":{"share":0,"path":"8b/Hamlet/berg/e.odt"},"person":{"uid":7,"login":"berg"},"identity":"companion"}"#,
            #"{"kind":"evidence","activity":4,"what":"opened"}"#,
        ]
        let entries = try lines.map { line -> JSONObject in
            guard case .object(let object) = try JSONValue(parsing: line) else { throw CommandFailure("no object") }
            return object
        }
        #expect(SaveProof.saved(entries) == nil)
        let save = try JSONValue(parsing: #"{"kind":"evidence","activity":4,"what":"saved"}"#)
        guard case .object(let last) = save else { throw CommandFailure("no object") }
        #expect(SaveProof.saved(entries + [last]) == SaveProof.Seen(document: "8b/Hamlet/berg/e.odt", login: "berg", source: .companion))
    }

    // MARK: Classes

    @Test("counts a class in three ways, and says what differs")
    func counts() {
        // root is in every account list and in the group of its name.
        let found = ClassCount(of: ["root"], folders: ["root", "no-such-login-here"], className: "8b", roster: nil)
        #expect(found.listed == 1)
        #expect(found.byPerson == 1)
        #expect(found.text == "1 listed, 1 of 2 by each one's groups, - in class lists")
        #expect(found.remark == "1 with a folder are not in it, and are not recorded")
        let nobody = ClassCount(of: ["@no-such-group-here"], folders: [], className: "8b", roster: nil)
        #expect(nobody.isEmpty)
        #expect(nobody.remark == "nobody is found in it: nothing would be recorded in this class")
    }
}
