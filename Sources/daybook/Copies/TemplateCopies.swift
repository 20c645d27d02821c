// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookLinux
import Glibc
import Reports

/// Puts copies of a template where the students of an assignment work, in the caller's own process and with the caller's rights.
///
/// A copy is written under a temporary name, gets owner and access list, and is renamed only then, never over something: so an interruption, a
/// full disk or a crash leaves whole copies and, at the worst, a temporary file that the next run removes. What is there stays, so a second
/// run goes on where the first one ended.
struct TemplateCopies {
    /// No editor and no document has such a name; as a hidden one it is no work either.
    static let temporaryPrefix = ".daybook-copy-"

    let template: Template
    let assignment: AssignmentDetail
    let isShared: Bool

    private struct Place {
        /// Below the assignment's folder.
        var folders: [[UInt8]]
        var name: [UInt8]
    }

    /// Whether the disk has room for all of them, as far as it says so; others may fill it meanwhile, and a quota may be smaller.
    func checkRoom(in root: borrowing OwnedDescriptor) throws(CommandFailure) {
        let count = Int64(isShared ? 1 : assignment.students.count { !$0.isExcused })
        guard let free = root.freeBytes(), let size = template.size, size > 0 else { return }
        let (needed, isTooMuch) = count.multipliedReportingOverflow(by: size)
        guard isTooMuch || needed > free else { return }
        throw CommandFailure(
            "\(count) copies of \(sizeText(size)) need \(isTooMuch ? "more than there is" : sizeText(needed)), and the disk has "
                + "\(sizeText(free)) left; nothing was copied")
    }

    func make(in root: borrowing OwnedDescriptor, _ invocation: Invocation) throws(CommandFailure) -> CopyOutcome {
        let students = assignment.students.filter { !$0.isExcused }
        var outcome = CopyOutcome(total: isShared ? 1 : students.count)
        guard !students.isEmpty else { throw CommandFailure("nobody is to work on '\(assignment.title)', so nothing was copied") }
        let teachers = Set(assignment.teachers.map(\.uid) + (geteuid() == 0 ? [] : [geteuid()]))
        Interrupts.remember()
        var progress = CopyProgress(total: outcome.total, invocation)
        defer { progress.clear() }
        for student in isShared ? [nil] : students.map({ $0 }) as [AssignmentDetail.Student?] {
            if Interrupts.hasCome { outcome.isInterrupted = true }
            if outcome.isInterrupted || outcome.stoppedBy != nil { break }
            let people = student.map { [$0.person.uid] } ?? students.map(\.person.uid)
            do throws(SystemCallError) {
                let place = try place(for: student?.person.login)
                switch try copy(to: place, in: root, people: people, teachers: teachers) {
                case .copied: outcome.copied += 1
                case .present: outcome.present += 1
                case .interrupted: outcome.isInterrupted = true
                }
            } catch {
                if [ENOSPC, EDQUOT, EIO, EROFS].contains(error.code) {
                    outcome.stoppedBy = error
                } else {
                    outcome.failures.append((student?.person.login ?? "all", error))
                }
            }
            progress.show(outcome.done)
        }
        return outcome
    }

    // MARK: Where

    private func place(for login: String?) throws(SystemCallError) -> Place {
        let parts = (assignment.below ?? "{person}/{document}").split(separator: "/")
        var place = Place(folders: [], name: template.name)
        let person = login.map { Array($0.utf8) } ?? Array("shared".utf8)
        // A login is one name, and never a way out.
        guard !person.contains(UInt8(ascii: "/")), person.first != UInt8(ascii: ".") else {
            throw SystemCallError(call: "folder of \(login ?? "")", code: EINVAL)
        }
        var hasPerson = false
        for part in parts {
            switch part {
            case "{document}": break
            case "{person}":
                hasPerson = true
                place.folders.append(person)
            default: place.folders.append(Array(part.utf8))
            }
        }
        // All lie in one folder: the name says whose it is.
        if !hasPerson, let login { place.name = Self.named(template.name, login) }
        return place
    }

    /// `essay.odt` for berg is `essay (berg).odt`.
    static func named(_ name: [UInt8], _ login: String) -> [UInt8] {
        let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? name.count
        return name[..<dot] + Array(" (\(login))".utf8) + name[dot...]
    }

    // MARK: One copy

    private enum Copied { case copied, present, interrupted }

    private func copy(
        to place: Place, in root: borrowing OwnedDescriptor, people: [UInt32], teachers: Set<UInt32>
    ) throws(SystemCallError) -> Copied {
        var folder = try Folder.open([UInt8(ascii: ".")][...], in: root, for: .listing)
        for name in place.folders {
            let made = try folder.makeFolder(name[...], mode: 0o700)
            let next = try Folder.open(name[...], in: folder, for: .listing)
            if made { try give(next, to: people, teachers: teachers, rights: 7) }
            folder = next
        }
        do throws(SystemCallError) {
            _ = try FileStatus(of: place.name[...], in: folder)
            return .present
        } catch { if error.code != ENOENT { throw error } }
        let temporary = Self.temporaryPrefix.utf8 + place.name.suffix(100)
        do throws(SystemCallError) { try folder.removeFile(temporary[...]) } catch { if error.code != ENOENT { throw error } }
        do throws(SystemCallError) {
            let file = try folder.makeNewFile(temporary[...], mode: 0o600)
            guard try template.copy(to: file) else {
                try folder.removeFile(temporary[...])
                return .interrupted
            }
            try give(file, to: people, teachers: teachers, rights: 6)
            if try folder.renameIfFree(temporary[...], to: place.name[...]) { return .copied }
            try folder.removeFile(temporary[...])
            return .present
        } catch {
            do throws(SystemCallError) { try folder.removeFile(temporary[...]) } catch {}  // The first reason counts.
            throw error
        }
    }

    /// Students and teachers may read and write, nobody else may anything. As root the one student owns it.
    private func give(
        _ file: borrowing OwnedDescriptor, to people: [UInt32], teachers: Set<UInt32>, rights: UInt16
    ) throws(SystemCallError) {
        let mayChown = geteuid() == 0 && people.count == 1
        let owner = mayChown ? people[0] : geteuid()
        let others = Set(people).union(teachers).subtracting([owner])
        let list = AccessList(owner: rights, people: others.map { AccessList.Entry(uid: $0, rights: rights) })
        do throws(SystemCallError) {
            try list.set(on: file)
            // What is made in it later may be anybody's of these.
            let all = Set(people).union(teachers).map { AccessList.Entry(uid: $0, rights: rights) }
            if rights == 7 { try AccessList(owner: rights, people: all).set(on: file, inherited: true) }
        } catch {
            // Without lists there is only an owner: as root the student, who can then open it to others.
            guard error.code == EOPNOTSUPP, mayChown else {
                throw error.code == EOPNOTSUPP
                    ? SystemCallError(call: "an access list (this file system has none; ask an administrator to do it)", code: EOPNOTSUPP)
                    : error
            }
        }
        if mayChown { try file.setOwner(owner) }
    }
}
