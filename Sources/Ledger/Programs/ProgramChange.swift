// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// One object of a program's save.
package enum ProgramChange: Equatable, Sendable {
    case context(ContextFacts)
    /// With all below it.
    case remove([String])
    case attempt(Attempt, of: Subject)
    /// What cannot be read as any of these.
    case mistake(ProgramRefusal)

    /// What an attempt is of, as a program names it.
    package enum Subject: Equatable, Sendable {
        case context([String])
        /// Nil: a file in no watched folder.
        case document(DocumentRef?, path: String)
    }
}

/// Why an object of a save was not kept, in words for the program's author. Never says who somebody is.
package struct ProgramRefusal: Error, Equatable, Sendable {
    /// ClassKit's words for it; the raw values stand in the interface.
    package enum Code: String, Sendable { case invalidArgument, invalidModification, invalidCreate, invalidUpdate, limits }

    package var code: Code
    package var reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

/// How much a program may say. Texts are counted in characters.
package enum ProgramLimits {
    package static let depth = 8
    package static let identifier = 256
    package static let title = 256
    package static let topic = 256
    package static let link = 2048
    package static let summary = 4000
    package static let navigation = 100
    package static let attemptID = 64
    package static let ranges = 1000
    package static let items = 100
    /// Contexts of one app.
    package static let contexts = 2000
    package static let apps = 200
    /// Of all apps together.
    package static let contextsInAll = 20_000
    /// Bytes of the contexts of one app, roughly, and of all apps together.
    package static let treeBytes = 8 << 20
    package static let treeBytesInAll = 64 << 20
    /// Of one student at one thing.
    package static let attempts = 200
    /// Ten years: longer is no time that anybody worked.
    package static let duration = Duration.seconds(10 * 366 * 86_400)
    /// Objects of one save, and its bytes.
    package static let changes = 5000
    package static let saveBytes = 8 << 20
}

extension ContextFacts {
    /// What is wrong with it, by itself.
    package func check() throws(ProgramRefusal) {
        try ref.check()
        try within(title, ProgramLimits.title, "a title")
        try within(customKind, ProgramLimits.title, "a name of a type")
        try within(topic, ProgramLimits.topic, "a topic")
        try within(universalLink, ProgramLimits.link, "a universal link")
        try within(summary, ProgramLimits.summary, "a summary")
        for capability in capabilities { try within(capability.details, ProgramLimits.title, "details of a capability") }
        guard Set(capabilities.map(\.kind)).count == capabilities.count else {
            throw ProgramRefusal(.invalidArgument, "two capabilities of one kind")
        }
        guard navigation.count <= ProgramLimits.navigation else {
            throw ProgramRefusal(.limits, "more than \(ProgramLimits.navigation) navigation children")
        }
        for path in navigation { try ContextRef(app: ref.app, path: path).check() }
        for span in [suggestedAge, suggestedTime].compactMap({ $0 }) where span.from < 0 || span.to.map({ $0 < span.from }) ?? false {
            throw ProgramRefusal(.invalidArgument, "a suggested range is below 0 or ends before it begins")
        }
        if let link = universalLink {
            let isLink = link.contains(":") && link.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7f }
            guard isLink else { throw ProgramRefusal(.invalidArgument, "the universal link is no URL") }
        }
    }
}

extension ContextRef {
    /// Whether an app can be called so: it names a tree, a file of the desktop and a part of a URL.
    package static func isApp(_ app: String) -> Bool {
        (1...ProgramLimits.identifier).contains(app.count) && !app.contains("/") && !app.hasPrefix(".")
            && app.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    package func check() throws(ProgramRefusal) {
        guard !path.isEmpty else { throw ProgramRefusal(.invalidModification, "the main context cannot be made, changed or removed") }
        guard path.count <= ProgramLimits.depth else {
            throw ProgramRefusal(.limits, "a context lies more than \(ProgramLimits.depth) levels deep")
        }
        for identifier in path {
            guard !identifier.isEmpty else { throw ProgramRefusal(.invalidArgument, "an identifier is empty") }
            try within(identifier, ProgramLimits.identifier, "an identifier")
        }
    }
}

extension Attempt {
    package static func check(id: String) throws(ProgramRefusal) {
        let isName = id.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "-")
        }
        guard !id.isEmpty, id.utf8.count <= ProgramLimits.attemptID, isName else {
            throw ProgramRefusal(.invalidArgument, "an activity's id is 1 to \(ProgramLimits.attemptID) of A-Z a-z 0-9 and '-'")
        }
    }

    package func check() throws(ProgramRefusal) {
        try Self.check(id: id)
        guard duration >= .zero, duration <= ProgramLimits.duration else {
            throw ProgramRefusal(.invalidArgument, "a duration is below 0 or longer than ten years")
        }
        guard ranges.count <= ProgramLimits.ranges else {
            throw ProgramRefusal(.limits, "more than \(ProgramLimits.ranges) ranges of progress")
        }
        guard ranges.allSatisfy({ $0.from >= 0 && $0.from < $0.to && $0.to <= 1 }) else {
            throw ProgramRefusal(.invalidArgument, "progress is a range within 0 and 1 whose end is above its start")
        }
        guard additional.count <= ProgramLimits.items else {
            throw ProgramRefusal(.limits, "more than \(ProgramLimits.items) additional items")
        }
        guard Set(additional.map(\.identifier)).count == additional.count else {
            throw ProgramRefusal(.invalidArgument, "two additional items have one identifier")
        }
        for item in items { try item.checkReported() }
    }
}

extension Item {
    fileprivate func checkReported() throws(ProgramRefusal) {
        guard !identifier.isEmpty else { throw ProgramRefusal(.invalidArgument, "an item's identifier is empty") }
        try within(identifier, ProgramLimits.identifier, "an item's identifier")
        try within(title, ProgramLimits.title, "an item's title")
        switch value {
        case .binary: break
        case .quantity(let value):
            guard value.isFinite else { throw ProgramRefusal(.invalidArgument, "the quantity of '\(identifier)' is no number") }
        case .score(let score, let max):
            guard max > 0, max.isFinite, score >= 0, score <= max else {
                throw ProgramRefusal(.invalidArgument, "the score of '\(identifier)' is not within 0 and its maximum")
            }
        }
    }
}

private func within(_ text: String?, _ limit: Int, _ what: String) throws(ProgramRefusal) {
    // Characters may be made of any number of parts.
    guard let text, text.count > limit || text.utf8.count > limit * 16 else { return }
    throw ProgramRefusal(.limits, "\(what) has more than \(limit) characters")
}
