// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// What programs reported, on a page.
enum ProgramList {
    static func of(_ rows: [(name: String?, reports: [ProgramReport])]) -> Markup {
        let reports = rows.flatMap(\.reports)
        guard !reports.isEmpty else { return "" }
        let items = rows.flatMap { row in
            row.reports.map { report -> Markup in
                let who: Markup = row.name.map { "\(name: $0): " } ?? ""
                let more = report.more(isUTF8: true)
                let rest: Markup = more.isEmpty || row.name != nil ? "" : " <small>\(name: more.joined(separator: ", "))</small>"
                return """
                    <li>\(who)\(name: report.thing), \(name: report.words(isUTF8: true))\(rest), reported by \(name: report.marked)</li>

                    """
            }
        }
        return """
            <h3>Reported by programs</h3>
            <ul>
            \(items.joined())</ul>
            <p class="s">\(ProgramReport.explanation(reports))</p>

            """
    }
}
