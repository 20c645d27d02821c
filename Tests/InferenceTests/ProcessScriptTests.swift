// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Testing

/// Changes by processes, and what `/proc` answers.
private struct Stage {
    var script: Script

    init(_ limits: InferenceLimits = InferenceLimits()) throws { script = try Script(limits) }

    mutating func at(
        _ seconds: Double, _ kind: Change.Kind, _ path: String, _ who: Actor, merged: Bool = false, owner: UInt32? = nil
    ) {
        script.give(
            .change(
                Change(
                    at: BootTime(seconds: seconds), share: 0, path: PathBytes(path), isFolder: false, kind: kind,
                    facts: owner.map { FileFacts(type: .file, owner: $0) }, actor: who, isMerged: merged)))
    }

    /// What a text editor does that opens a document.
    mutating func read(_ seconds: Double, _ path: String, _ who: Actor) {
        at(seconds, .opened, path, who)
        at(seconds, .closedWithoutWriting, path, who)
    }

    mutating func save(_ seconds: Double, _ path: String, _ who: Actor) {
        at(seconds, .opened, path, who)
        at(seconds, .modified, path, who)
        at(seconds, .closedAfterWriting, path, who)
    }

    mutating func exit(_ seconds: Double, _ who: Actor) { script.give(.processEnded(pid: who.pid, at: BootTime(seconds: seconds))) }

    mutating func lines(until seconds: Double) -> [String] {
        script.timer(seconds)
        script.give(.end(at: BootTime(seconds: seconds)))
        #expect(script.gathered.outOfOrder.isEmpty)
        return script.gathered.lines
    }
}

@Suite("Inference, with processes")
struct ProcessScriptTests {
    private let essay = "students/alice/essay.txt"
    private let notes = "students/alice/notes.md"

    private func program(_ name: String, _ pid: Int32, _ uid: UInt32 = 2001, started: Double? = nil) -> Actor {
        Actor(pid: pid, uid: uid, program: name, startedAt: started.map { BootTime(seconds: $0) })
    }

    @Test("takes the end of the editor's process for the close, and its start for the opening")
    func editor() throws {
        var stage = try Stage()
        let gedit = program("gedit", 10, started: 9.2)
        stage.read(10, essay, gedit)
        #expect(stage.script.gathered.others == [.watchProcess(pid: 10, startedAt: BootTime(seconds: 9.2))])
        stage.save(40, essay, gedit)
        stage.exit(90, gedit)
        #expect(stage.lines(until: 100) == ["session 9.200 90.000 alice 1 good process\t\(essay)"])
        let session = try #require(stage.script.gathered.inOrder.first)
        #expect(session.notBefore == BootTime(seconds: 8.6))
        #expect(session.process == ProcessID(pid: 10, startedAt: BootTime(seconds: 9.2)))
    }

    @Test("a script that reads, and saves by renaming, goes on with the session that it works for: its short programs end nothing")
    func scripts() throws {
        var stage = try Stage()
        stage.save(10, essay, program("sh", 10, started: 9.9))
        stage.exit(10.01, program("sh", 10))
        for (step, pid) in zip([20.0, 30, 40], [20 as Int32, 30, 40]) {
            let sed = program("sed", pid, started: step - 0.01)
            let mv = program("mv", pid + 1, started: step + 0.02)
            stage.at(step, .opened, essay, sed)
            stage.save(step + 0.005, "students/alice/.essay.tmp", sed)
            stage.at(step + 0.01, .closedWithoutWriting, essay, sed)
            stage.exit(step + 0.015, sed)
            stage.at(step + 0.03, .renamed(from: PathBytes("students/alice/.essay.tmp")), essay, mv, owner: 2001)
            stage.exit(step + 0.031, mv)
        }
        #expect(stage.lines(until: 60) == ["session 10.000 40.030 alice 4 fair censored\t\(essay)"])
    }

