// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Testing

@Suite("Inference, live")
struct InferenceEngineTests {
    private let essay = "students/alice/essay.txt"
    private let lock = "students/alice/.essay.txt.swp"

    /// nano: lock, read.
    private func openNano(_ script: inout Script, at start: Double, owner: UInt32 = 2001) {
        script.at(start, .created, lock, owner: owner)
        script.at(start, .opened, lock, owner: owner)
        script.at(start, .modified, lock, owner: owner)
        script.at(start, .closedAfterWriting, lock, owner: owner)
        script.at(start, .opened, essay)
        script.at(start, .closedWithoutWriting, essay)
    }

    private func save(_ script: inout Script, at time: Double, _ path: String? = nil) {
        script.at(time, .opened, path ?? essay)
        script.at(time, .modified, path ?? essay)
        script.at(time, .closedAfterWriting, path ?? essay)
    }

    @Test("starts, pauses, resumes and stops the timer")
    func timers() throws {
        var script = try Script()
        openNano(&script, at: 10)
        #expect(script.engine.deadline == BootTime(seconds: 12))
        script.timer(12)
        #expect(script.gathered.inOrder.map(\.state) == [.running])
        script.timer(910)
        #expect(script.gathered.inOrder.map(\.state) == [.paused(since: BootTime(seconds: 10))])
        save(&script, at: 1000)
        script.timer(1002)
        #expect(script.gathered.inOrder.map(\.state) == [.running])
        script.at(1010, .deleted, lock)
        script.timer(1013)
        let end = SessionEnd(
            ending: .companion, closedAt: BootTime(seconds: 1010), notAfter: BootTime(seconds: 1010), confidence: .good)
        #expect(script.gathered.inOrder.map(\.end) == [end])
        #expect(script.engine.deadline == nil)
        #expect(script.gathered.outOfOrder.isEmpty)
    }

    @Test("believes a lock file beside a document that had just been brought in")
    func broughtInThenOpened() throws {
        var script = try Script()
        script.at(10, .created, essay, owner: 2001)
        save(&script, at: 10)
        script.timer(12.5)
        openNano(&script, at: 14)
        script.timer(17)
        script.at(60, .deleted, lock)
        script.timer(70)
        script.give(.end(at: BootTime(seconds: 100)))
        let sessions = script.gathered.inOrder
        #expect(sessions.last?.presence == .companion)
        #expect(sessions.last?.end?.confidence == .good)
        #expect(sessions.last?.end?.closedAt == BootTime(seconds: 60))
        #expect(sessions.map(\.isBroughtIn).last == false)
    }

    @Test("says that a save has settled once, two seconds after the last write")
    func settles() throws {
        var script = try Script()
        openNano(&script, at: 10)
        for tenth in 0..<30 { script.at(20 + Double(tenth) / 10, .modified, essay) }
        script.at(23, .closedAfterWriting, essay)
        script.timer(24.9)
        #expect(script.gathered.saved.isEmpty)
        script.timer(25)
        #expect(script.gathered.saved.map(\.at) == [BootTime(seconds: 23)])
        #expect(script.gathered.saved.map(\.attribution.person?.login) == ["alice"])
        #expect(script.gathered.inOrder.map(\.saves) == [1])
    }

    @Test("does not take closing after writing for a write, nor touching, nor reading")
    func noWrite() throws {
        var script = try Script()
        for time in stride(from: 10.0, to: 60, by: 10) {
            script.at(time, .opened, essay)
            script.at(time, .attributesChanged, essay)
            script.at(time, .closedAfterWriting, essay)
            script.at(time + 1, .opened, essay)
            script.at(time + 1, .closedWithoutWriting, essay)
        }
        script.give(.end(at: BootTime(seconds: 5000)))
        #expect(script.gathered.sessions.isEmpty)
        #expect(script.gathered.saved.isEmpty)
    }

