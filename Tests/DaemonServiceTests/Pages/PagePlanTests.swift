// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Ledger
import PageFiles
import Testing

@testable import DaemonService

@Suite("Which pages there are, and whose")
struct PagePlanTests {
    private let kelly = PersonID(uid: 900, login: "kelly")
    private let berg = PersonID(uid: 1, login: "SCHOOL\\berg")
    private let ito = PersonID(uid: 2, login: "ito")

    private func ledger(_ assignments: [(id: String, className: String, title: String)]) -> Ledger {
        var ledger = Ledger()
        var bodies: [EntryBody] = [berg, ito, kelly].map {
            .person(PersonFacts(person: $0, displayName: $0.login, role: .student, classes: ["8b"]))
        }
        bodies += assignments.map { item in
            .assignmentCreated(
                AssignmentFacts(
                    id: AssignmentID(text: item.id), title: item.title, className: item.className, share: "/s", folder: PathBytes(item.id),
                    due: nil, by: nil, rule: Rule(), students: [berg, ito]))
        }
        for (index, body) in bodies.enumerated() {
            ledger.apply(
                Entry(
                    seq: UInt64(index + 1), at: WallTime(microseconds: 1), boot: BootID(text: "b"), mono: BootTime(microseconds: 1),
                    body: body))
        }
        return ledger
    }

    private func school(
        teachers: Set<PersonID>, shared: Set<UInt32> = [], leaving: Set<PersonID> = [], administrators: Readers = Readers(groups: [50]),
        isTrial: Bool = false
    ) -> PagePlan.School {
        let roster = Roster(classes: [.init(name: "8B", students: [berg, ito], teachers: teachers)])
        return PagePlan.School(
            roster: isTrial ? Roster() : roster, administrators: administrators, shared: shared, leaving: leaving,
            isCurrent: { $0 != ito })
    }

    private func places(_ plan: PagePlan) -> [String] { plan.places().map { $0.joined(separator: "/") }.sorted() }

    @Test("a class's page is its teachers', a student's their own; administrators have their group")
    func readers() {
        let plan = PagePlan(ledger([("8b/Hamlet", "8b", "Hamlet essay")]), school(teachers: [kelly]))
        #expect(places(plan) == ["8b/hamlet-essay", "people/berg", "people/ito"])
        let readers = Readers(users: [900], groups: [50])
        #expect(
            plan.steps[.assignment(AssignmentID(text: "8b/Hamlet"))] == [PageStep("8b", readers), PageStep("hamlet-essay", readers)])
        #expect(
            plan.steps[.person(berg)] == [
                PageStep("people", Readers(groups: [50]), isPassage: true), PageStep("berg", Readers(users: [1], groups: [50])),
            ])
        #expect(plan.steps[.person(kelly)] == nil)
    }

    @Test("an account of several people reads nothing and has no page, nor has who is being forgotten")
    func nobody() {
        let plan = PagePlan(
            ledger([("8b/Hamlet", "8b", "Hamlet")]),
            school(teachers: [kelly, PersonID(uid: 65_534, login: "nobody")], shared: [900, 2], leaving: [berg]))
        #expect(places(plan) == ["8b/hamlet"])
        #expect(plan.steps.values.first?.last?.readers == Readers(groups: [50]))
    }

    @Test("what nobody could open is not written")
    func unreadable() {
        let plan = PagePlan(
            ledger([("8b/Hamlet", "8b", "Hamlet"), ("9a/Poem", "9a", "Poem")]), school(teachers: [kelly], administrators: Readers()))
        #expect(places(plan) == ["8b/hamlet", "people/berg", "people/ito"])
        #expect(plan.steps[.person(ito)]?.last?.readers == Readers(users: [2]))
    }

    @Test("without classes everybody has a page whose number is still theirs")
    func trial() {
        let plan = PagePlan(ledger([("x", "", "")]), school(teachers: [], isTrial: true))
        #expect(places(plan) == ["people/berg", "people/kelly", "unnamed/unnamed"])
    }

    @Test("two assignments, two classes and two people of one name never meet, and an older one keeps its place")
    func names() {
        var all = [("8b/A", "8b", "Essay"), ("8b/B", "8b", "essay"), ("8B/C", "8B", "Essay"), ("people/D", "people", "Berg")]
        let plan = PagePlan(ledger(all), school(teachers: [kelly]))
        #expect(plan.steps.count == 6 && Set(plan.steps.values.map { $0.map { $0.name.lowercased() } }).count == 6)
        #expect(plan.steps[.assignment(AssignmentID(text: "8b/A"))]?.map(\.name) == ["8b", "essay"])
        #expect(plan.steps[.assignment(AssignmentID(text: "people/D"))]?.first?.name != "people")
        all.append(("8b/0", "8b", "ESSAY"))
        let more = PagePlan(ledger(all), school(teachers: [kelly]))
        for (key, steps) in plan.steps { #expect(more.steps[key] == steps) }
    }
}
