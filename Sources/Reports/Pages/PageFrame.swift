// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// What all published pages have in common: one file each, without a script and without anything from elsewhere.
enum PageFrame {
    /// Nothing is loaded, sent or run, whatever might have got into a page; the only style is the one whose digest stands here.
    static let policy = "default-src 'none'; style-src '\(PageStyle.digest)'; base-uri 'none'; form-action 'none'"

    static func page(title: String, _ content: Markup) -> String {
        let page: Markup = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(Markup(stringLiteral: policy))">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="robots" content="noindex, nofollow">
            <meta name="referrer" content="no-referrer">
            <title>\(title.isEmpty ? "Daybook" : title)</title>
            <style>\(Markup(stringLiteral: PageStyle.sheet))</style>
            </head>
            <body>
            <main>
            \(content)
            </main>
            </body>
            </html>

            """
        return page.html
    }

    static func figure(_ caption: String, _ note: String, _ drawing: Markup) -> Markup {
        "<figure><figcaption>\(caption)<small>\(note)</small></figcaption>\(drawing)</figure>\n"
    }

    /// By which rule, what it cannot mean, and what it must not be used for.
    static func foot(_ rule: Rule?, changed: RuleChangeLine?, made: WallTime, _ times: TimeText, readers: String) -> Markup {
        let limits: Markup =
            rule.map { rule in
                """
                <p>Worked is estimated from saves, lock files and open files on this server. Pauses over \(SpanText.limit(rule.idleContinuous)) \
                (\(SpanText.limit(rule.idleSavesOnly)) where only saves are seen) do not count. Paper, thinking and work on other copies are not \
                seen. Not a measure of effort. \(RuleText.sentence(rule, instead: nil, changed: changed, times))</p>

                """
            } ?? ""
        return """
            <footer>
            \(limits)<p>\(FactSheet.mustNot)</p>
            <p>\(readers)</p>
            <p>Made by Daybook on \(times.dayAndTime(made)).</p>
            </footer>
            """
    }
}
