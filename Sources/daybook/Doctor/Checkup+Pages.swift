// SPDX-License-Identifier: Apache-2.0
import DaybookVarlink

extension Checkup {
    static func finding(of pages: ServerStatus.Pages) -> Finding {
        guard pages.published else {
            return Finding(
                "pages", .warning, "no pages are published: \(pages.reason ?? "the folder is being opened")",
                mend: pages.reason == nil ? "ask again in a moment" : "what the reason says; the server tries again every minute")
        }
        let what = "\(pages.directory): \(count(pages.pages, "page")) published"
        guard let reason = pages.reason else { return Finding("pages", .good, what) }
        return Finding("pages", .warning, "\(what), \(reason)", mend: "what the reason says; the server tries again")
    }
}
