// SPDX-License-Identifier: Apache-2.0
package import DaybookJSON

/// Classes and who is in them, by login, as a school's administration knows them.
package struct ClassList: Equatable, Sendable {
    package struct Member: Hashable, Sendable {
        package var login: String
        /// As lists have it: `Berg, Jonas`.
        package var name: String

        package init(login: String, name: String) {
            self.login = login
            self.name = name
        }
    }

    package struct SchoolClass: Equatable, Sendable {
        /// As the folder at `{class}` is called.
        package var name: String
        package var students: [Member] = []
        package var teachers: [Member] = []
        package var coteachers: [Member] = []

        package init(name: String) { self.name = name }
    }

    /// What it was read from, e.g. `OneRoster 1.1`.
    package var source: String
    /// By name.
    package var classes: [SchoolClass]

    package init(source: String, classes: [SchoolClass] = []) {
        self.source = source
        self.classes = classes
    }

    package static let mostClasses = 20_000
    package static let mostMembers = 1_000_000

    /// Different logins.
    package var people: Set<String> {
        classes.reduce(into: []) { people, school in
            for member in school.students + school.teachers + school.coteachers { people.insert(member.login) }
        }
    }

    package var memberCount: Int { classes.reduce(0) { $0 + $1.students.count + $1.teachers.count + $1.coteachers.count } }

    /// What is wrong with a login; nil where it is good. Directory services allow spaces, dots and backslashes.
    package static func loginProblem(_ login: String) -> String? {
        let good = !login.isEmpty && login.utf8.count <= 256 && !hasControl(login) && !login.contains(where: { $0 == ":" || $0 == "/" })
        return good ? nil : "a login has 1 to 256 bytes and no slash, colon or control character"
    }

    /// What is wrong with a class's name; nil where it can be a folder's.
    package static func nameProblem(_ name: String) -> String? {
        let good =
            !name.isEmpty && name.utf8.count <= 255 && !hasControl(name) && !name.contains("/") && name != "." && name != ".."
        return good ? nil : "a class is called like its folder: 1 to 255 bytes without slash or control character"
    }

    static func hasControl(_ text: String) -> Bool { text.unicodeScalars.contains { $0.properties.generalCategory == .control } }
}

extension ClassList.SchoolClass {
    package var json: JSONValue {
        func list(_ members: [ClassList.Member]) -> JSONValue {
            .array(members.map { ["login": .string($0.login), "name": .string($0.name)] })
        }
        return ["name": .string(name), "students": list(students), "teachers": list(teachers), "coteachers": list(coteachers)]
    }

    /// Nil for anything that is none, or has names that cannot be.
    package init?(json: JSONValue) {
        func members(_ key: String) -> [ClassList.Member]? {
            guard let values = json[key]?.arrayValue else { return nil }
            let members = values.compactMap { value -> ClassList.Member? in
                guard let login = value["login"]?.stringValue, let name = value["name"]?.stringValue,
                    ClassList.loginProblem(login) == nil, name.utf8.count <= 256, !ClassList.hasControl(name)
                else { return nil }
                return ClassList.Member(login: login, name: name.isEmpty ? login : name)
            }
            return members.count == values.count ? members : nil
        }
        guard let name = json["name"]?.stringValue, ClassList.nameProblem(name) == nil, let students = members("students"),
            let teachers = members("teachers"), let coteachers = members("coteachers")
        else { return nil }
        self.init(name: name)
        self.students = students
        self.teachers = teachers
        self.coteachers = coteachers
    }
}

extension ClassList {
    /// A class that came before goes on: long ones come in several pieces.
    package mutating func add(_ piece: SchoolClass) {
        guard let index = classes.firstIndex(where: { $0.name == piece.name }) else { return classes.append(piece) }
        classes[index].students += piece.students
        classes[index].teachers += piece.teachers
        classes[index].coteachers += piece.coteachers
    }

    /// The same in pieces of at most so many members.
    package func pieces(of size: Int) -> [SchoolClass] {
        classes.flatMap { school -> [SchoolClass] in
            var pieces: [SchoolClass] = []
            func cut(_ members: [Member], into key: WritableKeyPath<SchoolClass, [Member]>) {
                for start in stride(from: 0, to: members.count, by: size) {
                    var piece = SchoolClass(name: school.name)
                    piece[keyPath: key] = Array(members[start..<min(start + size, members.count)])
                    pieces.append(piece)
                }
            }
            cut(school.teachers, into: \.teachers)
            cut(school.coteachers, into: \.coteachers)
            cut(school.students, into: \.students)
            return pieces.isEmpty ? [SchoolClass(name: school.name)] : pieces
        }
    }

    /// The text of the file in which it is kept: one line for the source, one for each class.
    package var fileText: String {
        let head: JSONValue = ["v": 1, "source": .string(source)]
        return ([head.text] + classes.map(\.json.text)).map { $0 + "\n" }.joined()
    }

    /// Nil for a text that is none, or that was cut.
    package init?(fileText: [UInt8]) {
        guard fileText.last == UInt8(ascii: "\n") else { return nil }
        var lines = fileText.split(separator: UInt8(ascii: "\n"))[...]
        guard let first = lines.popFirst(), let head = try? JSONValue(parsing: Array(first)), head["v"]?.integerValue == 1,
            let source = head["source"]?.stringValue
        else { return nil }
        self.init(source: source)
        for line in lines {
            guard let value = try? JSONValue(parsing: Array(line)), let school = SchoolClass(json: value) else { return nil }
            classes.append(school)
        }
    }
}
