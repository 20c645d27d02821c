// SPDX-License-Identifier: Apache-2.0

/// What `testparm -s` says of a Samba server: the effective settings, with every name in one spelling.
struct SambaSettings: Equatable, Sendable {
    struct Share: Equatable, Sendable {
        var name: String
        var values: [String: String]
    }

    var global: [String: String] = [:]
    var shares: [Share] = []

    init(parsing text: String) {
        var current: Share?
        func finish(_ settings: inout SambaSettings, _ share: Share?) {
            guard let share else { return }
            if share.name.lowercased() == "global" { settings.global = share.values } else { settings.shares.append(share) }
        }
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if words.isEmpty || words.hasPrefix("#") || words.hasPrefix(";") { continue }
            if words.hasPrefix("["), words.hasSuffix("]") {
                finish(&self, current)
                current = Share(name: String(words.dropFirst().dropLast()), values: [:])
            } else if let equals = words.firstIndex(of: "=") {
                let key = words[..<equals].split(separator: " ").joined(separator: " ").lowercased()
                let value = words[words.index(after: equals)...].split(separator: " ").joined(separator: " ")
                current?.values[key] = value
            }
        }
        finish(&self, current)
    }

    /// Of a share, else the server's default for all.
    func value(_ key: String, of share: Share) -> String? { share.values[key] ?? global[key] }

    /// What would make the shares at these paths tell less, or something wrong.
    func findings(for paths: [String]) -> [Finding] {
        var findings: [Finding] = []
        if isYes(global["clustering"]) {
            findings.append(
                Finding(
                    "samba", .stops, "Samba runs as a cluster (clustering = yes): other nodes' work makes no event on this machine",
                    mend: "run Daybook only where one node serves the classes"))
        }
        for share in shares {
            guard let path = share.values["path"] else { continue }
            // Also where the Samba share lies below or above the watched folder.
            guard paths.contains(where: { covers($0, path) || covers(path, $0) }) else { continue }
            findings += self.findings(of: share)
        }
        return findings
    }

    private func findings(of share: Share) -> [Finding] {
        var findings: [Finding] = []
        let name = "[\(share.name)]"
        func add(_ state: Finding.State, _ what: String, _ mend: String) {
            findings.append(Finding("samba", state, "\(name) \(what)", mend: mend))
        }
        if let user = value("force user", of: share), !user.isEmpty {
            add(
                .warning, "has 'force user = \(user)': everybody looks like \(user), so who worked can be told by the folder only",
                "remove 'force user'; give the folders group rights instead")
        }
        if isYes(value("guest ok", of: share) ?? value("public", of: share)) {
            add(.warning, "has 'guest ok = yes': guests have no name to credit", "set 'guest ok = no'")
        }
        if let users = value("admin users", of: share), !users.isEmpty {
            add(.warning, "has 'admin users = \(users)': they work as root and cannot be told apart", "remove 'admin users'")
        }
        let modules = (value("vfs objects", of: share) ?? value("vfs object", of: share) ?? "").split { $0 == " " || $0 == "," }
        for module in modules where ["ceph", "ceph_new", "glusterfs", "glusterfs_fuse"].contains(module) {
            add(
                .stops, "uses the module \(module), which goes past the kernel: nothing is seen",
                "export the mounted file system instead, or run Daybook where the files are")
        }
        if modules.contains("recycle"), let place = value("recycle:repository", of: share), !place.hasPrefix(".recycle"),
            !place.hasPrefix("#recycle")
        {
            add(
                .warning, "keeps deleted files in '\(place)', which would look like documents",
                "set 'recycle:repository = .recycle', or add the folder to 'excluded' under [watch]")
        }
        if isYes(value("smb3 directory leases", of: share)) || (!isNo(value("oplocks", of: share)) && !isNo(global["smb2 leases"])) {
            findings.append(
                Finding(
                    "samba", .note,
                    "\(name) grants leases: Windows may keep saves for some seconds, and close late; times are a little later than the work"
                ))
        }
        return findings
    }

    private func isYes(_ value: String?) -> Bool { value.map { ["yes", "true", "1", "on"].contains($0.lowercased()) } ?? false }

    private func isNo(_ value: String?) -> Bool { value.map { ["no", "false", "0", "off"].contains($0.lowercased()) } ?? false }

    private func covers(_ folder: String, _ path: String) -> Bool {
        path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }
}
