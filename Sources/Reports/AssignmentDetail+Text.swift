// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import Ledger

extension AssignmentDetail {
    /// What `assignment show` prints, and every command that changed it.
    package func text(_ style: TextStyle, clock: LocalClock, now: WallTime) -> String {
        let times = TimeText(clock: clock, now: now)
        var head = [title]
        if !className.isEmpty { head.append("class \(className)") }
        head.append(stateText(times))
        if let due { head.append("due \(times.dayAndTime(due)), \(times.distance(due))") }
        var lines = wrapped(head.joined(separator: " \(style.dot) "), to: style.width)
        if let instructions {
            lines += instructions.split(separator: "\n", omittingEmptySubsequences: false)
                .flatMap { wrapped(String($0), to: style.textWidth - 2).map { "  " + $0 } }
        }
        var facts: [String] = []
        if let target { facts.append("Goal: \(Self.targetText(target))") }
        if let key {
            let form = ["gift": "GIFT", "aiken": "Aiken", "csv": "CSV"][key.form] ?? key.form
            let points = ItemText.number(key.points, digits: ItemText.isWhole(key.points) ? 0 : 1)
            facts.append("Quiz: \(plural(key.questions, "question")), \(points) points at best (\(form))")
        }
        if !analyzers.isEmpty { facts.append("Measured by: \(analyzers.joined(separator: ", "))") }
        for material in materials { facts.append("Begins from: \(material.text)") }
        if let folder { facts.append("Folder: \(folder)") }
        facts.append(
            "For: " + (isChosen ? "\(plural(studentCount, "chosen student"))" : "the whole class, \(plural(studentCount, "student"))"))
        if edition > 0, let editedBy { facts.append("Edition \(edition), last changed by \(editedBy)") }
        lines += facts.flatMap { wrapped($0, to: style.textWidth, indent: "  ") }
        let width = min(32, students.reduce(0) { max($0, displayWidth(style.shown($1.name))) })
        for student in students {
            let said = remarks(of: student, times)
            guard !said.isEmpty else { continue }
            lines += wrapped(
                "  " + padded(fitted(style.shown(student.name), to: width, ellipsis: style.ellipsis), to: width) + "  "
                    + said.joined(separator: "; "), to: style.width, indent: String(repeating: " ", count: min(width + 4, style.width / 2)))
        }
        return lines.map { style.shown($0) + "\n" }.joined()
    }

    private func stateText(_ times: TimeText) -> String {
        switch state {
        case .draft: "draft, students do not see it"
        case .scheduled: opens.map { "begins \(times.dayAndTime($0))" } ?? "scheduled"
        case .active: "active"
        case .completed: ended.map { "completed \(times.day(of: $0))" } ?? "completed"
        case .deleted: "deleted"
        case .ended: ended.map { "ended \(times.day(of: $0)), its folder is gone" } ?? "ended"
        }
    }

    private func remarks(of student: Student, _ times: TimeText) -> [String] {
        var parts: [String] = []
        if student.isExcused { parts.append("excused") }
        if let due = student.due {
            parts.append("due \(times.dayAndTime(due))" + (student.reason.map { $0.isEmpty ? "" : " (\($0))" } ?? ""))
        }
        if let said = student.said, let at = student.saidAt {
            var text: String
            switch said {
            case .done: text = "done"
            case .handedIn: text = student.handedIn?.isLate == true ? "handed in late" : "handed in"
            case .returned: text = "returned"
            case .tryAgain: text = "try again"
            case .withdrawn: text = "withdrawn"
            }
            text += " \(times.dayAndTime(at))"
            if let document = student.handedIn?.document { text += ": \(document)" }
            if let file = student.handedIn?.file { text += ", \(file.size) bytes, SHA-256 \(file.sha256.prefix(16))…" }
            if let words = student.text, !words.isEmpty { text += ": \(words)" }
            parts.append(text)
        }
        return parts
    }

    /// `500 words`.
    package static func targetText(_ target: Target) -> String {
        let word = AssignmentLimits.targets.first { $0.identifier == target.identifier }?.word
        return ItemText.number(target.value, digits: ItemText.isWhole(target.value) ? 0 : 1) + " "
            + (word ?? ItemText.heading(target.identifier, title: target.identifier).lowercased())
    }
}
