// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("These tests")
struct SystemTestsThemselves {
    @Test(
        "can run wherever they must",
        .enabled(if: ProcessInfo.processInfo.environment["DAYBOOK_SYSTEM_TESTS"] == "required", "DAYBOOK_SYSTEM_TESTS=required is not set"))
    func canRun() {
        #expect(Box.obstacle == nil)
        #expect(School.obstacle == nil)
    }
}

@Suite("The service", .serialized, .enabled(if: Box.obstacle == nil, Comment(rawValue: Box.obstacle ?? "")))
struct ServiceTests {
    @Test("is installed with units that systemd finds nothing wrong with, and little exposed")
    func units() async throws {
        let box = try await Box()
        let units = "daybookd.service daybookd.socket daybook-analyze.service daybook-analyze.socket"
        let verified = try await box.sh("systemd-analyze verify \(units)")
        #expect(verified.status == 0)
        #expect(verified.output == "")
        try await box.must(
            "mandoc -T lint /usr/share/man/man1/daybook.1 /usr/share/man/man5/daybook-config.5 /usr/share/man/man8/daybook*.8 > /run/lint")
        #expect(try await box.must("cat /run/lint") == "")
        try await box.must("stat /usr/share/bash-completion/completions/daybook /usr/share/zsh/vendor-completions/_daybook")
        try await box.must("stat /usr/share/fish/vendor_completions.d/daybook.fish")
        // In tenths, as systemd wants it. Offline is stricter than a running system.
        try await box.must("systemd-analyze security --offline=true --threshold=11 /usr/lib/systemd/system/daybookd.service")
        try await box.must("systemd-analyze security --offline=true --threshold=3 /usr/lib/systemd/system/daybook-analyze.service")
        try await box.must("cat /usr/lib/systemd/system/daybookd.service /usr/share/doc/daybook/fanotify.conf > /run/both.service")
        try await box.must("systemd-analyze security --offline=true --threshold=14 /run/both.service")
        let tooStrict = try await box.sh("systemd-analyze security --offline=true --threshold=1 /usr/lib/systemd/system/daybookd.service")
        #expect(tooStrict.status != 0, "a threshold that nobody can cross would make this test empty")
    }

