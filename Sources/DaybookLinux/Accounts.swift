// SPDX-License-Identifier: Apache-2.0
import Glibc

/// An answer of the name service (files, LDAP, Active Directory…).
package enum Lookup<Value: Sendable>: Sendable {
    case found(Value)
    /// The service answered that there is none.
    case absent
    /// The service did not answer; says nothing about whether there is one. The `errno`.
    case failed(Int32)
}

extension Lookup: Equatable where Value: Equatable {}

package struct UserAccount: Equatable, Sendable {
    package var uid: UInt32
    /// Its main group.
    package var gid: UInt32
    package var login: String
    /// The full name as the directory has it; empty where it has none.
    package var fullName: String

    package init(uid: UInt32, gid: UInt32, login: String, fullName: String) {
        self.uid = uid
        self.gid = gid
        self.login = login
        self.fullName = fullName
    }
}

package struct GroupAccount: Equatable, Sendable {
    package var gid: UInt32
    package var name: String
    /// Logins, as the directory lists them: it may leave out those for whom it is the main group, or all.
    package var members: [String]

    package init(gid: UInt32, name: String, members: [String]) {
        self.gid = gid
        self.name = name
        self.members = members
    }
}

/// People and groups by the name service. A directory may take minutes to answer, so never ask on the loop's thread.
package enum Accounts {
    /// No account is larger; a group of 100,000 members fits.
    static let largestAnswer = 16 * 1024 * 1024
    static let mostGroups = 65_536

    package static func user(uid: UInt32) -> Lookup<UserAccount> {
        var entry = passwd()
        return ask(entry: &entry, { getpwuid_r(uid, $0, $1, $2, $3) }, userAccount)
    }

    package static func user(named login: String) -> Lookup<UserAccount> {
        guard isName(login) else { return .absent }
        var entry = passwd()
        return ask(entry: &entry, { getpwnam_r(login, $0, $1, $2, $3) }, userAccount)
    }

    package static func group(gid: UInt32) -> Lookup<GroupAccount> {
        var entry = Glibc.group()
        return ask(entry: &entry, { getgrgid_r(gid, $0, $1, $2, $3) }, groupAccount)
    }

    package static func group(named name: String) -> Lookup<GroupAccount> {
        guard isName(name) else { return .absent }
        var entry = Glibc.group()
        return ask(entry: &entry, { getgrnam_r(name, $0, $1, $2, $3) }, groupAccount)
    }

    /// Every group of an account, its main group too, in the directory's order. The C library tells neither an unknown login nor an
    /// absent directory apart from an account without groups; ask for the user first.
    package static func groups(of account: UserAccount) -> Lookup<[UInt32]> {
        guard isName(account.login) else { return .absent }
        var capacity: Int32 = 64
        while true {
            var count = capacity
            var groups = [gid_t](repeating: 0, count: Int(capacity))
            if getgrouplist(account.login, account.gid, &groups, &count) >= 0 { return .found(Array(groups.prefix(Int(count)))) }
            // Too small: `count` says how many there are. It did not grow where the C library ran out of memory.
            guard count > capacity, count <= mostGroups else { return .failed(count > capacity ? E2BIG : ENOMEM) }
            capacity = count
        }
    }

    /// Asks with a buffer that grows until the answer fits.
    private static func ask<Entry, Value>(
        entry: inout Entry,
        _ call: (UnsafeMutablePointer<Entry>, UnsafeMutablePointer<CChar>, Int, UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>) ->
            Int32,
        _ convert: (Entry) -> Value
    ) -> Lookup<Value> {
        var size = 4096
        while true {
            let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
            defer { buffer.deallocate() }
            var result: UnsafeMutablePointer<Entry>?
            // A module that fails without a word leaves the number as it was, and a 0 would read as an answer.
            errno = ENOENT
            let code = call(&entry, buffer, size, &result)
            switch code {
            case 0:
                // Converted before the buffer that it points into goes away.
                guard let result else { return .absent }
                return .found(convert(result.pointee))
            case EINTR: continue
            case ERANGE where size < largestAnswer: size *= 4
            // The manual lists more numbers for "not found", but services that are down answer with those too (ENOENT: their socket).
            case ESRCH: return .absent
            default: return .failed(code)
            }
        }
    }

    /// What no service can have as a name, and what C would cut.
    private static func isName(_ text: String) -> Bool { !text.isEmpty && !text.utf8.contains(0) }

    private static func userAccount(_ entry: passwd) -> UserAccount {
        let fullName = text(entry.pw_gecos).split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
        return UserAccount(uid: entry.pw_uid, gid: entry.pw_gid, login: text(entry.pw_name), fullName: fullName ?? "")
    }

    private static func groupAccount(_ entry: Glibc.group) -> GroupAccount {
        var members: [String] = []
        var next = entry.gr_mem
        while let member = next?.pointee {
            members.append(text(member))
            next = next?.advanced(by: 1)
        }
        return GroupAccount(gid: entry.gr_gid, name: text(entry.gr_name), members: members)
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        guard let pointer else { return "" }
        return accountText(UnsafeBufferPointer(start: pointer, count: strlen(pointer)).map { UInt8(bitPattern: $0) })
    }
}

/// UTF-8 as it is. In anything else each byte above ASCII becomes `\xHH`, so that two names never become one.
func accountText(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return bytes.reduce(into: "") { text, byte in
        if byte < 0x80 {
            text.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
            text += "\\x" + String(byte, radix: 16)
        }
    }
}
