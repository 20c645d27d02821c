// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("Programs that report", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct ReportingTests {
    /// The teacher's program has saved its content, and the quiz is assigned.
    private func assigned(_ extra: String = "") async throws -> School {
        let school = try School(extra: extra)
        try await school.start()
        try #expect(school.report("print(len(save(context('chapter 1'), context('chapter 1', 'quiz'))['outcomes']))", as: .kelly) == "2\n")
        let made = try school.daybook(
            ["assign", "Quiz", "--class", "8b", "--context", "org.example.Quiz/chapter 1/quiz"], as: .kelly)
        #expect(made.status == 0, "\(made)")
        return school
    }

    @Test("keeps the content of a teacher's program for everybody, and of a student's program nothing, with the same answers")
    func contexts() async throws {
        let school = try await assigned()
        let look = "print([c['path'] for c in call('GetContexts', store=store, path=['chapter 1', 'quiz', 'none'])['contexts']])"
        #expect(try school.report(look, as: .berg) == "[['chapter 1'], ['chapter 1', 'quiz']]\n")
        let made = "print(save(context('chapter 2'), context('chapter 2', 'x'), {'remove': ['chapter 1']}))"
        let answers = try [School.Person.berg, .moss].map { try school.report(made, as: $0) }
        #expect(Set(answers).count == 1)
        let list = "print([c['path'] for c in call('ListContexts', store=store)['contexts']])"
        #expect(try school.report(list, as: .linden) == "[['chapter 1'], ['chapter 1', 'quiz']]\n")
        // Wrong ones are refused, whoever saves them, and good ones beside them are kept.
        let wrong = """
            bad = save(context(*'abcdefghi'), context('chapter 1', created=9), context('x' * 257), context('good'), {'remove': []}, {}, good=False)
            print([outcome['error'] for outcome in bad['outcomes']])
            """
        let words = "['limits', 'invalidCreate', 'limits', None, 'invalidModification', 'invalidArgument']\n"
        for person in [School.Person.berg, .kelly] { #expect(try school.report(wrong, as: person) == words) }
        #expect(try school.report(list, as: .berg) == "[['chapter 1'], ['chapter 1', 'quiz'], ['good']]\n")
        #expect(try school.report("save({'remove': ['chapter 1']}); " + list, as: .kelly) == "[['good']]\n")
        school.end(SIGKILL)
        try await school.start()
        #expect(try school.report(list, as: .berg) == "[['good']]\n")
        #expect(try school.verifies())
    }

    @Test("records what a student's program says of what is assigned, and nothing of others or of anything else, with the same answers")
    func attempts() async throws {
        let school = try await assigned()
        let attempt = """
            reply = save(activity(quiz, primary=item(2, 3), ranges=[(0.2, 0.5), (0, 0.3)], duration=61.5))
            print(reply['outcomes'], reply['dropped'])
            """
        let answers = try [School.Person.berg, .linden, .moss, .kelly].map { try school.report(attempt, as: $0) }
        #expect(Set(answers) == ["[{'error': None, 'reason': None}] []\n"])
        // Not assigned: the chapter, another app, a file.
        _ = try school.report(
            """
            save(activity({'context': ['chapter 1']}, id='2'), activity({'document': '\(school.share)/8b/letter.txt'}, id='3'))
            save(activity(quiz, id='4'), store={'app': 'org.example.Other'})
            """, as: .berg)
        let entries = try school.entries("activity.saved")
        #expect(entries.map { ($0["person"] as? [String: Any])?["login"] as? String } == ["berg", "linden"])
        #expect(entries.allSatisfy { $0["assignment"] as? String == "8b/Quiz" && $0["duration"] as? Double == 61.5 })
        #expect(entries.allSatisfy { ($0["executable"] as? String)?.contains("python3") == true && $0["trusted"] == nil })
        let mine =
            "a = call('GetActivity', store=store, subject=quiz)['activity']; print(a and (a['duration'], a['ranges'], a['primary']['score']))"
        #expect(try school.report(mine, as: .berg) == "(61.5, [{'from': 0, 'to': 0.5}], 2)\n")
        // Nobody has another's.
        _ = try school.report("save(activity(quiz, duration=5, id='1'))", as: .linden)
        #expect(try school.report(mine, as: .berg) == "(61.5, [{'from': 0, 'to': 0.5}], 2)\n")
        for person in [School.Person.kelly, .moss] { #expect(try school.report(mine, as: person) == "None\n") }
        // The same again is no entry.
        _ = try school.report(attempt, as: .berg)
        #expect(try school.entries("activity.saved").count == 3)
    }

    @Test("counts for a document as well, also by a file that is not there yet, and refuses what no share has")
    func documents() async throws {
        let school = try await assigned()
        let file = try school.put("one two three", "essay.txt", for: .berg)
        let script = """
            subject = {'document': sys.argv[2]}
            try:
                print(call('GetActivity', store=store, subject=subject)['activity'])
                save(activity(subject, duration=9))
                print((call('GetActivity', store=store, subject=subject)['activity'] or {}).get('duration'))
            except RuntimeError as error:
                print(error)
            print(call('IsAssigned', store=store, document=sys.argv[2])['assigned'])
            """
        #expect(try school.report(script, as: .berg, [file]) == "None\n9\nTrue\n")
        #expect(try school.report(script, as: .kelly, [file]).hasSuffix("False\n"))
        #expect(try school.report(script, as: .moss, [file]).hasSuffix("False\n"))
        // In another's folder it would be their own work, but the file is not theirs to hand in.
        #expect(try school.report(script, as: .linden, [file]).hasSuffix("False\n"))
        #expect(try school.report(script, as: .berg, ["/etc/passwd"]) == "NotOnShare: {\"path\": \"/etc/passwd\"}\nFalse\n")
        #expect(try school.report(script, as: .berg, ["\(school.share)/../x"]).hasPrefix("NotOnShare"))
        let submit = """
            for method in sys.argv[3:]:
                try:
                    call(method, store=store, document=sys.argv[2])
                    print(method, 'done')
                except RuntimeError as error:
                    print(method, str(error).split(':')[0])
            """
        #expect(
            try school.report(submit, as: .berg, [file, "Withdraw", "Submit", "Withdraw"])
                == "Withdraw Refused\nSubmit done\nWithdraw done\n")
        #expect(try school.report(submit, as: .linden, [file, "Submit"]) == "Submit Refused\n")
        let marks = try school.entries("done")
        #expect(marks.map { $0["state"] as? String } == ["handed-in", "withdrawn"])
        #expect((marks.first?["sha256"] as? String)?.count == 64)
    }

    @Test("marks what is assigned as done, and tells nobody else that it is")
    func completes() async throws {
        let school = try await assigned()
        let script = "print(call('CompleteAssigned', store=store, context=['chapter 1', 'quiz'])['done'])"
        #expect(try school.report(script, as: .berg) == "['Quiz']\n")
        #expect(try school.report(script, as: .moss) == "[]\n")
        #expect(try school.entries("done").count == 1)
        let row = try school.daybook(["report", "Quiz"], as: .kelly)
        #expect(row.output.contains("done"), "\(row)")
    }

    @Test("what is set once more and marked as done without being done again shows what was reported before; what is done again, that")
    func again() async throws {
        let school = try await assigned()
        _ = try school.report("save(activity(quiz, duration=61, primary=item(2, 3)))", as: .berg)
        let made = try school.daybook(["assign", "Once more", "--class", "8b", "--context", "org.example.Quiz/chapter 1/quiz"], as: .kelly)
        #expect(made.status == 0, "\(made)")
        func inSecond() throws -> [[String: Any]] {
            try school.entries("activity.saved").filter { $0["assignment"] as? String == "8b/Once more" }
        }
        #expect(try inSecond().isEmpty)
        let done = "print(sorted(call('CompleteAssigned', store=store, context=['chapter 1', 'quiz'])['done']))"
        #expect(try school.report(done, as: .berg) == "['Once more', 'Quiz']\n")
        #expect(try inSecond().map { $0["duration"] as? Double } == [61])
        let row = try school.daybook(["report", "Once more"], as: .kelly)
        #expect(row.output.contains("2/3"), "\(row)")
        // Linden has nothing that could be shown, and does it again.
        #expect(try school.report(done, as: .linden) == "['Once more', 'Quiz']\n")
        #expect(try inSecond().count == 1)
        _ = try school.report("save(activity(quiz, id='2', created=5, duration=9))", as: .berg)
        #expect(try inSecond().map { $0["duration"] as? Double } == [61, 9])
    }

    @Test("stops a timer when its program is killed, and says so", arguments: [SIGKILL, SIGTERM])
    func dies(signal: Int32) async throws {
        let school = try await assigned()
        let ready = school.folder + "/ready"
        let words = ReportingProgram.words(
            "print(save(activity(quiz, duration=10, running=True))['notices'], flush=True); time.sleep(60)", in: school)
        let child = try Child(school.command(words, as: .berg), output: ready)
        try await school.eventually("it is saved") { try school.entries("activity.saved").count == 1 }
        let began = Date.now
        try await school.eventually("a second has gone") { Date.now.timeIntervalSince(began) > 1 }
        child.end(signal)
        try await school.eventually("it is stopped") { try school.entries("activity.saved").count == 2 }
        let entry = try #require(try school.entries("activity.saved").last)
        #expect(entry["ended"] as? String == "program-gone" && entry["running"] == nil)
        let seconds = try #require(entry["duration"] as? Double)
        #expect((11...16).contains(seconds), "\(seconds)")
        #expect(try String(contentsOfFile: ready, encoding: .utf8) == "[{'activity': '1', 'class': '8b', 'app': 'org.example.Quiz'}]\n")
    }

    @Test("loses no save that was answered, however often the daemon is killed meanwhile")
    func killed() async throws {
        let school = try await assigned()
        let saved = school.folder + "/saved"
        // Each saves a longer duration as long as it can, and says what was answered.
        let script = """
            who, number = sys.argv[2], 0
            while number < 290 and not os.path.exists(sys.argv[3]):
                try:
                    number += 1
                    save(activity(quiz, id=who, duration=number))
                    print(who, number, flush=True)
                except (OSError, EOFError, RuntimeError):
                    time.sleep(0.02)
                    try:
                        daybook.__init__(sys.argv[1])
                    except OSError:
                        pass
            """
        let enough = school.folder + "/enough"
        let children = try [School.Person.berg, .linden].map { person in
            try Child(
                school.command(ReportingProgram.words(script, in: school, [person.login, enough]), as: person), output: saved + person.login
            )
        }
        for round in 1...3 {
            try await school.eventually("round \(round) has saves") {
                try String(contentsOfFile: saved + "berg", encoding: .utf8).split(separator: "\n").count > round * 30
            }
            school.end(SIGKILL)
            try await school.start()
        }
        #expect(FileManager.default.createFile(atPath: enough, contents: nil))
        for child in children { child.wait() }
        school.end(SIGKILL)
        try await school.start()
        let there = Set(
            try school.entries("activity.saved").map { "\(($0["attempt"] as? String) ?? "?") \(Int(($0["duration"] as? Double) ?? -1))" })
        for person in ["berg", "linden"] {
            let answered = try String(contentsOfFile: saved + person, encoding: .utf8).split(separator: "\n").map(String.init)
            #expect(answered.count > 20)
            #expect(answered.filter { !there.contains($0) } == [])
        }
        #expect(try school.verifies())
    }

    @Test("takes the saves of 200 programs at once and loses none")
    func many() async throws {
        let school = try await assigned("[limits]\nclients-per-user = 300\n")
        let script = """
            import threading
            def one(number):
                mine = Daybook(sys.argv[1])
                gate.wait()
                reply = mine.call("Save", store=store, changes=[activity(quiz, id="%s-%d" % (sys.argv[2], number), duration=number)])
                assert not reply["outcomes"][0]["error"], reply
            gate = threading.Barrier(100)
            threads = [threading.Thread(target=one, args=(number,)) for number in range(100)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            print("done")
            """
        let output = school.folder + "/many"
        let children = try [School.Person.berg, .linden].map { person in
            try Child(school.command(ReportingProgram.words(script, in: school, [person.login]), as: person), output: output + person.login)
        }
        for child in children { #expect(child.wait() == 0) }
        let entries = try school.entries("activity.saved")
        #expect(Set(entries.compactMap { $0["attempt"] as? String }).count == 200)
        #expect(entries.count == 200)
        for person in ["berg", "linden"] { #expect(try String(contentsOfFile: output + person, encoding: .utf8) == "done\n") }
    }

    @Test("has a development store of each caller's own, which explains what it drops and is in no journal")
    func development() async throws {
        let school = try await assigned()
        let script = """
            def dropped(*changes): return save(*changes, store=dev)['dropped']
            print(call('DeveloperRole')['role'], len(dropped(context('a'))), dropped(activity({'context': ['a']})))
            print(call('DeveloperRole', role='teacher')['role'], dropped(context('a')), len(dropped(activity({'context': ['a']}))))
            call('DeveloperRole', role='student')
            reply = save(activity({'context': ['a']}, duration=7), activity({'document': '/tmp/x'}, id='2'), store=dev)
            print(reply['dropped'], [n['class'] for n in reply['notices']])
            print(call('GetActivity', store=dev, subject={'context': ['a']})['activity']['duration'])
            print(call('GetActivity', store=store, subject={'context': ['a']})['activity'])
            print(call('IsAssigned', store=dev, document='/tmp/x')['assigned'])
            """
        let output = try school.report(script, as: .moss)
        #expect(
            output == """
                student 1 ["an activity of the context 'a' was dropped: no teacher has saved this context; 'daybook developer role teacher', and start the program again"]
                teacher [] 1
                [] ['Development', 'Development']
                7
                None
                True

                """)
        let list = "print(len(call('ListContexts', store=dev)['contexts'])); call('DeveloperReset')"
        #expect(try school.report(list, as: .berg) == "0\n")
        #expect(try school.report(list, as: .moss) == "1\n")
        #expect(try school.report(list, as: .moss) == "0\n")
        #expect(try school.entries("activity.saved").isEmpty)
        #expect(try school.entries("context.saved").count == 2)
    }

    @Test("keeps a development store when the daemon is killed, until its owner resets it")
    func developmentStays() async throws {
        let school = try await assigned()
        let make = """
            call('DeveloperRole', role='teacher'); save(context('a', title='Ä\\n"'), context('a', 'b', assignable=False), store=dev)
            call('DeveloperRole', role='student')
            save(activity({'context': ['a']}, duration=7.25, ranges=[(0.5, 0.75)], primary=item(2, 3), running=True), store=dev)
            save(activity({'document': '/tmp/x'}, id='2', duration=8), store=dev)
            """
        let look = """
            print(call('DeveloperRole')['role'], call('ListContexts', store=dev)['contexts'])
            for subject in {'context': ['a']}, {'document': '/tmp/x'}:
                print(call('GetActivity', store=dev, subject=subject)['activity'])
            """
        _ = try school.report(make, as: .moss)
        let before = try school.report(look, as: .moss)
        #expect(before.contains("7.25") && before.contains("'Ä\\n"), "\(before)")
        school.end(SIGKILL)
        try await school.start()
        #expect(try school.report(look, as: .moss) == before)
        // Nobody else has it, and nothing of it is in the other store.
        #expect(try school.report(look, as: .berg) == "student []\nNone\nNone\n")
        #expect(try school.entries("activity.saved").isEmpty && school.entries("context.saved").count == 2)
        let file = "\(school.state)/developers/\(School.Person.moss.rawValue).jsonl"
        #expect(FileManager.default.fileExists(atPath: file))
        for person in [School.Person.moss, .berg] {
            #expect(try Child.run(school.command(["cat", file], as: person)).status != 0, "others, and its owner, go by the socket")
        }
        #expect(try school.daybook(["developer", "reset"], as: .moss).status == 0)
        #expect(!FileManager.default.fileExists(atPath: file))
        school.end(SIGKILL)
        try await school.start()
        #expect(try school.report(look, as: .moss) == "student []\nNone\nNone\n")
        // A teacher's empty store still says that they are one; what cannot be read is begun anew.
        _ = try school.report("call('DeveloperRole', role='teacher')", as: .moss)
        school.end(SIGKILL)
        try await school.start()
        #expect(try school.report("print(call('DeveloperRole')['role'])", as: .moss) == "teacher\n")
        school.end(SIGKILL)
        try Data("{\"role\":\"teacher\"}\n{\"v\":1".utf8).write(to: URL(filePath: file))
        try await school.start()
        #expect(try school.said().contains("a development store cannot be read"))
        #expect(try school.report("print(call('DeveloperRole')['role'])", as: .moss) == "student\n")
    }

    @Test("tells the student when an attempt begins, once, and whoever is not recorded nothing")
    func notices() async throws {
        let school = try await assigned()
        let script = """
            def told(id, subject=quiz): return [n['class'] for n in call('GetNotices', store=store, subject=subject, activity=id)['notices']]
            print(told('1'), told('1'), told('2', {'context': ['chapter 1']}), told('3', {'document': '/etc/passwd'}))
            print(len(save(activity(quiz, id='1'))['notices']), len(save(activity(quiz, id='4'))['notices']), told('4'))
            daybook.__init__(sys.argv[1])
            print(told('1'), told('4'), told('5'))
            """
        #expect(try school.report(script, as: .berg) == "['8b'] [] [] []\n0 1 []\n[] [] ['8b']\n")
        for person in [School.Person.moss, .kelly] {
            #expect(try school.report(script, as: person) == "[] [] [] []\n0 0 []\n[] [] []\n")
        }
    }

    @Test("believes a listed program only where root alone can exchange it, whenever that changes, and doctor names the place")
    func listed() async throws {
        // A program of the school's own, in a folder where root alone may write.
        let folder = "/run/daybook-listed-\(UUID().uuidString.prefix(8).lowercased())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/bin", withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: URL(filePath: "/usr/bin/python3").resolvingSymlinksInPath().path, toPath: folder + "/bin/quiz")
        let school = try await assigned("[[classkit.trusted]]\nexecutable = \"\(folder)/bin/quiz\"\n")
        func isTrusted(_ number: Int) throws -> Bool {
            let words = ReportingProgram.words("save(activity(quiz, duration=\(number)))", in: school)
            let outcome = try Child.run(school.command([folder + "/bin/quiz"] + words.dropFirst(), as: .berg))
            #expect(outcome.status == 0, "\(outcome)")
            let entry = try #require(try school.entries("activity.saved").last)
            #expect(entry["duration"] as? Double == Double(number))
            return entry["trusted"] as? Bool ?? false
        }
        func doctor() throws -> String {
            try school.daybook(["doctor", "--config", school.folder + "/config.toml"]).output.replacing(/\s+/, with: " ")
        }
        #expect(try isTrusted(1))
        #expect(try doctor().contains("\(folder)/bin/quiz: its word counts"))
        // Berg gets to write beside it, by the group, and then owns it.
        #expect(chown(folder + "/bin", 0, School.Person.berg.rawValue) == 0 && chmod(folder + "/bin", 0o775) == 0)
        #expect(try !isTrusted(2))
        #expect(try school.said().contains("\(folder)/bin has mode 775"))
        #expect(try doctor().contains("its word does not count: \(folder)/bin has mode 775"))
        #expect(chmod(folder + "/bin", 0o755) == 0)
        #expect(try isTrusted(3), "mended, without a restart")
        #expect(chown(folder + "/bin/quiz", School.Person.berg.rawValue, 0) == 0)
        #expect(try !isTrusted(4))
        // At a start it is said before anybody reports.
        let before = try school.said().count
        school.end(SIGTERM)
        try await school.start()
        #expect(try school.said().dropFirst(before).contains("belongs to user \(School.Person.berg.rawValue) and not to root"))
    }
}

