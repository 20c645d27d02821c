// SPDX-License-Identifier: Apache-2.0
import ActivityModel
import Inference
import Settings

/// What in Samba's configuration would make the watched folders tell less, or something wrong.
struct SambaCheck {
    let samba: SambaSettings
    let settings: Settings
    /// The home folders of the machine's accounts, for `[homes]` and `%H`.
    let homes: [String]
    /// A path with its links resolved; the path itself where it does not exist.
    let resolved: (String) -> String

    /// More than these are not listed: a server with a share for each person would say the same of each.
    static let listedAtMost = 40

    init(_ samba: SambaSettings, _ settings: Settings, homes: [String] = [], resolved: @escaping (String) -> String = { $0 }) {
        self.samba = samba
        self.settings = settings
        self.homes = homes
        self.resolved = resolved
    }

    func findings() -> [Finding] {
        var findings = server()
        var count = 0
        for share in samba.shares where isServed(share) {
            let watched = settings.shares.filter { served in paths(of: share).contains { $0.meets(resolved(served.path)) } }
            guard !watched.isEmpty else { continue }
            let found = self.findings(of: share, watched)
            count += found.count
            if count <= Self.listedAtMost { findings += found } else { findings += found.filter { $0.state == .stops } }
        }
        if count > Self.listedAtMost {
            findings.append(
                Finding("samba", .note, "more of the same kind is not listed, only what stops recording is", mend: "testparm -s"))
        }
        return findings
    }

    // MARK: Which shares

    private func isServed(_ share: SambaSettings.Share) -> Bool {
        !samba.isNo("available", of: share) && !samba.isYes("printable", of: share)
    }

    private func paths(of share: SambaSettings.Share) -> [SambaPath] {
        let text =
            samba.value("path", of: share) ?? samba.value("directory", of: share) ?? (share.name.lowercased() == "homes" ? "%H" : nil)
        guard let text else { return [] }
        guard text.hasPrefix("%H") else { return [SambaPath(text.contains("%") ? text : resolved(text))] }
        return homes.map { SambaPath(resolved($0) + String(text.dropFirst(2))) }
    }

    // MARK: The whole server

    private func server() -> [Finding] {
        var findings: [Finding] = []
        if samba.isYes("clustering") {
            findings.append(
                Finding(
                    "samba", .stops, "Samba runs as a cluster (clustering = yes): other nodes' work makes no event on this machine",
                    mend: "run Daybook only where one node serves the classes"))
        }
        if let file = samba.value("include"), file.contains("%") {
            findings.append(
                Finding(
                    "samba", .note, "'include = \(file)' is read for each connection: what stands in those files is not looked at here",
                    mend: "look there for force user, guest ok, admin users and vfs objects"))
        }
        return findings + names()
    }

    /// True where accounts come from a domain through winbind, so that their names have the domain in front.
    private var namesHaveDomain: Bool {
        let role = samba.value("server role")?.lowercased() ?? "auto"
        if role.contains("domain controller") || role == "dc" { return true }
        let isMember = ["ads", "domain"].contains(samba.value("security")?.lowercased() ?? "") || role.contains("member")
        return isMember && !samba.isYes("winbind use default domain")
    }

    private func names() -> [Finding] {
        guard namesHaveDomain else { return [] }
        let separator = samba.value("winbind separator") ?? "\\"
        let domain = samba.value("workgroup") ?? "DOMAIN"
        let members = settings.classes.flatMap { $0.students + $0.teachers } + settings.access.administrators
        let logins = members.compactMap { if case .login(let name) = $0 { name } else { nil } }
        let plain = logins.filter { !$0.contains(separator) }
        var findings: [Finding] = []
        if let first = plain.first {
            findings.append(
                Finding(
                    "samba", .warning,
                    "people of the domain are called \(domain)\(separator)NAME here, while the configuration has '\(first)'"
                        + (plain.count > 1 ? " and \(count(plain.count - 1, "other")) without it" : "")
                        + ": such accounts are unknown, and nothing is recorded of them",
                    mend: "set 'winbind use default domain = yes' on a member server, or write '\(domain)\(separator)\(first)'; "
                        + "'getent passwd NAME' shows what is right"))
        } else if settings.shares.contains(where: { $0.layouts.layouts.contains { $0.parts.contains(.person) } }) {
            findings.append(
                Finding(
                    "samba", .note,
                    "people of the domain are called \(domain)\(separator)NAME here: a folder at {person} that is called NAME only tells nobody",
                    mend: "set 'winbind use default domain = yes' on a member server"))
        }
        let groups = members.contains { if case .group = $0 { true } else { false } }
        if groups, (samba.value("winbind expand groups") ?? "0") == "0" {
            findings.append(
                Finding(
                    "samba", .warning,
                    "winbind gives groups without their members (winbind expand groups = 0): classes by a group may be empty",
                    mend: "'getent group NAME' must list the students; set 'winbind expand groups = 2', or list the logins"))
        }
        return findings
    }

    // MARK: One share