    @Test("joins single saves by the idle limit, and not beyond it")
    func points() throws {
        var script = try Script()
        script.at(10, .opened, essay)
        script.at(10, .closedWithoutWriting, essay)
        for time in [100.0, 900, 1700] { save(&script, at: time) }
        script.timer(1700 + 900)
        save(&script, at: 1700 + 901)
        script.give(.end(at: BootTime(seconds: 9000)))
        let sessions = script.gathered.inOrder
        #expect(sessions.map(\.openedAt) == [BootTime(seconds: 10), BootTime(seconds: 2601)])
        #expect(sessions.map(\.saves) == [3, 1])
        #expect(sessions.map { $0.end?.ending } == [.idle, .idle])
        #expect(sessions.map { TimeOnTask.confidence(of: $0) } == [.fair, .thin])
        #expect(sessions.map(\.attribution.source) == [.assumed, .assumed])
    }

    @Test("keeps a session through the renaming of its folder")
    func folderRenamed() throws {
        var script = try Script()
        script.at(1, .created, "students/alice/old/.x.txt.swp", owner: 2001)
        script.timer(4)
        script.at(5, .renamed(from: PathBytes("students/alice/old")), "students/alice/new", folder: true)
        script.at(6, .modified, "students/alice/new/x.txt")
        script.timer(9)
        script.at(10, .deleted, "students/alice/new/.x.txt.swp")
        script.timer(20)
        let sessions = script.gathered.inOrder
        #expect(sessions.map(\.document.path.text) == ["students/alice/new/x.txt"])
        #expect(sessions.map(\.saves) == [1])
        #expect(sessions.map { $0.end?.closedAt } == [BootTime(seconds: 10)])
    }

    @Test("goes on over a restart: nothing ends at shutdown, and the lock that is still there takes the session back")
    func restart() throws {
        var script = try Script()
        openNano(&script, at: 10)
        save(&script, at: 30)
        script.timer(40)
        script.give(.shutdown(at: BootTime(seconds: 50)))
        let open = script.gathered.inOrder
        #expect(open.map(\.state) == [.running])

        var again = try Script()
        again.gathered = script.gathered
        again.give(.resume(open, at: BootTime(seconds: 100)))
        #expect(again.engine.nextID > ActivityID(1))
        again.give(.gap(share: nil, from: BootTime(seconds: 50), at: BootTime(seconds: 100)))
        again.at(101, .found(since: nil), lock, owner: 2001)
        again.give(.holders([], at: BootTime(seconds: 102)))
        again.timer(300)
        #expect(again.gathered.inOrder.map(\.end) == [nil])
        again.at(310, .deleted, lock)
        again.timer(320)
        #expect(again.gathered.inOrder.map { $0.end?.closedAt } == [BootTime(seconds: 310)])
        #expect(again.gathered.inOrder.count == 1)
        #expect(again.gathered.outOfOrder.isEmpty)
    }

    @Test("ends a resumed session that nothing confirms, at its last sign and no later than the restart")
    func restartWithoutLock() throws {
        var script = try Script()
        openNano(&script, at: 10)
        save(&script, at: 30)
        script.timer(40)
        var again = try Script()
        again.gathered = script.gathered
        again.give(.resume(script.gathered.inOrder, at: BootTime(seconds: 100)))
        again.give(.holders([], at: BootTime(seconds: 102)))
        again.timer(1000)
        let end = SessionEnd(ending: .censored, closedAt: BootTime(seconds: 30), notAfter: BootTime(seconds: 100), confidence: .thin)
        #expect(again.gathered.inOrder.map(\.end) == [end])
        #expect(again.engine.deadline == nil)
    }

    @Test("takes what /proc shows held for a session of whoever holds it")
    func holders() throws {
        var script = try Script()
        let media = PathBytes("media/lesson.mp3")
        script.give(.holders([Holder(pid: 7, uid: 2002, share: 0, path: media, mode: .reading)], at: BootTime(seconds: 100)))
        #expect(script.gathered.inOrder.map(\.attribution.person?.login) == ["bob"])
        #expect(script.gathered.inOrder.map(\.attribution.source) == [.holder])
        script.give(
            .holders([Holder(pid: 8, uid: 2002, share: 0, path: PathBytes(essay), mode: .reading)], at: BootTime(seconds: 200)))
        script.timer(300)
        #expect(script.gathered.inOrder.count == 1, "a text held for reading is nobody's work")
        #expect(script.gathered.inOrder.map { $0.end?.ending } == [.censored])
    }

