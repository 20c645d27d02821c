// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("A school's first day", .serialized, .enabled(if: Box.obstacle == nil, Comment(rawValue: Box.obstacle ?? "")))
struct PlayThroughTests {
    private typealias Table = [String: [String: Any]]

    /// The rows of a class's table by login.
    private func rows(_ report: [String: Any]) throws -> Table {
        let rows = try #require(report["rows"] as? [[String: Any]])
        return try Dictionary(uniqueKeysWithValues: rows.map { (try #require($0["person"] as? String), $0) })
    }

    private func figure(_ row: [String: Any]?, _ identifier: String) -> Double? {
        (row?["items"] as? [[String: Any]])?.first { $0["identifier"] as? String == identifier }?["value"] as? Double
    }

    /// What the server says of somebody's time holds the time that went by from opening to closing.
    private func check(_ row: [String: Any]?, _ truth: Double, _ who: String) throws {
        let least = try #require(row?["atLeastSeconds"] as? Double, "\(who)")
        let most = try #require(row?["atMostSeconds"] as? Double, "\(who)")
        // Starting and ending a program, and the wake-ups in between.
        #expect(least <= truth + 1 && truth <= most + 3, "\(who): at least \(least), truth \(truth), at most \(most)")
    }

    private func refused(_ outcome: Outcome, _ part: String, status: Int32 = 1) {
        #expect(outcome.status == status && outcome.output.replacing("\n", with: " ").contains(part), "\(part)\n\(outcome)")
    }

    @Test("two teachers, four assignments, one a quiz, eight students: every table, page and refusal is what was worked out by hand")
    func day() async throws {
        let play = try await PlayThrough()
        try await install(play)
        try await assign(play)
        try await work(play)
        try await essay(play)
        try await slides(play)
        try await poem(play)
        try await quiz(play)
        try await pages(play)
        try await refusals(play)
        try await play.box.must("systemctl stop daybookd.service && daybook verify /var/lib/daybook")
    }

    /// The administrator: checks the configuration, starts it, tells everybody, switches it on, and one student off.
    private func install(_ play: PlayThrough) async throws {
        try await play.box.must("daybook config check && systemctl start daybookd.socket daybookd.service")
        try await play.box.eventually("daybook status --json | grep -q '\"state\":\"complete\"'")
        #expect(try await play.must("daybook status", as: "heath").contains(Regex("Recording +off")))
        try await play.must("daybook recording on", as: "heath")
        refused(try await play.sh("daybook recording on", as: "kelly"), "it is for administrators")
        try await play.box.eventually("daybook classes | grep -q demir")
        #expect(try await play.must("daybook classes", as: "kelly").contains("you: teacher"))
        try await play.must("daybook recording off demir --yes", as: "heath")
    }

    /// Kelly sets an essay of 20 words from a template of 4, Evans excused; Moss slides for a group, a poem that was due in January, and a
    /// quiz of three questions.
    private func assign(_ play: PlayThrough) async throws {
        try await play.must("printf 'Write your essay here.\\n' > essay.md", as: "kelly")
        let copied = try await play.must(
            "daybook assign Essay --class 9a --due 2030-05-02 --target '20 words' --excuse evans --copy essay.md", as: "kelly")
        #expect(copied.contains("4 of 4 copied."), "\(copied)")
        #expect(
            try await play.box.must("cd /srv/classes/9a && ls -d */* && stat -c %U */abara/essay.md")
                == ["abara", "berg", "castell", "demir"].map { "2030-05-02 Essay/\($0)\n" }.joined() + "kelly\n")
        try await play.must(
            "daybook assign Talk --class 9b --due 2030-05-03 && mkdir -m 777 '/srv/classes/9b/2030-05-03 Talk/group'", as: "moss")
        try await play.must("daybook assign Poem --class 9b --due 2026-01-09 --past", as: "moss")
        for student in ["grant", "haddad"] { try await play.must("mkdir -m 777 \"$(echo /srv/classes/9b/*Poem)/\(student)\"", as: "moss") }
        try await play.must("printf '\(Self.key)' > faust.gift", as: "moss")
        let quiz = try await play.must(
            "daybook assign Quiz --class 9b --due 2030-05-04 --target '3 score' --key faust.gift", as: "moss")
        #expect(quiz.contains("3 questions, 3 points at best (GIFT)"), "\(quiz)")
        for student in ["fofanah", "grant"] { try await play.must("mkdir -m 777 '\(Self.quizFolder)/\(student)'", as: "moss") }
        let mine = try await play.must("daybook report", as: "moss")
        #expect(mine.contains("Talk") && mine.contains("Poem") && mine.contains("Quiz") && !mine.contains("Essay"), "\(mine)")
    }

    /// About half a minute of work, all at the same time.
    private func work(_ play: PlayThrough) async throws {
        let essay = { (login: String) in "/srv/classes/9a/2030-05-02 Essay/\(login)/essay.md" }
        // 4 and 6 words at the first save, 12 at the second.
        let vim = PlayThrough.editor(
            "vim", essay("abara"), shows: "Write your essay here.",
            first: ["Go", "-l 'Hamlet waits and thinks and waits.'", "Escape", "-l ':w'", "Enter"], pause: 14,
            second: ["Go", "-l 'He acts.'", "Escape", "-l ':wq'", "Enter"])
        try await play.begin(vim, as: "abara")
        try await play.begin(
            vim.replacing("/abara/", with: "/demir/"), as: "demir")
        // 4 and 16 are 20.
        try await play.begin(
            PlayThrough.editor(
                "nano", essay("berg"), shows: "Write your essay here.",
                first: ["-l 'To be or not to be, that is'", "Enter", "C-o", "Enter"], pause: 14,
                second: ["-l 'the question, or so he says, all alone.'", "Enter", "C-o", "Enter", "C-x"])
                + "\ndaybook handin Essay '\(essay("berg"))'", as: "berg")
        // By rename: 4 and 3, then 4, 3 and 5.
        try await play.begin(
            """
            cd '/srv/classes/9a/2030-05-02 Essay/castell'
            note opened
            { cat essay.md; echo 'Words, words, words.'; } > .essay.new && mv .essay.new essay.md
            sleep 15
            { cat essay.md; echo 'The rest of it sleeps.'; } > .essay.new && mv .essay.new essay.md
            note closed
            daybook done Essay
            """, as: "castell")
        let talk = "/srv/classes/9b/2030-05-03 Talk/group/talk.odp"
        try await play.begin("note opened\n" + PlayThrough.slides(4, talk) + "\nnote closed", as: "fofanah")
        try await play.begin("sleep 8\nnote opened\n" + PlayThrough.slides(6, talk) + "\nnote closed", as: "grant")
        try await play.finish(["abara", "berg", "castell", "demir", "fofanah", "grant"])
        // Grant is late with the poem of 5 words; Haddad brings a file of 7 from home.
        try await play.begin(
            PlayThrough.editor(
                "vim", "/srv/classes/9b/2026-01-09 Poem/grant/poem.txt", shows: "poem.txt",
                first: ["i", "-l 'Roses are red, mostly'", "Escape", "-l ':w'", "Enter"], pause: 4,
                second: ["A", "-l ' so.'", "Escape", "-l ':wq'", "Enter"]) + "\ndaybook handin Poem", as: "grant")
        try await play.begin(
            """
            echo 'This poem was written at my home.' > poem.txt
            cp poem.txt '/srv/classes/9b/2026-01-09 Poem/haddad/poem.txt'
            """, as: "haddad")
        try await play.finish(["grant", "haddad"])
        // Two of three, and, by another spelling and a letter, three of three.
        for (login, answers) in [("fofanah", "1. Goethe\\n2. Paris\\n3. five\\n"), ("grant", "1. goethe\\n2. B\\n3. 4\\n")] {
            try await play.must("printf '\(answers)' > '\(Self.quizFolder)/\(login)/answers.txt'", as: login)
        }
        // All of it is measured once the last is.
        try await play.box.eventually("daybook show haddad --json | grep -q '\"value\":7'", within: 30)
        try await play.box.eventually("daybook report Talk --json | grep -q '\"slide_count\"'", within: 30)
        for score in ["2/3", "3/3"] { try await play.box.eventually("daybook report Quiz | grep -q ' \(score) '", within: 30) }
    }

    private func essay(_ play: PlayThrough) async throws {
        let report = try await play.read("daybook report Essay", as: "kelly")
        let rows = try rows(report)
        #expect(
            rows.mapValues { $0["state"] as? String } == [
                "abara": "started", "berg": "handed-in", "castell": "done", "demir": "recording-off", "evans": "excused",
            ])
        let words = ["abara": 12.0, "berg": 20, "castell": 12]
        for login in PlayThrough.students.prefix(5) { #expect(figure(rows[login], "total_word_count") == words[login], "\(login)") }
        #expect(
            rows.mapValues { $0["goalPercent"] as? Int } == ["abara": 60, "berg": 100, "castell": 60, "demir": nil, "evans": nil])
        for login in words.keys { try check(rows[login], try await play.seconds(login), login) }
        for (line, value) in [("median", 12.0), ("average", 44.0 / 3)] {
            let shown = try #require((report[line] as? [String: Any])?["primary"] as? Double)
            #expect(abs(shown - value) < 0.01, "\(line) \(shown)")
        }
        #expect(report["students"] as? Int == 5 && report["started"] as? Int == 3 && report["finished"] as? Int == 2)
        let text = try await play.must("daybook report Essay", as: "kelly")
        let flat = text.replacing("\n", with: " ")
        for line in ["demir  +recording off", "evans  +excused", "berg  +handed in .* 20 +100 %", "1 excused, 1 recording off"] {
            #expect(try flat.contains(Regex(line)), "\(line)\n\(text)")
        }
        // The words at each save, by hand: 10 and 12, 12 and 20, 7 and 12; the template's own 4 may stand before them.
        for (login, counts) in ["abara": [10, 12], "berg": [12, 20], "castell": [7, 12]] {
            let student = try await play.read("daybook show \(login) Essay", as: "kelly")
            let saves = try #require(((student["assignments"] as? [[String: Any]])?.first?["saves"]) as? [[String: Any]])
            #expect(saves.compactMap { ($0["item"] as? [String: Any])?["value"] as? Int }.suffix(2) == counts[...], "\(login) \(saves)")
        }
        let csv = try await play.must("daybook report Essay --csv --separator ';'", as: "kelly")
        #expect(csv.contains("\r\nberg;berg;handed in;") && csv.contains("\r\ndemir;demir;recording off;;;;;;"), "\(csv)")
        // Of somebody for whom recording is off nothing is anywhere.
        try await play.box.must("! grep -r 'Essay/demir' /var/lib/daybook/journal")
    }

    private func slides(_ play: PlayThrough) async throws {
        let rows = try rows(try await play.read("daybook report Talk", as: "moss"))
        #expect(Set(rows.keys) == ["fofanah", "grant", "haddad"])
        #expect(figure(rows["fofanah"], "slide_count") == 4, "\(rows)")
        #expect(figure(rows["grant"], "slide_count") == 6, "\(rows)")
        #expect(rows["haddad"]?["state"] as? String == "not-started")
    }

    private func poem(_ play: PlayThrough) async throws {
        let rows = try rows(try await play.read("daybook report Poem", as: "moss"))
        #expect(
            rows.mapValues { $0["state"] as? String } == ["fofanah": "not-started", "grant": "handed-in", "haddad": "brought-in"])
        #expect(rows["grant"]?["late"] as? Bool == true)
        #expect(figure(rows["grant"], "total_word_count") == 5 && figure(rows["haddad"], "total_word_count") == 7)
        #expect(rows["haddad"]?["activeSeconds"] is NSNull || rows["haddad"]?["activeSeconds"] == nil, "how long is not known")
        try check(rows["grant"], try await play.seconds("grant"), "grant")
        let text = try await play.must("daybook report Poem", as: "moss")
        #expect(try text.contains(Regex("grant +handed late")) && text.contains(Regex("haddad +brought in +\\?")), "\(text)")
    }