    @Test("counts an edit that is over before anybody could have been asked")
    func quick() throws {
        var stage = try Stage()
        let micro = program("micro", 10)
        stage.read(10, essay, micro)
        stage.save(11, essay, micro)
        stage.exit(11.5, micro)
        #expect(stage.lines(until: 100) == ["session 10.000 11.500 alice 1 good process\t\(essay)"])
    }

    @Test("does not count what is over in a moment, runs the document, searches, or is root's or a service's")
    func nobody() throws {
        for (number, actor) in [
            program("unheard-of", 10), program("python3.11", 11), program("grep", 12), program("vim", 13, 0), program("vim", 14, 33),
            Actor(pid: 15, uid: nil, program: nil), program("pcmanfm", 16), program("bash", 17), program("tracker-extract-3", 18),
        ].enumerated() {
            var stage = try Stage()
            stage.read(10, essay, actor)
            if number == 0 { stage.exit(13, actor) }
            stage.at(20, .opened, essay, actor)
            stage.at(80, .closedWithoutWriting, essay, actor)
            if number == 0 { continue }
            #expect(stage.lines(until: 500) == [], "\(actor)")
        }
    }

    @Test("takes the first of several documents for the one that somebody wants, and its neighbours for sniffed at")
    func neighbours() throws {
        var stage = try Stage()
        let kate = program("kate", 10)
        for step in 0..<6 { stage.read(10 + Double(step) / 20, essay, kate) }
        for name in ["notes.md", "prog.py", "a.txt", "b.txt"] { stage.read(10.4, "students/alice/" + name, kate) }
        stage.exit(60, kate)
        #expect(stage.lines(until: 100) == ["session 10.000 60.000 alice 0 good process\t\(essay)"])
    }

    @Test("takes a program that goes through many documents, or through several folders, for nobody's reading")
    func search() throws {
        for names in [["a.txt", "b.txt", "c.txt", "d.txt"], ["../bob/a.txt", "../bob/b.txt", "c.txt", "d.txt"]] {
            var stage = try Stage()
            let search = program("unheard-of", 10)
            stage.read(10, essay, search)
            for name in names {
                stage.read(10.1, name.hasPrefix("..") ? "students" + name.dropFirst(2) : "students/alice/" + name, search)
            }
            stage.exit(60, search)
            #expect(stage.lines(until: 100) == [])
        }
    }

