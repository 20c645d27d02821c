// SPDX-License-Identifier: Apache-2.0
import ActivityModel

extension ClassReport {
    /// Columns for what programs reported are there only where some did.
    var hasReports: Bool { rows.contains { !$0.reports.isEmpty } }
}

extension ProgramReport {
    static let heads = ["Reported (min)", "Reported progress (%)", "Reported results", "Reported by"]
}

extension [ProgramReport] {
    /// All of them added up; nil where there is none.
    var worked: Duration? { isEmpty ? nil : reduce(.zero) { $0 + $1.worked } }

    var progress: Double? { Statistics.mean(compactMap(\.progress)) }

    var results: String { map { ([$0.thing] + $0.items.map(Self.words)).joined(separator: ": ") }.joined(separator: " / ") }

    var by: String {
        var seen: Set<String> = []
        return map(\.marked).filter { seen.insert($0).inserted }.joined(separator: " / ")
    }

    private static func words(_ item: Item) -> String {
        "\(item.title.isEmpty ? ItemText.name(item.identifier) : item.title) \(ItemText.value(item, isUTF8: true))"
    }
}
