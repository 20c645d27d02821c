// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import DaybookLinux

@Suite("Accounts")
struct AccountsTests {
    @Test("root is found by uid and by name, with the same answer")
    func root() throws {
        guard case .found(let byUID) = Accounts.user(uid: 0) else { throw TestFailure("no uid 0") }
        #expect(byUID.login == "root" && byUID.gid == 0)
        #expect(Accounts.user(named: "root") == .found(byUID))
        guard case .found(let groups) = Accounts.groups(of: byUID) else { throw TestFailure("no groups") }
        #expect(groups.contains(0))
    }

    @Test("every account and group of this machine's files is found as it stands there")
    func all() throws {
        for line in String(decoding: try SmallFile.read("/etc/passwd", limit: 1 << 20), as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            let fullName = words[4].split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init) ?? ""
            let expected = UserAccount(
                uid: try #require(UInt32(words[2])), gid: try #require(UInt32(words[3])), login: words[0], fullName: fullName)
            #expect(Accounts.user(named: words[0]) == .found(expected))
        }
        for line in String(decoding: try SmallFile.read("/etc/group", limit: 1 << 20), as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            let expected = GroupAccount(
                gid: try #require(UInt32(words[2])), name: words[0], members: words[3].split(separator: ",").map(String.init))
            #expect(Accounts.group(named: words[0]) == .found(expected))
            #expect(Accounts.group(gid: expected.gid) == .found(expected))
        }
    }

    @Test("what does not exist is absent, which is no failure")
    func absent() {
        #expect(Accounts.user(uid: 4_000_000_123) == .absent)
        #expect(Accounts.user(named: "no-such-login-here") == .absent)
        #expect(Accounts.group(named: "no-such-group-here") == .absent)
        #expect(Accounts.group(gid: 4_000_000_123) == .absent)
        #expect(Accounts.user(named: "") == .absent)
        #expect(Accounts.user(named: "root\0x") == .absent, "C would have found root")
        #expect(Accounts.group(named: "root\0x") == .absent)
    }

    @Test(
        "a group of twenty thousand members and a member of hundreds of groups fit",
        .enabled(if: geteuid() == 0, "needs root, for account files of its own"))
    func large() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let members = (0..<20_000).map { "student\($0)" }
            var groups = "big:x:60000:" + members.joined(separator: ",") + "\n"
            for number in 1...300 { groups += "class\(number):x:\(60_000 + number):berg\n" }
            try folder.write("group", groups)
            // Only this thread sees the other files in its place.
            try unshareMounts()
            try #require(mount(folder("group"), "/etc/group", nil, UInt(MS_BIND), nil) == 0)
            guard case .found(let group) = Accounts.group(named: "big") else { throw TestFailure("not found") }
            #expect(group.members == members)
            let berg = UserAccount(uid: 70_000, gid: 70_000, login: "berg", fullName: "")
            guard case .found(let theirs) = Accounts.groups(of: berg) else { throw TestFailure("no groups") }
            #expect(theirs.sorted() == (60_001...60_300).map { UInt32($0) } + [70_000])
        }
    }

    @Test("an answer beyond every measure is a failure, not a missing group", .enabled(if: geteuid() == 0, "needs root, as above"))
    func tooLarge() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let name = String(repeating: "m", count: 31)
            let members = Array(repeating: name, count: Accounts.largestAnswer / 32 + 1).joined(separator: ",")
            try folder.write("group", "huge:x:60000:" + members + "\nsmall:x:60001:berg\n")
            try unshareMounts()
            try #require(mount(folder("group"), "/etc/group", nil, UInt(MS_BIND), nil) == 0)
            #expect(Accounts.group(named: "huge") == .failed(ERANGE))
        }
    }

    @Test("names that are not UTF-8 stay apart")
    func bytes() {
        #expect(accountText(Array("bérg".utf8)) == "bérg")
        #expect(accountText([0x62, 0xe9]) == "b\\xe9")
        #expect(accountText([0x62, 0xe8]) == "b\\xe8")
    }
}
