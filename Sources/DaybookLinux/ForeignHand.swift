// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Why somebody other than root could decide what stands at a path.
package struct ForeignHand: Equatable, Sendable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        case owner(uid: UInt32)
        /// Others or a group may write there.
        case mode(UInt32)
        /// It cannot be looked at.
        case unseen(errno: Int32)
        /// It is something else than a file, or a folder on the way to one.
        case kind
    }

    /// The file, or the folder above it, that it is about.
    package var place: String
    package var reason: Reason

    package init(place: String, reason: Reason) {
        self.place = place
        self.reason = reason
    }

    package var description: String {
        switch reason {
        case .owner(let uid): "\(place) belongs to user \(uid) and not to root"
        case .mode(let mode): "\(place) has mode \(String(mode, radix: 8)), so that others than root may write there"
        case .unseen(let code): "\(place) cannot be looked at: \(errnoText(code))"
        case .kind: "\(place) is no file, or no folder on the way to one"
        }
    }

    /// Looks at a file and at each folder that leads to it, symbolic links and what they lead to included. Nil where root alone can change, exchange or remove it.
    /// A sticky folder counts as writable: who made what is in it first is not known.
    package static func on(_ path: String) -> ForeignHand? {
        guard path.hasPrefix("/") else { return ForeignHand(place: path, reason: .kind) }
        var rest = names(of: path)
        var place = ""
        var links = 0
        if let hand = foreignHand(at: "/", isFile: false) { return hand }
        while let name = rest.popLast() {
            if name == ".." {
                // The place has no links in it any more.
                place = place.lastIndex(of: "/").map { String(place[..<$0]) } ?? ""
                continue
            }
            let next = place + "/" + name
            var facts = stat()
            guard lstat(next, &facts) == 0 else { return ForeignHand(place: next, reason: .unseen(errno: errno)) }
            if facts.st_mode & S_IFMT == S_IFLNK {
                // Whose the link is does not matter: it can be exchanged by whoever may write its folder, which has been looked at.
                links += 1
                guard links <= mostLinks else { return ForeignHand(place: path, reason: .unseen(errno: ELOOP)) }
                guard let target = target(of: next) else { return ForeignHand(place: next, reason: .unseen(errno: errno)) }
                if target.hasPrefix("/") { place = "" }
                rest += names(of: target)
                continue
            }
            if let hand = foreignHand(facts, at: next, isFile: rest.isEmpty) { return hand }
            place = next
        }
        return place.isEmpty ? ForeignHand(place: path, reason: .kind) : nil
    }

    /// As many as the kernel follows.
    private static let mostLinks = 40

    /// The last one first.
    private static func names(of path: String) -> [String] {
        path.split(separator: "/").map(String.init).filter { $0 != "." }.reversed()
    }

    private static func target(of link: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let base = buffer.baseAddress else { return nil }
            let count = readlink(link, base, buffer.count)
            return count < 0 ? nil : String(validating: buffer.prefix(count).lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    private static func foreignHand(at place: String, isFile: Bool) -> ForeignHand? {
        var facts = stat()
        guard lstat(place, &facts) == 0 else { return ForeignHand(place: place, reason: .unseen(errno: errno)) }
        return foreignHand(facts, at: place, isFile: isFile)
    }

    /// With an access list, the group's bits are the most that any entry of it gives.
    private static func foreignHand(_ facts: stat, at place: String, isFile: Bool) -> ForeignHand? {
        guard facts.st_mode & S_IFMT == (isFile ? S_IFREG : S_IFDIR) else { return ForeignHand(place: place, reason: .kind) }
        if facts.st_uid != 0 { return ForeignHand(place: place, reason: .owner(uid: facts.st_uid)) }
        return facts.st_mode & 0o022 == 0 ? nil : ForeignHand(place: place, reason: .mode(UInt32(facts.st_mode & 0o7777)))
    }
}
