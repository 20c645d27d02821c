// SPDX-License-Identifier: Apache-2.0
import Foundation
import Inference
import Settings
import Testing

@testable import daybook

private func settings(
    _ paths: [String] = ["/srv/classes"], pattern: String = "{class}/{assignment}/{person}/{document}", students: [Settings.Member] = [],
    shared: [Settings.Account] = [], excluded: [String] = LayoutSet.defaultExclusions
) throws -> Settings {
    var settings = Settings()
    settings.access.administrators = []
    settings.identity.sharedAccounts = shared
    settings.classes = [Settings.SchoolClass(name: "7b", students: students)]
    settings.shares = try paths.map { Settings.Share(path: $0, layouts: LayoutSet([try LayoutPattern(pattern)], excluding: excluded)) }
    return settings
}

/// State and what is found, without the mend.
private func found(_ text: String, _ settings: Settings, homes: [String] = []) -> [String] {
    SambaCheck(SambaSettings(parsing: text), settings, homes: homes).findings().map { "\($0.state.rawValue) \($0.what)" }
}

private let leases =
    "grants leases: Windows may keep saves for some seconds, and close late; times are a little later than the work"

@Suite("The doctor on Samba")
struct SambaTests {
    @Test("finds what makes shares tell less, in the shares that serve watched folders")
    func findings() throws {
        let text = """
            # Global parameters
            [global]
            \tworkgroup = SCHOOL
            \tidmap config * : backend = tdb
            \toplocks = No

            [classes]
            \tpath = /srv/classes
            \tforce user = schule
            \tguest ok = Yes
            \tvfs objects = acl_xattr recycle
            \trecycle:repository = Trash

            [music]
            \tpath = /srv/music
            \tforce user = dj

            [everything]
            \tpath = /srv
            \tadmin users = @staff

            [cluster]
            \tpath = /srv/classes/7b
            \tvfs objects = glusterfs
            """
        let samba = SambaSettings(parsing: text)
        #expect(samba.global["workgroup"] == "SCHOOL")
        #expect(samba.shares.map(\.name) == ["classes", "music", "everything", "cluster"])
        #expect(
            found(text, try settings()) == [
                "stops [classes] has 'force user = schule': everybody looks like schule, who is no student: nobody is credited",
                "warning [classes] has 'guest ok = yes': guests have no name to credit",
                "warning [classes] keeps deleted files in 'Trash', which would look like documents",
                "warning [everything] has 'admin users = @staff': they work as root, who is never a person, so nothing is credited to them",
                "stops [cluster] uses the module glusterfs, which goes past the kernel: nothing is seen",
            ])
        // Each says what to do.
        for finding in SambaCheck(samba, try settings()).findings() { #expect(finding.mend?.isEmpty == false, "\(finding)") }
    }