    @Test("starts with the first who asks, and again after it was stopped")
    func activation() async throws {
        let box = try await Box()
        try await box.must("systemctl start daybookd.socket")
        #expect(try await box.show("daybookd.service", "ActiveState") == "inactive")
        try await box.must("daybook status")
        #expect(try await box.show("daybookd.service", "ActiveState") == "active")
        #expect(
            try await box.must("stat -c '%a %U' /run/daybook/daybook.sock /run/daybook /var/lib/daybook")
                == "666 root\n755 root\n750 daybook\n")
        try await box.must("systemctl stop daybookd.service")
        #expect(try await box.show("daybookd.service", "Result") == "success")
        try await box.must("test -S /run/daybook/daybook.sock")
        try await box.must("daybook status")
        #expect(try await box.show("daybookd.service", "ActiveState") == "active")
        // Anybody may ask.
        try await box.must("setpriv --reuid=61002 --regid=61002 --clear-groups daybook status")
        try await box.must("systemctl stop daybookd.socket daybookd.service")
        try await box.must("! test -e /run/daybook/daybook.sock")
    }

    @Test("is ready when it serves, and says how it is")
    func ready() async throws {
        let box = try await Box()
        // Type=notify: this returns with READY, or fails.
        try await box.must("systemctl start daybookd.service")
        try await box.must("daybook status")
        try await box.eventually("systemctl show --value -p StatusText daybookd.service | grep -q .")
    }

    @Test("is started anew when it hangs, or is killed")
    func watchdog() async throws {
        let box = try await Box()
        try await box.must("mkdir -p /run/systemd/system/daybookd.service.d")
        try await box.write("/run/systemd/system/daybookd.service.d/test.conf", "[Service]\nWatchdogSec=2s\n")
        try await box.must("systemctl daemon-reload && systemctl start daybookd.service")
        let first = try await box.show("daybookd.service", "MainPID")
        try await box.must("kill -STOP \(first)")
        try await box.eventually(
            "[ \"$(systemctl show --value -p NRestarts daybookd.service)\" = 1 ] && systemctl is-active daybookd.service")
        try await box.must("journalctl -u daybookd | grep -q 'Watchdog timeout'")
        try await box.must("daybook status")
        let second = try await box.show("daybookd.service", "MainPID")
        #expect(second != first)
        try await box.must("kill -KILL \(second)")
        try await box.eventually(
            "[ \"$(systemctl show --value -p NRestarts daybookd.service)\" = 2 ] && systemctl is-active daybookd.service")
        try await box.must("daybook status && daybook verify /var/lib/daybook")
        // It answers its watchdog by itself while nothing happens.
        let third = try await box.show("daybookd.service", "MainPID")
        for _ in 1...2 {
            let before = try await box.show("daybookd.service", "WatchdogTimestampMonotonic")
            try await box.eventually("[ \"$(systemctl show --value -p WatchdogTimestampMonotonic daybookd.service)\" != \(before) ]")
        }
        #expect(try await box.show("daybookd.service", "MainPID") == third)
    }

    @Test("applies a good configuration on reload, and keeps the old one before a bad one")
    func reload() async throws {
        let box = try await Box()
        try await box.must("systemctl start daybookd.service")
        let pid = try await box.show("daybookd.service", "MainPID")
        let applied = try messageID("Daybook's configuration was applied")
        let refused = try messageID("Daybook's configuration has mistakes and was not applied")

        try await box.write("/etc/daybook/config.toml", Box.configuration + "[[class]]\nname = \"9a\"\nstudents = []\n")
        try await box.must("systemctl reload daybookd.service")
        try await box.eventually("journalctl MESSAGE_ID=\(applied) -o cat | grep -q .")

        try await box.write("/etc/daybook/config.toml", Box.configuration + "[wach]\n")
        _ = try await box.sh("systemctl reload daybookd.service")
        try await box.eventually("journalctl MESSAGE_ID=\(refused) -o cat | grep -q .")
        #expect(try await box.show("daybookd.service", "MainPID") == pid)
        let check = try await box.sh("daybook config check /etc/daybook/config.toml")
        #expect(check.status == 1)
        #expect(check.output.contains("/etc/daybook/config.toml:11:2: unknown key 'wach'"), "\(check)")
        try await box.must("daybook status")
    }

    @Test("sees other people's processes and files, and finds all it needs at its start")
    func selfTest() async throws {
        let box = try await Box()
        // Somebody else's process, with somebody else's file open.
        try await box.must(
            "cd /srv/classes/8b/*/berg && setpriv --reuid=61002 --regid=61002 --clear-groups bash -c 'echo Hamlet waits. > essay.txt; exec 3<> essay.txt; exec sleep 600' > /dev/null 2>&1 &"
        )
        try await box.must("systemctl start daybookd.service")
        let text = try await box.must("daybook status --json")
        let line = try #require(text.split(separator: "\n").first)
        let parsed = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let status = parsed["status"] as? [String: Any] ?? parsed
        let tests = try #require(status["selfTests"] as? [[String: Any]])
        #expect(tests.count >= 4, "\(tests)")
        for test in tests { #expect(test["passed"] as? Bool == true, "\(test)") }
    }

    @Test("uses fanotify where the drop-in allows it, and says else why not")
    func fanotify() async throws {
        let box = try await Box()
        try await box.must("systemctl start daybookd.service")
        let without = try await Self.share(box)
        #expect(without["source"] as? String == "inotify")
        #expect((without["sourceReason"] as? String)?.contains("EPERM") == true, "\(without)")
        try await box.must("daybook doctor --json | grep -q 'Not by fanotify: .*EPERM'")
        try await box.eventually(
            "daybook tail -n 100 --kind watching --names --json | grep -q '\"source\":\"inotify\".*not watched by fanotify: .*EPERM'")

        try await Self.allowFanotify(box)
        let with = try await Self.share(box)
        #expect(with["source"] as? String == "fanotify" && with["sourceReason"] == nil, "\(with)")
        try await box.must("daybook status --json | grep -q 'the kernel tells whose each change is'")
        try await box.must(
            "daybook doctor --json > /run/findings; grep -q 'whose each change is' /run/findings && ! grep -q 'Not by fanotify' /run/findings"
        )
    }

    @Test("knows by fanotify who saved, although neither the path nor the owner tells")
    func fanotifyActor() async throws {
        let box = try await Box()
        try await box.must("useradd -M -u 61003 ek && chmod 777 /srv/classes/8b/*/berg")
        try await box.write("/etc/daybook/config.toml", Box.configuration.replacing("\"berg\"]", with: "\"berg\", \"ek\"]"))
        try await box.must("cd /srv/classes/8b/*/berg && echo Ophelia. > joint.txt && chown berg: joint.txt && chmod 666 joint.txt")
        try await Self.allowFanotify(box)
        let source = try await Self.share(box)["source"] as? String
        #expect(source == "fanotify")
        try await box.must(
            "cd /srv/classes/8b/*/berg && setpriv --reuid=61003 --regid=61003 --clear-groups perl -e 'open(F, q(>>), q(joint.txt)); print F q(sings); close F; select(undef, undef, undef, 1)'"
        )
        try await box.eventually("daybook tail -n 100 --kind metrics --names --json | grep joint.txt | grep 61003 | grep -q '\"event\"'")
    }

    private static func allowFanotify(_ box: Box) async throws {
        try await box.must(
            "mkdir -p /etc/systemd/system/daybookd.service.d && cp /usr/share/doc/daybook/fanotify.conf /etc/systemd/system/daybookd.service.d/"
        )
        try await box.must("systemctl daemon-reload && systemctl restart daybookd.service")
    }

    /// The first share, once it has been crawled.
    private static func share(_ box: Box) async throws -> [String: Any] {
        try await box.eventually("daybook status --json | grep -q '\"state\":\"complete\"'")
        let text = try await box.must("daybook status --json")
        let line = try #require(text.split(separator: "\n").first)
        let parsed = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let status = parsed["status"] as? [String: Any] ?? parsed
        return try #require((status["shares"] as? [[String: Any]])?.first)
    }

    @Test("hands documents to an analyzer that can see and do nothing else")
    func analyzer() async throws {
        let box = try await Box()
        try await box.must("systemctl start daybookd.service")
        try await box.must(
            "cd /srv/classes/8b/*/berg && setpriv --reuid=61002 --regid=61002 --clear-groups bash -c 'echo Hamlet waits a long time. > essay.txt'"
        )
        try await box.eventually("daybook tail -n 100 --kind metrics --names | grep -q total_word_count")
        let pid = try await box.show("daybook-analyze.service", "MainPID")
        #expect(pid != "0")
        let credentials = try await box.must("grep -E '^(Cap|Uid|NoNewPrivs|Seccomp:)' /proc/\(pid)/status")
        for set in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"] {
            #expect(credentials.contains("\(set):\t0000000000000000\n"), "\(credentials)")
        }
        #expect(credentials.contains("NoNewPrivs:\t1\n"))
        #expect(credentials.contains("Seccomp:\t2\n"))
        let user = try await box.must("id -u daybook-analyze").trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(credentials.contains("Uid:\t\(user)\t\(user)\t\(user)\t\(user)\n"))

        // What a program in its place would see.
        func inside(_ command: String) async throws -> Outcome {
            try await box.sh("nsenter -t \(pid) -U -m -n -i -r -w --setuid=\(user) --setgid=$(id -g daybook-analyze) \(command)")
        }
        #expect(try await inside("/usr/bin/test -d /usr/lib").status == 0, "the probe itself must work")
        let daemon = try await box.show("daybookd.service", "MainPID")
        try await box.must("test -e /var/lib/daybook/current.jsonl && test -d /srv/classes && test -d /proc/\(daemon)")
        for hidden in [
            "/var/lib/daybook", "/srv/classes", "/srv", "/proc/\(daemon)", "/run/daybook/daybook.sock", "/etc/daybook",
            "/etc/passwd",
        ] {
            #expect(try await inside("/usr/bin/test -e \(hidden)").status == 1, "\(hidden)")
        }
        // Places that systemd covers must be there: nobody but root may open them, and root finds them empty.
        try await box.must("mkdir -p /home/berg")
        for covered in ["/home", "/root"] {
            let list = try await inside("/usr/bin/ls -A \(covered)")
            #expect(list.status != 0 && list.output.contains("cannot open directory '\(covered)': Permission denied"), "\(list)")
        }
        #expect(try await box.must("nsenter -t \(pid) -m -r -w /usr/bin/ls -A /home /root") == "/home:\n\n/root:\n")
        #expect(try await inside("/usr/bin/ls /sys/class/net").output.split(separator: "\n").filter { $0 != "lo" }.isEmpty)
    }

    @Test("says in the systemd journal what matters, by number and by field, without names")
    func systemdJournal() async throws {
        let box = try await Box()
        try await box.must("systemctl start daybookd.service")
        try await box.must(
            "cd /srv/classes/8b/*/berg && setpriv --reuid=61002 --regid=61002 --clear-groups bash -c 'echo Hamlet waits. > secretname.txt'")
        try await box.eventually("daybook tail -n 100 --names | grep -q secretname")
        let serves = try messageID("Daybook serves")
        try await box.must("journalctl MESSAGE_ID=\(serves) -o cat | grep -q .")
        #expect(try await box.must("journalctl -x MESSAGE_ID=\(serves)").contains("Folders may still be crawled"))
        // The entry's number in the Daybook journal, as a field to look for.
        try await box.must("daybook recording pause berg")
        let entry = "daybook tail -n 100 --kind recording --names --json | grep paused | grep -o '\"seq\":[0-9]*' | cut -d: -f2"
        let number = try await box.must(entry).trimmingCharacters(in: .whitespacesAndNewlines)
        let switched = try messageID("Daybook's recording was switched")
        try await box.eventually("journalctl MESSAGE_ID=\(switched) DAYBOOK_SEQ=\(number) -o cat | grep -q 'for=one person'")
        let all = try await box.must("journalctl -u daybookd -u daybook-analyze -o json --all")
        for name in ["berg", "secretname", "Hamlet essay"] { #expect(!all.contains(name), "\(name)") }
    }

    @Test("names what lies outside the layouts nowhere: neither in its state nor in any log", arguments: ["inotify", "fanotify"])
    func plantedNames(source: String) async throws {
        let box = try await Box()
        if source == "fanotify" {
            try await Self.allowFanotify(box)
        } else {
            try await box.must("systemctl start daybookd.service")
        }
        let used = try await Self.share(box)["source"] as? String
        #expect(used == source)
        // Above the assignments, and in a class that is none. The commands come in a file: nothing else may write the name down.
        try await box.write(
            "/root/plant",
            """
            mkdir -p /srv/classes/plantedname/plantedname/berg && chmod -R a+rwX /srv/classes
            for place in /srv/classes /srv/classes/8b /srv/classes/8b/* /srv/classes/plantedname/plantedname/berg; do
                cd "$place" && setpriv --reuid=61002 --regid=61002 --clear-groups bash -c 'echo Nobody > plantedname.txt; echo else >> plantedname.txt'
            done
            cd /srv/classes/8b/*/berg && setpriv --reuid=61002 --regid=61002 --clear-groups bash -c 'echo Ophelia sings. > lastname.txt'
            """)
        try await box.must("bash -e /root/plant")
        try await box.eventually("daybook tail -n 100 --kind metrics --names | grep -q lastname")
        try await box.must("systemctl stop daybookd.socket daybookd.service daybook-analyze.socket daybook-analyze.service")
        // What is assigned does stand in the Daybook journal, and the logs are where they are searched.
        try await box.must("grep -rqa lastname /var/lib/daybook && journalctl -u daybookd -o cat | grep -q watching")
        #expect(try await box.sh("grep -rla plantedname /var/lib/daybook /var/log /run/log 2> /dev/null").output == "")
        #expect(try await box.sh("journalctl -o json --all | grep plantedname").output == "")
    }
}

/// The number of a message by its subject in the catalog.
private func messageID(_ subject: String) throws -> String {
    let catalog = try String(contentsOf: Box.package.appending(path: "systemd/catalog/daybook.catalog"), encoding: .utf8)
    let lines = catalog.split(separator: "\n")
    let index = try #require(lines.firstIndex(of: "Subject: \(subject)"))
    return String(lines[index - 1].dropFirst(3))
}
