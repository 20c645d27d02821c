// SPDX-License-Identifier: Apache-2.0
import DaybookJSON
import Dispatch
import Foundation
import Glibc

/// What the person in front of the screen is told: on the desktop where there is one, else on standard error.
final class Notices: @unchecked Sendable {
    // Sendable: the set is used on the wire's queue only.
    private let app: String
    private var told: Set<String> = []
    private let queue = DispatchQueue(label: "org.daybook.ClassKit.notices")
    /// For tests: takes the place of desktop and standard error.
    var show: @Sendable (String) -> Void

    init(app: String) {
        self.app = app
        show = Desktop.show
    }

    /// Recording of an activity has begun: said once for each.
    func recordingBegan(_ notice: JSONValue) {
        guard let id = notice["activity"]?.stringValue, told.insert(id).inserted else { return }
        let app = notice["app"]?.stringValue ?? app
        say(
            notice["class"]?.stringValue.map { "\(app) shares your progress with the teachers of \($0)" }
                ?? "\(app) shares your progress with your teachers")
    }

    /// Assignments were marked as done.
    func done(_ titles: [String]) {
        for title in titles { say("marked as done: \(title)") }
    }

    /// What somebody did came to this.
    func told(_ text: String) { say(text) }

    /// Only in the development environment: one line for what was dropped.
    func dropped(_ line: String) {
        Callbacks.enter()
        queue.async {
            Desktop.write("ClassKit (development): \(line)")
            Callbacks.leave()
        }
    }

    private func say(_ text: String) {
        let show = show
        // A desktop that is slow keeps nobody waiting, but the end of the program.
        Callbacks.enter()
        queue.async {
            show(text)
            Callbacks.leave()
        }
    }
}

/// The person's screen.
enum Desktop {
    @Sendable static func show(_ text: String) {
        let text = plain(text)
        if hasSession, notify(text) { return }
        write("Daybook: \(text)")
    }

    static func write(_ line: String) {
        FileHandle.standardError.write(Data((plain(line) + "\n").utf8))
    }

    /// Names come from others: no control character of theirs reaches a terminal.
    static func plain(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }

    private static var hasSession: Bool {
        let variables = ProcessInfo.processInfo.environment
        if let address = variables["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return true }
        return variables["XDG_RUNTIME_DIR"].map { access($0 + "/bus", F_OK) == 0 } ?? false
    }

    /// By whichever of the two programs is here; false where none did it.
    private static func notify(_ text: String) -> Bool {
        // As the summary: in a body, desktops read markup, and notify-send backslashes.
        run("notify-send", ["--app-name=Daybook", "--", text])
            || run(
                "gdbus",
                [
                    "call", "--session", "--timeout=5", "--dest=org.freedesktop.Notifications",
                    "--object-path=/org/freedesktop/Notifications",
                    "--method=org.freedesktop.Notifications.Notify", "--", "Daybook", "0", "", variant(text), "", "[]", "{}", "-1",
                ])
    }

    /// A text that cannot be taken for another type.
    private static func variant(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }

    private static func run(_ program: String, _ arguments: [String]) -> Bool {
        var attributes = posix_spawn_file_actions_t()
        guard posix_spawn_file_actions_init(&attributes) == 0 else { return false }
        defer { posix_spawn_file_actions_destroy(&attributes) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            guard posix_spawn_file_actions_addopen(&attributes, descriptor, "/dev/null", O_RDWR, 0) == 0 else { return false }
        }
        var words = ([program] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var pid: pid_t = 0
        var variables = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for variable in variables { free(variable) } }
        variables.append(nil)
        guard posix_spawnp(&pid, program, &attributes, nil, words, variables) == 0 else { return false }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) == -1 {
            // The app may reap children itself; then nobody knows how it ended, and it most likely did its work.
            guard errno == EINTR else { return true }
        }
        return status == 0
    }
}
