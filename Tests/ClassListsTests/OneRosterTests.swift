// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import ClassLists
import DaybookJSON
import Testing

@Suite("A OneRoster export")
struct OneRosterTests {
    private static let manifest = "propertyName,value\nmanifest.version,1.0\noneroster.version,1.1\nfile.users,bulk\n"
    private static let orgs = "sourcedId,status,dateLastModified,name,type,identifier,parentSourcedId\no1,,,School,school,,\n"
    /// The columns of 1.1, in its order.
    private static let users = """
        sourcedId,status,dateLastModified,enabledUser,orgSourcedIds,role,username,userIds,givenName,familyName,middleName,identifier,email,sms,\
        phone,agentSourcedIds,grades,password
        u1,,,true,o1,student,berg,,Jonas,Berg,,1001,j.berg@school.example,,,,8,
        u2,,,true,o1,student,"o'hara",,"Róisín ""Ro"" M","O'Hara",,1002,,,,,8,
        u3,,,true,o1,teacher,kelly,,Mary,Kelly,,2001,,,,,,
        u4,,,true,o1,teacher,singh,,Raj,Singh,,2002,,,,,,
        u5,,,false,o1,student,gone,,G,One,,1003,,,,,8,
        u6,tobedeleted,,true,o1,student,left,,L,Eft,,1004,,,,,8,
        u7,,,true,o1,student,ليلى,,ليلى,حداد,,1005,,,,,8,
        """
    private static let classes = """
        sourcedId,status,dateLastModified,title,grades,courseSourcedId,classCode,classType,location,schoolSourcedId,termSourcedIds
        c1,,,English 8B,8,,8b,scheduled,,o1,t1
        c2,,,Art and Design,8,,,scheduled,,o1,t1
        c3,tobedeleted,,Old,8,,7z,scheduled,,o1,t1
        """
    private static let enrollments = """
        sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,role,primary,beginDate,endDate
        e1,,,c1,o1,u1,student,false,,
        e2,,,c1,o1,u2,student,false,2026-09-01,2027-07-31
        e3,,,c1,o1,u3,teacher,true,,
        e4,,,c1,o1,u4,teacher,false,,
        e5,,,c1,o1,u5,student,false,,
        e6,,,c1,o1,u7,student,false,,2026-09-30
        e7,,,c2,o1,u7,student,false,,
        e8,,,c2,o1,u4,teacher,false,,
        e9,,,c3,o1,u1,student,false,,
        e10,tobedeleted,,c2,o1,u1,student,false,,
        e11,,,c2,o1,u3,administrator,false,,
        """

    private func options() throws -> OneRoster.Options { OneRoster.Options(today: try #require(CivilDate(prefixOf: "2026-10-15"))) }

    private func files(_ changes: [String: String?] = [:]) -> [String: [UInt8]] {
        let all = [
            "manifest.csv": Self.manifest, "orgs.csv": Self.orgs, "users.csv": Self.users, "classes.csv": Self.classes,
            "enrollments.csv": Self.enrollments,
        ]
        return all.merging(changes.compactMapValues { $0 }) { $1 }.filter { changes[$0.key] != .some(nil) }.mapValues { Array($0.utf8) }
    }

    @Test("becomes classes with their people, by login, with what is over or switched off left out")
    func good() throws {
        let outcome = OneRoster.read(files(), options: try options())
        #expect(outcome.mistakes == [])
        typealias Member = ClassList.Member
        var art = ClassList.SchoolClass(name: "Art and Design")
        art.students = [Member(login: "ليلى", name: "حداد, ليلى")]
        // The list names no first teacher there.
        art.teachers = [Member(login: "singh", name: "Singh, Raj")]
        var english = ClassList.SchoolClass(name: "8b")
        english.students = [Member(login: "berg", name: "Berg, Jonas"), Member(login: "o'hara", name: "O'Hara, Róisín \"Ro\" M")]
        english.teachers = [Member(login: "kelly", name: "Kelly, Mary")]
        english.coteachers = [Member(login: "singh", name: "Singh, Raj")]
        #expect(outcome.list == ClassList(source: "OneRoster 1.1", classes: [english, art]))
        #expect(
            outcome.leftOut == [
                "1 classes that are to be deleted", "1 enrollments of another time", "1 people who neither teach nor learn in a class",
                "2 people who are switched off in the list",
            ])
    }

    @Test("of version 1.2 has its roles elsewhere, and other columns")
    func newer() throws {
        let users = """
            sourcedId,status,dateLastModified,enabledUser,username,userIds,givenName,familyName,middleName,identifier,email,primaryOrgSourcedId
            u1,active,2026-09-01T00:00:00.000Z,true,berg,,Jonas,Berg,,1001,,o1
            """
        let enrollments = "sourcedId,classSourcedId,schoolSourcedId,userSourcedId,role,primary\ne1,c1,o1,u1,student,false\n"
        let outcome = OneRoster.read(
            files([
                "manifest.csv": Self.manifest.replacing("1.1", with: "1.2"), "users.csv": users, "enrollments.csv": enrollments,
            ]), options: try options())
        #expect(outcome.mistakes == [])
        #expect(outcome.list.source == "OneRoster 1.2")
        #expect(outcome.list.classes.first { $0.name == "8b" }?.students.map(\.login) == ["berg"])
    }

    @Test("takes logins and class names from other columns on request")
    func columns() throws {
        var options = try options()
        options.login = .identifier
        options.name = .title
        let outcome = OneRoster.read(files(), options: options)
        #expect(outcome.mistakes == [])
        #expect(outcome.list.classes.map(\.name) == ["Art and Design", "English 8B"])
        #expect(outcome.list.classes.last?.students.map(\.login) == ["1001", "1002"])
        options.login = .email
        // Most have none.
        #expect(
            OneRoster.read(files(), options: options).mistakes.first?.description
                == "users.csv:3: '' in 'email' is no login: a login has 1 to 256 bytes and no slash, colon or control character; "
                + "--login takes another column")
    }

