// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A small school in a machine of its own: an administrator, two teachers, eight students with accounts, and what each of them does.
struct PlayThrough {
    let box: Box

    static let students = ["abara", "berg", "castell", "demir", "evans", "fofanah", "grant", "haddad"]

    static let configuration = """
        [pages]
        directory = "/var/lib/daybook-pages"
        interval = "1s"
        [school]
        hours = []
        [[share]]
        path = "/srv/classes"
        [[share.layout]]
        pattern = "{class}/{assignment}/{person}/{document}"
        [[class]]
        name = "9a"
        students = "@students-9a"
        teachers = ["kelly"]
        [[class]]
        name = "9b"
        students = ["fofanah", "grant", "haddad"]
        teachers = ["moss"]

        """

    /// Accounts, groups and folders as a school has them, and a home for each.
    init() async throws {
        box = try await Box(configuration: Self.configuration)
        try await box.must("rm -rf /srv/classes/8b && mkdir -p /srv/classes/9a /srv/classes/9b /run/play /home")
        try await box.must("groupadd students-9a && useradd -m moss && useradd -m -G daybook-admin heath")
        for student in Self.students where student != "berg" { try await box.must("useradd -m \(student)") }
        for student in Self.students.prefix(5) { try await box.must("gpasswd -a \(student) students-9a") }
        try await box.must("install -d -o berg -g berg /home/berg && install -d -o kelly -g kelly /home/kelly")
        try await box.must("chown kelly: /srv/classes/9a && chown moss: /srv/classes/9b && chmod 1777 /run/play")
    }

    /// A shell line as one of them, from their home.
    func sh(_ line: String, as person: String) async throws -> Outcome {
        try await box.write("/run/play/line.\(person)", line)
        return try await box.sh(
            "cd /home/\(person) && exec setpriv --reuid=\(person) --regid=\(person) --init-groups env -i HOME=/home/\(person) "
                + "PATH=/usr/bin:/bin LANG=C.UTF-8 TERM=screen bash /run/play/line.\(person)")
    }

    @discardableResult
    func must(_ line: String, as person: String) async throws -> String {
        let outcome = try await sh(line, as: person)
        guard outcome.status == 0 else { throw Box.Failed(description: "\(person): \(line)\n\(outcome)") }
        return outcome.output
    }

    /// What a command answers with `--json`.
    func read(_ line: String, as person: String, _ key: String? = nil) async throws -> [String: Any] {
        let output = try await must(line + " --json", as: person)
        let last = try #require(output.split(separator: "\n").last)
        return try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any], "\(output)")
    }

    // MARK: What students do, all at once

    /// Begins a script as somebody; it notes with `note NAME` when what happened, and its end as `done`.
    func begin(_ script: String, as person: String) async throws {
        let text = """
            set -eu
            note() { date +%s.%N > "/run/play/\(person).$1"; }
            keys() { tmux -L play send-keys "$@"; }
            \(script)
            note done
            """
        // What an earlier script of theirs noted.
        try await box.must("rm -f /run/play/\(person).*")
        try await box.write("/run/play/\(person).sh", text)
        try await box.must(
            "cd /home/\(person) && setpriv --reuid=\(person) --regid=\(person) --init-groups env -i HOME=/home/\(person) PATH=/usr/bin:/bin "
                + "LANG=C.UTF-8 TERM=screen setsid bash /run/play/\(person).sh > /run/play/\(person).log 2>&1 < /dev/null &")
    }

    /// Waits until all that were begun are done.
    func finish(_ people: [String]) async throws {
        for person in people {
            do {
                try await box.eventually("test -s /run/play/\(person).done", within: 120)
            } catch {
                throw Box.Failed(description: "\(error)\n\(try await box.must("cat /run/play/\(person).log"))")
            }
        }
    }

    /// Seconds between two notes.
    func seconds(_ person: String, from first: String = "opened", to last: String = "closed") async throws -> Double {
        func at(_ note: String) async throws -> Double {
            let text = try await box.must("cat /run/play/\(person).\(note)").trimmingCharacters(in: .whitespacesAndNewlines)
            return try #require(Double(text))
        }
        return try await at(last) - at(first)
    }

    /// An editor in a terminal of tmux: starts it, waits until it shows the file, types, saves, waits, types more, saves and ends.
    static func editor(_ program: String, _ path: String, shows: String, first: [String], pause: Int, second: [String]) -> String {
        """
        note opened
        tmux -L play -f /dev/null new-session -d -x 90 -y 30 "\(program) '\(path)'"
        for _ in $(seq 200); do
            if tmux -L play capture-pane -p | grep -qF '\(shows)'; then break; fi
            sleep 0.05
        done
        \(first.map { "keys \($0); sleep 0.3" }.joined(separator: "\n"))
        sleep \(pause)
        \(second.map { "keys \($0); sleep 0.3" }.joined(separator: "\n"))
        while tmux -L play has-session 2> /dev/null; do sleep 0.05; done
        note closed
        """
    }

    /// A presentation of so many slides, as a program makes it: a new file, renamed over the old one.
    static func slides(_ count: Int, _ path: String) -> String {
        """
        python3 - '\(path)' \(count) <<'END'
        import os, sys, zipfile
        path, count = sys.argv[1], int(sys.argv[2])
        spaces = ' '.join(f'xmlns:{n}="urn:oasis:names:tc:opendocument:xmlns:{u}:1.0"' for n, u in
            [('office', 'office'), ('draw', 'drawing'), ('text', 'text')])
        page = '<draw:page draw:name="{0}"><draw:frame><draw:text-box><text:p>Slide {0}</text:p></draw:text-box></draw:frame></draw:page>'
        with zipfile.ZipFile(path + '.new', 'w') as file:
            kind = 'application/vnd.oasis.opendocument.presentation'
            file.writestr('mimetype', kind)
            file.writestr('META-INF/manifest.xml', '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
                f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/></manifest:manifest>')
            file.writestr('content.xml', f'<?xml version="1.0"?><office:document-content {spaces}><office:body><office:presentation>'
                + ''.join(page.format(n + 1) for n in range(count)) + '</office:presentation></office:body></office:document-content>')
        os.rename(path + '.new', path)
        END
        """
    }
}