    @Test("asks for accounts it does not know, once, and names them when it learns")
    func accounts() throws {
        var script = try Script()
        openNano(&script, at: 10, owner: 3000)
        script.timer(15)
        openNano(&script, at: 16, owner: 3000)
        #expect(script.gathered.others == [.lookUpUID(3000)])
        #expect(script.gathered.inOrder.map(\.attribution) == [.unknown])
        var people = School.people
        people.insert(PersonID(uid: 3000, login: "carol"))
        script.give(.directory(people, at: BootTime(seconds: 20)))
        #expect(
            script.gathered.inOrder.map(\.attribution) == [Attribution(person: PersonID(uid: 3000, login: "carol"), source: .companion)])
    }

    @Test("does not make a person of root, nor of a shared account")
    func nobody() throws {
        var script = try Script()
        script.at(10, .opened, essay)
        script.at(10, .closedWithoutWriting, essay)
        script.at(60, .created, "students/alice/.essay.txt.AbCdEf", owner: 0)
        script.at(60, .renamed(from: PathBytes("students/alice/.essay.txt.AbCdEf")), essay, owner: 0)
        script.timer(100)
        #expect(script.gathered.sessions.isEmpty)
        #expect(script.gathered.saved.map(\.attribution) == [.unknown])

        var shared = School.people
        shared.sharedAccounts = [1999]
        script.give(.directory(shared, at: BootTime(seconds: 100)))
        openNano(&script, at: 110, owner: 1999)
        script.timer(120)
        #expect(script.gathered.inOrder.map(\.attribution.source) == [.assumed])
        #expect(script.gathered.inOrder.map(\.attribution.person?.login) == ["alice"])
    }

    @Test("names no document outside the layouts")
    func allowList() throws {
        var script = try Script()
        for path in ["private/x.txt", "x.txt", "students/alice/.git/x.txt", "students/alice/.snapshots/x.txt"] {
            script.at(1, .created, path, owner: 2001)
            script.at(2, .modified, path, owner: 2001)
            script.at(3, .closedAfterWriting, path, owner: 2001)
        }
        script.give(.end(at: BootTime(seconds: 100)))
        #expect(script.gathered.saved.isEmpty)
        #expect(script.gathered.sessions.isEmpty)
    }

    @Test("says when an assignment's folder comes, is renamed and goes")
    func assignments() throws {
        let share = ShareLayout(path: "/s", layouts: LayoutSet([try LayoutPattern("{class}/{assignment}/{person}/{document}")]))
        var people = School.people
        // Of a document it says nothing, of a folder it does.
        people.sharedAccounts = [2003]
        var engine = InferenceEngine(shares: [share], rule: Rule(), firstID: ActivityID(1), directory: people)
        func folder(_ time: Double, _ path: String, _ kind: Change.Kind) -> [AssignmentFolderEvent] {
            let change = Change(
                at: BootTime(seconds: time), share: 0, path: PathBytes(path), isFolder: true, kind: kind,
                facts: FileFacts(type: .folder, owner: 2003))
            return engine.handle(.change(change)).compactMap {
                if case .assignmentFolder(_, _, _, 2003, let event, _) = $0 { event } else { nil }
            }
        }
        #expect(folder(1, "7b", .created) == [])
        #expect(folder(2, "7b/Map", .created) == [.appeared])
        #expect(folder(3, "7b/Map/alice", .created) == [])
        #expect(folder(4, "7b/Maps", .renamed(from: PathBytes("7b/Map"))) == [.renamed(from: PathBytes("7b/Map"))])
        #expect(folder(5, "7b/Maps", .deleted) == [.vanished])
    }

    @Test("does not count a sweep of writes, and does not keep a sweep of reads")
    func sweeps() throws {
        var script = try Script()
        for number in 0..<1000 {
            script.at(10 + Double(number) / 1000, .opened, "shared/many/\(number).txt")
            script.at(10 + Double(number) / 1000, .closedWithoutWriting, "shared/many/\(number).txt")
        }
        #expect(script.engine.documentCount < 32)
        for number in 0..<100 {
            script.at(30 + Double(number) / 1000, .created, "shared/copy/\(number).txt", owner: 2001)
            script.at(30 + Double(number) / 1000, .modified, "shared/copy/\(number).txt", owner: 2001)
        }
        script.give(.end(at: BootTime(seconds: 40)))
        #expect(script.gathered.lines.isEmpty)
        #expect(script.gathered.saved.count == 100)
    }

    @Test("keeps as many documents as its limit says, says so at one more, and goes on")
    func documentLimit() throws {
        var limits = InferenceLimits()
        limits.documents = 50
        var script = try Script(limits)
        for number in 0..<50 { script.at(Double(number), .created, "shared/.d\(number).txt.swp", owner: 2001) }
        #expect(script.engine.documentCount == 50)
        #expect(script.gathered.others.isEmpty)
        script.at(50, .created, "shared/.one-more.txt.swp", owner: 2001)
        #expect(script.engine.documentCount == 50)
        #expect(script.gathered.others == [.overflowed(.documents, at: BootTime(seconds: 50))])
        script.give(.end(at: BootTime(seconds: 60)))
        #expect(script.gathered.sessions.count == 50)
    }

    @Test("keeps what goes on when shares are added or reordered, and ends what is taken away")
    func shares() throws {
        var script = try Script()
        openNano(&script, at: 10)
        script.timer(15)
        let layouts = LayoutSet([try LayoutPattern("students/{person}/{document}")])
        let other = ShareLayout(path: "/srv/other", layouts: layouts)
        let school = ShareLayout(path: "/srv/school", layouts: layouts)
        script.give(.shares([other, school], at: BootTime(seconds: 20)))
        script.give(
            .change(
                Change(at: BootTime(seconds: 30), share: 1, path: PathBytes(essay), isFolder: false, kind: .modified)))
        script.timer(40)
        #expect(script.gathered.inOrder.map(\.saves) == [1])
        #expect(script.gathered.inOrder.map(\.end) == [nil])
        script.give(.shares([other], at: BootTime(seconds: 50)))
        #expect(script.gathered.inOrder.map { $0.end?.ending } == [.censored])
    }

    @Test("takes nano's second window for the same session, and its close for none")
    func twoWindows() throws {
        var script = try Script()
        openNano(&script, at: 10)
        script.timer(20)
        script.at(30, .deleted, lock)
        openNano(&script, at: 30)
        script.at(60, .deleted, lock)
        script.timer(70)
        #expect(script.gathered.inOrder.map(\.end) == [nil])
        script.at(80, .created, lock, owner: 2001)
        save(&script, at: 85)
        script.at(90, .deleted, lock)
        script.timer(100)
        #expect(script.gathered.lines == ["session 10.000 90.000 alice 1 good companion\t\(essay)"])
    }

    @Test("keeps two people apart who take nano's lock from each other")
    func stolenLock() throws {
        var script = try Script()
        openNano(&script, at: 10, owner: 2001)
        script.timer(20)
        script.at(30, .deleted, lock)
        openNano(&script, at: 30, owner: 2002)
        script.timer(40)
        script.at(50, .deleted, lock)
        script.give(.end(at: BootTime(seconds: 60)))
        #expect(script.gathered.inOrder.map(\.attribution.person?.login) == ["alice", "bob"])
        #expect(script.gathered.inOrder.map { $0.end?.ending } == [.censored, .companion])
        #expect(script.gathered.inOrder.map { $0.end.map { $0.notAfter >= BootTime(seconds: 60) } } == [true, true])
    }

    @Test("knows no more of the first one's time than the lock shows that another's nano took away")
    func lostLock() throws {
        var script = try Script()
        openNano(&script, at: 10, owner: 2001)
        script.timer(12)
        script.at(12.1, .deleted, lock)
        openNano(&script, at: 12.1, owner: 2002)
        script.at(19, .deleted, lock)
        script.timer(80)
        func figures(_ now: Double) throws -> TimeFigures {
            TimeOnTask.figures(for: try #require(script.gathered.inOrder.first), rule: Rule(), now: BootTime(seconds: now))
        }
        let running = try figures(80)
        #expect(script.gathered.inOrder.map { $0.end?.ending } == [nil, .companion])
        #expect(running.atLeast == .milliseconds(2100) && running.active == .milliseconds(2100) && running.open == .milliseconds(2100))
        #expect(running.atMost == .seconds(72) && running.confidence == .thin)
        script.timer(1000)
        #expect(script.gathered.lines.first == "session 10.000 12.100 alice 0 thin idle\t\(essay)")
        #expect(try figures(1000).atLeast == .milliseconds(2100))
        #expect(script.gathered.outOfOrder.isEmpty)
    }

    @Test("believes a lock again that its person takes back from another's nano")
    func lockTakenBack() throws {
        var script = try Script()
        openNano(&script, at: 10, owner: 2001)
        script.timer(20)
        script.at(30, .deleted, lock)
        openNano(&script, at: 30, owner: 2002)
        script.timer(40)
        script.at(50, .deleted, lock)
        script.at(50, .created, lock, owner: 2001)
        script.timer(60)
        script.at(70, .deleted, lock)
        script.timer(80)
        #expect(
            script.gathered.inOrder.map { $0.end.map { [$0.closedAt, $0.notAfter] } } == [
                [BootTime(seconds: 70), BootTime(seconds: 70) + Rule().idleSavesOnly], nil,
            ])
        #expect(script.gathered.inOrder.map(\.presence) == [.companion, .points])
        script.timer(2000)
        #expect(script.gathered.inOrder.map { $0.end?.closedAt } == [BootTime(seconds: 70), BootTime(seconds: 50)])
    }

    @Test("ends vim's session at the crash, when its next one makes another lock")
    func vimCrash() throws {
        var script = try Script()
        script.at(10, .created, lock, owner: 2001)
        script.at(10, .opened, lock, owner: 2001)
        script.at(15, .modified, lock, owner: 2001)
        script.at(25, .closedAfterWriting, lock, owner: 2001)
        script.at(30, .created, "students/alice/.essay.txt.swo", owner: 2001)
        script.at(30, .opened, "students/alice/.essay.txt.swo", owner: 2001)
        script.at(50, .closedAfterWriting, "students/alice/.essay.txt.swo", owner: 2001)
        script.at(50, .deleted, "students/alice/.essay.txt.swo", owner: 2001)
        script.timer(60)
        #expect(
            script.gathered.lines == [
                "session 10.000 25.000 alice 0 good closed\t\(essay)", "session 30.000 50.000 alice 0 good companion\t\(essay)",
            ])
    }

    @Test("takes a connection that comes back within seconds for one session")
    func reconnect() throws {
        var script = try Script()
        let media = "media/talk.pdf"
        script.at(10, .opened, media)
        script.at(30, .closedWithoutWriting, media)
        script.at(38, .opened, media)
        script.at(60, .closedWithoutWriting, media)
        script.timer(100)
        #expect(script.gathered.lines == ["session 10.000 60.000 - 0 good closed\t\(media)"])
    }

    @Test("does not wait for ever for a lock that nobody holds, but for one that is held")
    func staleLock() throws {
        var script = try Script()
        openNano(&script, at: 10)
        script.at(10, .created, "students/bob/.x.txt.swp", owner: 2002)
        script.at(10, .opened, "students/bob/.x.txt.swp", owner: 2002)
        script.timer(10 + 3600)
        let sessions = script.gathered.inOrder
        #expect(sessions.map { $0.end?.ending } == [.idle, nil])
        #expect(sessions[0].end?.closedAt == BootTime(seconds: 10))
        #expect(script.engine.deadline == nil)
    }
}
