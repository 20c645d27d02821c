// SPDX-License-Identifier: Apache-2.0

/// The colours of published pages, for light and for dark screens; paper takes the light ones. A test computes their contrast.
package struct PageColors: Equatable, Sendable {
    /// What everything lies on.
    package var paper: String
    /// What tables and plots lie on.
    package var card: String
    /// Text.
    package var ink: String
    /// Text that steps back: notes, axes, bounds.
    package var soft: String
    /// Rules between rows, grids.
    package var line: String
    /// Best estimates in plots, and links.
    package var mark: String
    /// What a plot compares with: a median, a target.
    package var second: String

    package static let light = PageColors(
        paper: "#f7f5f0", card: "#ffffff", ink: "#1d2430", soft: "#566072", line: "#e2ded5", mark: "#2a5f96", second: "#9a4f16")

    package static let dark = PageColors(
        paper: "#14171c", card: "#1c2128", ink: "#e9e7e2", soft: "#a5adbb", line: "#343b46", mark: "#86b6ea", second: "#eba96b")

    fileprivate var declarations: String {
        "--paper:\(paper);--card:\(card);--ink:\(ink);--soft:\(soft);--line:\(line);--mark:\(mark);--second:\(second)"
    }
}

enum PageStyle {
    /// The whole style sheet. Every page has this very text, so that its policy can name it by its digest and forbid any other.
    static let sheet =
        ":root{color-scheme:light dark;" + PageColors.light.declarations + "}\n"
        + "@media (prefers-color-scheme:dark){:root{" + PageColors.dark.declarations + "}}\n" + rules + print

    /// SHA-256 of `sheet`, as a content security policy wants it; a test computes it anew.
    static let digest = "sha256-jvJ/VyNmDcelr5CO+YCOXaGlYMAtmtijdBDcaDbNYxs="

    /// How much of a line of a student among others is seen.
    static let faint = 0.65

    private static let rules = """
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
        body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
        main{max-width:76rem;margin:0 auto;padding:2.5rem 1.5rem 3rem}
        h1{font-size:2rem;line-height:1.15;letter-spacing:-.015em;margin:.15rem 0 .5rem;overflow-wrap:anywhere}
        h2{font-size:1.375rem;line-height:1.25;letter-spacing:-.01em;margin:0 0 .35rem;overflow-wrap:anywhere}
        h3{font-size:1rem;line-height:1.3;margin:0}
        p{margin:0 0 .5rem}
        a{color:var(--mark)}
        .over{color:var(--soft);font-size:.875rem;margin:0}
        .lede{color:var(--soft);max-width:60rem}
        .lede span{display:inline-block;margin-right:1.1rem}
        .tiles{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.5rem 0;padding:0;list-style:none}
        .tiles li{flex:1 1 10rem;background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.8rem 1rem .7rem}
        .tiles span{display:block;color:var(--soft);font-size:.8125rem}
        .tiles strong{display:block;font-size:1.5rem;line-height:1.3;font-weight:600;letter-spacing:-.01em}
        .tiles small{display:block;font-size:.8125rem}
        .card{background:var(--card);border:1px solid var(--line);border-radius:.6rem;margin:0 0 1.25rem}
        .wide{overflow-x:auto}
        .wide:focus-visible{outline:2px solid var(--mark);outline-offset:2px}
        table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
        caption{text-align:left;font-weight:600;padding:1rem 1rem .4rem}
        caption small{display:block;font-weight:400;font-size:.8125rem;max-width:calc(100vw - 4rem)}
        th,td{text-align:left;padding:.5rem .75rem;border-top:1px solid var(--line);vertical-align:baseline;white-space:nowrap}
        tr>:first-child{padding-left:1rem}
        tr>:last-child{padding-right:1rem}
        thead th{border-top:0;color:var(--soft);font-size:.8125rem;font-weight:600}
        tbody th{font-weight:500;position:sticky;left:0;background:var(--card)}
        tbody tr:last-child>*{padding-bottom:.9rem}
        tfoot th,tfoot td{border-top:1px solid var(--line);font-weight:600}
        tfoot tr:first-child>*{border-top:2px solid var(--line)}
        tfoot th{position:sticky;left:0;background:var(--card)}
        .n{text-align:right}
        .s,small{color:var(--soft);font-size:.875rem}
        td.days{padding-top:.2rem;padding-bottom:0;vertical-align:bottom}
        td.days svg{display:block;width:11rem;height:1.875rem}
        tfoot .s{font-weight:400}
        td.name{white-space:normal;overflow-wrap:anywhere;min-width:10rem}
        .plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,21rem),1fr));gap:1.25rem;margin:0 0 1.25rem}
        figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem 1rem .6rem}
        figcaption{font-weight:600;margin:0 0 .5rem}
        figcaption small{display:block;font-weight:400}
        figure svg{display:block;width:100%;height:auto;overflow:visible}
        svg text{font:10.5px system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;fill:var(--soft)}
        .e{text-anchor:end}
        .c{text-anchor:middle}
        .grid{stroke:var(--line);fill:none}
        .axis{stroke:var(--soft);fill:none}
        .mark{fill:var(--mark)}
        .dot{fill:var(--mark);stroke:var(--card)}
        .path{stroke:var(--mark);fill:none;stroke-width:1.5;stroke-linejoin:round;stroke-linecap:round}
        .faint{stroke:var(--mark);fill:none;opacity:\(faint);stroke-linejoin:round}
        .second{stroke:var(--second);fill:none;stroke-width:1.5}
        .dash{stroke:var(--second);fill:none;stroke-dasharray:4 3}
        svg text.k{fill:var(--second)}
        section{border-top:1px solid var(--line);padding-top:1.75rem;margin-top:2rem}
        section:first-of-type{border-top:0;padding-top:0}
        footer{border-top:1px solid var(--line);margin-top:2rem;padding-top:1.25rem;color:var(--soft);font-size:.875rem;max-width:60rem}
        @media (max-width:40rem){main{padding:1.25rem 1rem 2rem}h1{font-size:1.625rem}th,td{padding:.45rem .6rem}caption{padding:.8rem .75rem .3rem}
        .tiles{gap:.5rem;margin:1rem 0}.tiles li{flex-basis:8.5rem;padding:.6rem .75rem}.tiles strong{font-size:1.25rem}
        tr>:first-child{padding-left:.75rem}
        .people th{max-width:8.5rem;white-space:normal}}
        .narrow{display:none}
        @media screen and (max-width:40rem){caption small.narrow{display:block;color:var(--mark)}}

        """

    /// Paper: light, without what only a screen needs, and nothing torn over two sheets.
    private static let print =
        "@media print{:root{color-scheme:light;" + PageColors.light.declarations + """
            ;--paper:#ffffff}
            @page{margin:14mm}
            html{font-size:9.5pt}body{print-color-adjust:exact;-webkit-print-color-adjust:exact}
            main{max-width:none;padding:0}h1{font-size:18pt}.screen{display:none}.wide{overflow:visible}
            .tiles li,figure,tr{break-inside:avoid}thead{display:table-header-group}tfoot{display:table-row-group}
            th,td{padding:.25rem .45rem;vertical-align:middle}tbody th,tfoot th{position:static}.tiles strong{font-size:13pt}
            .plots{grid-template-columns:1fr 1fr}h2,h3,caption{break-after:avoid}td.days svg{width:7rem}
            section{break-before:page}section:first-of-type{break-before:auto}footer{break-inside:avoid}}

            """
}
