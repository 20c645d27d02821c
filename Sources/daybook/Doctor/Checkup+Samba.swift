// SPDX-License-Identifier: Apache-2.0
import Glibc

extension Checkup {
    func samba() -> [Finding] {
        guard let settings, let program = Programs.find("testparm", environment: invocation.environment) else { return [] }
        guard let answer = Programs.ask(program, ["-s"], within: .seconds(10)), answer.status == 0 else {
            return [
                Finding("samba", .note, "testparm could not read Samba's configuration, so that it is not looked at", mend: "testparm -s")
            ]
        }
        let samba = SambaSettings(parsing: String(decoding: answer.output, as: UTF8.self))
        let findings = SambaCheck(samba, settings, homes: Self.homes(), resolved: { Self.realPath($0) ?? $0 }).findings()
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
