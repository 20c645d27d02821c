// SPDX-License-Identifier: Apache-2.0
package import ActivityModel
package import Inference

extension RecordingPolicy {
    /// The facts of an assignment that a teacher makes: to journal as `assignment.created`, or, of a folder that is one already and of which
    /// nobody has said more than its folder does, as `assignment.changed`.
    package func assignment(
        _ request: AssignmentRequest, by editor: AssignmentPlan.Editor, mayAssignTo isAllowed: (String) -> Bool, shares: [ShareLayout],
        rule: Rule, clock: LocalClock, at now: WallTime, in ledger: Ledger
    ) throws(AssignmentRefusal) -> (facts: AssignmentFacts, isNew: Bool) {
        let place = try place(request, shares: shares, clock: clock, in: ledger)
        guard isAllowed(place.school.name) else { throw .notTheirClass }
        let named = Self.reading(folderName: escapedText(place.folder.path.name), clock: clock)
        let existing = ledger.assignmentID(share: place.folder.share, folder: place.folder.path).flatMap { ledger.assignment($0) }
        if let existing, existing.facts.plan.edition > 0 {
            throw .other("'\(existing.facts.title)' is an assignment already (\(existing.id.text)); 'daybook assignment change' changes it")
        }
        if existing == nil, ledger.goingOn(in: place.school.name) >= AssignmentLimits.perClass {
            throw .other("class \(place.school.name) has \(AssignmentLimits.perClass) assignments that go on; end some before")
        }
        var facts =
            existing?.facts
            ?? AssignmentFacts(
                id: freeID("\(place.className)/\(escapedText(place.folder.path.name))", share: place.folder.share, in: ledger),
                title: named.title, className: place.school.name, share: place.folder.share, folder: place.folder.path, due: named.due,
                by: editor.uid, rule: rule, students: place.school.pupils)
        facts.title = request.title ?? facts.title
        facts.due = request.due ?? facts.due
        facts.target = request.target ?? facts.target
        facts.plan.instructions = request.instructions
        facts.plan.opens = request.opens
        facts.plan.chosen = request.chosen
        facts.plan.deadlines = request.deadlines
        facts.plan.materials = request.materials
        facts.plan.key = request.key
        facts.plan.analyzers = request.analyzers
        facts.excused = request.excused
        facts.plan.stage = request.isDraft ? .draft : Self.stage(request.opens, now)
        facts.plan.edition = 1
        facts.plan.editor = editor
        facts.students = place.school.pupils.filter { facts.plan.chosen?.contains($0) ?? true }
        try check(facts, in: place.school, clock: clock, at: request.allowsPastDue ? nil : now)
        return (facts, existing == nil)
    }

    /// The facts after a change by somebody.
    package func changed(
        _ record: AssignmentRecord, by change: AssignmentChange, editor: AssignmentPlan.Editor, clock: LocalClock, at now: WallTime
    ) throws(AssignmentRefusal) -> AssignmentFacts {
        var facts = record.facts
        try check(edition: change.edition, of: facts)
        guard record.ended == nil else {
            throw .other("'\(facts.title)' has ended; 'daybook assignment reopen' lets it go on, then it can be changed")
        }
        for part in change.clears {
            switch part {
            case .due: facts.due = nil
            case .opens: facts.plan.opens = nil
            case .instructions: facts.plan.instructions = nil
            case .target: facts.target = nil
            case .chosen: facts.plan.chosen = nil
            case .deadlines: facts.plan.deadlines = []
            case .excused: facts.excused = []
            case .materials: facts.plan.materials = []
            case .key: facts.plan.key = nil
            case .analyzers: facts.plan.analyzers = []
            }
        }
        facts.title = change.title ?? facts.title
        facts.due = change.due ?? facts.due
        facts.plan.instructions = change.instructions ?? facts.plan.instructions
        facts.plan.chosen = change.chosen ?? facts.plan.chosen
        facts.target = change.target ?? facts.target
        facts.plan.materials = change.materials ?? facts.plan.materials
        facts.plan.key = change.key ?? facts.plan.key
        facts.plan.analyzers = change.analyzers ?? facts.plan.analyzers
        facts.excused = Set(facts.excused).union(change.excuse).subtracting(change.unexcuse).sorted()
        for deadline in change.deadlines {
            facts.plan.deadlines.removeAll { $0.person == deadline.person }
            facts.plan.deadlines.append(deadline)
        }
        if let opens = change.opens {
            guard facts.plan.stage != .active else { throw .other("'\(facts.title)' has begun; it cannot begin later any more") }
            facts.plan.opens = opens
        }
        if facts.plan.stage != .draft || change.publishes {
            facts.plan.stage = facts.plan.stage == .active ? .active : Self.stage(facts.plan.opens, now)
        }
        let school = roster.schoolClass(named: facts.className)
        if let school { facts.students = school.pupils.filter { facts.plan.chosen?.contains($0) ?? true } }
        let saysWhen = change.due != nil || !change.deadlines.isEmpty
        try check(facts, in: school, clock: clock, at: saysWhen && !change.allowsPastDue ? now : nil, only: change)
        guard facts != record.facts else { return facts }
        edit(&facts, by: editor)
        return facts
    }

