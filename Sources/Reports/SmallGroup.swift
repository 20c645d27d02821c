// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// Protects small groups from readers who cannot see the rows: no average, median or plot over fewer than `minimum` people, nor any from
/// which such a figure can be had by subtraction. A teacher who has the rows sees figures with their n: hiding them would protect nobody.
package enum SmallGroup {
    package static let minimum = 5

    /// Which of these groups' figures may be shown together, decided in their order.
    ///
    /// People who are in exactly the same shown groups form a cell. Whatever is added and subtracted, the result is about whole cells; so
    /// every cell must have `minimum` people.
    package static func publishable(_ groups: [Set<PersonID>], minimum: Int = SmallGroup.minimum) -> [Bool] {
        var shown: [Set<PersonID>] = []
        return groups.map { group in
            let candidate = shown + [group]
            var cells: [[Bool]: Int] = [:]
            for person in candidate.reduce(into: Set<PersonID>(), { $0.formUnion($1) }) {
                cells[candidate.map { $0.contains(person) }, default: 0] += 1
            }
            guard !cells.isEmpty, cells.values.allSatisfy({ $0 >= minimum }) else { return false }
            shown = candidate
            return true
        }
    }
}

extension ClassReport {
    /// The table for somebody who may not see its rows: head and figures only, and these only for groups that are large enough.
    package func withoutRows(minimum: Int = SmallGroup.minimum) -> ClassReport {
        func group(_ has: (Row) -> Bool) -> Set<PersonID> { Set(rows.filter(has).map(\.person)) }
        let identifier = primary?.identifier
        let shown = SmallGroup.publishable(
            [
                group { $0.figures?.countsInClass == true },
                group { row in identifier.flatMap(row.figure) != nil },
                group { $0.figure(ItemText.level) != nil },
            ], minimum: minimum)
        func cut(_ summary: Summary?) -> Summary? {
            guard let summary, shown.contains(true) else { return nil }
            return Summary(
                worked: shown[0] ? summary.worked : nil, primary: shown[1] ? summary.primary : nil, level: shown[2] ? summary.level : nil)
        }
        var copy = self
        copy.rows = []
        copy.median = cut(median)
        copy.average = cut(average)
        if !shown[0] { copy.withTime = 0 }
        return copy
    }
}