    @Test("with mistakes names each with file, line and mend")
    func mistakes() throws {
        let cases: [([String: String?], [String])] = [
            (["users.csv": nil], ["users.csv: is missing; a OneRoster export in bulk mode has it"]),
            (
                ["manifest.csv": "propertyName,value\noneroster.version,2.0\nfile.users,delta\n"],
                [
                    "manifest.csv:2: OneRoster 2.0 is not known here; 1.1 and 1.2 are",
                    "manifest.csv:3: users.csv has changes only; export in bulk mode, which has everything",
                ]
            ),
            (
                ["classes.csv": "sourcedId,title\nc1,x\n"],
                [
                    "classes.csv:1: the column 'schoolSourcedId' is missing; there are: sourcedId, title"
                ]
            ),
            (
                ["enrollments.csv": "classSourcedId,userSourcedId,role\nc9,u1,student\nc1,u9,student\nc1,u1,pupil\n"],
                [
                    "enrollments.csv:2: names the class 'c9', which is not in classes.csv; export both at once",
                    "enrollments.csv:3: names the person 'u9', who is not in users.csv; export both at once",
                    "enrollments.csv:4: the role 'pupil' is not known; 'student' and 'teacher' are",
                ]
            ),
            (
                ["orgs.csv": "sourcedId\no2\n"],
                [2, 3].map { "classes.csv:\($0): names the school 'o1', which is not in orgs.csv; export both at once" }
            ),
            (
                ["users.csv": Self.users + "\nu1,,,true,o1,student,x,,X,X,,1,,,,,8,\nu8,,,true,o1,student,berg,,X,X,,1,,,,,8,"],
                ["users.csv:9: the sourcedId 'u1' stands twice", "users.csv:10: the login 'berg' stands in line 2 already"]
            ),
            (
                ["classes.csv": Self.classes + "\nc4,,,Other,8,,8b,scheduled,,o1,t1\nc5,,,Other,8,,a/b,scheduled,,o1,t1"],
                [
                    "classes.csv:5: the class '8b' stands in line 2 already; --name takes the other column",
                    "classes.csv:6: 'a/b' is no class name: a class is called like its folder: 1 to 255 bytes without slash or control "
                        + "character; --name takes the other column",
                ]
            ),
            (
                ["enrollments.csv": "classSourcedId,userSourcedId,role,beginDate\nc1,u1,student,01.09.2026\n"],
                ["enrollments.csv:2: '01.09.2026' is no date; OneRoster writes 2026-09-01"]
            ),
            (
                ["enrollments.csv": "classSourcedId,userSourcedId,role\nc1,u3,student\nc1,u3,teacher\n"],
                ["enrollments.csv: 'kelly' is student and teacher of '8b'; take one of the two out"]
            ),
        ]
        for (changes, expected) in cases {
            #expect(OneRoster.read(files(changes), options: try options()).mistakes.map(\.description) == expected)
        }
    }

    @Test("keeps its list through the file and through pieces")
    func roundTrip() throws {
        let list = OneRoster.read(files(), options: try options()).list
        let bytes = Array(list.fileText.utf8)
        #expect(ClassList(fileText: bytes) == list)
        // Cut anywhere but at a line's end, it is no list.
        for length in 0..<bytes.count where length == 0 || bytes[length - 1] != 0x0a {
            #expect(ClassList(fileText: Array(bytes.prefix(length))) == nil)
        }
        var joined = ClassList(source: list.source)
        let pieces = list.pieces(of: 1)
        #expect(pieces.count == 6)
        for piece in pieces { joined.add(try #require(ClassList.SchoolClass(json: piece.json))) }
        #expect(joined.classes.map(\.name).sorted() == list.classes.map(\.name).sorted())
        #expect(joined.people == list.people)
        #expect(joined.classes.first { $0.name == "8b" } == list.classes.first { $0.name == "8b" })
    }
}
