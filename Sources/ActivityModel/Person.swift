// SPDX-License-Identifier: Apache-2.0

/// An account. A uid that returns with another login is a new person.
package struct PersonID: Hashable, Comparable, Sendable {
    package let uid: UInt32
    package let login: String

    package init(uid: UInt32, login: String) {
        self.uid = uid
        self.login = login
    }

    package static func < (left: PersonID, right: PersonID) -> Bool { (left.login, left.uid) < (right.login, right.uid) }
}

/// What a person is to a class or to the daemon.
package enum Role: String, Sendable { case student, teacher, coordinator, administrator }

/// How it is known who worked, best first. The raw values stand in the journal.
package enum IdentitySource: String, Sendable, CaseIterable {
    /// The uid behind the event itself.
    case event
    /// The uid of the process that holds the document open.
    case holder
    /// The owner of a lock, swap, owner or temporary file.
    case companion
    /// The owner of the document after a save by rename.
    case save
    /// Only the path says so, and nothing showed another person.
    case assumed
    /// Nobody could be named.
    case unknown
}

/// Who, and how that is known. `person` is nil exactly where `source` is `unknown`.
package struct Attribution: Hashable, Sendable {
    package var person: PersonID?
    package var source: IdentitySource

    package init(person: PersonID?, source: IdentitySource) {
        self.person = person
        self.source = person == nil ? .unknown : source
    }

    package static let unknown = Attribution(person: nil, source: .unknown)
}
