// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("The service's pages", .serialized, .enabled(if: Box.obstacle == nil, Comment(rawValue: Box.obstacle ?? "")))
struct PagesServiceTests {
    @Test("are written into the folder that is made for them, by an account without any right to give files away")
    func publishes() async throws {
        let box = try await Box()
        #expect(try await box.must("stat -c '%a %U' /var/lib/daybook-pages") == "755 daybook\n")
        let pages = "[pages]\ndirectory = \"/var/lib/daybook-pages\"\ninterval = \"1s\"\n"
        try await box.write("/etc/daybook/config.toml", Box.configuration + pages)
        try await box.must("systemctl start daybookd.service")
        let work = "setpriv --reuid=61002 --regid=61002 --clear-groups"
        try await box.must("cd /srv/classes/8b/*/berg && \(work) bash -c 'echo Hamlet waits. > essay.txt'")
        try await box.eventually("grep -q essay.txt /var/lib/daybook-pages/people/berg/index.html")
        try await box.eventually("grep -q berg /var/lib/daybook-pages/8b/*/index.csv")
        try await box.must("daybook status | grep -q '/var/lib/daybook-pages: 2 pages'")
        // Theirs, and nobody else's.
        try await box.must("\(work) cat /var/lib/daybook-pages/people/berg/index.html > /dev/null")
        try await box.must("! \(work) cat /var/lib/daybook-pages/8b/*/index.html && ! \(work) ls /var/lib/daybook-pages/8b")
        let teacher = "setpriv --reuid=61000 --regid=61000 --clear-groups"
        try await box.must("\(teacher) cat /var/lib/daybook-pages/8b/*/index.html > /dev/null")
        let stranger = "setpriv --reuid=61099 --regid=61099"
        let group = try await box.must("getent group daybook-admin | cut -d: -f3").dropLast()
        try await box.must("\(stranger) --groups=\(group) cat /var/lib/daybook-pages/people/berg/index.html > /dev/null")
        try await box.must("! \(stranger) --clear-groups cat /var/lib/daybook-pages/people/berg/index.html")
        #expect(try await box.must("stat -c '%U' /var/lib/daybook-pages/people/berg/index.html") == "daybook\n")
        // Switched off, they go.
        try await box.write("/etc/daybook/config.toml", Box.configuration)
        try await box.must("systemctl reload daybookd.service")
        try await box.eventually("[ \"$(ls /var/lib/daybook-pages)\" = '' ]")
    }

    @Test("in another folder need a line in a drop-in, and it is said which")
    func elsewhere() async throws {
        let box = try await Box()
        try await box.must("install -d -m 755 -o daybook /var/pages")
        try await box.write("/etc/daybook/config.toml", Box.configuration + "[pages]\ndirectory = \"/var/pages\"\n")
        try await box.must("systemctl start daybookd.service")
        try await box.eventually("daybook doctor | grep -q 'ReadWritePaths=/var/pages'")
        try await box.must("mkdir -p /etc/systemd/system/daybookd.service.d")
        try await box.write("/etc/systemd/system/daybookd.service.d/pages.conf", "[Service]\nReadWritePaths=/var/pages\n")
        try await box.must("systemctl daemon-reload && systemctl restart daybookd.service")
        try await box.eventually("daybook status | grep -q '/var/pages: [0-9]'")
    }
}