@Suite("Programs that are opened", .serialized, .enabled(if: School.obstacle == nil, Comment(rawValue: School.obstacle ?? "")))
struct OpeningTests {
    @Test("get the way to their content, or a web page opens instead; a listed program's word counts")
    func opens() async throws {
        // A program of the school's own, by its file: Python under another name is another file.
        let python = "/usr/bin/python3"
        let real = try FileManager.default.destinationOfSymbolicLink(atPath: python)
        let school = try School(extra: "[[classkit.trusted]]\nexecutable = \"/usr/bin/\(real)\"\n")
        try await school.start()
        _ = try school.report(
            "save(context('chapter 1'), context('web', universalLink='https://school.example/q'), context('file', universalLink='file:///etc/passwd'))",
            as: .kelly)
        let applications = "\(school.home(.berg))/.local/share/applications"
        try school.makeFolder(applications, for: .berg)
        try school.put(
            "[Desktop Entry]\nType=Application\nExec=/bin/echo opened %u\nMimeType=x-scheme-handler/daybook;\nX-Daybook-App=org.example.Quiz\n",
            "quiz.desktop", for: .berg, in: applications)
        let opened = try school.daybook(["open", "org.example.Quiz/chapter 1"], as: .berg)
        #expect(opened.status == 0 && opened.output == "opened daybook://org.example.Quiz/chapter%201\n", "\(opened)")
        let printed = try school.daybook(["open", "--print", "daybook://org.example.Quiz/web"], as: .berg)
        #expect(printed.output == "xdg-open https://school.example/q\n", "\(printed)")
        let file = try school.daybook(["open", "org.example.Quiz/file"], as: .berg)
        #expect(file.status == 1 && file.output.contains("is no web address"), "\(file)")
        let other = try school.daybook(["open", "org.example.Other/x"], as: .berg)
        #expect(other.status == 1 && other.output.contains("no program is registered for org.example.Other"), "\(other)")
        #expect(try school.daybook(["open", "../x"], as: .berg).status == 2)

        let made = try school.daybook(
            ["assign", "Quiz", "--class", "8b", "--context", "daybook://org.example.Quiz/chapter%201"], as: .kelly)
        #expect(made.status == 0, "\(made)")
        _ = try school.report("save(activity({'context': ['chapter 1']}, duration=600, primary=item(2, 3)))", as: .berg)
        #expect(try school.entries("activity.saved").last?["trusted"] as? Bool == true)
        let report = try school.daybook(["report", "Quiz"], as: .kelly)
        #expect(
            report.output.contains("10 min") && report.output.contains("2/3") && report.output.contains("chapter 1: 10:00 min"), "\(report)"
        )
        let mine = try school.daybook(["me"], as: .berg)
        #expect(mine.output.contains("Quiz chapter 1: 10:00 min, Score 2/3, reported by"), "\(mine)")
        // The folder of the assignment may go: the work is at the program.
        school.end(SIGTERM)
        try FileManager.default.removeItem(atPath: "\(school.share)/8b/Quiz")
        try await school.start()
        _ = try school.report("save(activity({'context': ['chapter 1']}, duration=700))", as: .berg)
        #expect(try school.entries("activity.saved").last?["duration"] as? Double == 700)
    }

    @Test("a developer says what they are")
    func developer() async throws {
        let school = try School()
        try await school.start()
        func said(_ words: String...) throws -> String { try school.daybook(["developer"] + words, as: .moss).output }
        #expect(try said("role") == "You are a student in the class Development.\n")
        #expect(try said("role", "teacher") == "You are a teacher in the class Development.\n")
        #expect(try said("reset") == "The development store is empty.\n")
        #expect(try said("role") == "You are a teacher in the class Development.\n")
        #expect(try school.daybook(["developer", "role"], as: .berg).output.contains("student"))
        #expect(try school.daybook(["developer", "role", "head"], as: .moss).status == 2)
    }
}
