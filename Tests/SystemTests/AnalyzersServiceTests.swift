// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The analyzer service of systemd", .serialized, .enabled(if: Box.obstacle == nil, Comment(rawValue: Box.obstacle ?? "")))
struct AnalyzersServiceTests {
    /// One that works, one that hangs, and one that tries what it must not do and says what it could.
    private static let configuration =
        Box.configuration + """
            [[analyzer.external]]
            name = "probe"
            command = ["/usr/local/lib/daybook/probe.py"]
            patterns = ["*.txt"]
            [[analyzer.external]]
            name = "hanging"
            command = ["/usr/bin/sleep", "1000"]
            patterns = ["hang*"]
            time-limit = "2s"

            """

    private static let probe = """
        #!/usr/bin/python3
        import json, os, socket, sys
        request = json.load(sys.stdin)
        def write(path):
            with open(path, "w") as file: file.write("x")
        trials = {
            "passwd": lambda: open("/etc/passwd").read(), "shadow": lambda: open("/etc/shadow").read(),
            "share": lambda: os.listdir("/srv/classes"), "state": lambda: os.listdir("/var/lib/daybook"),
            "tmp": lambda: write("/tmp/x"), "inet": lambda: socket.socket(socket.AF_INET), "unix": lambda: socket.socket(socket.AF_UNIX),
            "parent": lambda: os.kill(os.getppid(), 0),
        }
        done = 0
        for name, trial in trials.items():
            try:
                trial()
                done += 1
            except OSError:
                pass
        words = len(open(request["document"]).read().split())
        json.dump({"version": 1, "items": [
            {"identifier": "probe_words", "title": "Probe", "kind": "quantity", "value": words},
            {"identifier": "probe_trespasses", "title": "Trespasses", "kind": "quantity", "value": done}]}, sys.stdout)
        """

    @Test("runs external analyzers and tools shut in, and one that hangs keeps nobody from the next document")
    func external() async throws {
        let box = try await Box(configuration: Self.configuration)
        try await box.must("mkdir -p /usr/local/lib/daybook")
        try await box.write("/usr/local/lib/daybook/probe.py", Self.probe)
        try await box.must("chmod 755 /usr/local/lib/daybook/probe.py && daybook config check && systemctl start daybookd.service")
        func save(_ name: String, _ text: String) async throws {
            try await box.must(
                "cd /srv/classes/8b/*/berg && setpriv --reuid=61002 --regid=61002 --clear-groups bash -c 'echo \(text) > \(name)'")
        }
        try await save("hang.txt", "one two")
        try await save("essay.txt", "Hamlet waits a long time.")
        func entry(_ name: String) -> String { "daybook tail -n 100 --kind metrics --names --json | grep '\(name)'" }
        try await box.eventually(entry("essay.txt") + " | grep probe_words", within: 30)
        let essay = try await box.must(entry("essay.txt"))
        #expect(essay.contains(#""identifier":"probe_words","title":"Probe","kind":"quantity","value":5"#), "\(essay)")
        #expect(essay.contains(#""identifier":"probe_trespasses","title":"Trespasses","kind":"quantity","value":0"#), "\(essay)")
        #expect(essay.contains("total_word_count"))
        // What hung is told in the Daybook journal, beside the built-in figures, and to whoever runs the machine, without the document's name.
        try await box.eventually(entry("hang.txt") + " | grep 'took longer than 2 s' | grep total_word_count", within: 30)
        try await box.eventually("journalctl -u daybookd -o cat | grep 'an external analyzer failed' | grep -q hanging")
        let log = try await box.must("journalctl -u daybookd -u daybook-analyze -o json --all")
        #expect(!log.contains("hang.txt") && !log.contains("essay.txt"))
        #expect(try await box.sh("pgrep -x sleep").status == 1)
    }
}
