// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// Whose program saves, and what they may.
package struct ProgramUser: Equatable, Sendable {
    package var uid: UInt32
    package var login: String
    /// Nil where nobody is known by the uid: then nothing of them is recorded.
    package var person: PersonID?
    /// What their programs say of their content is kept.
    package var keepsContexts: Bool

    package init(uid: UInt32, login: String, person: PersonID?, keepsContexts: Bool) {
        self.uid = uid
        self.login = login
        self.person = person
        self.keepsContexts = keepsContexts
    }
}

/// What became of a program's save, object by object.
package struct ProgramSave: Equatable, Sendable {
    /// An object that is as it should be and was not kept.
    package struct Drop: Equatable, Sendable {
        package var index: Int
        /// A word for it, or a sentence for the program's author.
        package var why: String
    }

    /// Where an attempt counts.
    package enum Standing: Equatable, Sendable {
        case counts(in: [AssignmentID])
        case dropped(why: String)
    }

    /// One for each object; nil where it is good.
    package private(set) var outcomes: [ProgramRefusal?] = []
    /// To be journaled, in order.
    package private(set) var entries: [EntryBody] = []
    /// All that was reported, also what is known already.
    package private(set) var reports: [ReportFacts] = []
    package private(set) var drops: [Drop] = []

    /// What is wrong with an object is found before anybody asks who calls, so that no answer tells. `decided` is what was decided, `known`
    /// what stands on the disk: only what is the same in both needs no entry.
    package init(
        _ changes: [ProgramChange], program: ReportFacts.Program, by user: ProgramUser, decided: Ledger, known: Ledger,
        standing: (ReportFacts.Subject) -> Standing
    ) {
        var tree = decided.contextTree(of: program.app) ?? ContextTree()
        let others = ProgramRoom(of: decided, besides: program.app)
        let onDisk = known.contextTree(of: program.app) ?? ContextTree()
        for (index, change) in changes.enumerated() {
            do throws(ProgramRefusal) {
                switch change {
                case .mistake(let refusal): throw refusal
                case .context(var facts):
                    facts.by = user.uid
                    facts.byLogin = user.login
                    try facts.check()
                    try others.check(facts, in: tree)
                    let path = facts.ref.path
                    let isKnown = (tree[path]?.says(facts) ?? false) && (onDisk[path]?.says(facts) ?? false)
                    tree.put(facts)
                    guard user.keepsContexts else {
                        drops.append(Drop(index: index, why: Self.contextsOfOthers))
                        break
                    }
                    if !isKnown { entries.append(.contextSaved(facts)) }
                case .remove(let path):
                    let ref = ContextRef(app: program.app, path: path)
                    try ref.check()
                    let isThere = tree.hasAny(below: path) || onDisk.hasAny(below: path)
                    tree.remove(path)
                    guard user.keepsContexts else {
                        drops.append(Drop(index: index, why: Self.contextsOfOthers))
                        break
                    }
                    if isThere { entries.append(.contextRemoved(ref, by: user.uid)) }
                case .attempt(let attempt, let subject):
                    try add(attempt, of: subject, program: program, by: user, known: known, index: index, standing: standing)
                }
                outcomes.append(nil)
            } catch {
                outcomes.append(error)
            }
        }
    }

    package static let contextsOfOthers = "contexts-of-others"

    private mutating func add(
        _ attempt: Attempt, of subject: ProgramChange.Subject, program: ReportFacts.Program, by user: ProgramUser, known: Ledger,
        index: Int,
        standing: (ReportFacts.Subject) -> Standing
    ) throws(ProgramRefusal) {
        try attempt.check()
        var attempt = attempt
        attempt.ranges = ProgressRange.merged(attempt.ranges)
        let subject = try subject.checked(app: program.app)
        switch standing(subject) {
        case .dropped(let why): drops.append(Drop(index: index, why: why))
        case .counts(let assignments):
            guard let person = user.person else { return }
            for assignment in assignments {
                let there = known.reports(of: person, in: assignment).filter { $0.facts.subject == subject }
                guard there.count < ProgramLimits.attempts || there.contains(where: { $0.facts.attempt.id == attempt.id }) else {
                    throw ProgramRefusal(.limits, "there are \(ProgramLimits.attempts) activities of one context or document already")
                }
                let facts = ReportFacts(assignment: assignment, person: person, program: program, subject: subject, attempt: attempt)
                reports.append(facts)
                if !there.contains(where: { $0.facts == facts }) { entries.append(.reported(facts)) }
            }
        }
    }
}

extension ProgramChange.Subject {
    fileprivate func checked(app: String) throws(ProgramRefusal) -> ReportFacts.Subject {
        switch self {
        case .context(let path):
            // The main context may have activities, too.
            if !path.isEmpty { try ContextRef(app: app, path: path).check() }
            return .context(path)
        case .document(nil, let path): throw ProgramRefusal(.invalidArgument, "\(path) is in no watched folder")
        case .document(let document?, _): return .document(document)
        }
    }
}

extension ContextTree {
    fileprivate func hasAny(below path: [String]) -> Bool { contexts.keys.contains { $0.starts(with: path) } }
}

extension ContextFacts {
    /// The same, whoever saved it and when it was said to have changed.
    fileprivate func says(_ other: ContextFacts) -> Bool {
        var other = other
        other.by = by
        other.byLogin = byLogin
        other.modified = modified
        return self == other
    }
}

/// What other programs' contexts leave of the room that there is.
private struct ProgramRoom {
    var apps = 0
    var contexts = 0
    var size = 0

    init(of ledger: Ledger, besides app: String) {
        for other in ledger.contextApps where other != app {
            apps += 1
            contexts += ledger.contextTree(of: other)?.count ?? 0
            size += ledger.contextTree(of: other)?.size ?? 0
        }
    }

    /// Whether a context may join those of its app, or take the place of itself.
    func check(_ facts: ContextFacts, in tree: ContextTree) throws(ProgramRefusal) {
        let before = tree[facts.ref.path]
        if let before, before.created != facts.created {
            throw ProgramRefusal(.invalidCreate, "there is a context of this identifier path already")
        }
        func full(_ what: String) -> ProgramRefusal { ProgramRefusal(.limits, "there are \(what) already") }
        if before == nil {
            if tree.count == 0, apps >= ProgramLimits.apps { throw full("\(ProgramLimits.apps) apps") }
            if tree.count >= ProgramLimits.contexts { throw full("\(tree.count) contexts") }
            if contexts + tree.count >= ProgramLimits.contextsInAll {
                throw full("\(ProgramLimits.contextsInAll) contexts of all programs")
            }
        }
        let grown = facts.size - (before?.size ?? 0)
        // What makes them smaller is never refused.
        guard grown > 0 else { return }
        if tree.size + grown > ProgramLimits.treeBytes { throw full("\(ProgramLimits.treeBytes >> 20) MiB of contexts") }
        if size + tree.size + grown > ProgramLimits.treeBytesInAll {
            throw full("\(ProgramLimits.treeBytesInAll >> 20) MiB of contexts of all programs")
        }
    }
}