    private static let quizFolder = "/srv/classes/9b/2030-05-04 Quiz"
    private static let key = "Who wrote Faust?{=Goethe}\\n\\nCapital of France?{~Lyon =Paris ~Nice}\\n\\nTwo and two?{#4}\\n"

    private func quiz(_ play: PlayThrough) async throws {
        let report = try await play.read("daybook report Quiz", as: "moss")
        let rows = try rows(report)
        for (login, score, percent) in [("fofanah", 2.0, 66), ("grant", 3, 100)] {
            let item = (rows[login]?["items"] as? [[String: Any]])?.first { $0["identifier"] as? String == "quiz_score" }
            #expect(item?["score"] as? Double == score && item?["maxScore"] as? Double == 3, "\(login) \(rows)")
            #expect(rows[login]?["goalPercent"] as? Int == percent, "\(login) \(rows)")
        }
        #expect(rows["haddad"]?["state"] as? String == "not-started")
        // The average of 2 and 3.
        #expect(((report["average"] as? [String: Any])?["primary"] as? Double) == 2.5, "\(report)")
        let text = try await play.must("daybook report Quiz", as: "moss")
        #expect(try text.contains(Regex("fofanah .* 2/3 .*66 %")) && text.contains(Regex("grant .* 3/3 .*100 %")), "\(text)")
        let csv = try await play.must("daybook report Quiz --csv", as: "moss")
        let lines = csv.split(separator: "\r\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let columns = try ["Login", "Score", "Goal (%)"].map { try #require(lines.first?.firstIndex(of: Substring($0)), "\(csv)") }
        let cells = lines.dropFirst().map { line in columns.map { String(line[$0]) } }
        #expect(cells.contains(["fofanah", "2", "66"]) && cells.contains(["grant", "3", "100"]), "\(csv)")
        try await play.box.eventually("grep -q '3/3' /var/lib/daybook-pages/9b/quiz/index.html", within: 30)
        let page = try await play.must("cat /var/lib/daybook-pages/9b/quiz/index.html", as: "moss")
        #expect(page.contains(">2/3<") && page.contains(">3/3<"), "\(page)")
        // What is right stands with the key alone, which nobody but the daemon reads, and in answers. First that this finds it there.
        let search = "grep -rlaE 'Goethe|Faust|Lyon'"
        #expect(try await play.box.must("\(search) /var/lib/daybook | cut -d/ -f5").contains("keys"))
        #expect(try await play.box.sh("\(search) --exclude-dir=keys /var/lib/daybook /var/lib/daybook-pages /var/log").output == "")
        #expect(try await play.box.sh("journalctl -o json --all | \(search.replacing("-rlaE", with: "-aE"))").output == "")
        try await play.box.must("journalctl -u daybookd -o cat | grep -q watching")
        for person in ["grant", "moss", "heath"] {
            #expect(try await play.sh("cat /var/lib/daybook/keys/*", as: person).status != 0, "\(person)")
        }
    }

    /// As the readers of a network drive open them: each their own.
    private func pages(_ play: PlayThrough) async throws {
        let pages = "/var/lib/daybook-pages"
        try await play.box.eventually("grep -q 'handed in late' \(pages)/9b/poem/index.csv", within: 30)
        try await play.box.eventually("grep -q '>20<' \(pages)/9a/essay/index.html", within: 30)
        let csv = try await play.must("cat \(pages)/9a/essay/index.csv", as: "kelly")
        #expect(csv.contains("castell") && csv.contains("recording off"), "\(csv)")
        for (reader, page, opens) in [
            ("kelly", "9a/essay", true), ("moss", "9a/essay", false), ("moss", "9b/talk", true), ("kelly", "9b/talk", false),
            ("berg", "9a/essay", false), ("berg", "people/berg", true), ("abara", "people/berg", false), ("heath", "people/berg", true),
            ("kelly", "people/berg", false),
        ] {
            let outcome = try await play.sh("cat \(pages)/\(page)/index.html > /dev/null", as: reader)
            #expect((outcome.status == 0) == opens, "\(reader) \(page)")
        }
        let own = try await play.must("cat \(pages)/people/berg/index.html", as: "berg")
        #expect(own.contains("Essay") && own.contains("kelly") && own.contains("the class&#39;s table"), "who looked is on it")
    }

    private func refusals(_ play: PlayThrough) async throws {
        refused(try await play.sh("daybook report Essay", as: "moss"), "no assignment 'Essay'")
        refused(try await play.sh("daybook report Essay", as: "berg"), "no assignment 'Essay'")
        refused(try await play.sh("daybook show abara", as: "berg"), "no person 'abara' among those you may see")
        refused(try await play.sh("daybook show abara", as: "moss"), "no person 'abara' among those you may see")
        refused(try await play.sh("daybook done Talk", as: "berg"), "no assignment 'Talk'")
        refused(try await play.sh("daybook done Essay", as: "kelly"), "it is for the students whom the assignment was set for")
        refused(try await play.sh("daybook handin Essay", as: "evans"), "no document of yours was seen")
        refused(try await play.sh("daybook assignment end Essay", as: "abara"), "you may not do this")
        refused(try await play.sh("daybook assign Mine --class 9a", as: "abara"), "you may not do this")
        refused(try await play.sh("daybook assign Mine --class 9a", as: "moss"), "you may not do this")
        refused(try await play.sh("daybook assign Mine --class 9x", as: "moss"), "no class '9x'")
        refused(try await play.sh("daybook live 9a", as: "kelly"), "the school has not switched it on")
        refused(try await play.sh("daybook tail", as: "kelly"), "it is for administrators")
        let me = try await play.must("daybook me", as: "demir")
        #expect(me.contains("ecording is off for you") || me.contains("recording off"), "\(me)")
        let stranger = try await play.box.sh("setpriv --reuid=61099 --regid=61099 --clear-groups daybook me")
        refused(stranger, "does not know who you are")
    }
}