    @Test("weighs one account for all by what the configuration knows of it, and by what the layout tells")
    func forceUser() throws {
        let text = "[a]\npath = /srv/classes\noplocks = no\nforce user = SCHOOL\\schule"
        let user = "[a] has 'force user = SCHOOL\\schule': everybody looks like schule"
        #expect(found(text, try settings()) == ["stops \(user), who is no student: nobody is credited"])
        #expect(
            found(text, try settings(shared: [.login("schule")])) == [
                "warning \(user); who worked is told by the folder only, marked assumed"
            ])
        #expect(
            found(text, try settings(pattern: "{class}/{assignment}/{document}", shared: [.login("schule")])) == [
                "stops \(user), and no folder at {person} says who worked: nobody can be credited"
            ])
        #expect(found("[a]\npath = /srv/classes\noplocks = no\nforce user = %U", try settings()) == [])
        #expect(
            found("[global]\nforce user = x\n[a]\npath = /srv/classes\noplocks = no\nforce user =", try settings()) == [],
            "emptied for this share")
        #expect(
            found("[a]\npath = /srv/classes\noplocks = no\nguest only = yes\nguest ok = yes", try settings()) == [
                "stops [a] has 'guest only = yes': everybody looks like nobody, who is no student: nobody is credited"
            ])
        #expect(
            found("[global]\nmap to guest = Bad User\n[a]\npath = /srv/classes\noplocks = no\npublic = yes", try settings()) == [
                "warning [a] has 'guest ok = yes': guests have no name to credit, and by 'map to guest' whoever mistypes a name becomes one "
                    + "without noticing"
            ])
    }

    @Test(
        "knows which shares may serve a watched folder, also by variables and homes",
        arguments: [
            ("/srv/classes", true), ("/srv/classes/", true), ("/srv/./classes", true), ("\"/srv/classes\"", true), ("/srv", true),
            ("/", true),
            ("/srv/classes/7b/x", true), ("/srv/%U", true), ("/srv/cl%Ues", true), ("/srv/class%D.d", false), ("/%$(TOP)/classes", true),
            ("/%$(TOP)/music", false), ("/srv/classes2", false), ("/srv/music", false), ("%H", false), ("%H/work", false),
        ] as [(String, Bool)])
    func paths(path: String, meets: Bool) throws {
        let text = "[a]\npath = \(path)\nadmin users = x\noplocks = no"
        #expect(found(text, try settings(), homes: ["/home/berg"]).isEmpty == !meets)
    }

    @Test("looks at homes, and not at printers and shares that are switched off")
    func homes() throws {
        let text = "[homes]\nadmin users = x\noplocks = no"
        #expect(found(text, try settings(["/home"]), homes: ["/home/berg", "/home/linden"]).count == 1)
        #expect(found(text, try settings(["/srv/x"]), homes: ["/home/berg"]) == [])
        #expect(found("[homes]\npath = /srv/homes/%S\nadmin users = x\noplocks = no", try settings(["/srv/homes"])).count == 1)
        #expect(found("[a]\npath = /srv/classes\navailable = No\nadmin users = x", try settings()) == [])
        #expect(found("[p]\npath = /srv/classes\nprintable = Yes\nadmin users = x", try settings()) == [])
    }

    @Test("names folders of recycle and snapshots that would be watched, and no others")
    func folders() throws {
        func recycle(_ place: String, _ settings: Settings, path: String = "/srv/classes", module: String = "recycle") -> Int {
            found("[a]\npath = \(path)\noplocks = no\nvfs objects = \(module)\n\(place)", settings).count
        }
        let usual = try settings()
        #expect(recycle("", usual) == 0, "Samba's own .recycle is excluded")
        #expect(recycle("recycle:repository = Trash/%U", usual) == 1)
        #expect(recycle("recycle:repository = %U/Trash", usual) == 1)
        #expect(recycle("recycle:repository = Trash", try settings(excluded: ["Tra*"])) == 0)
        #expect(recycle("recycle:repository = Trash", usual, path: "/srv") == 0, "beside the watched folder")
        #expect(recycle("recycle:repository = .recycle", try settings(excluded: [])) == 1)
        #expect(recycle("", usual, module: "shadow_copy2") == 0)
        #expect(recycle("shadow:snapdir = snaps", usual, module: "shadow_copy2") == 1)
        #expect(recycle("shadow:snapdir = /srv/classes/snaps", usual, module: "shadow_copy2:x") == 1)
        #expect(recycle("shadow:snapdir = /snaps", usual, module: "shadow_copy2") == 0)
        #expect(recycle("", usual, module: "shadow_copy") == 1)
        #expect(recycle("", try settings(excluded: ["@GMT-*"]), module: "shadow_copy") == 0)
    }

    @Test("tells what leases and oplocks mean where they are granted")
    func caching() throws {
        let usual = try settings()
        #expect(found("[a]\npath = /srv/classes", usual) == ["note [a] " + leases])
        #expect(
            found("[global]\nsmb2 leases = No\n[a]\npath = /srv/classes", usual).map { $0.prefix(24) } == ["note [a] grants oplocks:"])
        #expect(found("[a]\npath = /srv/classes\noplocks = No", usual) == [])
        #expect(found("[a]\npath = /srv/classes\nkernel oplocks = Yes", usual) == [])
        #expect(
            found("[a]\npath = /srv/classes\nfake oplocks = Yes", usual) == [
                "warning [a] has 'fake oplocks = yes': clients keep saves to themselves as long as they like"
            ])
    }

    @Test("names what makes a cluster's other nodes invisible, and files that are read for each connection")
    func server() throws {
        #expect(
            found("[global]\nclustering = yes\ninclude = /etc/samba/%U.conf", try settings()) == [
                "stops Samba runs as a cluster (clustering = yes): other nodes' work makes no event on this machine",
                "note 'include = /etc/samba/%U.conf' is read for each connection: what stands in those files is not looked at here",
            ])
    }

    @Test("compares the names of a domain's people with those in the configuration")
    func domain() throws {
        let member = "[global]\nsecurity = ADS\nworkgroup = SCHOOL\nwinbind expand groups = 2\n"
        #expect(
            found(member, try settings(students: [.login("berg"), .login("linden")])) == [
                "warning people of the domain are called SCHOOL\\NAME here, while the configuration has 'berg' and 1 other without it: such "
                    + "accounts are unknown, and nothing is recorded of them"
            ])
        #expect(found(member + "winbind use default domain = Yes", try settings(students: [.login("berg")])) == [])
        #expect(
            found(member + "winbind separator = +", try settings(students: [.login("SCHOOL+berg")])) == [
                "note people of the domain are called SCHOOL+NAME here: a folder at {person} that is called NAME only tells nobody"
            ])
        #expect(
            found(member + "winbind separator = +", try settings(pattern: "{class}/{document}", students: [.login("SCHOOL+berg")])) == [])
        #expect(found("[global]\nserver role = active directory domain controller", try settings(students: [.login("berg")])).count == 1)
        #expect(found("[global]\nserver role = standalone server", try settings(students: [.login("berg")])) == [])
        let groups = try settings(pattern: "{class}/{document}", students: [.group("students")])
        #expect(
            found("[global]\nsecurity = ADS", groups) == [
                "warning winbind gives groups without their members (winbind expand groups = 0): classes by a group may be empty"
            ])
        #expect(found(member, groups) == [])
    }

    @Test("lists only so much, but everything that stops recording")
    func many() throws {
        let one = "path = /srv/classes\nadmin users = x\noplocks = no\n"
        let some = (0..<SambaCheck.listedAtMost).map { "[s\($0)]\n" + one }.joined()
        #expect(found(some, try settings()).count == SambaCheck.listedAtMost)
        let more = found(some + "[last]\n" + one + "force user = schule\n", try settings())
        #expect(more.count == SambaCheck.listedAtMost + 2)
        #expect(more.contains { $0.hasPrefix("stops [last]") })
        #expect(more.last?.hasPrefix("note more of the same kind") == true)
    }

    @Test("survives whatever stands there")
    func hostile() throws {
        let usual = try settings()
        var state: UInt64 = 9
        func number(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(limit))
        }
        let pieces = [
            "[", "]", "=", "%", "%$(", "\n", "path", "global", "\u{1b}[2J", "/", "vfs objects", "recycle", "\0", "ä", "\"", " ", "homes",
        ]
        for _ in 0..<500 {
            let text = (0..<number(60)).map { _ in pieces[number(pieces.count)] }.joined()
            _ = found(text, usual, homes: ["", "/", "/home/%U"])
        }
        for text in [
            "", "[", "[]", "[]\n=", "path = x", "[a]\npath =", "[a]\npath = %H%", "[GLOBAL]\nworkgroup = \"",
            "[a]\r\npath=\r\n",
        ] {
            #expect(found(text, usual, homes: ["/home/x"]) == [], "\(text)")
        }
        let long = "[a]\npath = /srv/" + String(repeating: "%U/", count: 50_000)
        _ = found(long, usual)
    }

    @Test(
        "reads what the real testparm makes of a real file",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/testparm"), "testparm is not here (make packages)"))
    func real() throws {
        let folder = try Folder()
        let file = folder.path + "/smb.conf"
        try """
        [global]
           workgroup = school
           security = ads
           realm = SCHOOL.EXAMPLE
           clustering = yes
           kernel oplocks = no
           vfs objects = acl_xattr, shadow_copy2
           shadow: snapdir = snaps
           winbindseparator = +
        [homes]
           path = /srv/classes/%S
           public = yes
           force user = schule
        [Two  Words]
           comment = x
           path = "/srv/classes/7b"
           admin users = +staff, "SCHOOL+admin"
           copy = homes
           oplocks = false
        [off]
           path = /srv/classes
           available = no
        """.write(toFile: file, atomically: true, encoding: .utf8)
        let answer = try #require(Programs.ask("/usr/bin/testparm", ["-s", file], within: .seconds(60)))
        #expect(answer.status == 0)
        #expect(
            found(String(decoding: answer.output, as: UTF8.self), try settings(students: [.login("SCHOOL+berg"), .group("x")])) == [
                "stops Samba runs as a cluster (clustering = yes): other nodes' work makes no event on this machine",
                "note people of the domain are called SCHOOL+NAME here: a folder at {person} that is called NAME only tells nobody",
                "warning winbind gives groups without their members (winbind expand groups = 0): classes by a group may be empty",
                "stops [homes] has 'force user = schule': everybody looks like schule, who is no student: nobody is credited",
                "warning [homes] has 'guest ok = yes': guests have no name to credit",
                "warning [homes] keeps snapshots in 'snaps': old states of all documents would look like new ones",
                "note [homes] " + leases,
                "stops [Two Words] has 'force user = schule': everybody looks like schule, who is no student: nobody is credited",
                "warning [Two Words] has 'guest ok = yes': guests have no name to credit",
                "warning [Two Words] has 'admin users = +staff SCHOOL+admin': they work as root, who is never a person, so nothing is "
                    + "credited to them",
                "warning [Two Words] keeps snapshots in 'snaps': old states of all documents would look like new ones",
            ])
    }

    @Test(
        "goes on where testparm finds mistakes, and says so",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/testparm"), "testparm is not here (make packages)"))
    func mistakes() throws {
        let folder = try Folder()
        let share = folder.path + "/classes"
        try FileManager.default.createDirectory(atPath: share, withIntermediateDirectories: false)
        // A member of a domain without ranges for its accounts: testparm ends with 1.
        let samba = try folder.write("[global]\nsecurity = ads\n[kids]\npath = \(share)\nguest ok = yes\noplocks = no\n", to: "smb.conf")
        let program = try folder.write("#!/bin/sh\nexec /usr/bin/testparm -s \(samba)\n", to: "testparm")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let config = try folder.write(
            "[[share]]\npath = \"\(share)\"\n[[share.layout]]\npattern = \"{class}/{assignment}/{document}\"\n", to: "config.toml")
        let result = try Program.run(
            ["doctor", "--json", "-c", config, "--socket", folder.path + "/none"], environment: ["PATH": folder.path + ":/usr/bin:/bin"])
        #expect(
            result.output.split(separator: "\n").filter { $0.contains("\"check\":\"samba\"") } == [
                #"{"check":"samba","state":"warning","what":"winbind gives groups without their members (winbind expand groups = 0): classes by a group may be empty","mend":"'getent group NAME' must list the students; set 'winbind expand groups = 2', or list the logins"}"#,
                #"{"check":"samba","state":"warning","what":"[kids] has 'guest ok = yes': guests have no name to credit","mend":"set 'guest ok = no'"}"#,
                #"{"check":"samba","state":"note","what":"testparm finds mistakes in Samba's configuration","mend":"testparm -s"}"#,
            ])
    }
}
