// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference

extension Settings {
    /// Checks a text as it was read; every mistake at once.
    package static func parse(_ bytes: [UInt8], options: Options = Options()) throws(SettingsProblems) -> Settings {
        let mistakes = Mistakes()
        guard bytes.count <= textSizeLimit else {
            let message = "larger than \(textSizeLimit) bytes, so this is no configuration"
            throw SettingsProblems(problems: [.init(line: nil, column: nil, message: message)])
        }
        let text = RecoveredText(bytes, mistakes: mistakes)
        var settings = Settings()
        if let root = text.root, case .table(let members) = root.content {
            var decoder = SettingsDecoder(mistakes: mistakes, options: options, isPartial: text.isPartial)
            decoder.decode(TableReader(members, title: "", position: root.position, mistakes: mistakes))
            settings = decoder.settings
        }
        guard mistakes.found.isEmpty else { throw SettingsProblems(problems: mistakes.problems) }
        return settings
    }
}

/// Reads the sections one after the other; shares, classes and people have files of their own.
struct SettingsDecoder {
    var settings = Settings()
    let mistakes: Mistakes
    let options: Settings.Options
    /// A part of the text could not be read: then a missing key is no mistake of its own.
    let isPartial: Bool

    init(mistakes: Mistakes, options: Settings.Options, isPartial: Bool) {
        self.mistakes = mistakes
        self.options = options
        self.isPartial = isPartial
    }

    mutating func decode(_ root: TableReader) {
        var root = root
        readServer(root.table("server"))
        readSwitches(recording: root.table("recording"), access: root.table("access"), identity: root.table("identity"))
        readWatch(root.table("watch"))
        readSessions(root.table("sessions"))
        readJournal(root.table("journal"))
        readRetention(root.table("retention"))
        readAnalyzer(root.table("analyzer"))
        readLimits(root.table("limits"))
        readLive(root.table("live"))
        readSchool(root.table("school"))
        readShares(root.tables("share", name: "share"))
        readClasses(root.tables("class", name: "class"))
        readPeople(root.tables("person", name: "person"))
        readClassKit(root.table("classkit"))
        readMetrics(root.table("metrics"))
        // Its folder must lie outside of all of these.
        readPages(root.table("pages"))
        root.finish(elsewhere: { Self.sections[$0] })
    }

    /// Where a key belongs that stands at the top level by mistake.
    private static let sections = [
        "socket": "[server]", "state": "[server]", "log-names": "[server]", "enabled": "[recording]", "source": "[watch]",
        "path": "[[share]]", "pattern": "[[share.layout]]", "name": "[[class]]", "students": "[[class]]", "teachers": "[[class]]",
        "coteachers": "[[class]]", "coordinators": "[[class]]", "cover": "[[class]]", "hours": "[school]", "holidays": "[school]",
        "small-group": "[school]", "administrators": "[access]", "shared-accounts": "[identity]", "layout": "[[share]]",
        "directory": "[pages]", "file": "[metrics]", "trusted": "[classkit]", "executable": "[[classkit.trusted]]",
    ]

    private mutating func readServer(_ table: TableReader) {
        var table = table
        if let path = table.text("socket").flatMap({ absolutePath($0, of: "socket") }) {
            // The kernel's own limit for the name of a Unix socket is 108 bytes with the zero byte at its end.
            if path.value.utf8.count > 107 {
                mistakes.add(path.position, "the path of a socket has at most 107 bytes; this one has \(path.value.utf8.count)")
            }
            settings.server.socket = path.value
        }
        if let path = table.text("state").flatMap({ absolutePath($0, of: "state") }) { settings.server.state = path.value }
        table.flag("log-names", into: &settings.server.logNames)
        table.finish()
    }

    private mutating func readSwitches(recording: TableReader, access: TableReader, identity: TableReader) {
        var recording = recording
        recording.flag("enabled", into: &settings.recording.enabled)
        recording.choice("when", into: &settings.recording.when)
        recording.finish()

        var access = access
        if let members = members(of: &access, "administrators") { settings.access.administrators = members.map(\.value) }
        access.flag("view-as", into: &settings.access.viewAs)
        access.finish()

        var identity = identity
        if let values = identity.list("shared-accounts", wanted: "a list of logins and uids") {
            settings.identity.sharedAccounts = values.value.compactMap { value in
                switch value.content {
                case .string(let login):
                    if let problem = loginProblem(login) { mistakes.add(value.position, problem) }
                    return .login(login)
                case .integer(let number):
                    if let uid = UInt32(exactly: number), uid != UInt32.max { return .uid(uid) }
                    mistakes.add(value.position, "\(number) is no uid")
                default: mistakes.add(value.position, "shared-accounts holds logins and uids, not \(value.kindName)")
                }
                return nil
            }
        }
        identity.finish()
    }

    private mutating func readWatch(_ table: TableReader) {
        var table = table
        table.choice("source", into: &settings.watch.source)
        table.duration("batch-delay", into: &settings.watch.batchDelay, in: .zero ... .seconds(1))
        table.duration("retry", into: &settings.watch.retry, in: .seconds(1) ... .seconds(86_400))
        table.duration("poll-interval", into: &settings.watch.pollInterval, in: .seconds(1) ... .seconds(86_400))
        if let names = table.list("excluded", wanted: "a list of folder names") {
            settings.watch.excluded = names.value.compactMap { value in
                guard case .string(let name) = value.content else {
                    mistakes.add(value.position, "excluded holds folder names in quotes, not \(value.kindName)")
                    return nil
                }
                if name.isEmpty || name.utf8.contains(UInt8(ascii: "/")) {
                    mistakes.add(value.position, "'\(shown(name))' is no folder name; one name without a slash is meant, at any depth")
                } else if name.dropLast().contains("*") || name == "*" {
                    mistakes.add(value.position, "'\(shown(name))': a * may only stand at the end of a name")
                }
                return name
            }
        }
        table.finish()
    }