    /// Marks the facts as edited once more.
    package func edit(_ facts: inout AssignmentFacts, by editor: AssignmentPlan.Editor) {
        facts.plan.edition += 1
        facts.plan.editor = editor
    }

    package func check(edition: Int?, of facts: AssignmentFacts) throws(AssignmentRefusal) {
        guard let edition, edition != facts.plan.edition else { return }
        throw .changedMeanwhile(by: facts.plan.editor?.login ?? "somebody", edition: facts.plan.edition)
    }

    /// Scheduled ones whose time has come: to journal as `assignment.changed`.
    package func opened(at now: WallTime, in ledger: Ledger) -> [AssignmentFacts] {
        ledger.allAssignments.filter { $0.state == .scheduled && ($0.facts.plan.opens ?? now) <= now }.map { record in
            var facts = record.facts
            facts.plan.stage = .active
            return facts
        }
    }

    private static func stage(_ opens: WallTime?, _ now: WallTime) -> AssignmentPlan.Stage {
        opens.map { $0 > now } ?? false ? .scheduled : .active
    }

    // MARK: Where

    private struct Place {
        var folder: DocumentRef
        /// As the folder is called.
        var className: String
        var school: Roster.SchoolClass
    }

    private func place(
        _ request: AssignmentRequest, shares: [ShareLayout], clock: LocalClock, in ledger: Ledger
    ) throws(AssignmentRefusal) -> Place {
        if let folder = request.folder {
            guard let share = shares.first(where: { $0.path == folder.share }), let placement = share.layouts.assignmentFolder(folder.path),
                let className = placement.className
            else {
                throw .other(
                    "\(folder.share)/\(folder.path.text) does not stand at {assignment} of a layout with {class}, so nothing there is recorded"
                )
            }
            let school = try schoolClass(className)
            if let asked = request.className, roster.schoolClass(named: asked)?.name != school.name {
                throw .other("that folder belongs to class \(school.name), not to \(asked)")
            }
            return Place(folder: folder, className: className, school: school)
        }
        guard let name = request.className else { throw .other("which class? write --class") }
        let school = try schoolClass(name)
        guard let title = request.title else { throw .other("it has no title") }
        let day = request.due.map { clock.civil($0).date.text + " " } ?? ""
        for share in shares {
            for layout in share.layouts.layouts {
                guard let path = Self.folder(layout, className: folderName(of: school, in: share, ledger), assignment: day + title) else {
                    continue
                }
                guard share.layouts.assignmentFolder(path) != nil else { continue }
                return Place(
                    folder: DocumentRef(share: share.path, path: path), className: folderName(of: school, in: share, ledger), school: school
                )
            }
        }
        throw .other("no share has a layout with {class} and then {assignment}; name a folder instead")
    }

    private func schoolClass(_ name: String) throws(AssignmentRefusal) -> Roster.SchoolClass {
        if let school = roster.schoolClass(named: name) { return school }
        if roster.isTrial { return Roster.SchoolClass(name: name, students: [], teachers: []) }
        throw .noSuchClass(name, candidates: roster.classes.map(\.name).sorted())
    }

    /// As the class's folder is called where an assignment has shown it, whatever the capitals of its name.
    private func folderName(of school: Roster.SchoolClass, in share: ShareLayout, _ ledger: Ledger) -> String {
        for record in ledger.assignments(forClasses: [school.name]) where record.facts.share == share.path {
            if let folder = record.facts.folder, let seen = share.layouts.assignmentFolder(folder)?.className { return seen }
        }
        return school.name
    }

