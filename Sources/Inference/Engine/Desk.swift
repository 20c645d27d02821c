// SPDX-License-Identifier: Apache-2.0
import ActivityModel

/// What every document's reasoning needs at hand, and where its effects go.
struct Desk: Sendable {
    var shares: [ShareLayout]
    var rule: Rule
    var limits: InferenceLimits
    var directory: PeopleDirectory
    var nextID: ActivityID
    var effects: [InferenceEffect] = []
    /// uids and logins that were asked for, so that each is asked once.
    private var askedUIDs: Set<UInt32> = []
    private var askedLogins: Set<String> = []

    init(shares: [ShareLayout], rule: Rule, limits: InferenceLimits, directory: PeopleDirectory, nextID: ActivityID) {
        self.shares = shares
        self.rule = rule
        self.limits = limits
        self.directory = directory
        self.nextID = nextID
    }

    mutating func emit(_ event: SessionEvent) { effects.append(.session(event)) }

    mutating func newID() -> ActivityID {
        defer { nextID = ActivityID(nextID.rawValue &+ 1) }
        return nextID
    }

    /// Root and nobody are never a person.
    static func isPerson(_ uid: UInt32) -> Bool { uid != 0 && uid != 65534 && uid != UInt32.max }

    /// Who it is by the best that is known; asks for accounts that are not known yet.
    mutating func attribution(uid: UInt32?, source: IdentitySource, placement: Placement) -> Attribution {
        if let uid {
            guard Self.isPerson(uid) else { return .unknown }
            if let person = directory.person(uid: uid) { return Attribution(person: person, source: source) }
            if askedUIDs.count < 4096, askedUIDs.insert(uid).inserted { effects.append(.lookUpUID(uid)) }
            return .unknown
        }
        guard let login = placement.person else { return .unknown }
        if let person = directory.person(login: login) { return Attribution(person: person, source: .assumed) }
        if askedLogins.count < 4096, askedLogins.insert(login).inserted { effects.append(.lookUpLogin(login)) }
        return .unknown
    }

    mutating func forgetQuestions() {
        askedUIDs = []
        askedLogins = []
    }

    // MARK: Who makes temporary files where

    private struct Folder: Hashable, Sendable {
        var share: Int
        var path: PathBytes
    }

    private var makers: [Folder: Document.Maker] = [:]

    /// Somebody made a temporary file or a probe: editors do so right before they write a document in place.
    mutating func note(maker uid: UInt32, share: Int, folder: PathBytes, at: BootTime) {
        guard Self.isPerson(uid) else { return }
        if makers.count >= limits.temporaries { makers = makers.filter { at - $0.value.at < limits.settle } }
        if makers.count >= limits.temporaries { return }
        makers[Folder(share: share, path: folder)] = Document.Maker(uid: uid, at: at)
    }

    func maker(share: Int, folder: PathBytes, near first: BootTime, _ last: BootTime) -> UInt32? {
        guard let maker = makers[Folder(share: share, path: folder)] else { return nil }
        return maker.at >= first - .seconds(2) && maker.at <= last ? maker.uid : nil
    }
}
