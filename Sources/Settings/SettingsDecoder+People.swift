// SPDX-License-Identifier: Apache-2.0
import ActivityModel

extension SettingsDecoder {
    mutating func readClasses(_ tables: [TableReader]) {
        var seen: [String: Int] = [:]
        for table in tables {
            var table = table
            let name = table.text("name")
            if name == nil, !isPartial, table.lacks("name") {
                mistakes.add(table.position, "this class has no name; write the name that stands at {class} in a layout")
            }
            if let name {
                if let problem = nameProblem(name.value) {
                    mistakes.add(name.position, problem)
                } else if let line = seen.updateValue(name.position.line, forKey: name.value) {
                    mistakes.add(name.position, "class '\(shown(name.value))' stands in line \(line) already")
                }
            }
            let students = members(of: &table, "students") ?? []
            if students.isEmpty, !isPartial, table.lacks("students") {
                mistakes.add(table.position, "this class has no students; write students = \"@group\" or a list of logins")
            }
            let teachers = members(of: &table, "teachers") ?? []
            let coteachers = members(of: &table, "coteachers") ?? []
            let coordinators = members(of: &table, "coordinators") ?? []
            let covers = covers(of: &table)
            for teacher in teachers + coteachers where students.contains(where: { $0.value == teacher.value }) {
                mistakes.add(
                    teacher.position, "'\(shown(teacher.value.text))' is student and teacher of one class; take one of the two out")
            }
            table.finish()
            if let name {
                var made = Settings.SchoolClass(name: name.value, students: students.map(\.value), teachers: teachers.map(\.value))
                made.coteachers = coteachers.map(\.value)
                made.coordinators = coordinators.map(\.value)
                made.covers = covers
                settings.classes.append(made)
            }
        }
    }

    mutating func readPeople(_ tables: [TableReader]) {
        var logins: [String: Int] = [:]
        var numbers: [UInt32: Int] = [:]
        for table in tables {
            var table = table
            let login = table.text("login")
            let number: Located<Int64>? = table.take("uid", wanted: "a number") {
                if case .integer(let number) = $0 { number } else { nil }
            }
            let name = table.text("name")
            for key in ["login", "uid"] where !isPartial && table.lacks(key) {
                mistakes.add(table.position, "this person has no \(key); a person needs login and uid")
            }
            table.finish()
            if let name, name.value.isEmpty || name.value.utf8.count > 256 || hasControl(name.value) {
                mistakes.add(
                    name.position, "'\(shown(name.value))' is no name to print in a report; use 1 to 256 bytes without control characters")
            }
            if let login {
                if let problem = loginProblem(login.value) {
                    mistakes.add(login.position, problem)
                } else if let line = logins.updateValue(login.position.line, forKey: login.value) {
                    mistakes.add(login.position, "login '\(shown(login.value))' stands in line \(line) already")
                }
            }
            guard let number else { continue }
            // 65534 is what the kernel shows for "somebody else", and the largest number means "no uid".
            guard let uid = UInt32(exactly: number.value), uid != 0, uid != 65_534, uid != UInt32.max else {
                mistakes.add(number.position, "\(number.value) cannot be a person's uid; it is from 1 to 4294967294, and not 65534")
                continue
            }
            if let line = numbers.updateValue(number.position.line, forKey: uid) {
                mistakes.add(number.position, "uid \(uid) stands in line \(line) already; a number is one person")
            }
            if let login {
                settings.people.append(Settings.RosterPerson(id: PersonID(uid: uid, login: login.value), name: name?.value))
            }
        }
    }

    /// Logins and `@groups`, one as a text or several as a list; nil where there is nothing to read.
    func members(of table: inout TableReader, _ key: String) -> [Located<Settings.Member>]? {
        guard let values = table.list(key, wanted: "\"@group\" or a list of logins and groups", orOne: true) else { return nil }
        var members: [Located<Settings.Member>] = []
        for value in values.value {
            guard case .string(let text) = value.content else {
                mistakes.add(value.position, "\(key) holds logins and groups in quotes, not \(value.kindName)")
                continue
            }
            let member: Settings.Member = text.hasPrefix("@") ? .group(String(text.dropFirst())) : .login(text)
            if let problem = loginProblem(text.hasPrefix("@") ? String(text.dropFirst()) : text) {
                mistakes.add(value.position, problem)
            } else if members.contains(where: { $0.value == member }) {
                mistakes.add(value.position, "'\(shown(text))' stands twice in \(key)")
            } else {
                members.append(Located(value: member, position: value.position))
            }
        }
        return members
    }

    /// What is wrong with the name of an account or group. Directory services allow spaces, dots and backslashes, so these are good.
    func loginProblem(_ name: String) -> String? {
        let good =
            !name.isEmpty && name.utf8.count <= 256 && !hasControl(name)
            && !name.utf8.contains { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
        return good ? nil : "'\(shown(name))' is no login; a login has 1 to 256 bytes and no slash, colon or control character"
    }

    private func nameProblem(_ name: String) -> String? {
        let good = !name.isEmpty && name.utf8.count <= 255 && !hasControl(name) && !name.utf8.contains(UInt8(ascii: "/"))
        return good ? nil : "'\(shown(name))' is no class name; it is a folder's name of 1 to 255 bytes without slash or control character"
    }

    private func hasControl(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// An absolute path, without doubled or trailing slashes; what is no such path is named.
    func absolutePath(_ text: Located<String>, of key: String) -> Located<String>? {
        let parts = text.value.split(separator: "/")
        let problem: String? =
            if !text.value.hasPrefix("/") {
                "\(key) must be an absolute path, one that begins with /, not '\(shown(text.value))'"
            } else if parts.contains(".") || parts.contains("..") {
                "\(key) must not contain . or .. as a name: '\(shown(text.value))'"
            } else if hasControl(text.value) {
                "\(key) must not contain control characters"
            } else if text.value.utf8.count > 4_000 {
                "\(key) is longer than a path can be"
            } else {
                nil
            }
        if let problem {
            mistakes.add(text.position, problem)
            return nil
        }
        return Located(value: "/" + parts.joined(separator: "/"), position: text.position)
    }
}
