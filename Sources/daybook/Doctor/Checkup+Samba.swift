// SPDX-License-Identifier: Apache-2.0
import Glibc

extension Checkup {
    func samba() -> [Finding] {
        guard let settings, let program = Programs.find("testparm", environment: invocation.environment) else { return [] }
        let answer = Programs.ask(program, ["-s"], within: .seconds(30))
        let samba = SambaSettings(parsing: answer.map { String(decoding: $0.output, as: UTF8.self) } ?? "")
        // With mistakes in the file it ends with 1, but says all the same what counts.
        guard let answer, answer.status == 0 || !samba.shares.isEmpty else {
            return [
                Finding("samba", .note, "testparm could not read Samba's configuration, so that it is not looked at", mend: "testparm -s")
            ]
        }
        var findings = SambaCheck(samba, settings, homes: Self.homes(), resolved: { Self.realPath($0) ?? $0 }).findings()
        if answer.status != 0 {
            findings.append(Finding("samba", .note, "testparm finds mistakes in Samba's configuration", mend: "testparm -s"))
        }
        return findings.isEmpty ? [Finding("samba", .good, "nothing in Samba's configuration stands in the way")] : findings
    }

    /// A directory service with more accounts than these is not asked for them all.
    private static let accountsLimit = 2_000

    /// Home folders of the accounts that the machine lists, each once. A domain often lists none, and is then not looked at.
    private static func homes() -> [String] {
        var found: Set<String> = []
        setpwent()
        defer { endpwent() }
        for _ in 0..<accountsLimit {
            guard let entry = getpwent() else { break }
            // Services have no home in which anybody works.
            if entry.pointee.pw_uid >= 1000, entry.pointee.pw_uid < 65_534, let home = entry.pointee.pw_dir {
                found.insert(String(cString: home))
            }
        }
        return found.sorted()
    }

    static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