    private mutating func readSessions(_ table: TableReader) {
        var table = table
        var isNamed = false
        if let name = table.text("rule") {
            isNamed = true
            if name.value.isEmpty || name.value.count > 40 {
                mistakes.add(name.position, "rule is a short name for these limits, such as \"\(Rule().name)\"")
            }
            settings.rule.name = name.value
        }
        let range = Rule.limitRange
        let continuous = table.duration("idle-continuous", into: &settings.rule.idleContinuous, in: range)
        let saves = table.duration("idle-saves-only", into: &settings.rule.idleSavesOnly, in: range)
        let least = table.duration("at-least", into: &settings.rule.atLeast, in: .zero...range.upperBound)
        let most = table.duration("at-most", into: &settings.rule.atMost, in: range)
        for (key, idle, position) in [
            ("idle-continuous", settings.rule.idleContinuous, continuous), ("idle-saves-only", settings.rule.idleSavesOnly, saves),
        ] {
            // Named at the line that was written; where both were, at the idle limit. Two defaults never disagree.
            if settings.rule.atLeast > idle, let position = position ?? least {
                mistakes.add(
                    position, "at-least (\(durationText(settings.rule.atLeast))) must not be longer than \(key) (\(durationText(idle)))")
            }
            if idle > settings.rule.atMost, let position = position ?? most {
                mistakes.add(
                    position, "\(key) (\(durationText(idle))) must not be longer than at-most (\(durationText(settings.rule.atMost)))")
            }
        }
        // Other limits under the built-in name would be a lie beneath every table.
        if !isNamed { settings.rule.name = settings.rule.limitsName }
        table.finish()
    }

    private mutating func readJournal(_ table: TableReader) {
        var table = table
        table.duration("commit-delay", into: &settings.journal.commitDelay, in: .zero ... .seconds(10))
        table.size("segment-size", into: &settings.journal.segmentSize, in: 64 << 10...1 << 40)
        table.duration("compress-after", into: &settings.journal.compressAfter, in: .zero ... .seconds(36_500 * 86_400))
        table.duration("checkpoint-interval", into: &settings.journal.checkpointInterval, in: .seconds(60) ... .seconds(7 * 86_400))
        table.number("snapshot-entries", into: &settings.journal.snapshotEntries, in: 1...1_000_000_000)
        table.finish()
    }

    private mutating func readRetention(_ table: TableReader) {
        var table = table
        let range = Duration.zero...Settings.Retention.longest
        let evidence = table.duration("evidence", into: &settings.retention.evidence, in: range)
        let totals = table.duration("totals", into: &settings.retention.totals, in: range)
        table.duration("leavers", into: &settings.retention.leavers, in: range)
        table.duration("viewed", into: &settings.retention.viewed, in: range)
        let (first, last) = (settings.retention.evidence, settings.retention.totals)
        // Two defaults never disagree.
        if first > last, let position = totals ?? evidence {
            mistakes.add(position, "totals (\(durationText(last))) must not be shorter than evidence (\(durationText(first)))")
        }
        table.finish()
    }

    private mutating func readAnalyzer(_ table: TableReader) {
        var table = table
        if let text = table.text("socket") {
            if text.value.isEmpty {
                settings.analyzer.socket = nil
            } else if let path = absolutePath(text, of: "socket") {
                if path.value.utf8.count > 107 {
                    mistakes.add(path.position, "the path of a socket has at most 107 bytes; this one has \(path.value.utf8.count)")
                }
                settings.analyzer.socket = path.value
            }
        }
        table.size("document-size-limit", into: &settings.analyzer.documentSizeLimit, in: 1...1 << 40)
        table.duration("time-limit", into: &settings.analyzer.timeLimit, in: .seconds(1) ... .seconds(3600))
        table.size("memory-limit", into: &settings.analyzer.memoryLimit, in: 64 << 20...1 << 40)
        table.duration("settle", into: &settings.analyzer.settle, in: .zero ... .seconds(3600))
        readExternalAnalyzers(table.tables("external", name: "analyzer.external"))
        table.finish()
    }

    private mutating func readLimits(_ table: TableReader) {
        var table = table
        table.number("clients", into: &settings.limits.clients, in: 1...10_000)
        table.number("clients-per-user", into: &settings.limits.clientsPerUser, in: 1...10_000)
        table.size("message-size", into: &settings.limits.messageSize, in: 4 << 10...64 << 20)
        table.size("output-size", into: &settings.limits.outputSize, in: 64 << 10...1 << 30)
        table.duration("client-timeout", into: &settings.limits.clientTimeout, in: .seconds(1) ... .seconds(3600))
        table.number("queued-changes", into: &settings.limits.queuedChanges, in: 1_024...10_000_000)
        table.number("queued-entries", into: &settings.limits.queuedEntries, in: 1_024...10_000_000)
        table.number("queued-documents", into: &settings.limits.queuedDocuments, in: 1...1_000_000)
        table.finish()
    }
}
