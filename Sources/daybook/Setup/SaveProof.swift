// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import DaybookJSON
import DaybookLinux
import Glibc
import Settings

/// A server of its own for a minute, with another socket and another journal: the same program, so what it sees and whom it credits is what
/// the real one would. Its journal lies in memory, for root alone, and goes with it.
struct SaveProof {
    struct Seen: Equatable, Sendable {
        var document: String
        /// Nil: nobody would be credited.
        var login: String?
        var source: IdentitySource
    }

    static let limit = Duration.seconds(60)

    let program: String
    let plan: SetupPlan

    /// What was saved first; nil where nothing was within the limit. `ready` is called when it watches.
    func run(within limit: Duration = limit, ready: () -> Void) throws(CommandFailure) -> Seen? {
        var template =
            Array("\(SetupPlaces.exists("/run/lock") ? "/run" : "/tmp")/daybook-setup-XXXXXX".utf8.map { CChar(bitPattern: $0) }) + [0]
        guard mkdtemp(&template) != nil else { throw CommandFailure("no folder can be made in /run: \(errnoText(errno))") }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { Self.removeAll(folder) }
        guard mkdir(folder + "/state", 0o700) == 0 else { throw CommandFailure("\(folder)/state cannot be made: \(errnoText(errno))") }
        try SetupPlaces.write(plan.trial(in: folder), to: folder + "/config.toml", mode: 0o600)
        guard let child = Programs.start(program, ["--config", folder + "/config.toml"]) else {
            throw CommandFailure("\(program) cannot be started")
        }
        defer {
            kill(child, SIGTERM)
            var status: Int32 = 0
            while waitpid(child, &status, 0) == -1, errno == EINTR {}
        }
        let journal = folder + "/state/current.jsonl"
        var isReady = false
        var deadline = Deadline(after: .seconds(120))
        while !deadline.hasPassed {
            var status: Int32 = 0
            guard waitpid(child, &status, WNOHANG) == 0 else {
                throw CommandFailure("the server for the trial ended by itself; 'daybook doctor' says more")
            }
            let entries = Self.entries(journal)
            if !isReady, entries.contains(where: { $0["kind"]?.stringValue == "watching" }) {
                isReady = true
                deadline = Deadline(after: limit)
                ready()
            }
            if isReady, let seen = Self.saved(entries) { return seen }
            usleep(200_000)
        }
        if !isReady { throw CommandFailure("the server for the trial did not get through the folders in two minutes") }
        return nil
    }

    private static func entries(_ path: String) -> [JSONObject] {
        guard let bytes = try? SmallFile.read(path, limit: 64 << 20) else { return [] }  // not yet there
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard let value = try? JSONValue(parsing: line), case .object(let object) = value else { return nil }  // half a line at its end
            return object
        }
    }

    /// A session that shows a save, with who is known at that time.
    static func saved(_ entries: [JSONObject]) -> Seen? {
        var seen: [Int64: Seen] = [:]
        for entry in entries {
            guard let number = entry["activity"]?.integerValue else { continue }
            if entry["kind"]?.stringValue == "activity.started" {
                seen[number] = Seen(document: documentPath(entry), login: nil, source: .unknown)
            }
            if let source = entry["identity"]?.stringValue.flatMap(IdentitySource.init(rawValue:)) {
                seen[number]?.source = source
                seen[number]?.login = entry["person"]?["login"]?.stringValue
            }
            if entry["what"]?.stringValue == "saved", let found = seen[number] { return found }
        }
        return nil
    }

    private static func documentPath(_ entry: JSONObject) -> String {
        entry["document"]?["path"]?.stringValue ?? entry["document"]?.stringValue ?? "?"
    }

    /// The folder has no folders but `state`, and in that none of ours goes deeper than one.
    private static func removeAll(_ folder: String, depth: Int = 3) {
        if depth > 0, let listing = opendir(folder) {
            var names: [String] = []
            while let entry = readdir(listing) {
                names.append(withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
            }
            closedir(listing)
            for name in names where name != "." && name != ".." {
                let path = folder + "/" + name
                if unlink(path) != 0 { removeAll(path, depth: depth - 1) }
            }
        }
        rmdir(folder)
    }
}

extension Setup {
    // MARK: 10

    func prove(_ settings: Settings) throws -> ExitCode {
        dialog.step("Prove")
        let next =
            "Recording is off. After students, parents and staff have been informed (/usr/share/doc/daybook/Documentation/"
            + "DataProtection.md): daybook recording on"
        guard try dialog.yes(.prove, "Try it with a file that a student saves now?", usual: true), !isDry else {
            dialog.say(next)
            return .good
        }
        guard let program = Programs.findOwn("daybookd", environment: invocation.environment) else {
            throw CommandFailure("the program daybookd is not there; install Daybook again")
        }
        let seen = try SaveProof(program: program, plan: plan).run {
            dialog.say("Save a file as a student now, where a layout has it; for \(SaveProof.limit.components.seconds) seconds.")
            invocation.output.flush()
        }
        guard let seen else {
            dialog.say("Nothing was saved that counts. 'daybook doctor' looks for a reason; 'daybook setup' may be run again.")
            dialog.say(next)
            return .failed
        }
        let how =
            switch seen.source {
            case .event: "the kernel said whose process it was"
            case .holder: "the process that had it open was theirs"
            case .companion: "the lock or temporary file was theirs"
            case .save: "the saved file was theirs"
            case .assumed: "only the folder's name said so, marked assumed"
            case .unknown: "nothing said who it was"
            }
        dialog.say("Seen: \(seen.document) was saved. Credited to: \(seen.login ?? "nobody") (\(how)).")
        if seen.login == nil { dialog.say("Is whoever saved it a student of that class? Only students are recorded.") }
        dialog.say(next)
        return seen.login == nil ? .failed : .good
    }
}
