// SPDX-License-Identifier: Apache-2.0

/// Commands that the documentation shows, by their beginning, and who runs them.
enum DocumentedCommands {
    enum How: Equatable {
        /// A test, as `Suite/function`.
        case run(by: String)
        /// Why no test does.
        case notRun(String)
    }

    static let all: [(command: String, how: How)] = [
        ("make demo", .run(by: "DemoTests/school")),
        ("make build && sudo make install", .run(by: "ServiceTests/units")),
        ("sudo install -m 640 -g daybook-admin", .notRun("the box has a configuration of its own; its folder and group are tested")),
        ("sudoedit", .notRun("opens somebody's editor")),
        ("sudo daybook config check", .run(by: "ServiceTests/reload")),
        ("sudo systemctl enable --now daybookd.socket daybookd.service", .run(by: "ServiceTests/activation")),
        ("varlinkctl introspect", .run(by: "ThirdPartyTests/lists")),
        ("varlinkctl call /run", .run(by: "ThirdPartyTests/calls")),
        ("varlinkctl call --more", .run(by: "ThirdPartyTests/follows")),
        ("python3 -c", .run(by: "ThirdPartyTests/python")),
        ("cd /var/lib/daybook", .run(by: "DocumentedCommandsTests/recipes")),
        ("tail -F current.jsonl", .run(by: "DocumentedCommandsTests/recipes")),
        ("daybook forget --replay", .run(by: "ForgetTests/forget")),
        ("daybook analyze --key", .run(by: "CommandTests/key")),
        ("daybook assignment change", .run(by: "QuizTests/scores")),
        ("entries", .run(by: "DocumentedCommandsTests/recipes")),
        ("printf '302a", .run(by: "DocumentedCommandsTests/signature")),
        ("sed '/^$/", .run(by: "DocumentedCommandsTests/signature")),
        ("openssl pkeyutl", .run(by: "DocumentedCommandsTests/signature")),
        ("openssl genpkey", .notRun("encrypts a key for the machine that it runs on; a key that comes as a credential is tested")),
        (
            "systemctl stop daybookd.socket",
            .notRun("restoring by hand; that the journal goes on from a backup is tested without the service")
        ),
        ("mv /var/lib/daybook", .notRun("part of the same")),
        ("cp -a DIR", .notRun("part of the same")),
        ("cp -p /var/lib", .notRun("part of the same")),
        ("daybook forget --replay", .run(by: "ForgetTests/forget")),
        ("daybook verify --since NOTE", .notRun("part of the same; `verify --since` is tested with good and bad notes")),
        ("systemctl start daybookd.socket", .notRun("part of the same")),
        ("daybook assignment change", .run(by: "AssignTests/twoTeachers")),
        ("daybook assignment show", .run(by: "AssignTests/work")),
        ("daybook assignment end", .run(by: "AssignTests/states")),
        ("daybook assign", .run(by: "AssignTests/copies")),
        ("daybook done", .run(by: "AssignTests/work")),
        ("daybook handin", .run(by: "AssignTests/work")),
        ("make deb", .notRun("Tests/SystemTests/package.sh installs what it makes")),
        ("make test-package", .notRun("boots a fresh Debian; CI runs it")),
        ("make test-parts", .notRun("downloads a Debian with LibreOffice and takes minutes")),
        ("make packages", .notRun("installs packages; every run of the tests begins with it")),
        ("make test", .notRun("is this run")),
        ("make accuracy", .notRun("takes 20 minutes and real desktops; its table is in the documentation")),
        ("make bench", .notRun("measures for minutes; its parts are built and linted with the rest")),
        ("swift build", .notRun("is how this was built")),
        ("swift test", .notRun("is this run")),
        ("swift run -c release benchmarks", .notRun("measures for minutes")),
        ("Tests/Scale/scale.sh", .notRun("makes up to two million files")),
        ("Tests/Scale/day.py", .notRun("measures for minutes")),
        ("Tests/Scale/followers.py", .notRun("measures for a minute")),
        ("sudo apt install ./daybook", .notRun("Tests/SystemTests/package.sh does it on a fresh Debian")),
        ("sudo daybook setup", .notRun("part of the same; its parts are in SetupTests")),
        ("sudo systemctl reload daybookd", .run(by: "ServiceTests/reload")),
        ("sudo ln -s /run/daybook-metrics", .notRun("the node exporter's folder; what the file says is in MetricsTests")),
        (".ci/run", .notRun("runs this")),
    ]
}