    private func findings(of share: SambaSettings.Share, _ watched: [Settings.Share]) -> [Finding] {
        var findings: [Finding] = []
        func add(_ state: Finding.State, _ what: String, _ mend: String?) {
            findings.append(Finding("samba", state, "[\(share.name)] \(what)", mend: mend))
        }
        if let user = samba.value("force user", of: share), !user.hasPrefix("%") {
            let account = user.split(whereSeparator: { $0 == "\\" || $0 == "+" }).last.map(String.init) ?? user
            addShared(
                account, "has 'force user = \(user)': everybody looks like \(account)",
                "remove 'force user' and give the folders group rights instead")
        }
        if samba.isYes("guest only", of: share) || samba.isYes("only guest", of: share) {
            let account = samba.value("guest account", of: share) ?? "nobody"
            addShared(account, "has 'guest only = yes': everybody looks like \(account)", "remove 'guest only', so that people log in")
        } else if samba.isYes("guest ok", of: share) || samba.isYes("public", of: share) {
            let maps = samba.value("map to guest").map { $0.lowercased() != "never" } ?? false
            add(
                .warning,
                "has 'guest ok = yes': guests have no name to credit"
                    + (maps ? ", and by 'map to guest' whoever mistypes a name becomes one without noticing" : ""),
                "set 'guest ok = no'")
        }
        if let users = samba.value("admin users", of: share) {
            add(
                .warning, "has 'admin users = \(users)': they work as root, who is never a person, so nothing is credited to them",
                "remove 'admin users'; students among them are not recorded")
        }
        for module in samba.modules(of: share) where ["ceph", "ceph_new", "glusterfs", "glusterfs_fuse"].contains(module) {
            add(
                .stops, "uses the module \(module), which goes past the kernel: nothing is seen",
                "export the mounted file system instead, or run Daybook where the files are")
        }
        addFolders(of: share, watched, add)
        addCaching(of: share, add)

        /// One account for all: the folder decides, if it is known that the account stands for nobody, and if there is one of the person.
        func addShared(_ account: String, _ what: String, _ mend: String) {
            let tellsPerson = watched.allSatisfy { $0.layouts.layouts.allSatisfy { $0.parts.contains(.person) } }
            let isKnown = settings.identity.sharedAccounts.contains(.login(account))
            if !tellsPerson {
                add(.stops, "\(what), and no folder at {person} says who worked: nobody can be credited", mend)
            } else if isKnown {
                add(.warning, "\(what); who worked is told by the folder only, marked assumed", mend)
            } else {
                add(
                    .stops, "\(what), who is no student: nobody is credited",
                    "\(mend); or name \(account) in 'shared-accounts' under [identity]: then the folder decides, marked assumed")
            }
        }
        return findings
    }

    /// Folders that a module makes inside the share, and that would look like documents of somebody.
    private func addFolders(
        of share: SambaSettings.Share, _ watched: [Settings.Share], _ add: (Finding.State, String, String?) -> Void
    ) {
        let modules = samba.modules(of: share)
        if modules.contains("recycle") {
            let place = samba.value("recycle:repository", of: share) ?? ".recycle"
            if let name = visible(place, of: share, watched) {
                add(
                    .warning, "keeps deleted files in '\(place)', which would look like documents",
                    "set 'recycle:repository = .recycle', or add \"\(name)\" to 'excluded' under [watch]")
            }
        }
        if modules.contains("shadow_copy2") || modules.contains("snapper") || modules.contains("btrfs") {
            let place = samba.value("shadow:snapdir", of: share) ?? ".snapshots"
            if !place.hasPrefix("/") || settings.shares.contains(where: { place.hasPrefix($0.path + "/") }),
                let name = visible(place, of: share, watched)
            {
                add(
                    .warning, "keeps snapshots in '\(place)': old states of all documents would look like new ones",
                    "add \"\(name)\" to 'excluded' under [watch]")
            }
        }
        if modules.contains("shadow_copy"), let name = visible("@GMT-", of: share, watched) {
            add(
                .warning,
                "keeps snapshots in folders '\(name)…' (module shadow_copy): old states of all documents would look like new ones",
                "add \"@GMT-*\" to 'excluded' under [watch]")
        }
    }

    /// The first name of a module's folder that is neither excluded nor out of the layouts' reach; nil where nobody will look there.
    private func visible(_ place: String, of share: SambaSettings.Share, _ watched: [Settings.Share]) -> String? {
        let names = place.split(separator: "/").filter { $0 != "." }.prefix { !$0.contains("%") }.map(String.init)
        for served in watched {
            for path in paths(of: share) {
                let whole = place.hasPrefix("/") ? SambaPath(place) : path
                guard let above = whole.below(resolved(served.path)) else { continue }
                let folder = (place.hasPrefix("/") ? above : above + (names.isEmpty ? ["x"] : names)).joined(separator: "/")
                if served.layouts.canLead(folder: PathBytes(folder)) { return names.first ?? place }
            }
        }
        return nil
    }

    private func addCaching(of share: SambaSettings.Share, _ add: (Finding.State, String, String?) -> Void) {
        if samba.isYes("fake oplocks", of: share) {
            add(
                .warning, "has 'fake oplocks = yes': clients keep saves to themselves as long as they like",
                "set 'fake oplocks = no'; it also loses files where two people write")
            return
        }
        // With kernel oplocks Samba grants no leases.
        if samba.isNo("oplocks", of: share) || samba.isYes("kernel oplocks", of: share) { return }
        let what = samba.isNo("smb2 leases") ? "oplocks" : "leases"
        add(
            .note, "grants \(what): Windows may keep saves for some seconds, and close late; times are a little later than the work",
            "nothing needs to be done; 'oplocks = no' would show everything at once, and make the network slower")
    }
}
