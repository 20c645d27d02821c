// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaemonService
import Testing

@Suite("Saves that are measured later")
struct PostponedMeasuresTests {
    private let ada = PersonID(uid: 2001, login: "ada")
    private let ben = PersonID(uid: 2002, login: "ben")

    private func document(_ number: Int) -> DocumentRef { DocumentRef(share: "/srv", path: PathBytes("a/\(number).txt")) }
    private func at(_ seconds: Int64) -> BootTime { BootTime(microseconds: seconds * 1_000_000) }

    private func put(
        _ request: Int, _ document: Int, by person: PersonID?, at seconds: Int64 = 1, into postponed: inout PostponedMeasures<Int>
    ) -> Bool { postponed.put(request, of: self.document(document), by: person, at: at(seconds)) }

    @Test("of one person are so many, not one more, and keep nobody else's out")
    func bounds() {
        var postponed = PostponedMeasures<Int>(limit: 10_000)
        let most = PostponedMeasures<Int>.perPerson
        for number in 0..<most { #expect(put(number, number, by: ada, into: &postponed)) }
        #expect(put(most, most, by: ada, into: &postponed) == false)
        // A later save of a document that waits already takes its place.
        #expect(put(-1, 0, by: ada, at: 2, into: &postponed))
        #expect(put(7, most + 1, by: ben, into: &postponed))
        #expect(put(8, most + 2, by: nil, into: &postponed))
        #expect(postponed.count == most + 2)
        var small = PostponedMeasures<Int>(limit: 1)
        #expect(put(1, 1, by: ada, into: &small))
        #expect(put(2, 2, by: ben, into: &small) == false)
    }

    @Test("come when they are due, the earliest first, and make room")
    func due() {
        var postponed = PostponedMeasures<Int>(limit: 3)
        #expect(postponed.first == nil)
        for (number, seconds) in [(1, 30), (2, 10), (3, 20)] as [(Int, Int64)] {
            #expect(put(number, number, by: ada, at: seconds, into: &postponed))
        }
        #expect(postponed.first == at(10))
        let (early, due) = (postponed.takeDue(at: at(9)), postponed.takeDue(at: at(20)))
        #expect(early.isEmpty)
        #expect(due == [2, 3])
        #expect(postponed.first == at(30))
        #expect(put(4, 4, by: ada, at: 5, into: &postponed))
        postponed.removeAll { document, request in document == self.document(1) && request == 1 }
        let rest = postponed.takeDue(at: at(100))
        #expect(rest == [4])
        #expect(postponed.count == 0)
    }
}
