// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Testing

/// What somebody fetches over a file server and puts back: the fetching is the beginning of the work, though nobody could be named then.
@Suite("Readings of nobody known")
struct UnnamedReadingTests {
    private let essay = "students/alice/essay.txt"
    private let rule = Rule()

    private func smbd(_ pid: Int32, _ uid: UInt32?) -> Actor { Actor(pid: pid, uid: uid, program: uid == nil ? nil : "smbd") }

    private func give(_ script: inout Script, _ seconds: Double, _ kind: Change.Kind, _ who: Actor, _ path: String? = nil) {
        script.give(
            .change(
                Change(
                    at: BootTime(seconds: seconds), share: 0, path: PathBytes(path ?? essay), isFolder: false, kind: kind, actor: who)))
    }

    private func read(_ script: inout Script, _ seconds: Double, _ who: Actor, _ path: String? = nil) {
        give(&script, seconds, .opened, who, path)
        give(&script, seconds, .closedWithoutWriting, who, path)
    }

    private func save(_ script: inout Script, _ seconds: Double, _ who: Actor) {
        give(&script, seconds, .opened, who)
        give(&script, seconds, .modified, who)
        give(&script, seconds, .closedAfterWriting, who)
    }

    private func session(_ script: inout Script, until seconds: Double = 5000) throws -> (WorkSession, TimeFigures) {
        script.timer(seconds)
        script.give(.end(at: BootTime(seconds: seconds)))
        #expect(script.gathered.outOfOrder.isEmpty)
        let counted = script.gathered.inOrder.filter { TimeOnTask.confidence(of: $0) > .none }
        #expect(counted.count == 1)
        let session = try #require(counted.first)
        return (session, TimeOnTask.figures(for: session, rule: rule, now: BootTime(seconds: seconds)))
    }

    @Test("of the same connection's root are the person's who saves over it")
    func sameConnection() throws {
        var script = try Script()
        read(&script, 10, smbd(10, 0))
        save(&script, 70, smbd(10, 2001))
        let (work, figures) = try session(&script)
        #expect(work.attribution.person?.login == "alice")
        #expect(work.openedAt == BootTime(seconds: 10))
        #expect(work.isOpeningProved)
        #expect(figures.active == .seconds(60))
        #expect(figures.atLeast == .seconds(60))
    }

    @Test("also where the person read the document themself, too long ago to be this work's beginning")
    func earlierReading() throws {
        var script = try Script()
        read(&script, 10, smbd(9, 2001))
        script.give(.processEnded(pid: 9, at: BootTime(seconds: 11)))
        read(&script, 2000, smbd(10, 0))
        save(&script, 2060, smbd(10, 2001))
        let (work, _) = try session(&script)
        #expect(work.openedAt == BootTime(seconds: 2000))
        #expect(work.isOpeningProved)
    }

    @Test("of a connection that had gone, or of root's where another person reads too, are the best guess and no proof")
    func otherConnection() throws {
        for (uid, putsUnseen) in [(nil, false), (nil, true), (0, false)] as [(UInt32?, Bool)] {
            var script = try Script()
            if uid != nil {
                read(&script, 9, smbd(9, 2002))
                script.give(.processEnded(pid: 9, at: BootTime(seconds: 9.1)))
            }
            read(&script, 10, smbd(10, uid))
            save(&script, 70, smbd(11, putsUnseen ? nil : 2001))
            let (work, figures) = try session(&script)
            var lone = try Script()
            save(&lone, 70, smbd(11, putsUnseen ? nil : 2001))
            let (_, without) = try session(&lone)
            #expect(work.attribution.person?.login == "alice")
            #expect(work.openedAt == BootTime(seconds: 10))
            #expect(figures.active == .seconds(60))
            #expect(figures.confidence == .thin)
            #expect(figures.atLeast == without.atLeast)
            #expect(try #require(figures.atMost) >= .seconds(60))
            #expect(without.active == nil, "without a reading its duration is unknown")
        }
    }

    @Test("longer ago than the idle limit only move the bound, and longer than that nothing", arguments: [950.0, 3500, 4000])
    func longAgo(pause: Double) throws {
        var script = try Script()
        read(&script, 10, smbd(10, nil))
        save(&script, 10 + pause, smbd(11, 2001))
        let (work, figures) = try session(&script)
        #expect(work.openedAt == BootTime(seconds: 10 + pause))
        #expect(figures.active == nil)
        #expect(work.notBefore == BootTime(seconds: pause < 3600 ? 8 : 10 + pause - 900))
    }

    @Test("are nobody's where a program of this machine saves, or where it was a sweep")
    func noBeginning() throws {
        var local = try Script()
        read(&local, 10, smbd(10, nil))
        save(&local, 70, Actor(pid: 11, uid: 2001, program: "ed"))
        #expect(try session(&local).0.openedAt == BootTime(seconds: 70))

        var swept = try Script()
        for (number, path) in [essay, "students/alice/a.txt", "students/alice/b.txt", "students/alice/c.txt"].enumerated() {
            read(&swept, 10 + Double(number) / 100, smbd(Int32(20 + number), nil), path)
        }
        save(&swept, 70, smbd(11, 2001))
        #expect(try session(&swept).0.openedAt == BootTime(seconds: 70))
    }

    @Test("belong to a session that is over once it is, and to no later one")
    func usedOnce() throws {
        var script = try Script()
        read(&script, 10, smbd(10, nil))
        save(&script, 70, smbd(11, 2001))
        script.timer(1500)
        #expect(script.gathered.inOrder.map { $0.end == nil } == [false])
        save(&script, 1600, smbd(12, 2001))
        script.timer(5000)
        script.give(.end(at: BootTime(seconds: 5000)))
        #expect(script.gathered.inOrder.map(\.openedAt) == [BootTime(seconds: 10), BootTime(seconds: 1600)])
    }
}
