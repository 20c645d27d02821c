// SPDX-License-Identifier: Apache-2.0
import ClassLists
import DaybookLinux

/// How many students a class has, counted in three ways that should agree, and often do not: directories list groups without members.
struct ClassCount: Equatable, Sendable {
    /// As the group lists them (`getent group`); nil where no group is named.
    var listed: Int?
    /// Of those with a folder in the class: whose own groups say so (`id LOGIN`); nil where there are no folders or no group.
    var byPerson: Int?
    /// Folders of people in the class, so that `byPerson` has something to be of.
    var folders: Int
    /// In imported class lists; nil where none have the class.
    var roster: Int?

    /// `members` as in the configuration.
    init(of members: [String], folders: [String], className: String, roster: ClassList?) {
        let groups = members.filter { $0.hasPrefix("@") }.map { String($0.dropFirst()) }
        let logins = Set(members.filter { !$0.hasPrefix("@") })
        self.folders = folders.count
        var listed = logins
        var wanted: Set<UInt32> = []
        for name in groups {
            guard case .found(let group) = Accounts.group(named: name) else { continue }
            wanted.insert(group.gid)
            listed.formUnion(group.members)
        }
        if !members.isEmpty { self.listed = listed.count }
        if !folders.isEmpty, !members.isEmpty {
            byPerson =
                folders.filter { login in
                    guard case .found(let account) = Accounts.user(named: login) else { return false }
                    if logins.contains(login) { return true }
                    guard case .found(let own) = Accounts.groups(of: account) else { return false }
                    return own.contains(where: wanted.contains)
                }.count
        }
        self.roster = roster?.classes.first { $0.name == className }?.students.count
    }

    /// Nobody by any way.
    var isEmpty: Bool { (listed ?? 0) == 0 && (byPerson ?? 0) == 0 && (roster ?? 0) == 0 }

    var text: String {
        func word(_ number: Int?) -> String { number.map(String.init) ?? "-" }
        return
            "\(word(listed)) listed, \(byPerson.map { "\($0) of \(folders)" } ?? "-") by each one's groups, \(word(roster)) in class lists"
    }

    /// What the counts mean where they differ.
    var remark: String? {
        if isEmpty { return "nobody is found in it: nothing would be recorded in this class" }
        if (listed ?? 0) == 0, (byPerson ?? 0) > 0 {
            return "the directory lists no members, so Daybook asks each person's groups as they appear"
        }
        if let byPerson, let listed, byPerson < folders, listed < folders {
            return "\(folders - byPerson) with a folder are not in it, and are not recorded"
        }
        return nil
    }
}