    @Test("knows that a process with several documents may have closed one before it ended")
    func shared() throws {
        var stage = try Stage()
        let gedit = program("gedit", 10, started: 9)
        stage.read(10, essay, gedit)
        stage.save(20, essay, gedit)
        stage.read(60, notes, gedit)
        stage.exit(100, gedit)
        #expect(
            stage.lines(until: 200) == [
                "session 9.000 100.000 alice 1 fair process\t\(essay)", "session 60.000 100.000 alice 0 fair process\t\(notes)",
            ])
        let figures = stage.script.gathered.inOrder.map {
            TimeOnTask.figures(for: $0, rule: Rule(), now: BootTime(seconds: 200))
        }
        #expect(figures.map(\.atLeast) == [.seconds(11), .zero])
    }

    @Test("is less sure of a program that had been running before")
    func lateComer() throws {
        var stage = try Stage()
        let code = program("code", 10, started: 10)
        stage.read(3600, essay, code)
        stage.exit(7200, code)
        #expect(stage.lines(until: 8000) == ["session 3600.000 7200.000 alice 0 fair process\t\(essay)"])
        let session = try #require(stage.script.gathered.inOrder.first)
        let figures = TimeOnTask.figures(for: session, rule: Rule(), now: BootTime(seconds: 8000))
        #expect(figures.active == .zero && figures.atLeast == .zero && figures.atMost == .seconds(3602))
    }

    @Test("keeps the one at work whose lock another window takes away and deletes")
    func nanoWindows() throws {
        var stage = try Stage()
        let lock = "students/alice/.essay.txt.swp"
        let (one, other) = (program("nano", 10), program("nano", 11))
        stage.at(10, .created, lock, one, owner: 2001)
        stage.read(10, essay, one)
        stage.at(30, .deleted, lock, other)
        stage.at(30, .created, lock, other, owner: 2001)
        stage.read(30, essay, other)
        stage.at(60, .deleted, lock, other)
        stage.exit(60.1, other)
        stage.save(100, essay, one)
        stage.exit(120, one)
        #expect(stage.lines(until: 200) == ["session 10.000 120.000 alice 1 good process\t\(essay)"])
    }

    @Test("ends a session with its lock though the program goes on with another document")
    func vimNextDocument() throws {
        var stage = try Stage()
        let vim = program("vim", 10)
        for (start, path, lock) in [(10.0, essay, "students/alice/.essay.txt.swp"), (50, notes, "students/alice/.notes.md.swp")] {
            if start > 10 { stage.at(start, .deleted, "students/alice/.essay.txt.swp", vim) }
            stage.at(start, .created, lock, vim, owner: 2001)
            stage.read(start, path, vim)
        }
        stage.exit(90, vim)
        #expect(
            stage.lines(until: 200) == [
                "session 10.000 50.000 alice 0 good companion\t\(essay)", "session 50.000 90.000 alice 0 fair process\t\(notes)",
            ])
    }

    @Test("ends at once what a killed editor leaves, though its lock is still there")
    func killed() throws {
        var stage = try Stage()
        let nano = program("nano", 10)
        stage.at(10, .created, "students/alice/.essay.txt.swp", nano, owner: 2001)
        stage.read(10, essay, nano)
        stage.exit(60, nano)
        #expect(stage.lines(until: 2000) == ["session 10.000 60.000 alice 0 good process\t\(essay)"])
    }

    @Test("asks whether a handle is held where open and close came as one event, and believes the answer")
    func merged() throws {
        for mode in [Holder.Mode.writing, nil] {
            var stage = try Stage()
            let viewer = program("evince", 10)
            stage.at(10, .opened, "media/a.pdf", viewer, merged: true)
            stage.at(10, .closedWithoutWriting, "media/a.pdf", viewer, merged: true)
            #expect(stage.script.gathered.others.contains(.lookAtHandle(pid: 10, share: 0, path: PathBytes("media/a.pdf"))))
            stage.script.give(.handle(pid: 10, share: 0, path: PathBytes("media/a.pdf"), mode: mode, at: BootTime(seconds: 10.1)))
            stage.script.timer(30)
            #expect(stage.script.gathered.inOrder.map(\.presence) == [mode == nil ? .process : .held])
        }
    }

    @Test("asks once more before it takes a count of handles for the close, while the lock is there and the program lives")
    func mergedSave() throws {
        let (letter, lock) = ("students/alice/letter.odt", "students/alice/.~lock.letter.odt#")
        for isHeld in [true, false] {
            var stage = try Stage()
            let office = program("soffice.bin", 10)
            let asked = InferenceEffect.lookAtHandle(pid: 10, share: 0, path: PathBytes(letter))
            func asks() -> Int { stage.script.gathered.others.count { $0 == asked } }
            stage.at(10, .opened, letter, office)
            stage.at(10.1, .created, lock, office, owner: 2001)
            stage.script.timer(20)
            stage.at(30, .modified, letter, office)
            stage.at(30, .closedAfterWriting, letter, office, merged: true)
            #expect(asks() == 1)
            stage.script.give(.handle(pid: 10, share: 0, path: PathBytes(letter), mode: nil, at: BootTime(seconds: 30.01)))
            stage.script.timer(33)
            #expect(asks() == 2)
            let mode: Holder.Mode? = isHeld ? .writing : nil
            stage.script.give(.handle(pid: 10, share: 0, path: PathBytes(letter), mode: mode, at: BootTime(seconds: 33.01)))
            stage.script.timer(40)
            #expect(asks() == 2)
            #expect(stage.script.gathered.inOrder.map { $0.end?.ending } == [isHeld ? nil : .closed])
            stage.at(60, .deleted, lock, office)
            let ending = isHeld ? "60.000 alice 1 good companion" : "30.000 alice 1 good closed"
            #expect(stage.lines(until: 100) == ["session 10.000 \(ending)\t\(letter)"])
        }
    }

    @Test("takes one event of deleting and making for the last of both that is to be seen")
    func deletedAndMade() throws {
        let lock = "students/alice/.essay.txt.swp"
        for (isThere, order) in [(true, [Change.Kind.created, .deleted]), (true, [.deleted, .created]), (false, [.created, .deleted])] {
            var stage = try Stage()
            let nano = program("nano", 10)
            for kind in order { stage.at(10, kind, lock, nano, merged: true, owner: isThere ? 2001 : nil) }
            stage.script.timer(30)
            #expect(stage.script.gathered.inOrder.count == (isThere ? 1 : 0))
        }
    }

    @Test("keeps two students apart on one connection, and gives root's events of a file server to nobody")
    func terminalServer() throws {
        var stage = try Stage()
        let path = "shared/group.docx"
        stage.at(10, .opened, path, program("smbd", 10, 0))
        stage.at(11, .modified, path, program("smbd", 10, 2001))
        stage.at(12, .opened, path, program("smbd", 10, 2002))
        stage.at(40, .closedAfterWriting, path, program("smbd", 10, 2001))
        stage.at(60, .closedWithoutWriting, path, program("smbd", 10, 2002))
        #expect(
            stage.lines(until: 200) == [
                "session 10.000 40.000 alice 1 good closed\t\(path)", "session 12.000 60.000 bob 0 good closed\t\(path)",
            ])
        #expect(stage.script.gathered.inOrder.map(\.attribution.source) == [.event, .event])
    }

    @Test("takes one reading over a file server for a session of unknown length, but not a list of previews or a mere download")
    func afar() throws {
        let smbd = program("smbd", 10)
        var read = try Stage()
        read.read(10, essay, smbd)
        #expect(read.lines(until: 100) == ["session 10.000 10.000 alice 0 thin censored\t\(essay)"])
        let figures = TimeOnTask.figures(
            for: try #require(read.script.gathered.inOrder.first), rule: Rule(), now: BootTime(seconds: 100))
        #expect(figures.active == nil && figures.open == nil && figures.atLeast == .zero && figures.atMost == .seconds(92))

        var previews = try Stage()
        for name in ["essay.txt", "notes.md"] { previews.read(10, "students/alice/" + name, smbd) }
        #expect(previews.lines(until: 100) == [])

        // The server is root between two requests, and may be seen then, at any of them.
        for unnamed in 0..<3 {
            var folder = try Stage()
            for (index, name) in ["essay.txt", "notes.md", "a.txt"].enumerated() {
                folder.read(10 + Double(index) / 10, "students/alice/" + name, program("smbd", 10, index == unnamed ? 0 : 2001))
            }
            #expect(folder.lines(until: 100) == [], "the \(unnamed). one without a name")
        }

        var download = try Stage()
        download.read(10, essay, program("sshd", 11))
        download.exit(10.2, program("sshd", 11))
        #expect(download.lines(until: 100) == [])
    }

    @Test("counts a further reading over a file server, but not one that begins a list or the fetching of a folder")
    func furtherReading() throws {
        for others in [[], ["notes.md"], ["notes.md", "a.txt", "b.txt"]] {
            for ends in [false, true] {
                var stage = try Stage()
                let smbd = program("smbd", 10)
                stage.read(10, essay, smbd)
                stage.save(26, essay, smbd)
                stage.script.timer(30)
                let other = program("smbd", 11)
                stage.read(72, essay, other)
                stage.read(72.5, essay, other)
                for name in others { stage.read(72.6, "students/alice/" + name, other) }
                if ends { stage.exit(72.7, other) }
                stage.script.timer(74)
                let session = try #require(stage.script.gathered.inOrder.first)
                let reads = session.evidence.filter { $0.kind == .read && $0.first > BootTime(seconds: 30) }
                #expect(reads.map(\.count) == (others.isEmpty ? [2] : []))
                #expect(session.lastSign == BootTime(seconds: others.isEmpty ? 72.5 : 26))
                #expect(stage.lines(until: 2000).count == 1)
            }
        }
    }

    @Test("takes download and upload for one session, whatever connections they came over")
    func downloadAndUpload() throws {
        var stage = try Stage()
        stage.read(10, essay, program("sshd", 10))
        stage.exit(10.2, program("sshd", 10))
        stage.save(400, essay, program("sshd", 11))
        stage.exit(400.1, program("sshd", 11))
        stage.script.timer(3000)
        #expect(stage.lines(until: 3000) == ["session 10.000 400.000 alice 1 thin idle\t\(essay)"])
        #expect(stage.script.gathered.inOrder.map { $0.end?.notAfter } == [BootTime(seconds: 400)], "the connection is gone")
    }

    @Test("counts everybody who saves at the same moment, each by their own process")
    func everybodySaves() throws {
        var stage = try Stage()
        for number in 0..<30 {
            let who = program("gedit", Int32(100 + number), UInt32(3000 + number))
            stage.read(10 + Double(number), "shared/s\(number).txt", who)
            stage.save(100, "shared/s\(number).txt", who)
        }
        stage.script.timer(110)
        #expect(stage.script.gathered.inOrder.map(\.saves) == Array(repeating: 1, count: 30))
    }

    @Test("tells what a sync program writes from what a copy brings in")
    func copies() throws {
        var stage = try Stage()
        for (path, name) in [("students/alice/a.txt", "cp"), ("students/alice/b.txt", "git")] {
            let who = program(name, name == "cp" ? 10 : 11)
            stage.at(10, .created, path, who, owner: 2001)
            stage.save(10, path, who)
        }
        #expect(stage.lines(until: 20) == ["session 10.000 10.000 alice 1 thin censored\tstudents/alice/a.txt"])
        #expect(stage.script.gathered.inOrder.map(\.isBroughtIn) == [true])
        #expect(stage.script.gathered.saved.map { $0.document.path.text } == ["students/alice/a.txt", "students/alice/b.txt"])
    }

    @Test("is not lengthened, split or ended by what root or a backup writes and reads meanwhile")
    func meanwhile() throws {
        var stage = try Stage()
        let gedit = program("gedit", 10)
        stage.read(10, essay, gedit)
        stage.save(20, essay, gedit)
        stage.save(400, essay, program("restic", 11, 2001))
        stage.save(500, essay, program("bash", 12, 0))
        stage.exit(600, gedit)
        stage.read(700, essay, program("rsync", 13, 2001))
        #expect(stage.lines(until: 1000) == ["session 10.000 600.000 alice 1 good process\t\(essay)"])
    }

    @Test("does not mix up two processes that had one number after the other")
    func reusedNumber() throws {
        var stage = try Stage()
        stage.read(10, essay, program("gedit", 10, started: 9))
        stage.script.timer(20)
        stage.read(300, notes, program("vim", 10, 2002, started: 299))
        stage.exit(400, program("vim", 10, 2002, started: 299))
        #expect(
            stage.lines(until: 1000) == [
                "session 9.000 300.000 alice 0 good process\t\(essay)", "session 299.000 400.000 bob 0 good process\t\(notes)",
            ])
    }

    @Test("remembers as many processes as its limit says, and goes on at one more")
    func processLimit() throws {
        var limits = InferenceLimits()
        limits.processes = 20
        var stage = try Stage(limits)
        for number in 0..<21 { stage.read(10 + Double(number) * 2, "shared/d\(number).txt", program("gedit", Int32(100 + number))) }
        stage.script.timer(60)
        let watched = stage.script.gathered.others.count { if case .watchProcess = $0 { true } else { false } }
        #expect(watched == 20)
        stage.save(70, "shared/d20.txt", program("gedit", 120))
        stage.script.timer(80)
        #expect(stage.script.gathered.inOrder.last?.saves == 1)
    }
}
