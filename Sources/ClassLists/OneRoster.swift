// SPDX-License-Identifier: Apache-2.0
package import ActivityModel

/// Reads an export by OneRoster 1.1 or 1.2 (1EdTech): CSV files of users, classes and enrollments.
///
/// Only what class lists need is looked at. Everything that is wrong is said at once, with file and line, and then nothing is taken: a half
/// list would take students out of their classes.
package struct OneRoster: Sendable {
    /// Which column of `users.csv` is the login on this server.
    package enum LoginColumn: String, Sendable, CaseIterable { case username, identifier, email, sourcedId }

    /// Which column of `classes.csv` the class's folder is called by.
    package enum NameColumn: String, Sendable, CaseIterable { case classCode, title }

    package struct Options: Sendable {
        package var login = LoginColumn.username
        package var name = NameColumn.classCode
        /// Enrollments that begin later, or are over, do not count.
        package var today: CivilDate

        package init(today: CivilDate) { self.today = today }
    }

    package struct Outcome: Equatable, Sendable {
        package var list: ClassList
        package var mistakes: [ListMistake]
        /// What was left out on purpose, in words.
        package var leftOut: [String]
    }

    package static let files = ["manifest.csv", "orgs.csv", "users.csv", "classes.csv", "enrollments.csv"]

    private let options: Options
    private var mistakes: [ListMistake] = []
    private var leftOut: [String: Int] = [:]

    private struct User {
        var login: String
        var name: String
    }

    /// `files`: the bytes of those of the files that are there, by name.
    package static func read(_ files: [String: [UInt8]], options: Options) -> Outcome {
        var reader = OneRoster(options: options)
        let list = reader.list(files)
        return Outcome(
            list: list, mistakes: reader.mistakes, leftOut: reader.leftOut.map { "\($0.value) \($0.key)" }.sorted())
    }

    private init(options: Options) { self.options = options }

    private mutating func wrong(_ file: String, _ line: Int?, _ message: String) {
        mistakes.append(ListMistake(file: file, line: line, message: message))
    }

    private mutating func list(_ files: [String: [UInt8]]) -> ClassList {
        var version = "1.1"
        if let manifest = files["manifest.csv"] { version = self.version(manifest) }
        for name in ["users.csv", "classes.csv", "enrollments.csv"] where files[name] == nil {
            wrong(name, nil, "is missing; a OneRoster export in bulk mode has it")
        }
        guard let users = files["users.csv"], let classes = files["classes.csv"], let enrollments = files["enrollments.csv"] else {
            return ClassList(source: "OneRoster \(version)")
        }
        let schools = files["orgs.csv"].flatMap { self.schools($0) }
        let known = self.users(users)
        let named = self.classes(classes, schools)
        var list = ClassList(source: "OneRoster \(version)")
        // Without one of them every enrollment would be wrong.
        guard let known, let named else { return list }
        list.classes = self.enroll(enrollments, known, named).sorted { $0.name < $1.name }
        if list.classes.isEmpty, mistakes.isEmpty { wrong("classes.csv", nil, "names no class that is in use") }
        return list
    }

    // MARK: The files

    private mutating func version(_ bytes: [UInt8]) -> String {
        let table = CSVTable(bytes, file: "manifest.csv", mistakes: &mistakes)
        guard let columns = table.require(["propertyName", "value"], mistakes: &mistakes) else { return "1.1" }
        var version = "1.1"
        for row in table.rows {
            let (property, value) = (trimmed(row[columns["propertyName"]]), trimmed(row[columns["value"]]))
            switch property {
            case "oneroster.version":
                if ["1.1", "1.2"].contains(value) {
                    version = value
                } else {
                    wrong("manifest.csv", row.line, "OneRoster \(value) is not known here; 1.1 and 1.2 are")
                }
            case "file.users", "file.classes", "file.enrollments":
                if value == "delta" {
                    wrong(
                        "manifest.csv", row.line, "\(property.dropFirst(5)).csv has changes only; export in bulk mode, which has everything"
                    )
                }
            default: break
            }
        }
        return version
    }

    private mutating func schools(_ bytes: [UInt8]) -> Set<String>? {
        let table = CSVTable(bytes, file: "orgs.csv", mistakes: &mistakes)
        guard let columns = table.require(["sourcedId"], mistakes: &mistakes) else { return nil }
        return Set(table.rows.map { $0[columns["sourcedId"]] })
    }

    private mutating func users(_ bytes: [UInt8]) -> [String: User?]? {
        let table = CSVTable(bytes, file: "users.csv", mistakes: &mistakes)
        let needed = ["sourcedId", "enabledUser", "givenName", "familyName"]
        guard
            let columns = table.require(
                needed + (needed.contains(options.login.rawValue) ? [] : [options.login.rawValue]), mistakes: &mistakes)
        else { return nil }
        let status = table.column("status")
        var users: [String: User?] = [:]
        var logins: [String: Int] = [:]
        for row in table.rows {
            let id = row[columns["sourcedId"]]
            guard !id.isEmpty else {
                wrong("users.csv", row.line, "has no sourcedId")
                continue
            }
            guard users[id] == nil else {
                wrong("users.csv", row.line, "the sourcedId '\(shown(id))' stands twice")
                continue
            }
            if isGone(row, status) || trimmed(row[columns["enabledUser"]]).lowercased() == "false" {
                users[id] = .some(nil)
                leftOut["people who are switched off in the list", default: 0] += 1
                continue
            }
            let login = trimmed(row[columns[options.login.rawValue]])
            if let problem = ClassList.loginProblem(login) {
                wrong(
                    "users.csv", row.line,
                    "'\(shown(login))' in '\(options.login.rawValue)' is no login: \(problem); --login takes another column")
                continue
            }
            if let line = logins.updateValue(row.line, forKey: login) {
                wrong("users.csv", row.line, "the login '\(shown(login))' stands in line \(line) already")
            }
            let family = trimmed(row[columns["familyName"]])
            let given = trimmed(row[columns["givenName"]])
            let name = [family, given].filter { !$0.isEmpty }.joined(separator: ", ")
            if name.utf8.count > 256 || ClassList.hasControl(name) {
                wrong("users.csv", row.line, "the name is longer than 256 bytes, or has a line break or control character in it")
            }
            users[id] = User(login: login, name: name.isEmpty ? login : name)
        }
        return users
    }

    private mutating func classes(_ bytes: [UInt8], _ schools: Set<String>?) -> [String: String?]? {
        let table = CSVTable(bytes, file: "classes.csv", mistakes: &mistakes)
        guard let columns = table.require(["sourcedId", "title", "schoolSourcedId"], mistakes: &mistakes) else { return nil }
        let status = table.column("status")
        let code = table.column("classCode")
        var classes: [String: String?] = [:]
        var names: [String: Int] = [:]
        for row in table.rows {
            let id = row[columns["sourcedId"]]
            guard !id.isEmpty, classes[id] == nil else {
                wrong("classes.csv", row.line, id.isEmpty ? "has no sourcedId" : "the sourcedId '\(shown(id))' stands twice")
                continue
            }
            if isGone(row, status) {
                classes[id] = .some(nil)
                leftOut["classes that are to be deleted", default: 0] += 1
                continue
            }
            let school = row[columns["schoolSourcedId"]]
            if let schools, !schools.contains(school) {
                wrong("classes.csv", row.line, "names the school '\(shown(school))', which is not in orgs.csv; export both at once")
            }
            let coded = options.name == .classCode ? trimmed(row[code]) : ""
            let name = coded.isEmpty ? trimmed(row[columns["title"]]) : coded
            if let problem = ClassList.nameProblem(name) {
                wrong("classes.csv", row.line, "'\(shown(name))' is no class name: \(problem); --name takes the other column")
                classes[id] = .some(nil)
                continue
            }
            if let line = names.updateValue(row.line, forKey: name) {
                wrong("classes.csv", row.line, "the class '\(shown(name))' stands in line \(line) already; --name takes the other column")
            }
            classes[id] = name
        }
        return classes
    }

    private mutating func enroll(_ bytes: [UInt8], _ users: [String: User?], _ classes: [String: String?]) -> [ClassList.SchoolClass] {
        let table = CSVTable(bytes, file: "enrollments.csv", mistakes: &mistakes)
        guard let columns = table.require(["classSourcedId", "userSourcedId", "role"], mistakes: &mistakes) else { return [] }
        let (status, primary, begin, end) = (
            table.column("status"), table.column("primary"), table.column("beginDate"), table.column("endDate")
        )
        var result = Dictionary(uniqueKeysWithValues: Set(classes.values.compactMap { $0 }).map { ($0, ClassList.SchoolClass(name: $0)) })
        var secondary: [String: [ClassList.Member]] = [:]
        var seen: Set<[String]> = []
        for row in table.rows where !isGone(row, status) {
            let (classID, userID) = (row[columns["classSourcedId"]], row[columns["userSourcedId"]])
            guard let name = classes[classID] else {
                wrong("enrollments.csv", row.line, "names the class '\(shown(classID))', which is not in classes.csv; export both at once")
                continue
            }
            guard let user = users[userID] else {
                wrong("enrollments.csv", row.line, "names the person '\(shown(userID))', who is not in users.csv; export both at once")
                continue
            }
            guard let name, let user else { continue }
            guard let isNow = isNow(row, begin, end) else { continue }
            guard isNow else {
                leftOut["enrollments of another time", default: 0] += 1
                continue
            }
            let member = ClassList.Member(login: user.login, name: user.name)
            let role = trimmed(row[columns["role"]]).lowercased()
            guard seen.insert([name, user.login, role]).inserted else { continue }
            switch role {
            case "student": result[name]?.students.append(member)
            case "teacher":
                if trimmed(row[primary]).lowercased() == "false" {
                    secondary[name, default: []].append(member)
                } else {
                    result[name]?.teachers.append(member)
                }
            case "administrator", "proctor", "aide", "guardian", "parent", "relative":
                leftOut["people who neither teach nor learn in a class", default: 0] += 1
            default:
                wrong("enrollments.csv", row.line, "the role '\(shown(role))' is not known; 'student' and 'teacher' are")
            }
        }
        for (name, members) in secondary {
            // Where the list names no first teacher, all are.
            if result[name]?.teachers.isEmpty ?? true { result[name]?.teachers = members } else { result[name]?.coteachers = members }
        }
        for (name, school) in result {
            let teaching = Set((school.teachers + school.coteachers).map(\.login))
            for student in school.students where teaching.contains(student.login) {
                wrong(
                    "enrollments.csv", nil, "'\(shown(student.login))' is student and teacher of '\(shown(name))'; take one of the two out")
            }
        }
        return Array(result.values)
    }

    private func isGone(_ row: CSVTable.Row, _ status: Int?) -> Bool { trimmed(row[status]).lowercased() == "tobedeleted" }

    /// Nil where a date cannot be read, which is then said.
    private mutating func isNow(_ row: CSVTable.Row, _ begin: Int?, _ end: Int?) -> Bool? {
        var isNow = true
        for (place, isBegin) in [(begin, true), (end, false)] {
            let text = trimmed(row[place])
            if text.isEmpty { continue }
            guard text.utf8.count >= 10, let date = CivilDate(prefixOf: text) else {
                wrong("enrollments.csv", row.line, "'\(shown(text))' is no date; OneRoster writes 2026-09-01")
                return nil
            }
            if isBegin ? date > options.today : date < options.today { isNow = false }
        }
        return isNow
    }

    /// Others' text in a message: short, on one line.
    private func shown(_ text: String) -> String {
        let safe = text.unicodeScalars.prefix(60).map { $0.properties.generalCategory == .control ? "\u{FFFD}" : String($0) }.joined()
        return text.unicodeScalars.count > 60 ? safe + "…" : safe
    }
}

extension CSVTable.Row {
    /// The field of a column; empty where there is no such column.
    fileprivate subscript(place: Int?) -> String { place.map { fields[$0] } ?? "" }
}