    /// Nil where the layout has something else before `{assignment}`, e.g. `{person}`.
    private static func folder(_ layout: LayoutPattern, className: String, assignment: String) -> PathBytes? {
        var path = PathBytes.root
        for part in layout.parts {
            switch part {
            case .name(let name): path = path.appending(name)
            case .className: path = path.appending(PathBytes(text: className)?.bytes ?? Array(className.utf8))
            case .assignment: return layout.hasClass ? path.appending(folderName(for: assignment)) : nil
            case .person, .document: return nil
            }
        }
        return nil
    }

    /// What a file system takes as a name: no slash, no control character, not hidden, at most 200 bytes.
    static func folderName(for title: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for character in title {
            let isBad = character == "/" || character == "\\" || hasControl(String(character), but: [])
            let text = isBad ? "-" : String(character)
            if bytes.count + text.utf8.count > 200 { break }
            bytes.append(contentsOf: text.utf8)
        }
        while bytes.last == UInt8(ascii: " ") || bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
        if bytes.first == UInt8(ascii: ".") { bytes.insert(UInt8(ascii: "-"), at: 0) }
        return bytes.isEmpty ? Array("Assignment".utf8) : bytes
    }

    // MARK: What can be

    /// `at` is nil where a due time may have passed. Of a change only what it names is looked at, so that who left the class hinders nobody.
    private func check(
        _ facts: AssignmentFacts, in school: Roster.SchoolClass?, clock: LocalClock, at now: WallTime?, only change: AssignmentChange? = nil
    ) throws(AssignmentRefusal) {
        guard !facts.title.isEmpty, facts.title.count <= AssignmentLimits.title, !Self.hasControl(facts.title, but: []) else {
            throw .other("a title has 1 to \(AssignmentLimits.title) characters and no line break")
        }
        if let text = facts.plan.instructions, text.count > AssignmentLimits.instructions || Self.hasControl(text, but: ["\n", "\t"]) {
            throw .other("instructions have at most \(AssignmentLimits.instructions) characters")
        }
        if let target = facts.target, !(target.value > 0 && target.value <= 1_000_000_000) {
            throw .other("a target is a number above 0")
        }
        guard facts.plan.materials.count <= AssignmentLimits.materials else {
            throw .other("at most \(AssignmentLimits.materials) documents or contexts")
        }
        if change == nil || change?.analyzers != nil, let unknown = facts.plan.analyzers.first(where: { !analyzers.contains($0) }) {
            throw .other("there is no analyzer '\(unknown.prefix(64))'; there are \(analyzers.joined(separator: ", "))")
        }
        guard facts.plan.analyzers.count <= AssignmentLimits.analyzers else {
            throw .other("at most \(AssignmentLimits.analyzers) analyzers")
        }
        for deadline in facts.plan.deadlines where deadline.reason.count > AssignmentLimits.reason {
            throw .other("a reason has at most \(AssignmentLimits.reason) characters")
        }
        if let now {
            let whole = change.map { [$0.due] } ?? [facts.due]
            for due in whole.compactMap({ $0 }) + (change?.deadlines ?? facts.plan.deadlines).map(\.due) where due < now {
                throw .other("\(clock.civil(due).date.text) is past; give --past if that is meant")
            }
        }
        if let opens = facts.plan.opens, let due = facts.due, opens >= due { throw .other("it would begin after it is due") }
        guard let school, !roster.isTrial else { return }
        let named =
            change.map { ($0.chosen ?? []) + $0.excuse + $0.deadlines.map(\.person) }
            ?? (facts.plan.chosen ?? []) + facts.excused + facts.plan.deadlines.map(\.person)
        let outside = named.filter { !school.pupils.contains($0) }
        guard outside.isEmpty else {
            throw .other(
                "\(outside.prefix(5).map(\.login).joined(separator: ", ")) \(outside.count == 1 ? "is" : "are") no student of \(school.name)"
            )
        }
        if facts.plan.chosen?.isEmpty == true { throw .other("nobody is chosen") }
    }

    private static func hasControl(_ text: String, but allowed: Set<Unicode.Scalar>) -> Bool {
        text.unicodeScalars.contains { $0.properties.generalCategory == .control && !allowed.contains($0) }
    }
}
